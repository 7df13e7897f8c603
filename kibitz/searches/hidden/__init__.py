"""Searches of games of hidden information: they get a view, and never the position.

sampling      every move tried in positions drawn from the belief
pimc          positions of the belief, each searched with everything open
averaging     what these two share: the belief that outlives the move, and the means
ismcts        Monte Carlo tree search over what players know
infoset_tree  its kernels, and its tree in memory
"""
