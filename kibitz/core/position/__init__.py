"""A game, its positions and what is said about them.

game            a game and its positions: start here
rulebook        the rules, checked at the door
default_rules   defaults for the rules that a game leaves out
ranking         the numbers of positions, for tables
notation        moves as people write them
result          what a search answers
variants        games with something left out
readable        numbers as people read them
loading         games by name or by file
game_files      the files a user's game is made of
told            what players of hidden games were told
transcript      games on record
random_moves    random moves and lines outside kernels
identity        the name under which results of a game are kept
first_look      a quick test of the rules before the first search
watchdog        stops rules that do not return
"""
