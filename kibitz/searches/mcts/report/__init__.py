"""The results read from a tree when the search stops.

root_report      the moves of the root, the best line, what is proven
kept_tree        a later position found in the tree of an earlier search
likely_lines     the likeliest lines of a guided search
last_simulation  the last simulation step by step, for pictures
"""
