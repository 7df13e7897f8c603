"""The tree in memory.

layout           the records of nodes and edges, and where they lie
blocks           kernels that take, free and reuse blocks
cells            records side by side in one block of memory, and atomic changes to them
for_gpus         what a GPU does otherwise: fetching ahead, adding at once
memory           the memory of one tree, for Python
proofs           the least and greatest utility still possible at a node, and pruning by them
position_table   finds the node of a position reached by another path
"""
