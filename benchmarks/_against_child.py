"""One side of `benchmarks.against`: searches as it is told, with the kibitz that PYTHONPATH names. Only what every version has is used here.

Reads lines of JSON, [game, position, player]; answers each with [seconds of the processor, nodes], or with a text that says why not.
"""

import json
import os
import sys
import time

import kibitz

if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {int(sys.argv[1])})
for line in sys.stdin:
    name, text, player = json.loads(line)
    try:
        game = kibitz.load(name)
        position = game.position(text) if text else game.start
        began = time.process_time()
        result = kibitz.search(position, player)
        answer: object = [time.process_time() - began, result.nodes]
    except Exception as error:
        answer = f"{type(error).__name__}: {error}"
    print(json.dumps(answer), flush=True)
