"""Proof-number search: is a claim about a position true, and which strategy proves it?

    numbers.py    proof and disproof numbers, leaves, keys: common to all of them
    pn.py         best first with the tree in memory: PN-search and PN^2
    memory.py     the table of df-pn
    dfpn.py       depth first with that table, in bounded memory
    saved_proof.py   a search on disk, to resume from
    strategy.py   from a verdict to the moves that prove it
    growth.py     PN-search step by step, for pictures
    prove.py      `prove`: claims, repetition, lengths, limits
    values.py     `value_of`: games with more than two values, one question after another

What a strategy is, and how it is checked without any of this, is in kibitz/tables/proof.
"""
