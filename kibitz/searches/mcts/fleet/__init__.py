"""Thousands of trees at once, on this computer's cores or on a GPU: a thread grows a tree, by the steps of a simulation that every search here takes.

kernels   plant a tree, grow it for a while, say what its root knows
trees     the memory of many trees on a machine, and their growth in slices
many      many positions, a tree each: `search_many`
roots     one position: one tree that a crew of threads grows together, or many whose roots are merged
"""
