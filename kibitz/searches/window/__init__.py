"""Shared by window searches.

frame        the loop over frames, and the steps at each: open, ask, take, close; a search is a `Rule`
node         the workspace: moves and leaves, the table, repetition, the best line
ordering     which move first
quiescence   beyond the horizon
threads      several threads on one table
flags        compile-time options, declared
"""
