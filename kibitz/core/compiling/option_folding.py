"""Options are constants: a compiler pass that makes `if options.TABLE:` disappear before types are inferred.

Numba prunes a branch on a global constant, but not on an attribute of a module. This pass turns the second into the first, so that code behind
an option that is off is neither typed nor compiled: it may even be wrong for the types at hand (a table that is not there).

Words are compared here as well: `game.REPETITION == FORBIDDEN` becomes True or False. Left to Numba, the comparison would be pruned and compiled
all the same, with all that it knows of texts, which takes a second.
"""

from __future__ import annotations

import operator
from types import ModuleType
from typing import Any

from numba.core import ir
from numba.core.compiler_machinery import FunctionPass, register_pass

FOLDED = "options"  # the name of the stand-in module whose attributes are constants
WORDS = ("options", "game")  # of those whose attributes may be words to compare
COMPARED = (operator.eq, operator.ne)


@register_pass(mutates_CFG=False, analysis_only=False)
class FoldOptions(FunctionPass):  # type: ignore[misc]
    """Replace `options.NAME` by its value, and comparisons of words that are known by their answer."""

    _name = "fold_options"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        modules: dict[str, ModuleType] = {}
        words: dict[str, str] = {}  # variables that are assigned a word, and nothing else
        changed = False
        for block in state.func_ir.blocks.values():
            for statement in block.find_insts(ir.Assign):
                value, name = statement.value, statement.target.name
                folded: Any = None
                if isinstance(value, ir.Global) and isinstance(value.value, ModuleType) and value.value.__name__ in WORDS:
                    modules[name] = value.value
                elif isinstance(value, ir.Expr) and value.op == "getattr" and value.value.name in modules:
                    module = modules[value.value.name]
                    constant = getattr(module, value.attr)
                    if module.__name__ == FOLDED:
                        folded = ir.Global(f"{FOLDED}.{value.attr}", constant, value.loc)
                    _note(words, state.func_ir, name, constant)
                elif isinstance(value, ir.Global | ir.Const | ir.FreeVar):
                    _note(words, state.func_ir, name, value.value)
                elif isinstance(value, ir.Expr) and value.op == "binop" and value.fn in COMPARED:
                    sides = [words.get(side.name) for side in (value.lhs, value.rhs)]
                    folded = None if None in sides else ir.Const(bool(value.fn(*sides)), value.loc)
                if folded is not None:
                    statement.value = folded
                    known = state.func_ir._definitions[name]  # a variable may be assigned elsewhere, too
                    known[:] = [folded if definition is value else definition for definition in known]
                    changed = True
        return changed


def _note(words: dict[str, str], func_ir: Any, name: str, constant: Any) -> None:
    if isinstance(constant, str) and len(func_ir._definitions[name]) == 1:
        words[name] = constant
