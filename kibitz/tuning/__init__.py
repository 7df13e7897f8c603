"""Numbers fitted to games.

eval_fit         the weights of an evaluation
selfplay         positions from games a search plays against itself
recorded_games   positions from files of games
samples          positions on disk, while games are still being played
regression       logistic regression
probcut_fit      how well shallow searches predict deep ones
"""
