"""Work spread over processes: any number of tasks, results as they come, stopped at once by Ctrl-C.

Processes are started afresh (spawned), so that nothing of this process's threads and compiled code is half copied. A script that asks for more
than one job keeps its own work under `if __name__ == "__main__":`, because a new process reads the script again.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any

from kibitz.core.compiling import compile_progress
from kibitz.core.errors import InputError, KibitzError

MOST_JOBS = 256
TO_END = 10.0  # seconds that a worker has to end, with the programs that it started


def spread(work: Callable[[Any], Any], tasks: Sequence[Any], jobs: int = 1) -> Iterator[tuple[int, Any]]:
    """The number of each task and `work` of it, in the order in which they are finished; with one job, here and in order.

    `work` is a function of a module, and tasks can be pickled. What `work` raises is raised here. When the iterator is closed, or left by an
    exception such as Ctrl-C, the processes are ended.
    """
    if not 1 <= jobs <= MOST_JOBS:
        raise InputError(f"jobs={jobs}: must be from 1 to {MOST_JOBS}")
    if jobs == 1 or len(tasks) <= 1:
        return ((number, work(task)) for number, task in enumerate(tasks))
    check_sendable((work, tasks[0]), "this")
    return _spread_over_processes(work, tasks, min(jobs, len(tasks)))


def _spread_over_processes(work: Callable[[Any], Any], tasks: Sequence[Any], jobs: int) -> Iterator[tuple[int, Any]]:
    context = multiprocessing.get_context("spawn")
    left = list(enumerate(tasks))[::-1]
    workers: dict[Connection, Any] = {}
    try:
        for _ in range(jobs):
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(theirs, work), daemon=True)
            _start(process)
            theirs.close()
            workers[ours] = process
            ours.send(left.pop())
        while workers:
            for ready in wait(list(workers)):
                assert isinstance(ready, Connection)
                number, result, failure = _received(ready, workers)
                if failure is not None:
                    raise failure
                if left:
                    ready.send(left.pop())
                else:
                    ready.close()
                    workers.pop(ready).join()
                yield number, result
    finally:
        for connection, process in workers.items():
            connection.close()
            process.terminate()
        for process in workers.values():
            process.join(TO_END)
            if process.is_alive():
                process.kill()
                process.join()


def _start(process: Any) -> None:
    """Start a process that does not hear Ctrl-C from its first moment on, not only once it has read its modules. We hear it when that is done."""
    if not hasattr(signal, "pthread_sigmask") or threading.current_thread() is not threading.main_thread():
        process.start()
        return
    resource_tracker.ensure_running()  # starting it later would open the new process's ears again
    pressed: list[int] = []
    handler = signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))  # another thread of ours may be sent the signal
    heard = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # and the new process does not hear what we do not hear
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, heard)
        signal.signal(signal.SIGINT, handler)
    if pressed:
        raise KeyboardInterrupt


def _received(connection: Connection, workers: dict[Connection, Any]) -> tuple[int, Any, BaseException | None]:
    try:
        answer: tuple[int, Any, BaseException | None] = connection.recv()
    except (EOFError, ConnectionResetError):
        process = workers[connection]
        process.join()
        raise KibitzError(
            f"a worker process died (exit code {process.exitcode}); is there enough memory for {len(workers)} jobs?"
        ) from None
    return answer


def _serve(connection: Connection, work: Callable[[Any], Any]) -> None:
    """A worker's life: do what comes through the connection until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all processes of a terminal; the first one ends the others
    compile_progress.listen(lambda _: None)
    threading.Thread(target=_die_with_parent, daemon=True).start()
    while True:
        try:
            number, task = connection.recv()
        except (EOFError, ConnectionResetError):
            return
        answer: tuple[int, Any, Exception | None]
        try:
            answer = number, work(task), None
        except Exception as error:
            answer = number, None, _sendable(error)
        try:
            connection.send(answer)
        except (BrokenPipeError, ConnectionResetError):  # nobody is interested any more
            return


def _die_with_parent() -> None:
    """Another thread's work: whatever ended the first process, this one has nobody to work for, nor have the programs that it may have started."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


def _sendable(error: Exception) -> Exception:
    """One line for the user stays one line; anything else is a fault of ours and brings its traceback."""
    if isinstance(error, KibitzError):
        return error
    return RuntimeError(f"in a worker process:\n{''.join(traceback.format_exception(error))}")


def check_sendable(thing: Any, name: str, advice: str = "use jobs=1") -> None:
    """Refuse, before any work, what other processes cannot be sent."""
    try:
        pickle.dumps(thing)
    except Exception as error:
        raise InputError(f"{name} cannot be sent to other processes ({error}); {advice}") from None
