"""Saves work that Numba repeats, while a function and everything it calls are compiled.

A search and a game are a hundred functions, compiled in one go. Meanwhile Numba

- finds out anew for every `a + b` which of its implementations of `+` takes these types, though they are the same few each time: the answers
  are kept for as long as the compilation lasts, in which nobody can register another implementation;
- measures every compilation inside another one with a clock of its own, for statistics that nobody reads;
- makes millions of small objects that live to the end of it, which Python's collector of cycles looks through again and again: it pauses.

Compiled code is the same with and without.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from numba.core import event
from numba.core.types import BaseFunction

_under_way = 0  # compilations in each other, and in other threads
_known: dict[Any, Any] = {}  # signatures by function, typing context and types of arguments

_functions: Any = BaseFunction
_find_signature: Callable[..., Any] = BaseFunction.get_call_type
_install_timer: Callable[..., Any] = event.install_timer


@contextmanager
def thrifty() -> Iterator[None]:
    """Compile inside this; usual again afterwards."""
    global _under_way
    collecting = gc.isenabled()
    gc.disable()
    _under_way += 1
    _functions.get_call_type, event.install_timer = _signature_once, _no_timer
    try:
        yield
    finally:
        _under_way -= 1
        if not _under_way:
            _functions.get_call_type, event.install_timer = _find_signature, _install_timer
            _known.clear()
        if collecting:
            gc.enable()


def compiled_once(dispatcher: Any) -> None:
    """Let a dispatcher see first whether it is asked for what it has compiled already: every call in every caller asks."""
    compile_ = dispatcher.compile

    def known_or_compiled(signature: Any) -> Any:
        known = dispatcher.overloads.get(signature) if type(signature) is tuple else None
        return compile_(signature) if known is None else known.entry_point

    dispatcher.compile = known_or_compiled


def _signature_once(function: Any, context: Any, arguments: Any, named: Any) -> Any:
    if named:
        return _find_signature(function, context, arguments, named)
    question = (function, context, arguments)
    answer = _known.get(question)
    if answer is None:
        answer = _known[question] = _find_signature(function, context, arguments, named)
    return answer


def _no_timer(kind: str, callback: Any) -> Any:  # noqa: ARG001
    return nullcontext()
