"""What the games of artificial trees share: how their roots are written, and how their pictures are drawn."""

import json

from kibitz.core import svg
from kibitz.core.errors import InputError
from kibitz.games.trees.notation import parse
from kibitz.games.trees.picture import picture


def read_root(given, *sizes):
    """The numbers of a root: its seed, then each size (name, least, most), the most where it is not given."""
    numbers = []
    for field, least, most in (("seed", 0, 2**62), *sizes):
        number = given.get(field, str(most))
        if not number.isdecimal() or not least <= int(number) <= most:
            words = "a seed is a whole number from 0 to 2^62" if field == "seed" else f"{field} must be from {least} to {most} in this game"
            raise InputError(f"'{field}={number}': {words}")
        numbers.append(int(number))
    return numbers


def draw_leaf(value):
    """A tree of one leaf."""
    leaf = svg.Board(1, 1)
    leaf.text(0, 0, str(int(value)))
    return leaf.render()


def draw_tree(tree):
    """A tree in the notation of explicit trees."""
    return picture(parse(json.dumps(tree))[0], 0)
