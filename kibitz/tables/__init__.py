"""Memory of searches, and results computed before any search.

transposition   visited positions with bounds and a move: for searches to a depth
vectors         the same with a value for each player
bounds          the same for a solve: two bounds in 16 bytes
saved           a search's table on disk, to resume from
book            opening books
endgame         tables that hold every position of an ending
proof           proofs that can be checked by the rules alone
"""
