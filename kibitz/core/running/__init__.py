"""Running kernels so that they can be watched and stopped.

control   a kernel in a thread, its limits, and stopping it
"""
