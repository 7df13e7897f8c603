"""The experiments: one file each, found by its name. Their results are in docs/experiments.

ballard            Star searches on artificial trees
battleship_shots   shots that it takes to sink a fleet
branch_and_bound   no experiment: alpha-beta without deep cutoffs, for older papers
esprit             ESPRIT against PUCT on simulated trees
esprit_params      their parameters there
esprit_real        ESPRIT against PUCT in real games
growth             nodes by depth
kriegspiel_mates   mates of a king that nobody sees
noe_kalah          SCOUT on Kalah
pi                 pi by Monte Carlo
proof              which method settles which claim
reinefeld          NegaScout, SCOUT and MTD(f) on uniform trees
sensitivity        changes of the evaluation that keep the order of positions
sparse             sparse sampling and its bound
star_ewn           Star searches on EinStein würfelt nicht!
uct_vs_alphabeta   UCT against alpha-beta at equal time
"""
