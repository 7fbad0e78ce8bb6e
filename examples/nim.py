#!/usr/bin/env python3
"""Nim: take one, two or three from a heap; the player who takes the last one wins."""
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
