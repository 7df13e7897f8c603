"""Fixed-size structures, and the arithmetic that kernels do on them.

record    a record: the same compiled and interpreted
bits      sets of up to 64 squares
hashing   a 64-bit key for any record
random    the generator used inside kernels
maths     logarithms and the like from plain arithmetic, the same to the bit everywhere
place     records at an address; a thread's own copy of one
borrowed  arrays that a record points to
memory    large arrays of records
"""
