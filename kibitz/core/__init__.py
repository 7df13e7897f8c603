"""What games and searches stand on. From the floor upwards:

errors, files   errors a user can mend; files written whole or not at all
records         fixed-size structures and the arithmetic on them, compiled and interpreted alike
protocol        what a game must and may define, its parameters and weights
compiling       binding a search to a game, compiling the pair, keeping it on disk
position        a game, its positions, moves as text, results
device          GPUs: code for them, their memory, launches
hidden          what each player knows in games of hidden information: views and beliefs
running         kernels that can be watched and stopped
checking        does a game keep the protocol?
measuring       perft, random games, intervals
drawing         SVG, and the layout of trees
"""
