"""How tables are made.

reaching.py    all positions of a game without numbers of its own, in memory or in files
graph.py       all moves of a section, listed by both cores into files that a later run can go on with
retrograde.py  results: win, draw or loss and the distance, level by level from the end of the game
equities.py    expected values, from bounds that close in on each other
building.py    one section after another: what must be there first, what is kept, what is written
"""
