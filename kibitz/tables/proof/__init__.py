"""Proofs that can be checked by the rules alone; nothing here searches or imports a search.

claim.py    what is claimed: a player gets so much from a position, whatever the other does
leaves.py   positions settled by endgame tables or the game's own bounds
replay.py   one walk through all lines of a strategy, by the rules alone
file.py     a strategy as a file, written whole and with a checksum; `verify`
strategy_player.py   a player that follows a strategy
outline.py  a strategy as a tree of text
percept_strategy.py   a forced result under hidden information, with a move for everything the player may hear
percept_replay.py   one walk through all plays of such a strategy, by the rules alone
percept_player.py   a player that follows such a strategy
percept_file.py   such a strategy as a file
"""
