#!/usr/bin/env python3
"""Connect Four: the columns of the board from the left, each from the bottom."""
from agon_game import Game

COLUMNS, ROWS = 7, 6


class ConnectFour(Game):
    def start(self):
        return "." * (COLUMNS * ROWS)

    def turn(self, state):
        return "first" if state.count("x") == state.count("o") else "second"

    def moves(self, state):
        return [str(column + 1) for column in range(COLUMNS) if state[column * ROWS + ROWS - 1] == "."]

    def play(self, state, move):
        cell = state.index(".", (int(move) - 1) * ROWS)
        return state[:cell] + "xo"[state.count(".") % 2] + state[cell + 1 :]

    def result(self, state):
        for stone, points in ("x", 1), ("o", -1):
            stones = sum(1 << n + n // ROWS for n, cell in enumerate(state) if cell == stone)
            for step in (1, ROWS, ROWS + 1, ROWS + 2):
                pairs = stones & stones >> step
                if pairs & pairs >> 2 * step:
                    return points, "line"
        if "." not in state:
            return 0, "board full"

    def picture(self, state):
        return [state[row::ROWS] for row in reversed(range(ROWS))]


if __name__ == "__main__":
    ConnectFour().run()
