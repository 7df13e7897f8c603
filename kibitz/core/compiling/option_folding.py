"""Options are constants: a compiler pass that makes `if options.TABLE:` disappear before types are inferred.

Numba prunes a branch on a global constant, but not on an attribute of a module. This pass turns the second into the first, so that code behind
an option that is off is neither typed nor compiled: it may even be wrong for the types at hand (a table that is not there).
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

from numba.core import ir
from numba.core.compiler_machinery import FunctionPass, register_pass

FOLDED = "options"  # the name of the stand-in module whose attributes are constants


@register_pass(mutates_CFG=False, analysis_only=False)
class FoldOptions(FunctionPass):  # type: ignore[misc]
    """Replace `options.NAME` by its value."""

    _name = "fold_options"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        modules: dict[str, ModuleType] = {}
        changed = False
        for block in state.func_ir.blocks.values():
            for statement in block.find_insts(ir.Assign):
                value = statement.value
                if isinstance(value, ir.Global) and isinstance(value.value, ModuleType) and value.value.__name__ == FOLDED:
                    modules[statement.target.name] = value.value
                elif isinstance(value, ir.Expr) and value.op == "getattr" and value.value.name in modules:
                    constant = getattr(modules[value.value.name], value.attr)
                    folded = ir.Global(f"{FOLDED}.{value.attr}", constant, value.loc)
                    statement.value = folded
                    known = state.func_ir._definitions[statement.target.name]  # a variable may be assigned elsewhere, too
                    known[:] = [folded if definition is value else definition for definition in known]
                    changed = True
        return changed
