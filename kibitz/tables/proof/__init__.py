"""Proofs that can be checked by whoever trusts only the rules; nothing here searches, and nothing of a search is imported.

claim.py    what is claimed: a player gets so much from a position, whatever the other does
leaves.py   what settles a position besides the rules: endgame tables, the game's own bounds
replay.py   one walk through all lines of a strategy, by the rules alone
file.py     a strategy as a file, written whole and with a checksum; `verify`
strategy_player.py   a strategy at play
outline.py  a strategy as a tree of text
percept_strategy.py   what a player who does not see everything is sure of, and a move for all that he may hear
percept_replay.py   one walk through all plays of such a strategy, by the rules alone
percept_player.py   such a strategy at play
percept_file.py   such a strategy as a file
"""
