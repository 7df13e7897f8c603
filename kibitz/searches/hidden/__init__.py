"""Searches of games of hidden information: they are given a view, and never the position.

sampling  every move tried in positions drawn from the belief
"""
