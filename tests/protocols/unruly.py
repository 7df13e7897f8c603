"""A program that speaks UCI, plays tic-tac-toe, and misbehaves once, however often it is started: `python unruly.py HOW FOLDER`.

It takes the first free square. In its third search it does what it was told to do, unless the file FOLDER/done says that it has. Every process writes its number
to FOLDER/pids when it starts.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

how, folder = sys.argv[1], Path(sys.argv[2])


def note(number: int) -> None:
    with (folder / "pids").open("a") as pids:
        pids.write(f"{number}\n")


def is_due() -> bool:
    """In the third search of all."""
    with (folder / "searches").open("a") as searches:
        searches.write(".")
    if (folder / "done").exists() or (folder / "searches").stat().st_size < 3:
        return False
    if how != "hang for ever":
        (folder / "done").touch()
    return True


def misbehave() -> str:
    """The answer, if it comes to one."""
    if how == "die":
        sys.exit(3)
    if how.startswith("hang"):
        note(subprocess.Popen(["sleep", "1000"]).pid)  # what a script starts must go with it
        time.sleep(1000)
    if how == "chatter":
        while True:
            print("info string here we go", flush=True)
    if how == "bytes":
        sys.stdout.buffer.write(b"info string \xff\xfe\n")
        sys.stdout.flush()
    return {"illegal": "1", "none": "(none)", "nonsense": "\t"}.get(how, "")


note(os.getpid())
moves: list[str] = []
for line in sys.stdin:
    words = line.split()
    if words[0] == "quit":
        break
    if words[0] == "uci":
        print("uciok", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "position":
        moves = words[3:]
    elif words[0] == "go":
        answer = misbehave() if is_due() else ""
        free = next(square for square in "123456789" if square not in moves)
        print(f"bestmove {moves[0] if answer == '1' else answer or free}", flush=True)
