"""A differential fuzzer: random small games, every search that fits, random options; what is said is compared with plain recursion.

    python -m tests.differential --cases 200000 --seed 7 [--target cpu|python] [--checked] [--only star2] [--family dice] [--replay SEED:CASE]

A random game is a small graph of positions written out in the state itself (graphs.py, families.py), so that one compiled search serves any number of games.
The truth about it is found by recursion over that graph (tests/naive_graphs.py), which shares nothing with the searches. What a result may say, and what it
must then be, is in judging.py; endgame tables of some of a game's positions are in tabled.py; a finding is made as small as it gets (shrinking.py) and printed with all that is needed to see it again.
How long a case may take is in patience.py.

With `--what claims` random claims are put to `prove` (claims.py), with `--what secrets` views of random games of hidden information to the searches of those (secrets.py), with `--what beliefs` what is sure in them to the search over beliefs (beliefs.py).
"""
