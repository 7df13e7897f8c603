"""Pictures.

svg           boards and the shapes trees are drawn of
marks         the last move and the best one on a drawn board
notebook      building blocks of output in notebooks
fields        a picture of any position, field by field
tree_layout   the places of the nodes of a drawn tree
"""
