"""What the games of artificial trees share: how their roots are written, and how their pictures are drawn."""

import json

import numpy as np

from kibitz.core import svg
from kibitz.core.errors import InputError
from kibitz.games.trees.notation import parse
from kibitz.games.trees.picture import picture

MOST_DRAWN = 121  # nodes in a picture


def plant_root(plant, s, given, *sizes):
    """Write the root that a seed describes, and each size (name, least, most), the most where it is not given."""
    numbers = []
    for field, least, most in (("seed", 0, 2**62), *sizes):
        number = given.get(field, str(most))
        if not number.isdecimal() or not least <= int(number) <= most:
            words = "a seed is a whole number from 0 to 2^62" if field == "seed" else f"{field} must be from {least} to {most} in this game"
            raise InputError(f"'{field}={number}': {words}")
        numbers.append(int(number))
    with np.errstate(over="ignore"):  # hashes wrap on purpose
        plant(s, *numbers)


def draw_leaf(value):
    """A tree of one leaf."""
    leaf = svg.Board(1, 1)
    leaf.text(0, 0, str(int(value)))
    return leaf.render()


def draw_tree(write, s, levels):
    """What `write` says of the tree below a state, in the notation of explicit trees."""
    with np.errstate(over="ignore"):  # hashes wrap on purpose
        tree = write(s, levels)
    return picture(parse(json.dumps(tree))[0], 0)
