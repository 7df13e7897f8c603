"""Opening books built from games.

game_files   games in files: PGN, records of matches, a game a line
replay       games replayed by compiled rules
builder      a book from games, in bounded memory
"""
