"""Hidden information: who learns what, and what follows from it.

A game of hidden information defines `percept(before, move, after, observer)`: what `observer` learns when a move, by anybody or by chance, turns `before` into
`after`. A player never gets the position: he gets a view, which is the sequence of his own moves and percepts.

view      what one player knows of a position
belief    the set of all positions that a view leaves possible, or a sample of it
updating  the kernels that update a belief
informed  beliefs that also hold what the others know
history   views as text, written and read
marginals probabilities for each cell of the board
"""
