"""A helper for the rules of a game in Python: subclass Game, write five methods, call run().

    from agon_game import Game

    class Nim(Game):
        def start(self):
            return (21, "first")

        def turn(self, state):
            return state[1]

        def moves(self, state):
            return [str(taken) for taken in range(1, min(3, state[0]) + 1)]

        def play(self, state, move):
            return (state[0] - int(move), "second" if state[1] == "first" else "first")

        def result(self, state):
            if state[0] == 0:
                return 1 if state[1] == "second" else -1

    if __name__ == "__main__":
        Nim().run()

It speaks the protocol of docs/your-own-game.md, and needs only the standard library. What print
writes goes to standard error, because standard output belongs to the protocol.
"""

from __future__ import annotations

import ast
import sys
from typing import Any


class Game:
    """The rules. A state is a text, or a tuple of texts, numbers and tuples; it never changes."""

    def start(self) -> Any:
        """Returns the state at the start."""
        raise NotImplementedError("write a method start(self) that returns a state")

    def turn(self, state: Any) -> str:
        """Returns who is to move: "first", "second", or "chance"."""
        raise NotImplementedError("write a method turn(self, state)")

    def moves(self, state: Any) -> list[str]:
        """Returns the moves of the player to move: a list of texts without blanks."""
        raise NotImplementedError("write a method moves(self, state)")

    def play(self, state: Any, move: str) -> Any:
        """Returns the state after a move. The old state stays as it is."""
        raise NotImplementedError("write a method play(self, state, move)")

    def result(self, state: Any) -> Any:
        """Returns None while the game is played. At its end: 1 if the first player has won, -1 if
        the second player has won, 0 for a draw; or the pair of such a number and a reason."""
        raise NotImplementedError("write a method result(self, state)")

    # Optional methods; a subclass that has one of them announces it:
    #   outcomes(self, state): pairs of outcome and weight, such as [("1", 1), ("2", 1)], for chance
    #   evaluate(self, state): a whole number, larger if it is better for the first player
    #   key(self, state): a text or tuple that positions share if they are worth the same
    #   draw(self, state): the board as text, with several lines
    #   picture(self, state): the rows of the board: "x" first player, "o" second player, "." empty

    points = False  # True: results are points, and more of them are better
    states_kept = 50_000  # the number of states in memory; choose fewer if a state is large

    def text(self, state: Any) -> str:
        """The state as one line."""
        return state if isinstance(state, str) else repr(state)

    def read(self, text: str) -> Any:
        """The state of such a line."""
        return text if isinstance(self.start(), str) else ast.literal_eval(text)

    def replay(self, position: Any) -> Any:
        """Returns the state of a position of agon_engine, for an agent that imports the rules."""
        state = self.start() if position.start is None else self.read(position.start)
        for move in position.moves:
            state = self.play(state, move)
        return state

    def run(self) -> None:
        """Answers questions until the end of the input."""
        say = sys.stdout.buffer
        sys.stdout = sys.stderr
        sys.stdin.reconfigure(encoding="utf-8", newline="\n")  # whatever the locale is
        optional = ["playout"]
        optional += [name for name in ("evaluate", "key", "draw", "picture") if hasattr(self, name)]
        self._values, self._keys = "evaluate" in optional, "key" in optional
        optional += ["chance"] * hasattr(self, "outcomes") + ["points"] * self.points
        known = {}
        for line in sys.stdin:
            word, *fields = line.rstrip("\r\n").split("\t")
            if len(known) > self.states_kept:
                known.clear()
            if word == "play":
                state, text, play = self._state(fields[0], known), self._answer, self.play
                answer = "\n".join([text(play(state, move), known) for move in fields[1:]])
                if not isinstance(state, (str, tuple)) and self.text(state) != fields[0]:
                    raise ValueError("play(state, move) has changed its state; return a new one")
            elif word == "playout":
                state = self.play(self._state(fields[0], known), fields[1])
                answer = self._answer(state, known) + "\n"
                moves, outcomes, state = self._playout(state, map(int, fields[2:]))
                answer += "%d %d\n%s" % (moves, outcomes, self._answer(state, known))
            elif word == "start":
                answer = self._answer(self.start(), known)
            elif word == "state":
                try:
                    answer = self._answer(self.read(fields[0]), known)
                except Exception as error:
                    answer = "error\t%s: %s" % (type(error).__name__, " ".join(str(error).split()))
            elif word == "draw":
                answer = self.draw(self._state(fields[0], known)).strip("\n").replace("\n", "\t")
            elif word == "picture":
                answer = "\t".join(self.picture(self._state(fields[0], known)))
            elif word.startswith("agon-game"):
                answer = " ".join(["agon-game 1", *optional])
            elif word == "quit":
                return
            else:
                answer = "error\tunknown question " + word
            say.write(answer.encode() + b"\n")
            say.flush()

    def _state(self, text, known):
        state = known.get(text)
        return self.read(text) if state is None else state

    def _playout(self, state, numbers):
        """Plays a random ply for each number. Stops at a number that is not exactly fair."""
        result, turn, moves, play = self.result, self.turn, self.moves, self.play
        counts = [0, 0]
        for number in numbers:
            if result(state) is not None:
                break
            is_chance = turn(state) == "chance"
            choices = self.outcomes(state) if is_chance else moves(state)
            many = sum([weight for _, weight in choices]) if is_chance else len(choices)
            number *= many
            if number & 0xFFFFFFFF < many:
                break
            number >>= 32
            if is_chance:
                state = play(state, self._outcome(choices, number))
            else:
                state = play(state, choices[number])
            counts[is_chance] += 1
        return (*counts, state)

    def _outcome(self, choices, ticket):
        for outcome, weight in choices:
            ticket -= weight
            if ticket < 0:
                return outcome

    def _answer(self, state, known):
        text = self.text(state)
        known[text] = state
        if self._keys:
            key = self.key(state)
            text += "\t" + (key if isinstance(key, str) else repr(key))
        result = self.result(state)
        if result is not None:
            return "%s\tend %s" % (text, "%s %s" % result if isinstance(result, tuple) else result)
        turn = self.turn(state)
        if turn not in ("first", "second", "chance"):
            raise ValueError("turn(state) must return first, second or chance, not %r" % (turn,))
        value = " %d" % self.evaluate(state) if self._values else ""
        if turn == "chance":
            moves = ["%s %d" % pair for pair in self.outcomes(state)]
        else:
            moves = self.moves(state)
        try:
            return "\t".join([text, turn + value, *moves])
        except TypeError:
            raise TypeError("moves(state) must return a list of texts, not %r" % (moves,)) from None
