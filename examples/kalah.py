#!/usr/bin/env python3
"""Kalah: the pits of each side from its left. The last stone in the own store gives another move."""
from agon_game import Game

PITS, SEEDS = 6, 4
RING = 2 * (PITS + 1)  # the pits and the store of the first player, then those of the second
SIDES = {"first": 0, "second": PITS + 1}  # where the pits of a player begin


class Kalah(Game):
    points = True

    def start(self):
        side = (SEEDS,) * PITS + (0,)
        return ("first", side + side)

    def turn(self, state):
        return state[0]

    def moves(self, state):
        player, stones = state
        return [str(pit + 1) for pit in range(PITS) if stones[SIDES[player] + pit]]

    def play(self, state, move):
        player, stones = state[0], list(state[1])
        own = SIDES[player]
        other = RING // 2 - own
        pit = own + int(move) - 1
        hand, stones[pit] = stones[pit], 0
        while hand:
            pit = (pit + 1) % RING
            if pit != other + PITS:
                stones[pit] += 1
                hand -= 1
        if own <= pit < own + PITS and stones[pit] == 1:
            opposite = 2 * PITS - pit
            if stones[opposite]:
                stones[own + PITS] += 1 + stones[opposite]
                stones[pit] = stones[opposite] = 0
        if pit != own + PITS:
            player = "second" if player == "first" else "first"
        if not all(any(stones[side : side + PITS]) for side in SIDES.values()):
            for side in SIDES.values():
                stones[side + PITS] = sum(stones[side : side + PITS + 1])
                stones[side : side + PITS] = [0] * PITS
            player = "first"  # a finished position does not depend on the last player
        return (player, tuple(stones))

    def result(self, state):
        stones = state[1]
        if not any(stones[:PITS]):
            return stones[PITS] - stones[-1], "side empty"

    def draw(self, state):
        stones = ["%2d" % count for count in state[1]]
        second, first = " ".join(stones[-2:PITS:-1]), " ".join(stones[:PITS])
        return "   %s\n%s %s %s\n   %s" % (second, stones[-1], " " * len(first), stones[PITS], first)


if __name__ == "__main__":
    Kalah().run()
