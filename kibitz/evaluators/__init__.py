"""Evaluations from outside the rules, for many positions at once.

evaluator      who can be asked: the game itself, a Python function, a network
network        networks in ONNX files
batch          positions side by side, and what a network is shown of them
answer_cache   answers kept by key
"""
