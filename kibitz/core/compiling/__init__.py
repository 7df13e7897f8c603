"""From plain functions to machine code.

binder             a search bound to a game: start here
digest             what a function depends on
option_folding     options are constants: code behind one that is off disappears
pipeline           the compiler's two pipelines
references         references to arrays, which compiled code need not count
cache              compiled code on disk
thrift             work that Numba repeats, done once
compile_progress   what is being compiled, told to whoever shows it
refusals           what a rule may not do, told before the compiler stumbles over it
numba_errors       Numba's complaints in one line
rule_errors        exceptions from interpreted rules in one line
"""
