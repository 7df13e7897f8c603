"""Selection rules: which move a simulation follows. A rule is a file with a `Feature`: see plan.py.

ucb1             upper confidence bounds: UCT's usual rule
tuned            UCB1-Tuned: bounds that use the variance
rave             a move's results at any later time count, too
widening         moves and outcomes come into play one by one
shares           what rules guided by a policy have in common
puct_rule, esprit_rule, regularised_rule    three of those
"""
