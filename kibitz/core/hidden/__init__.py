"""Hidden information: who learns what, and what follows from it.

A game of hidden information defines `percept(before, move, after, observer)`: what `observer` learns when a move, by anybody or by chance, turns `before` into
`after`. A player is never given the position: he is given a view, his own moves and his percepts in the order in which they came.

view      what one player knows of a position
belief    the set of all positions that a view leaves possible, or a sample of it
updating  the kernels that carry a belief on
informed  beliefs that also say what the others were told
history   views as text, both ways
marginals what a belief says of each cell of the board
"""
