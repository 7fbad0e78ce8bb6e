"""Positions, values and games for .ci/syzygy, by python-chess:

    syzygy_check.py TABLES values NUMBER    positions of each table, each with its value for the side to move
    syzygy_check.py TABLES config NUMBER    a config with this number of games that tables decide
    syzygy_check.py TABLES games FILE       checks the results of these games
"""
import csv
import random
import sys
from collections import Counter
from pathlib import Path

import chess
import chess.syzygy

folder, command, argument = sys.argv[1:]
tables = chess.syzygy.open_tablebase(folder)
rng = random.Random(4)


def position(first, second):
    """A random legal position with the pieces of both sides, such as KQ and KR."""
    while True:
        board = chess.Board(None)
        colors = rng.sample(chess.COLORS, 2)
        pieces = [chess.Piece.from_symbol(letter) for letter in first + second.lower()]
        for piece, square in zip(pieces, rng.sample(chess.SQUARES, len(pieces))):
            board.set_piece_at(square, chess.Piece(piece.piece_type, colors[not piece.color]))
        board.turn = rng.choice(chess.COLORS)
        if board.is_valid():
            return board


def en_passant():
    """A position with one pawn a side, one of which can capture the other en passant."""
    while True:
        board = position("KP", "KP")
        # The side to move has its pawn on its fifth rank, beside the other pawn.
        pawn = board.pieces(chess.PAWN, not board.turn).pop()
        file = chess.square_file(pawn)
        board.ep_square = chess.square(file, 5 if board.turn else 2)
        if board.is_valid() and board.has_legal_en_passant():
            return board


def values(number):
    names = sorted(path.stem for path in Path(folder).glob("*.rtbw"))
    assert len(names) == 35, names
    boards = [position(*name.split("v")) for name in names for _ in range(number)]
    boards += [en_passant() for _ in range(number // 10)]
    for board in boards:
        print(board.fen(en_passant="legal"), tables.probe_wdl(board))


def config(games):
    # Pieces of both sides, so that captures lead to tables.
    sides = [("KQR", "KR"), ("KRP", "KR"), ("KBP", "KN"), ("KPP", "KP"), ("KP", "KP"), ("KRP", "KBP")]
    starts = [f'"position {position(*rng.choice(sides)).fen()}"' for _ in range(games // 2)]
    print(
        f"""seed = 4
[game]
kind = "chess"
[[agents]]
kind = "random"
[[agents]]
kind = "alphabeta"
depth = 2
ties = "random"
[schedule]
games = {games}
[limits]
max_plies = 300
[openings]
kind = "list"
list = [{", ".join(starts)}]
[adjudication]
syzygy = "{folder}\""""
    )


def games(path):
    counts = Counter()
    for row in csv.DictReader(open(path)):
        board = chess.Board(row["opening_moves"].removeprefix("position "))
        moves = row["moves"].split()
        for ply, move in enumerate(moves, 1):
            board.push_uci(move)
            is_known = (
                board.halfmove_clock == 0 and chess.popcount(board.occupied) <= 4
                and not board.is_game_over() and not board.is_insufficient_material()
            )
            is_last = row["reason"].startswith("adjudicated") and ply == len(moves)
            assert is_known == is_last, (row, board.fen())
        counts[row["reason"]] += 1
        if row["reason"].startswith("adjudicated"):
            value = tables.probe_wdl(board) * (1 if board.turn else -1)
            result = {2: "first", -2: "second"}.get(value, "draw")
            reason = "adjudicated draw" if result == "draw" else "adjudicated win"
            assert (row["result"], row["reason"]) == (result, reason), (row, board.fen(), value)
    print(", ".join(f"{count} {reason}" for reason, count in counts.most_common()))
    assert counts["adjudicated win"] >= 50 and counts["adjudicated draw"] >= 20, counts


{"values": values, "config": config}[command](int(argument)) if command != "games" else games(argument)
