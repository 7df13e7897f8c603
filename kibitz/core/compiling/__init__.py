"""From plain functions to machine code.

binder             a search bound to a game: start here
digest             what a function depends on
option_folding     options are constants: code behind an option that is off disappears
pipeline           the compiler's two pipelines
references         references to arrays, which compiled code need not count
cache              compiled code on disk
thrift             repeated work of Numba, done once
compile_progress   reports of what is being compiled
refusals           what a rule may not do, checked before compilation
numba_errors       Numba's errors in one line
rule_errors        exceptions from interpreted rules in one line
"""
