"""The file of a table: one section of a game, compressed, every byte of it under a checksum.

    bytes  0-7    KIBITZT1
           8-11   length of the header, little-endian as all numbers here
           12-43  SHA-256 of everything before the first block but these 32 bytes
           44-    the header: JSON
           then   the index: for each block its length and its checksum (BLAKE2b, 16 bytes)
           then   the blocks, each compressed by Zstandard by itself

The header tells the game with its parameters, the section and its numbers, a digest of the rules, what the table holds, counts, and the arrays: their names,
types and lengths. The blocks hold the arrays one after another, BLOCK bytes of an array each but its last. A file is written under a temporary name and renamed, is
read through a memory map, and is refused when anything in it has changed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import mmap
import os
import uuid
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.core.errors import InputError
from kibitz.core.files import check_place
from kibitz.core.position.game import Game

MAGIC = b"KIBITZT1"
FORMAT = "kibitz endgame table 1"
DIGEST_AT, HEADER_AT = 12, 44
BLOCK = 1 << 16
ENTRY = 20  # bytes of the index for a block: 4 of length, 16 of checksum
LARGEST_HEADER = 1 << 20
LEVEL = 9  # of compression
KEPT = 256  # blocks a reader keeps decompressed: 16 MB
RULES = ("start", "player", "moves", "play", "utility", "outcomes", "key", "canonical", "banked", "rank", "unrank", "unplay")
CONSTANTS = ("PLAYERS", "VALUES", "GRAIN", "SUM", "REPETITION", "CHANCE_KIND", "SIZE", "SECTIONS")


def zstandard() -> Any:
    """The compressor, which only tables need."""
    try:
        import zstandard as module
    except ImportError:
        raise InputError("tables are compressed with Zstandard, which is not installed: pip install 'kibitz[tables]'") from None
    return module


def rules_digest(game: Game) -> str:
    """A digest of everything that decides the values and numbers of positions; not of evaluations and other knowledge for search."""
    digest = hashlib.sha256(f"{game.constants['State']}".encode())
    for name in CONSTANTS:
        digest.update(f"{name}={game.constants[name]!r};".encode())
    for name in RULES:
        digest.update(f"{name}={game.rule(name).digest};".encode())
    return digest.hexdigest()


# --- writing ---


def write_table(path: Path, header: dict[str, Any], arrays: dict[str, Any], beside: Path | None = None) -> None:
    """Write a table; the file is whole or not there. The same header and arrays give the same bytes. Until it is whole it lies in the folder `beside`, on the same disk."""
    check_place(path)
    compressor = zstandard().ZstdCompressor(level=LEVEL)
    temporary = (beside or path.parent) / f"{path.name}.{uuid.uuid4().hex}"
    header = {**header, "format": FORMAT, "arrays": [[name, a.dtype.str, len(a)] for name, a in arrays.items()]}
    lead = json.dumps(header, sort_keys=True).encode()
    try:
        with temporary.open("wb") as file:
            index, blocks = bytearray(), sum(_block_count(a.nbytes) for a in arrays.values())
            file.write(bytes(HEADER_AT + len(lead) + ENTRY * blocks))
            for array in arrays.values():
                whole = np.ascontiguousarray(array).view(np.uint8)
                for begin in range(0, len(whole), BLOCK):
                    block = compressor.compress(whole[begin : begin + BLOCK].tobytes())
                    index += len(block).to_bytes(4, "little") + _checksum(block)
                    file.write(block)
            beginning = MAGIC + len(lead).to_bytes(4, "little")
            file.seek(0)
            file.write(beginning + hashlib.sha256(beginning + lead + index).digest() + lead + index)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def _block_count(size: int) -> int:
    return -(-size // BLOCK)


def _checksum(block: Any) -> bytes:
    return hashlib.blake2b(block, digest_size=16).digest()


# --- reading ---


class TableFile:
    """A table, open for reading. Opening checks the header and the index; each block is checked when it is first needed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with path.open("rb") as file:
                size = os.fstat(file.fileno()).st_size
                self._map: Any = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b""
        except OSError as error:
            raise InputError(f"cannot read the table {path}: {error.strerror or error}") from None
        self.header, begin, index = self._opened()
        self.arrays = {name: (np.dtype(kind), int(length)) for name, kind, length in self.header["arrays"]}
        lengths = [int.from_bytes(index[i : i + 4], "little") for i in range(0, len(index), ENTRY)]
        self._checksums = [index[i + 4 : i + ENTRY] for i in range(0, len(index), ENTRY)]
        self._ends = np.cumsum([begin, *lengths])
        if int(self._ends[-1]) != len(self._map):
            raise self._damaged(f"it has {len(self._map)} bytes, and should have {int(self._ends[-1])}")
        self._kept: OrderedDict[int, bytes] = OrderedDict()
        self._first: dict[str, int] = {}
        before = 0
        for name, (kind, length) in self.arrays.items():
            self._first[name] = before
            before += _block_count(kind.itemsize * length)
        self._decompressor = zstandard().ZstdDecompressor()

    @property
    def digest(self) -> str:
        """The checksum of the header and of all blocks' checksums: it tells this table from all others."""
        return bytes(self._map[DIGEST_AT:HEADER_AT]).hex()

    def at(self, name: str, place: int) -> Any:
        """One element of an array."""
        kind, _ = self.arrays[name]
        number, inside = divmod(place * kind.itemsize, BLOCK)
        return np.frombuffer(self._block(self._first[name] + number), kind, 1, inside)[0]

    def whole(self, name: str) -> Any:
        """A whole array, every block of it checked."""
        kind, length = self.arrays[name]
        found = np.zeros(length, kind)
        bytes_of = found.view(np.uint8)
        for number in range(_block_count(found.nbytes)):
            block = self._read(self._first[name] + number)
            bytes_of[number * BLOCK : number * BLOCK + len(block)] = np.frombuffer(block, np.uint8)
        return found

    def check(self) -> None:
        """Look at every byte."""
        for number in range(len(self._checksums)):
            self._read(number)

    def _opened(self) -> tuple[dict[str, Any], int, bytes]:
        start = bytes(self._map[:HEADER_AT])
        if start[: len(MAGIC)] != MAGIC:
            raise InputError(f"{self.path} is no table: kibitz table build makes one")
        length = int.from_bytes(start[len(MAGIC) : DIGEST_AT], "little")
        if length > LARGEST_HEADER or len(self._map) < HEADER_AT + length:
            raise self._damaged("its header is cut short")
        lead = bytes(self._map[HEADER_AT : HEADER_AT + length])
        try:
            header = json.loads(lead)
            blocks = sum(_block_count(np.dtype(kind).itemsize * int(number)) for _, kind, number in header["arrays"])
        except (ValueError, KeyError, TypeError, RecursionError):
            raise self._damaged("its header makes no sense") from None
        end = HEADER_AT + length + ENTRY * blocks
        index = bytes(self._map[HEADER_AT + length : end]) if 0 <= blocks < len(self._map) else b""
        if hashlib.sha256(start[:DIGEST_AT] + lead + index).digest() != start[DIGEST_AT:HEADER_AT]:
            raise self._damaged("the checksum of its header is wrong")
        return header, end, index

    def _block(self, number: int) -> bytes:
        kept = self._kept.get(number)
        if kept is None:
            kept = self._kept[number] = self._read(number)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return kept

    def _read(self, number: int) -> bytes:
        """A block, decompressed, after its checksum was looked at."""
        block = self._map[int(self._ends[number]) : int(self._ends[number + 1])]
        if _checksum(block) != self._checksums[number]:
            raise self._damaged(f"the checksum of block {number} is wrong")
        return bytes(self._decompressor.decompress(block, max_output_size=BLOCK))

    def _damaged(self, reason: str) -> InputError:
        return InputError(f"the table {self.path} is damaged: {reason}; build it again")


def open_table(path: Path, game: Game) -> TableFile:
    """The table in a file; refuses one that is damaged, of another game or of other rules."""
    table = TableFile(path)
    if table.header.get("format") != FORMAT:
        raise InputError(f"{path} has the format '{table.header.get('format')}', and this version reads '{FORMAT}'; build it again")
    if table.header["game"] != game.label:
        raise InputError(f"{path} is a table of {table.header['game']}, not of {game.label}")
    if table.header["rules"] != rules_digest(game):
        raise InputError(f"{path} was built by other rules of {game.label}; build it again")
    return table
