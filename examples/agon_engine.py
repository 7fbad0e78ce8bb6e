"""A helper for engines in Python: subclass Engine, write choose(), call run().

    from agon_engine import Engine

    class First(Engine):
        name = "First column"

        def choose(self, position):
            return "1"

    First().run()

It speaks UGI (docs/protocol.md) and UCI, and needs only the standard library.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from typing import Any, Iterable


class AgonError(RuntimeError):
    """What agon says about a mistake, such as an unknown key."""


class Position:
    """A position of any game of agon, whose rules the program `agon` knows."""

    def __init__(
        self,
        game: str,
        params: dict[str, Any] | None = None,
        start: str | None = None,
        moves: Iterable[str] = (),
        limits: dict[str, int] | None = None,
    ) -> None:
        self.game = game  # such as "connect4"
        self.params = params or {}  # such as {"columns": "7", "rows": "6", "connect": "4"}
        self.start = start  # text of the first position; None: the start of the game
        self.moves = list(moves)  # moves of both sides, and results of dice, as text
        self.limits = limits or {}  # such as {"movetime": 100}, in milliseconds, nodes or plies
        self._facts: dict[str, Any] | None = None

    def legal_moves(self) -> list[str]:
        """The moves of the player to move, as texts."""
        return list(self._ask("moves"))

    def outcomes(self) -> list[tuple[str, int]]:
        """The outcomes of dice with their weights, such as [("1", 1), ("2", 1)]."""
        return [(outcome, weight) for outcome, weight in self._ask("outcomes")]

    def after(self, move: str) -> Position:
        """The position after a move, or after an outcome of dice."""
        return Position(self.game, self.params, self.start, [*self.moves, move], self.limits)

    @property
    def turn(self) -> str | None:
        """Who is to move: "first", "second", or "chance"; None if the game is over."""
        return self._ask("turn")

    @property
    def is_over(self) -> bool:
        return self.turn is None

    @property
    def winner(self) -> str | None:
        """At the end: "first", "second", or None."""
        return self._ask("winner")

    @property
    def points(self) -> float | None:
        """At the end: the first player's points."""
        return self._ask("points")

    @property
    def board(self) -> list[list[str]]:
        """Rows of cells as texts, from the top."""
        return self._ask("board")

    @property
    def text(self) -> str:
        """The position as one line."""
        return self._ask("position")

    def __str__(self) -> str:
        return "\n".join(" ".join(row) for row in self.board) or self.text

    def _ask(self, what: str) -> Any:
        if self._facts is None:
            words = [*(["fen", self.start] if self.start else ["startpos"]), "moves", *self.moves]
            if not (all(isinstance(word, str) for word in words) and "".join(words).isprintable()):
                raise AgonError(f"positions and moves are texts of one line: {words}")
            answer = said = self._tell(f"position {' '.join(words)}\nquery position\n")
            while answer and not answer.startswith((b"response", b"info string unknown query")):
                said, answer = answer, self._tell("")
            if said is not answer or not answer.startswith(b"response {"):
                raise AgonError(said.decode().replace("info string", "agon:", 1).strip())
            self._facts = json.loads(answer[len("response") :])
        return self._facts[what]

    _processes: dict[tuple[int, int, str], subprocess.Popen[bytes]] = {}

    def _tell(self, text: str) -> bytes:
        """Sends a text to the process that knows the game, and returns the next line of its answer."""
        spec = f"{self.game}:{_pairs(self.params)}" if self.params else self.game
        key = os.getpid(), threading.get_ident(), spec  # answers must not reach another thread or a fork
        if key not in self._processes:
            command, pipe = [find_agon(), "serve", "--game", spec, "--agent", "random"], subprocess.PIPE
            self._processes[key] = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)
        process: Any = self._processes[key]
        try:
            process.stdin.write(text.encode())
            process.stdin.flush()
            answer = process.stdout.readline()
        except OSError:
            answer = b""
        if not answer:
            del self._processes[key]
            process.kill()
            process.wait()
            raise AgonError(process.stderr.read().decode().strip() or f"{process.args[0]} has ended")
        return answer


def _pairs(params: dict[str, Any]) -> str:
    texts = {key: str(value).lower() if value in (True, False) else value for key, value in params.items()}
    return ",".join(f"{key}={text}" for key, text in texts.items())


def find_agon() -> str:
    """The path of the program: in AGON, beside this Python, or on PATH."""
    path = os.path.dirname(sys.executable) + os.pathsep + os.environ.get("PATH", "")
    found = shutil.which(os.environ.get("AGON", "agon"), path=path)
    if not found:
        raise AgonError("there is no program agon beside this Python, on PATH, or in AGON")
    return found


class Engine:
    """An engine. Attributes of a subclass: name, author, game, params (defaults as a dictionary)."""

    name, author, game = "Engine", "unknown", "connect4"
    params: dict[str, Any] = {}
    _out = sys.stdout

    def choose(self, position: Position) -> str:
        """Returns a legal move as text."""
        raise NotImplementedError("write a method choose(self, position) that returns a move")

    def new_game(self) -> None:
        """Called before each game."""

    def log(self, *words: object) -> None:
        """Sends a text that agon shows if the game fails. (agon ignores text from print.)"""
        self._say("info string", *words)

    def run(self) -> None:
        """Reads commands until `quit` or the end of the input."""
        # What a program prints is no command.
        Engine._out, sys.stdout = sys.stdout, sys.stderr
        game, params, start = self.game, dict(self.params), None
        moves: list[str] = []
        for line in sys.stdin:
            words = line.split() or [""]
            if words[0] in ("ugi", "uci"):
                self._say(f"id name {self.name}\nid author {self.author}")
                if words[0] == "ugi":
                    self._say(f"option name Game type string default {game}")
                    self._say(f"option name Params type string default {_pairs(params)}")
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
                move = self.choose(Position(game, params, start, moves, limits))
                self._say("bestmove", *str(move).split()[:1])
            elif words[0] == "quit":
                return

    @staticmethod
    def _say(*words: object) -> None:
        print(*words, file=Engine._out, flush=True)
