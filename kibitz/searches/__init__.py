"""All searches. A search is a file that defines METHOD, in one of the rooms:

    deterministic   two players without chance: minimax, alpha-beta and its family, selective search
    chance          expectiminimax and the Star family
    multiplayer     any number of players: max^n, paranoid and best-reply search
    mcts            Monte Carlo tree search and guided search
    exact           values to the end of the game, by null windows
    hidden          games of hidden information, by sampling beliefs
    belief          forced results and best chances in such games
    equilibrium     strategies for whole games of hidden information: regret minimisation, best replies
    window          what the first two share at a node: the frame and its duties

Beside them: `method` (the interface of a search), `deepening` (depth after depth), `trace` (what was visited), `scale` (how values are counted).
"""
