"""References to arrays: compiled code need not count them.

Numba counts references so that an array which code made is freed when nobody refers to it any more: an atomic addition wherever an array is handed to a function,
an atomic subtraction afterwards, eight of them at a node of a search with a table; threads that share the table wait for each other there. But kernels use arrays that Python
holds for as long as they run, and make none. So functions count by names of ours, and these mean nothing; or, where anything that a kernel calls makes an array, a text or
the like, what Numba's own names mean. That is decided once all of a kernel's code is there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from llvmlite import binding, ir
from numba.core import cgutils
from numba.core.runtime import rtsys

OURS = {"NRT_incref": "kibitz.incref", "NRT_decref": "kibitz.decref"}
MARK = "kibitz.counts"  # a function by this name: some of the code must count
RUNTIME = "NRT_"  # how the names of Numba's functions begin that make, share and free memory
# Those by which nothing is made: they are in every module, or in the wrapper by which Python calls a function and hands its arrays over.
MAKE_NOTHING = (*OURS, "NRT_MemInfo_call_dtor", "NRT_MemInfo_data_fast", "NRT_Free", "NRT_adapt_ndarray_from_python")


def rename(module: Any) -> None:
    """Let the functions of a module, which is not optimised yet, count by our names."""
    for function in module.functions:
        if function.name in OURS:
            function.name = OURS[function.name]


def mark(module: Any) -> None:
    """Whatever this module is linked into must count."""
    made = ir.Module("mark")
    _body(ir.Function(made, ir.FunctionType(ir.VoidType(), ()), MARK)).ret_void()
    module.link_in(binding.parse_assembly(str(made)))


def count_by_themselves(libraries: Iterable[Any]) -> bool:
    """Do any of these libraries count, which are Numba's and keep to its names? References must not be counted by some functions alone."""
    shared = [library._get_module_for_linking() for library in libraries if library is not rtsys.library]
    return any(function.name in OURS for module in shared for function in module.functions)


def decide(module: Any) -> None:
    """All of a kernel's code is in the module, not optimised yet: say what our names mean."""
    names = {function.name for function in module.functions}
    counts = MARK in names or any(name.startswith(RUNTIME) and name not in MAKE_NOTHING for name in names)
    module.link_in(binding.parse_assembly(meaning(counts)))


def meaning(counts: bool) -> str:
    """Our names as intermediate code: Numba's own, or nothing."""
    module = ir.Module("references")
    kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t])
    for its, ours in OURS.items():
        body = _body(ir.Function(module, kind, ours))
        if counts:
            body.call(ir.Function(module, kind, its), body.function.args)
        body.ret_void()
    return str(module)


def _body(function: Any) -> Any:
    """Where the code of a new function goes, which every module may have and is gone once it is inlined."""
    function.attributes.add("alwaysinline")
    function.linkage = "linkonce_odr"
    return ir.IRBuilder(function.append_basic_block())
