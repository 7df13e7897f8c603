"""Searches of games with chance.

expectiminimax, star0, star05, star1, star2, star25   the searches: what each of them skips
family         what they share outside kernels: options, the games that fit
tree           the one search behind them all
expectation    what is known of a chance node, and the windows of its outcomes
probing        a look at one child of each outcome first
paths          how far chance is followed
sampling       drawn outcomes in place of all (`sample=c`)
approximate    chance nodes left on an estimate, never exact
outlook        what may come of each move, and risk
faults         rules that break their promises
"""
