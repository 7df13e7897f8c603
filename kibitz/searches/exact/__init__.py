"""Exact values, by questions put to the end of the game.

solver         the search: options, and the games that fit
solve_run      one solve: which question comes next, and what the answers make together
null_windows   the kernel: is the value at least this?
interval       what is known of a value between two questions
saved_solve    a table on disk, to go on from
"""
