"""Logarithms and the like from additions, multiplications and divisions alone, which every processor rounds alike.

What a system's own library computes differs in the last bit from one system to the next, and a GPU has none. These are the same everywhere, compiled,
interpreted and on a GPU, and right to a few units in the last place (`power`: to as many as the result's logarithm is large). A GPU is given
them in place of those of `math`.
"""

from __future__ import annotations

import math
import struct
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from kibitz.core.records.bits import twin

BIAS = 1023  # of a float64's exponent
MANTISSA = 2**52 - 1
ROOT = math.sqrt(2.0)
LN2_HIGH = float.fromhex("0x1.62e42fefa3800p-1")  # its last bits are 0: times an exponent it is exact
LN2_LOW = float.fromhex("0x1.ef35793c76730p-45")
TINY = 2.0**-1022  # below it numbers have fewer bits
LARGEST, LEAST = 709.782712893384, -745.1332191019411  # beyond them exp is infinite, or 0
TO_EXPONENT = 1.0 / math.log(2.0)
TWO_BY_ROOT_PI = 2.0 / math.sqrt(math.pi)
ODD = tuple(1.0 / (2 * k + 1) for k in range(12))
FACTORIALS = tuple(1.0 / math.factorial(k) for k in range(15))


@twin
def to_bits(x: float) -> int:
    """The 64 bits of a float64, as a signed number."""
    return int(struct.unpack("<q", struct.pack("<d", x))[0])


@twin
def from_bits(word: int) -> float:
    """The float64 of these bits."""
    return float(struct.unpack("<d", struct.pack("<q", int(word)))[0])


def log(x: Any) -> Any:
    """The natural logarithm."""
    if not x > 0.0:
        return -np.inf if x == 0.0 else np.nan
    if x == np.inf:
        return np.inf
    exponent = 0
    if x < TINY:
        x *= 2.0**54
        exponent = -54
    word = to_bits(x)
    exponent += (word >> 52) - BIAS
    part = from_bits((word & MANTISSA) | (BIAS << 52))
    if part > ROOT:
        part *= 0.5
        exponent += 1
    far = part - 1.0
    s = far / (2.0 + far)
    z = s * s
    zz = z * z  # sums in pairs, which processors do beside each other
    low = (ODD[1] + ODD[2] * z) + zz * (ODD[3] + ODD[4] * z)
    middle = (ODD[5] + ODD[6] * z) + zz * (ODD[7] + ODD[8] * z)
    series = low + (zz * zz) * (middle + (zz * zz) * (ODD[9] + ODD[10] * z))
    # 2 s = far - s far, so that the largest part is exact
    return exponent * LN2_HIGH + (far - (s * far - 2.0 * s * (z * series) - exponent * LN2_LOW))


def exp(x: Any) -> Any:
    """e to the power of x."""
    if not x < LARGEST:
        return np.inf if x > LARGEST else (x if x != LARGEST else 1.797693134862273e308)
    if x < LEAST:
        return 0.0
    k = math.floor(x * TO_EXPONENT + 0.5)
    r = (x - k * LN2_HIGH) - k * LN2_LOW
    rr = r * r
    low = (FACTORIALS[2] + FACTORIALS[3] * r) + rr * (FACTORIALS[4] + FACTORIALS[5] * r)
    middle = (FACTORIALS[6] + FACTORIALS[7] * r) + rr * (FACTORIALS[8] + FACTORIALS[9] * r)
    high = (FACTORIALS[10] + FACTORIALS[11] * r) + rr * (FACTORIALS[12] + FACTORIALS[13] * r)
    series = low + (rr * rr) * (middle + (rr * rr) * high)
    value = 1.0 + (r + rr * series)
    if -1000 < k < 1000:
        return value * from_bits((k + BIAS) << 52)
    half = k // 2
    return value * from_bits((half + BIAS) << 52) * from_bits((k - half + BIAS) << 52)


def tanh(x: Any) -> Any:
    """The hyperbolic tangent."""
    if abs(x) >= 1.0:
        size = 1.0 - 2.0 / (exp(2.0 * min(abs(x), 400.0)) + 1.0)
        return size if x > 0.0 else -size
    z = x * x
    odd, even = FACTORIALS[13], FACTORIALS[14]
    for k in range(6, -1, -1):
        odd, even = odd * z + FACTORIALS[2 * k + 1] if k < 6 else odd, even * z + FACTORIALS[2 * k]
    return x * odd / even


def erf(x: Any) -> Any:
    """The error function."""
    if abs(x) >= 6.0:
        return 1.0 if x > 0.0 else -1.0
    term = total = abs(x)
    k = 1
    while term > 1e-18 * total:
        term *= 2.0 * x * x / (2 * k + 1)
        total += term
        k += 1
    size = min(1.0, TWO_BY_ROOT_PI * exp(-x * x) * total)
    return size if x > 0.0 else -size


def power(x: Any, y: Any) -> Any:
    """x to the power of y."""
    if y == 0.0 or x == 1.0:
        return 1.0
    if x < 0.0:
        if y != math.floor(y):
            return np.nan
        size = exp(y * log(-x))
        return size if math.floor(0.5 * y) == 0.5 * y else -size
    if x == 0.0:
        return 0.0 if y > 0.0 else np.inf
    return exp(y * log(x))


# --- compiled ---


@intrinsic
def _to_bits(typing: Any, x: Any) -> Any:
    return types.int64(types.float64), lambda context, builder, signature, args: builder.bitcast(args[0], ir.IntType(64))


@intrinsic
def _from_bits(typing: Any, word: Any) -> Any:
    return types.float64(types.int64), lambda context, builder, signature, args: builder.bitcast(args[0], ir.DoubleType())


overload(to_bits, target="generic")(lambda x: lambda x: _to_bits(x))
overload(from_bits, target="generic")(lambda word: lambda word: _from_bits(word))
