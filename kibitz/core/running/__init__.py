"""Running kernels so that they can be watched and stopped.

control   a kernel in a thread, its limits, and stopping it
ahead     memory made ready in a thread
team      one kernel run by several threads
pool      work spread over processes
store     finished pieces of long work on disk, so that it can be resumed
"""
