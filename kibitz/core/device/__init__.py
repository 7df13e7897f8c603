"""Graphics processors: the same kernels, thousands of times at once.

A *fleet kernel* is a plain function `f(i, job)`: call number `i` of many that share one `job`, a record of addresses and limits. A machine runs it for all of
them: `Host` on this computer's cores, compiled or interpreted, `Cuda` on an NVIDIA GPU, a thread each. It needs nothing but the GPU's driver.

machine   memory and launches, on this computer or on a GPU: start here
ptx       from intermediate code to code for a GPU
driver    the GPU's driver, asked through its C interface
"""
