"""A helper for engines in Python: subclass Engine, write choose(), call run().

    from agon_engine import Engine

    class First(Engine):
        name = "First column"

        def choose(self, position):
            return "1"

    First().run()

It speaks UGI (docs/protocol.md) and UCI, and needs only the standard library.
"""

import sys


class Position:
    """The position in which a move is due."""

    def __init__(self, game, params, start, moves, limits):
        self.game = game  # such as "connect4"
        self.params = params  # such as {"columns": "7", "rows": "6", "connect": "4"}
        self.start = start  # text of the first position; None: the start of the game
        self.moves = moves  # moves of both sides, and results of dice, as text
        self.limits = limits  # such as {"movetime": 100}, in milliseconds, nodes or plies


class Engine:
    """An engine. Attributes of a subclass: name, author, game, params (defaults as a dictionary)."""

    name, author, game, params = "Engine", "unknown", "connect4", {}

    def choose(self, position):
        """Returns a legal move as text."""
        raise NotImplementedError("write a method choose(self, position) that returns a move")

    def new_game(self):
        """Called before each game."""

    def log(self, *words):
        """Sends a text that agon shows if the game fails. (agon ignores text from print.)"""
        self._say("info string", *words)

    def run(self):
        """Reads commands until `quit` or the end of the input."""
        game, params, start, moves = self.game, dict(self.params), None, []
        for line in sys.stdin:
            words = line.split() or [""]
            if words[0] in ("ugi", "uci"):
                default = ",".join(f"{key}={value}" for key, value in params.items())
                self._say(f"id name {self.name}\nid author {self.author}")
                if words[0] == "ugi":
                    self._say(f"option name Game type string default {game}")
                    self._say(f"option name Params type string default {default}")
                self._say(words[0] + "ok")
            elif words[:3] == ["setoption", "name", "Game"]:
                game = words[-1]
            elif words[:3] == ["setoption", "name", "Params"] and words[3:]:
                params = dict(pair.split("=", 1) for pair in words[-1].split(",") if "=" in pair)
            elif words[0] == "isready":
                self._say("readyok")
            elif words[0] in ("uginewgame", "ucinewgame"):
                self.new_game()
            elif words[0] == "position":
                at = words.index("moves") if "moves" in words else len(words)
                start = None if words[1] == "startpos" else " ".join(words[2:at])
                moves = words[at + 1 :]
            elif words[0] == "go":
                limits = {k: int(v) for k, v in zip(words[1:], words[2:]) if v.isdigit()}
                self._say("bestmove", self.choose(Position(game, params, start, moves, limits)))
            elif words[0] == "quit":
                return

    @staticmethod
    def _say(*words):
        print(*words, flush=True)
