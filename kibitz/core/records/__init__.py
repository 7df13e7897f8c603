"""Fixed-size structures, and the arithmetic that kernels do on them.

record    a record: the same compiled and interpreted
bits      sets of up to 64 squares
hashing   a 64-bit key for any record
random    the generator used inside kernels
borrowed  arrays that a record points to
memory    large arrays of records
"""
