"""Searches of games with chance.

expectiminimax, star0, star05, star1, star2, star25   the searches: what each of them skips
family         what they share outside kernels: options, the games that fit
tree           the one search behind all of them
expectation    bounds of a chance node, and the windows of its outcomes
probing        probes of one child of each outcome
paths          limits on chance nodes
sampling       sampled outcomes instead of all (`sample=c`)
approximate    cutoffs at chance nodes by an estimate, never exact
outlook        distributions of results of each move, and risk
faults         rules that break their contract
"""
