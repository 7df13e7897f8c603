"""Exact values, by null-window searches to the end of the game.

solver         the search: options, and the games that fit
solve_run      one solve: the next question, and the result of all answers
null_windows   the kernel: is the value at least this?
interval       the proven bounds between two questions
saved_solve    a table on disk, to resume from
"""
