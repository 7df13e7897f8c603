"""Endgame tables: what every position of a game, or of an ending of it, is worth, found once from the rules alone.

    numbering.py   which position has which number: the game's own `rank`, or the place among the sorted keys of all positions that can be reached
    store.py       the file: a header, and blocks of values with a checksum each
    probing.py     what tables say of a position, for people, for players at the root, and to kernels that are given their arrays
    lookup.py      the same at the nodes of a search: what its kernel calls, and how its workspace gets it
    root.py        a player's answer from tables alone
    histogram.py   how many positions are won and lost in how many plies, as a picture
    inspecting.py  counts, the longest win, and whether the values agree with the rules
    builders/      how tables are made: all moves of a section, then values from the end of the game backwards

A table is made of one section of a game's numbering, which is all of it where the game names no sections. Sections are solved in their order: moves
lead within a section or to earlier ones. Two kinds of tables: *results* (win, draw or loss and how many plies to the end) of games of skill that are won, drawn or lost,
and *equities* (the first player's expected utility, with a proven bound on the error) of games of chance and of games that count points.
"""
