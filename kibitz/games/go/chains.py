"""Chains of stones and their liberties: kernels over a state of Go; `beside` and `corners` are the neighbours of each point (board.py)."""

from kibitz.games.go.board import EMPTY, NONE


def can_live(s, cell, mine, beside):
    """Would a stone here have a liberty, by itself, through its chain or by capturing?"""
    for i in range(4):
        near = beside[cell, i]
        if near == NONE:
            continue
        if s.colour[near] == EMPTY:
            return True
        captured = is_last_liberty(s, cell, s.chain[near], beside)
        if captured == (s.colour[near] != mine):
            return True
    return False


def is_last_liberty(s, cell, chain, beside):
    """Is this empty point, beside a chain, the only one that is?"""
    touching = 0
    for i in range(4):
        near = beside[cell, i]
        if near != NONE and s.colour[near] != EMPTY and s.chain[near] == chain:
            touching += 1
    return s.liberties[chain] == touching


def last_liberty(s, chain, beside):
    """The only liberty of a chain; NONE where it has several."""
    if s.liberties[chain] > 4:  # a point is beside four stones at most
        return NONE
    found, left = NONE, s.liberties[chain]
    for cell in range(chain, s.colour.shape[0]):
        if s.colour[cell] == s.colour[chain] and s.chain[cell] == chain:
            for i in range(4):
                near = beside[cell, i]
                if near != NONE and s.colour[near] == EMPTY:
                    if found != NONE and near != found:
                        return NONE
                    found = near
                    left -= 1
            if left == 0:
                break
    return found


def is_alone(s, cell, beside):
    """Has the stone here no other of its own side beside it?"""
    for i in range(4):
        near = beside[cell, i]
        if near != NONE and s.colour[near] == s.colour[cell]:
            return False
    return True


def is_eye(s, cell, mine, beside, corners):
    """Is this empty point a one's own: his stones on all sides, and at most one of the others diagonally, at the edge none?"""
    foreign, off_board = 0, 0
    for i in range(4):
        near, corner = beside[cell, i], corners[cell, i]
        if near != NONE and s.colour[near] != mine:
            return False
        if corner == NONE:
            off_board = 1
        elif s.colour[corner] == 3 - mine:
            foreign += 1
    return foreign + off_board < 2
