"""Protocols: kibitz as an engine for other programs, and other programs as players.

gtp, gtp_syntax                  a session of the Go Text Protocol, and its text
handicap                         where handicap stones go
uci, uci_options, uci_syntax     a session of the Universal Chess Interface, its options, its text
clock                            how long to think
child_process                    child processes that talk line by line
gtp_program, uci_program         such programs as players
"""
