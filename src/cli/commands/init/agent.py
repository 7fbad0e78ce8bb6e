"""A program for Connect Four. Change `choose`."""

import random

from agon_engine import Engine

COLUMNS = "1234567"


class Agent(Engine):
    name = "Random columns"

    def choose(self, position):
        legal = [column for column in COLUMNS if position.moves.count(column) < 6]
        self.log("I may play", *legal)  # agon shows it if the game fails
        return random.choice(legal)


Agent().run()
