"""Selection rules: which move a simulation follows. A rule is a file with a `Feature`: see plan.py.

ucb1             upper confidence bounds: UCT's usual rule
tuned            UCB1-Tuned: bounds that use the variance
rave             a move's results at any later time count, too
widening         progressive widening of moves and outcomes
shares           common to rules guided by a policy
puct_rule, esprit_rule, regularised_rule    three of those
"""
