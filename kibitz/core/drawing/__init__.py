"""Pictures.

svg           boards and the shapes trees are drawn of
marks         the last move and the best one on a drawn board
fields        a position of which nobody says how it looks
tree_layout   where the nodes of a drawn tree stand
"""
