"""A program with types: mypy must know those of the module, and find no fault."""

from typing import Any, List, Optional

import agon_arena
from agon_arena import Agent, Game, Position


class Student(Agent):
    name = "Student"

    def choose(self, position: Position) -> str:
        board: List[List[str]] = position.board
        winner: Optional[str] = position.after(position.legal_moves()[0]).winner
        self.log(winner, board)
        return position.legal_moves()[-1]


class Nim(Game):
    def start(self) -> Any:
        return (21, "first")


verdict: str = agon_arena.match("random", "first", game="connect4", games=10).verdict
move: int = Student().choose(Position("pig"))  # type: ignore[assignment]
text: int = Nim().text((21, "first"))  # type: ignore[assignment]
