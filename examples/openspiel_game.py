#!/usr/bin/env python3
"""Games of OpenSpiel for agon: two players, perfect information, zero-sum, one move at a time.

    agon match random mcts --game "python3 openspiel_game.py breakthrough(rows=6,columns=6)"

The name is written as OpenSpiel writes it, with parameters in parentheses. Needs agon_game.py
beside this file, and the package: pip install open_spiel
"""

import re
import sys
from fractions import Fraction
from functools import lru_cache
from math import lcm

from agon_game import Game

try:
    import pyspiel
except ImportError as error:
    sys.exit("cannot load OpenSpiel (%s): run `%s -m pip install open_spiel`" % (error, sys.executable))

# What OpenSpiel prints of these games, and the side to move, is the whole position.
PRINTED_WHOLE = "breakthrough clobber connect_four dots_and_boxes hex mnk nim othello pentago tic_tac_toe y".split()
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def fault_of(kind, players):
    """Why agon cannot play a game of this kind, or None."""
    if 2 not in players:
        return "agon needs two players, and it has %s" % " to ".join(map(str, sorted({players[0], players[-1]})))
    if kind.dynamics != kind.Dynamics.SEQUENTIAL:
        return "its players move at the same time"
    if kind.information != kind.Information.PERFECT_INFORMATION:
        return "it has hidden information"
    if kind.utility != kind.Utility.ZERO_SUM:
        return "it is not zero-sum"
    if kind.chance_mode == kind.ChanceMode.SAMPLED_STOCHASTIC:
        return "it does not list the outcomes of chance"


def load(name):
    """The game of this name. If agon cannot play it, the program ends with the reason."""
    if name.partition("(")[0] not in pyspiel.registered_names():
        sys.exit("OpenSpiel has no game `%s`: `python3 %s` lists the games that agon can play" % (name, sys.argv[0]))
    try:
        game = pyspiel.load_game(name)
    except Exception as error:
        sys.exit("OpenSpiel cannot load the game `%s`: %s" % (name, " ".join(str(error).split())))
    fault = fault_of(game.get_type(), [game.num_players()])
    if fault:
        sys.exit("agon cannot play the game `%s` of OpenSpiel: %s" % (name, fault))
    return game


class OpenSpielGame(Game):
    """A state is a state of OpenSpiel. Its text is `start` and the numbers of all actions so far."""

    states_kept = 5_000

    def __init__(self, name):
        self.game = load(name)
        self.points = self.game.max_utility() > 1
        self.latest = None, {}
        kind = self.game.get_type()
        if kind.short_name in PRINTED_WHOLE:
            self.key = lambda state: "%s/%d" % (str(state).replace("\n", "/"), state.current_player())
        if kind.chance_mode != kind.ChanceMode.DETERMINISTIC:
            self.outcomes = self.weights

    def start(self):
        return self.game.new_initial_state()

    def text(self, state):
        return " ".join(["start", *map(str, state.history())])

    def read(self, text):
        word, *actions = text.split(" ")
        if word != "start":
            raise ValueError("write a state as `start` and the numbers of actions")
        state = self.start()
        for action in map(int, actions):
            state.apply_action_with_legality_check(action)
        return state

    def actions(self, state):
        """The actions of a state by their texts."""
        if self.latest[0] is not state:
            actions = state.legal_actions()
            texts = ["_".join(state.action_to_string(action).split()) for action in actions]
            if len(set(texts)) < len(texts):
                texts = [t if texts.count(t) == 1 else "%s#%d" % (t, action) for t, action in zip(texts, actions)]
            self.latest = state, dict(zip(texts, actions))
        return self.latest[1]

    def turn(self, state):
        return "chance" if state.is_chance_node() else ("first", "second")[state.current_player()]

    def moves(self, state):
        return list(self.actions(state))

    def play(self, state, move):
        return state.child(self.actions(state)[move])

    def result(self, state):
        if state.is_terminal():
            points = state.returns()[0]
            if not points.is_integer():
                raise ValueError("the result %s is not a whole number" % points)
            return int(points)

    def weights(self, state):
        chances = dict(state.chance_outcomes())
        ratios = {action: ratio(chance) for action, chance in chances.items() if chance > 0}
        total = lcm(*(each.denominator for each in ratios.values()))
        return [(text, int(ratios[a] * total)) for text, a in self.actions(state).items() if a in ratios]

    def draw(self, state):
        return COLOURS.sub("", str(state))


@lru_cache
def ratio(chance):
    return Fraction(chance).limit_denominator(10**6)


if len(sys.argv) != 2:
    kinds = [(kind, range(kind.min_num_players, kind.max_num_players + 1)) for kind in pyspiel.registered_games()]
    sys.exit("name one of these games: " + " ".join(k.short_name for k, n in kinds if fault_of(k, n) is None))
OpenSpielGame(sys.argv[1]).run()
