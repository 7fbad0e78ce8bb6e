#!/usr/bin/env python3
from agon_engine import Engine
from nim import Nim

class TakeAll(Engine):
    name = "Take as many as possible"
    game = "program"

    def choose(self, position):
        rules = Nim()
        state = rules.replay(position)
        return rules.moves(state)[-1]

TakeAll().run()
