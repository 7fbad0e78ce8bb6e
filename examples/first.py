#!/usr/bin/env python3
from agon_engine import Engine

class TakeAll(Engine):
    name = "Take as many as possible"
    game = "program"

    def choose(self, position):
        left = 21 - sum(int(move) for move in position.moves)
        return str(min(3, left))

TakeAll().run()
