"""Which chains of Go cannot be captured even if their owner passes for ever: kernels over a state of Go.

A region is what lies between the chains of a side: empty points and stones of the other, joined along the lines. It is vital to a chain if each of its empty points is a liberty of the chain: the other
side can then fill all but one of them. A chain is safe with two regions that are vital to it and border on safe chains only. After D. B. Benson, Life in the game of Go (1976).
"""

from kibitz import scratch
from kibitz.games.go.board import EMPTY, NONE


def has_safe_stone(s, mine, wanted, settled, beside):
    """Is one of the `wanted` stones, which belong to `mine`, in a safe chain? So is any chain beside an empty `settled` point, where nobody may play."""
    cells = s.colour.shape[0]
    safe, vital, area, waiting = scratch(s.colour), scratch(s.colour), scratch(s.colour), scratch(s.colour)
    for cell in range(cells):
        if s.colour[cell] == mine:
            safe[s.chain[cell]] = max(safe[s.chain[cell]], 2 if beside_settled(s, cell, settled, beside) else 1)
    changed = True
    while changed:
        for cell in range(cells):
            vital[cell], area[cell] = 0, 0
        for cell in range(cells):
            if s.colour[cell] != mine and area[cell] == 0:
                count_vital(s, cell, mine, safe, vital, area, waiting, beside)
        changed = False
        for cell in range(cells):
            if safe[cell] == 1 and vital[cell] < 2:
                safe[cell] = 0
                changed = True
    for cell in range(cells):
        if wanted[cell] and s.colour[cell] == mine and safe[s.chain[cell]] != 0:
            return True
    return False


def beside_settled(s, cell, settled, beside):
    for i in range(4):
        near = beside[cell, i]
        if near != NONE and s.colour[near] == EMPTY and settled[near]:
            return True
    return False


def count_vital(s, first, mine, safe, vital, area, waiting, beside):
    """Go through the region of a point; count it for the chains that it is vital to, if all on its border are safe. A point has four chains beside it at most."""
    chains, known, healthy = scratch(s.colour), False, True  # its first four
    for k in range(4):
        chains[k] = NONE
    waiting[0], left = first, 1
    area[first] = 1
    while left > 0:
        left -= 1
        cell = waiting[left]
        if s.colour[cell] == EMPTY:
            for k in range(4):
                if known:
                    if chains[k] != NONE and not is_beside(s, cell, chains[k], mine, beside):
                        chains[k] = NONE
                else:
                    chains[k] = new_chain(s, cell, k, mine, beside)
            known = True
        for i in range(4):
            near = beside[cell, i]
            if near == NONE:
                continue
            if s.colour[near] == mine:
                healthy = healthy and safe[s.chain[near]] != 0
            elif area[near] == 0:
                area[near] = 1
                waiting[left] = near
                left += 1
    if healthy:
        for k in range(4):
            if chains[k] != NONE:
                vital[chains[k]] += 1


def is_beside(s, cell, chain, mine, beside):
    for i in range(4):
        near = beside[cell, i]
        if near != NONE and s.colour[near] == mine and s.chain[near] == chain:
            return True
    return False


def new_chain(s, cell, side, mine, beside):
    """The chain of `mine` on this side of a point, unless it is on an earlier side, too; NONE else."""
    near = beside[cell, side]
    if near == NONE or s.colour[near] != mine:
        return NONE
    for i in range(side):
        other = beside[cell, i]
        if other != NONE and s.colour[other] == mine and s.chain[other] == s.chain[near]:
            return NONE
    return s.chain[near]
