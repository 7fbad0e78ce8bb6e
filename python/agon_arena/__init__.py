"""agon from Python: runs and matches, exact values, agents and rules of games."""

from .agon_engine import AgonError, Position
from .agon_engine import Engine as Agent
from .agon_game import Game
from .commands import Result, grade, match, rate, run, solve

__all__ = [
    "Agent", "AgonError", "Game", "Position", "Result", "grade", "match", "rate", "run", "solve",
]
