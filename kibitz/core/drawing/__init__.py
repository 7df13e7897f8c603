"""Pictures.

svg           boards and the shapes trees are drawn of
tree_layout   where the nodes of a drawn tree stand
"""
