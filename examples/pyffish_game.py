#!/usr/bin/env python3
"""Variants of chess by pyffish, the rules of Fairy-Stockfish: xiangqi, shogi, crazyhouse, makruk, and others.

    agon play "python3 pyffish_game.py xiangqi" --agent random

Each question to pyffish takes milliseconds, so agents that search are slow.

Needs agon_game.py beside this file, and the package: pip install pyffish
"""

import sys
from functools import lru_cache

from agon_game import Game

try:
    import pyffish
except ImportError as error:
    sys.exit("cannot load pyffish (%s): run `%s -m pip install pyffish`" % (error, sys.executable))

MOST_PLIES = 600  # a longer game is a draw


class PyffishGame(Game):
    """A state is a FEN, and the moves after it, which repetition needs: `FEN moves MOVE MOVE …`."""

    states_kept = 5_000

    def __init__(self, variant):
        if variant not in pyffish.variants():
            sys.exit("pyffish has no variant `%s`; it has %s" % (variant, " ".join(pyffish.variants())))
        if pyffish.two_boards(variant):
            sys.exit("agon cannot play `%s`: it has two boards" % variant)
        self.variant = variant
        self.drops = pyffish.captures_to_hand(variant)
        self.first = pyffish.start_fen(variant).split()[1]

    # A state in memory: the FENs from the first one of its text to the current one, and the moves between them.
    def start(self):
        return (pyffish.get_fen(self.variant, pyffish.start_fen(self.variant), []),), ()

    def text(self, state):
        return " ".join([state[0][0], "moves", *state[1]]) if state[1] else state[0][0]

    def read(self, text):
        fen, _, moves = text.partition(" moves ")
        if pyffish.validate_fen(fen, self.variant) != pyffish.FEN_OK:
            raise ValueError("this is not a FEN of %s" % self.variant)
        fens = [fen]
        for move in moves.split():
            if move not in legal_moves(self.variant, fens[-1]):
                raise ValueError("the move %s is not legal" % move)
            fens.append(pyffish.get_fen(self.variant, fens[-1], [move]))
        return tuple(fens), tuple(moves.split())

    def turn(self, state):
        return "first" if state[0][-1].split()[1] == self.first else "second"

    def moves(self, state):
        return legal_moves(self.variant, state[0][-1])

    def play(self, state, move):
        fens, moves = state
        fen = pyffish.get_fen(self.variant, fens[-1], [move])
        # No earlier position can come again after a capture or a move of a pawn, unless pieces come back.
        if fen.split()[-2] == "0" and not self.drops:
            return (fen,), ()
        return (*fens, fen), (*moves, move)

    def result(self, state):
        (*earlier, fen), moves = state
        value, reason = self.end(fen, earlier, moves)
        if reason:
            points = (value > 0) - (value < 0)
            return points if self.turn(state) == "first" else -points, reason

    def end(self, fen, earlier, moves):
        """The value for the side to move, and the reason; the reason is None while the game is played."""
        # With the last move: checkmate by the drop of a pawn loses in shogi.
        before, last = (earlier[-1], [moves[-1]]) if earlier else (fen, [])
        over, value = pyffish.is_immediate_game_end(self.variant, before, last)
        if over:
            return value, "rule of the variant"
        if not legal_moves(self.variant, fen):
            mate = pyffish.gives_check(self.variant, fen, [])
            return pyffish.game_result(self.variant, before, last), "checkmate" if mate else "stalemate"
        over, value = pyffish.is_optional_game_end(self.variant, fen, [])
        if over:
            return value, "move rule"
        if any(same(fen, other) for other in earlier):
            over, value = pyffish.is_optional_game_end(self.variant, earlier[0], list(moves))
            if over:
                return value, "repetition"
        if all(pyffish.has_insufficient_material(self.variant, fen, [])):
            return 0, "insufficient material"
        return 0, "longest game" if 2 * int(fen.split()[-1]) > MOST_PLIES else None

    def draw(self, state):
        return state[0][-1].replace("/", "\n").replace(" ", "\n", 1)


@lru_cache(1000)
def legal_moves(variant, fen):
    return pyffish.legal_moves(variant, fen, [])


def same(fen, other):
    return fen.split()[:2] == other.split()[:2]


if len(sys.argv) != 2:
    sys.exit("name one variant: python3 pyffish_game.py xiangqi")
PyffishGame(sys.argv[1]).run()
