"""Experiments: a paper's numbers beside ours, resumable, on all cores.

studies/     the experiments, one file each
experiment   what an experiment is, and finding one by its name
runner       runs the shards that are not done yet
report       the outcome in words, as CSV, JSON and a plot
provenance   the code a result depends on, as a digest
imports      what a file imports
workloads    positions, games and searches to measure
plots        what plots share
"""
