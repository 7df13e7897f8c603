"""Views as text: `e2e4 - d2d4 capture:e4`, a word for each event, as the observer knows it.

    5               his own move, which led to nothing but that it was made
    5/taken         his own move, and what he heard of it
    taken           what he heard when somebody else moved, or chance did
    -               somebody else moved, and nothing was heard

A word is looked up among all that may come next, so that the first one that is impossible is found and named.
"""

from __future__ import annotations

from kibitz.core.errors import InputError
from kibitz.core.hidden.belief import Belief, Impossible
from kibitz.core.hidden.view import in_words
from kibitz.core.position.told import Event
from kibitz.core.protocol.rules import NO_MOVE

SHOWN = 40  # of the words that would have been possible


def read(belief: Belief, text: str) -> list[Belief]:
    """The belief, and what becomes of it word by word; one clear line for the first word that cannot be."""
    beliefs = [belief]
    for number, word in enumerate(text.split(), 1):
        beliefs.append(_after(beliefs[-1], word, number))
    return beliefs


def write(belief: Belief) -> str:
    """The events of a belief as text that `read` takes."""
    now, words = Belief.at(belief.game, belief.observer, belief.origin, belief.limit, belief.seed), []
    for event in belief.events:
        words.append(in_words(now.game, event, now.observer, str(now.known.move(event.move)) if event.move != NO_MOVE else ""))
        now = now.after(event)
    return " ".join(words)


def next_words(belief: Belief, move: int = NO_MOVE) -> dict[str, Event]:
    """What may be heard next, the likeliest first: of the observer's own move, or of somebody else's."""
    name = str(belief.known.move(move)) if move != NO_MOVE else ""
    events = [Event(move, percept) for percept in belief.percepts(move)]
    return {in_words(belief.game, event, belief.observer, name): event for event in events}


def _after(belief: Belief, word: str, number: int) -> Belief:
    """One word further."""
    impossible = f"impossible word {number}, '{word}'"
    if belief.known.is_over:
        raise Impossible(f"{impossible}: the game is over before it")
    move = NO_MOVE
    if belief.known.is_own_turn:
        try:
            move = int(belief.known.move(word.partition("/")[0]))
        except InputError as error:
            raise Impossible(
                f"{impossible}: it is the turn of {belief.game.side(belief.observer)}, and a move of his own comes next; {error}"
            ) from None
    words = next_words(belief, move)
    event = words.get(word) or {text.lower(): event for text, event in words.items()}.get(word.lower())
    if event is None:
        known = " ".join(list(words)[:SHOWN]) + (" ..." if len(words) > SHOWN else "")
        what = "may be heard" if belief.complete else f"is heard in the {belief.size} positions kept, which are a sample"
        raise Impossible(f"{impossible}: what {what} is {known}")
    return belief.after(event)
