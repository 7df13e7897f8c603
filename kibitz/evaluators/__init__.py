"""Evaluations from outside the rules, for many positions at once.

evaluator      the game itself, a Python function or a network
network        networks in ONNX files
batch          batches of positions, and network inputs
answer_cache   answers cached by key
"""
