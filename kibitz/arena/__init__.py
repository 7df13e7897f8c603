"""Matches between players, and how certain it is which one is better.

openings       random openings, all different, none of them decided
contest        one game between two contestants
match          many games, in pairs, over several processes
playing        the games of a match, played and written down, or gone on with
seats          matches of any number of players, in arrangements of the seats
seats_result   what came of them: shares, a row for each player
seats_records  their games as lines of a file
match_result   what came of them: score, interval, Elo, in words and as JSON
exploitability what a best reply wins from a player
records        the file of a match's games, and resuming from it
"""
