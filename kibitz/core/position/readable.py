"""Numbers as people read them: values of three digits, counts in groups of three."""

from __future__ import annotations

import math

UNITS = ((1e9, " G"), (1e6, " M"), (1e3, " k"))
FEW = 10_000  # numbers below it are given in full


def three_digits(value: float) -> str:
    """A value with its sign: +0.310, +3.10, +31.0, -310; whole numbers as they are."""
    if not math.isfinite(value):
        return ""
    if value == int(value):
        return f"{value:+.0f}" if value else "0"
    size = abs(value)
    said = f"{value:+.{3 if size < 1 else 2 if size < 10 else 1 if size < 100 else 0}f}"
    return said if float(said) else said[1:]


def count(number: float) -> str:
    """A number to the last digit, readable: 5 012 345."""
    return f"{number:,.0f}".replace(",", " ")


def rough(number: float) -> str:
    """A large number in three digits: 950, 12.3 k, 5.01 M."""
    if number < FEW:
        return count(number)
    for unit, name in UNITS:
        if (many := number / unit) >= 1:
            return f"{many:.{2 if many < 10 else 1 if many < 100 else 0}f}{name}"
    return f"{number:.0f}"
