"""A helper for engines in Python: subclass Engine, write choose(), call run().

    from agon_engine import Engine

    class First(Engine):
        name = "First column"

        def choose(self, position):
            return "1"

    First().run()

It speaks UGI (docs/protocol.md) and UCI, and needs only the standard library.
"""

import json
import os
import shutil
import subprocess
import sys


class Position:
    """A position of any game of agon, whose rules the program `agon` knows."""

    def __init__(self, game, params=None, start=None, moves=(), limits=None):
        self.game = game  # such as "connect4"
        self.params = params or {}  # such as {"columns": "7", "rows": "6", "connect": "4"}
        self.start = start  # text of the first position; None: the start of the game
        self.moves = list(moves)  # moves of both sides, and results of dice, as text
        self.limits = limits or {}  # such as {"movetime": 100}, in milliseconds, nodes or plies
        self._facts = None

    def legal_moves(self):
        """The moves of the player to move, as texts."""
        return self._ask("moves")

    def outcomes(self):
        """The outcomes of dice with their weights, such as [["1", 1], ["2", 1]]."""
        return self._ask("outcomes")

    def after(self, move):
        """The position after a move, or after an outcome of dice."""
        return Position(self.game, self.params, self.start, [*self.moves, move], self.limits)

    turn = property(lambda self: self._ask("turn"), doc='"first", "second", "chance"; None: over')
    is_over = property(lambda self: self.turn is None, doc="Whether the game is over")
    winner = property(lambda self: self._ask("winner"), doc='"first", "second", or None')
    points = property(lambda self: self._ask("points"), doc="The first player's, if it is over")
    board = property(lambda self: self._ask("board"), doc="Rows of cells as texts, from the top")
    text = property(lambda self: self._ask("position"), doc="The position as one line")

    def __str__(self):
        return "\n".join(" ".join(row) for row in self.board) or self.text

    def _ask(self, what):
        if self._facts is None:
            start = f"fen {self.start}" if self.start else "startpos"
            moves = " ".join(["moves", *self.moves]) if self.moves else ""
            process = self._process()
            process.stdin.write(f"position {start} {moves}\nquery position\n")
            process.stdin.flush()
            answer = said = process.stdout.readline()
            while answer and not answer.startswith(("response", "info string unknown query")):
                said, answer = answer, process.stdout.readline()
            if not answer.startswith("response {"):
                raise ValueError(said.replace("info string", "agon:", 1).strip() or "agon has ended")
            self._facts = json.loads(answer[len("response") :])
        return self._facts[what]

    _processes = {}

    def _process(self):
        spec = ",".join(f"{key}={value}" for key, value in self.params.items())
        spec = f"{self.game}:{spec}" if spec else self.game
        if spec not in self._processes:
            command = [find_agon(), "serve", "--game", spec, "--agent", "random"]
            pipe = subprocess.PIPE
            self._processes[spec] = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)
        return self._processes[spec]


def find_agon():
    """The path of the program: in AGON, beside this Python, or on PATH."""
    path = os.path.dirname(sys.executable) + os.pathsep + os.environ.get("PATH", "")
    found = shutil.which(os.environ.get("AGON", "agon"), path=path)
    if not found:
        raise RuntimeError("there is no program agon beside this Python, on PATH, or in AGON")
    return found


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
