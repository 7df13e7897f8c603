"""The command line: a module for each command, named as the command.

main        the program: commands, errors in one line, exit codes
options     options that commands share, and the games and positions they describe
terminal    text, JSON, tables and progress
results     results while a search works, and at the end
solver_results   the same of a solve
games       games, show
new, check, perft, inspect, search, solve, table, tree, play, match, bench, experiment
tune        tune eval, tune probcut
book        book build, book probe
prove       prove, verify
belief      belief, sure
equilibrium equilibrium, exploit
cache, warm, doctor   compiled code on disk, compiling ahead; a check of this machine
examples    what --help shows
serve       the board in the browser
protocols   gtp, uci
"""
