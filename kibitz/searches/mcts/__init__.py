"""Monte Carlo tree search, and its relatives that are guided by a policy.

uct.py, montecarlo.py, puct.py, esprit.py   the searches: their options, and what each is made of
plan.py            the parts of a search: functions for the steps of a simulation, features that replace some, compile-time options
feature.py         what one file adds to a search: a rule, RAVE, widening
search.py          one search of one position: slices of simulations, limits, memory kept between searches
guided_search.py   the same for searches guided by a policy
guided_method.py   a rule of these as a method, with the options they share

tree/     the tree in memory: records, blocks, the table of positions
step/     one simulation: descend, expand, back up; chance, proofs, transpositions, waves
rule/     which move a simulation follows
leaf/     values and move probabilities of new positions
fleet/    thousands of trees at once, on this computer's cores or on a GPU
report/   the results read from a tree when the search stops
"""
