"""What trees that grow from a seed share, the games `ballard` and `uniform`: how their roots are written, and how they are drawn."""

import json

import numpy as np

from kibitz import InputError, svg
from kibitz import text as fields
from kibitz.games.trees.notation import parse
from kibitz.games.trees.picture import picture

MOST_DRAWN = 121  # nodes in a picture
LARGEST_SEED = 2**62


def insert(out, place, number):
    """Put a number in its place among those before `place`, which are in ascending order."""
    while place > 0 and out[place - 1] > number:
        out[place] = out[place - 1]
        place -= 1
    out[place] = number


def root_in(text, sizes):
    """The seed and the sizes of a root written as `seed=NUMBER SIZE=NUMBER ...`; None where the text is something else.

    `sizes` maps the name of each size to its least and its usual value, which is also the most.
    """
    given = dict(part.split("=", 1) for part in text.split() if "=" in part)
    if not (set(given) <= {"seed", *sizes} and "seed" in given and len(given) == len(text.split())):
        return None
    found = {}
    for field, (least, most) in {"seed": (0, LARGEST_SEED), **sizes}.items():
        number = given.get(field, str(most))
        if not number.isdecimal() or not least <= int(number) <= most:
            words = "a seed is a whole number from 0 to 2^62" if field == "seed" else f"{field} must be from {least} to {most} in this game"
            raise InputError(f"'{field}={number}': {words}")
        found[field] = int(number)
    return found


def draw_leaf(value):
    leaf = svg.Board(1, 1)
    leaf.text(0, 0, str(int(value)))
    return leaf.render()


def show(s, sizes, rest):
    """The fields of a position, the sizes only where they are not the usual ones."""
    unusual = () if all(s[size] == usual for size, (_, usual) in sizes.items()) else tuple(sizes)
    return " ".join(f"{field}={int(s[field])}" for field in ("seed", *unusual, *rest))


def read(text, s, sizes, plant, rest=""):
    """Read what `show` prints, or `seed=NUMBER` for the root of that tree, with `SIZE=NUMBER` for a smaller one.

    `plant(s, seed, ...)` makes the root of a tree of the given sizes; `rest` holds the fields that the text does not.
    """
    given = root_in(text, sizes)
    if given:
        with np.errstate(over="ignore"):  # hashes wrap on purpose
            plant(s, *(given[field] for field in ("seed", *sizes)))
    else:
        fields.read(" ".join((*(f"{size}={usual}" for size, (_, usual) in sizes.items()), text, rest)), s)
    if any(not least <= s[size] <= most for size, (least, most) in sizes.items()):
        (first, (least, most)), *others = sizes.items()
        ranges = "".join(f" and {size} from {low} to {high}" for size, (low, high) in others)
        raise InputError(f"{first} must be from {least} to {most}{ranges} in this game")


def draw_written(s, levels, write):
    """The tree below `s` as far as `levels`, which `write(s, levels)` puts into the notation of explicit trees."""
    with np.errstate(over="ignore"):  # hashes wrap on purpose
        return picture(parse(json.dumps(write(s, levels)))[0], 0)
