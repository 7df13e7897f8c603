"""What is read of byte code, on every version of Python there is: without the other interpreters, from what their `dis` says."""

import operator
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from numba.core import ir
from numba.core.compiler import run_frontend

from kibitz.core.compiling import digest
from kibitz.core.compiling.option_folding import FoldOptions

# Of `np.uint64(game.START) + helper(s.board[0]) if options.TABLE else [k + OFFSET for k in TABLE]`; PUSH_NULL, CALL and the like stand for themselves.
STREAMS = {
    "3.11": [
        ("RESUME", 0), ("LOAD_GLOBAL", "options"), ("LOAD_ATTR", "TABLE"), ("POP_JUMP_FORWARD_IF_FALSE", 9), ("LOAD_GLOBAL", "np"), ("LOAD_METHOD", "uint64"),
        ("LOAD_GLOBAL", "game"), ("LOAD_ATTR", "START"), ("PRECALL", 1), ("CALL", 1), ("LOAD_GLOBAL", "helper"), ("LOAD_FAST", "s"), ("LOAD_ATTR", "board"),
        ("LOAD_CONST", 0), ("BINARY_SUBSCR", None), ("PRECALL", 1), ("CALL", 1), ("BINARY_OP", 0), ("RETURN_VALUE", None), ("LOAD_CONST", "<code object>"),
        ("MAKE_FUNCTION", 0), ("LOAD_GLOBAL", "TABLE"), ("GET_ITER", None), ("PRECALL", 0), ("CALL", 0), ("RETURN_VALUE", None),
        # and the comprehension, a function of its own
        ("RESUME", 0), ("BUILD_LIST", 0), ("LOAD_FAST", ".0"), ("FOR_ITER", 7), ("STORE_FAST", "k"), ("LOAD_FAST", "k"), ("LOAD_GLOBAL", "OFFSET"),
        ("BINARY_OP", 0), ("LIST_APPEND", 2), ("JUMP_BACKWARD", 3), ("RETURN_VALUE", None),
    ],
    "3.12": [
        ("RESUME", 0), ("LOAD_GLOBAL", "options"), ("LOAD_ATTR", "TABLE"), ("POP_JUMP_IF_FALSE", 9), ("LOAD_GLOBAL", "np"), ("LOAD_ATTR", "uint64"),
        ("LOAD_GLOBAL", "game"), ("LOAD_ATTR", "START"), ("CALL", 1), ("LOAD_GLOBAL", "helper"), ("LOAD_FAST", "s"), ("LOAD_ATTR", "board"),
        ("LOAD_CONST", 0), ("BINARY_SUBSCR", None), ("CALL", 1), ("BINARY_OP", 0), ("RETURN_VALUE", None), ("LOAD_GLOBAL", "TABLE"), ("GET_ITER", None),
        ("LOAD_FAST_AND_CLEAR", "k"), ("SWAP", 2), ("BUILD_LIST", 0), ("FOR_ITER", 7), ("STORE_FAST", "k"), ("LOAD_FAST", "k"), ("LOAD_GLOBAL", "OFFSET"),
        ("BINARY_OP", 0), ("LIST_APPEND", 2), ("JUMP_BACKWARD", 3), ("END_FOR", None), ("STORE_FAST", "k"), ("RETURN_VALUE", None),
    ],
    "3.13": [
        ("RESUME", 0), ("LOAD_GLOBAL", "options"), ("LOAD_ATTR", "TABLE"), ("TO_BOOL", None), ("POP_JUMP_IF_FALSE", 9), ("LOAD_GLOBAL", "np"),
        ("LOAD_ATTR", "uint64"), ("PUSH_NULL", None), ("LOAD_GLOBAL", "game"), ("LOAD_ATTR", "START"), ("CALL", 1), ("LOAD_GLOBAL", "helper"),
        ("LOAD_FAST", "s"), ("LOAD_ATTR", "board"), ("LOAD_CONST", 0), ("BINARY_SUBSCR", None), ("CALL", 1), ("BINARY_OP", 0), ("RETURN_VALUE", None),
        ("LOAD_GLOBAL", "TABLE"), ("GET_ITER", None), ("LOAD_FAST_AND_CLEAR", "k"), ("SWAP", 2), ("BUILD_LIST", 0), ("FOR_ITER", 7),
        ("STORE_FAST_LOAD_FAST", ("k", "k")), ("LOAD_GLOBAL", "OFFSET"), ("BINARY_OP", 0), ("LIST_APPEND", 2), ("JUMP_BACKWARD", 3), ("RETURN_VALUE", None),
    ],
    "3.14": [  # from its documentation: small numbers and borrowed variables have instructions of their own, subscripts are a binary operation
        ("RESUME", 0), ("LOAD_GLOBAL", "options"), ("LOAD_ATTR", "TABLE"), ("TO_BOOL", None), ("POP_JUMP_IF_FALSE", 9), ("NOT_TAKEN", None),
        ("LOAD_GLOBAL", "np"), ("LOAD_ATTR", "uint64"), ("PUSH_NULL", None), ("LOAD_GLOBAL", "game"), ("LOAD_ATTR", "START"), ("CALL", 1),
        ("LOAD_GLOBAL", "helper"), ("LOAD_FAST_BORROW", "s"), ("LOAD_ATTR", "board"), ("LOAD_SMALL_INT", 0), ("BINARY_OP", 26), ("CALL", 1),
        ("BINARY_OP", 0), ("RETURN_VALUE", None), ("EXTENDED_ARG", 1), ("LOAD_GLOBAL", "TABLE"), ("GET_ITER", None), ("LOAD_FAST_AND_CLEAR", "k"),
        ("SWAP", 2), ("BUILD_LIST", 0), ("FOR_ITER", 7), ("STORE_FAST_LOAD_FAST", ("k", "k")), ("LOAD_GLOBAL", "OFFSET"), ("BINARY_OP", 0),
        ("LIST_APPEND", 2), ("JUMP_BACKWARD", 3), ("END_FOR", None), ("POP_ITER", None), ("RETURN_VALUE", None),
    ],
}  # fmt: skip
READ = {("options", "TABLE"), ("np", "uint64"), ("game", "START"), ("helper",), ("TABLE",), ("OFFSET",)}


@pytest.mark.parametrize("version", STREAMS)
def test_the_same_globals_are_read_on_every_version(version: str) -> None:
    stream = [(name, argument, 7) for name, argument in STREAMS[version]]
    assert {path for path, _ in digest.paths_read(stream)} == READ


def test_this_version_reads_them_too() -> None:
    def sample(s: Any) -> Any:
        return np.uint64(game.START) + helper(s.board[0]) if options.TABLE else [k + OFFSET for k in TABLE]  # type: ignore[name-defined] # noqa: F821

    assert {use.path for use in digest.uses(sample.__code__)} == READ


def test_docstrings_do_not_count() -> None:
    def plain(n: int) -> int:
        """Said so."""
        return n + 5

    other = plain.__code__.replace(co_consts=tuple("Said otherwise." if c == "Said so." else c for c in plain.__code__.co_consts))
    changed = type(plain)(other, {}, "plain")
    changed.__doc__ = "Said otherwise."
    assert digest.of_code(plain) == digest.of_code(changed)
    flagged = type(plain)(plain.__code__.replace(co_flags=plain.__code__.co_flags | digest.HAS_DOCSTRING), {}, "plain")
    flagged.__doc__ = plain.__doc__
    assert digest.of_code(plain) == digest.of_code(flagged)


game, options = ModuleType("game"), ModuleType("options")
game.KIND, options.TABLE, options.SIZE = "draw", True, 12  # type: ignore[attr-defined]
WORD = "draw"


def asks(n: int) -> int:
    if game.KIND == WORD and options.TABLE:
        n += options.SIZE
    return n if game.KIND != "draw" else n + 1


def test_options_and_words_are_folded_whatever_the_byte_code() -> None:
    """Numba turns every version's byte code into the same statements, and these are what is folded."""
    state = SimpleNamespace(func_ir=run_frontend(asks))
    assert FoldOptions().run_pass(state)
    values = [a.value for block in state.func_ir.blocks.values() for a in block.find_insts(ir.Assign)]
    compared = [v for v in values if isinstance(v, ir.Expr) and v.op == "binop" and v.fn in (operator.eq, operator.ne)]
    assert compared == []
    assert [v.value for v in values if isinstance(v, ir.Const) and isinstance(v.value, bool)] == [True, False]
    assert {v.value for v in values if isinstance(v, ir.Global) and v.name.startswith("options.")} == {True, 12}


def test_a_word_that_may_be_another_one_is_left_alone() -> None:
    def asks_of(n: int) -> bool:
        word = game.KIND
        if n > 3:
            word = "loss"
        return word == WORD  # type: ignore[no-any-return]

    state = SimpleNamespace(func_ir=run_frontend(asks_of))
    FoldOptions().run_pass(state)
    values = [a.value for block in state.func_ir.blocks.values() for a in block.find_insts(ir.Assign)]
    assert any(isinstance(v, ir.Expr) and v.op == "binop" and v.fn is operator.eq for v in values)
