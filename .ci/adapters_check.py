"""Compares games that agon played through an adapter with the package itself:

    adapters_check.py ADAPTER NAME GAMES_CSV MOST_PLIES GAMES

Each recorded move must be legal at its place, the game must end where the package ends it, and its
result must be the same. For three games, the adapter is also asked for each position: its state, the
side to move, all legal moves or outcomes, and the points. Ends with 1 at the first difference.
"""

import csv
import random
import subprocess
import sys
from collections import Counter


class OpenSpiel:
    """A game in pyspiel, without the code of the adapter."""

    def __init__(self, name):
        import pyspiel

        self.game = pyspiel.load_game(name)

    def restart(self):
        self.state = self.game.new_initial_state()

    def legal(self):
        """The actions by their texts."""
        actions = self.state.legal_actions()
        texts = ["_".join(self.state.action_to_string(action).split()) for action in actions]
        uses = Counter(texts)
        return {t if uses[t] == 1 else f"{t}#{action}": action for t, action in zip(texts, actions)}

    def play(self, text):
        self.state.apply_action(self.legal()[text])

    def value(self):
        """The points of the first player, or None."""
        return self.state.returns()[0] if self.state.is_terminal() else None

    def is_chance(self):
        return self.state.is_chance_node()

    def position(self):
        """The state, the side to move, and the moves with the shares of their weights."""
        state = " ".join(["start", *map(str, self.state.history())])
        if self.is_chance():
            chances = dict(self.state.chance_outcomes())
            return state, "chance", {text: chances[action] for text, action in self.legal().items()}
        turn = "end" if self.state.is_terminal() else ("first", "second")[self.state.current_player()]
        return state, turn, {text: 0 for text in self.legal()}


class Pyffish:
    """A game in pyffish, from all its moves. The adapter uses short histories."""

    def __init__(self, name):
        import pyffish

        self.rules, self.name = pyffish, name
        self.fen = pyffish.start_fen(name)

    def restart(self):
        self.moves = []

    def about(self, question):
        return getattr(self.rules, question)(self.name, self.fen, self.moves)

    def play(self, text):
        self.moves.append(text)

    def current(self):
        return self.about("get_fen")

    def value(self):
        over, value = self.about("is_immediate_game_end")
        if not over and not self.about("legal_moves"):
            over, value = True, self.about("game_result")
        if not over:
            over, value = self.about("is_optional_game_end")
        if not over and all(self.about("has_insufficient_material")):
            over, value = True, 0
        if over:
            points = (value > 0) - (value < 0)
            return points if len(self.moves) % 2 == 0 else -points

    def is_chance(self):
        return False

    def position(self):
        over = self.value() is not None
        turn = "end" if over else ("first", "second")[len(self.moves) % 2]
        return None, turn, {} if over else dict.fromkeys(self.about("legal_moves"), 0)


class Adapter:
    """The program, asked by the protocol."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        self.words = self.ask("agon-game 1")

    def ask(self, *fields):
        self.process.stdin.write("\t".join(fields) + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().rstrip("\n")

    def position(self, *question):
        """The state, the side to move, the moves with their weights, and the points."""
        state, *fields = self.ask(*question).split("\t")
        turn, *moves = fields["key" in self.words.split() :]
        if turn.startswith("end"):
            return state, "end", {}, int(turn.split()[1])
        weights = {move.split()[0]: int((move.split() + [0])[1]) for move in moves}
        assert len(weights) == len(moves), moves
        total = sum(weights.values()) or 1
        return state, turn, {move: weight / total for move, weight in weights.items()}, None


def compare_position(game, adapter, question):
    state, turn, moves, points = adapter.position(*question)
    expected, expected_turn, expected_moves = game.position()
    assert expected in (None, state), (state, expected)
    assert turn == expected_turn, (state, turn, expected_turn)
    assert moves.keys() == expected_moves.keys(), (state, moves, expected_moves)
    assert all(abs(moves[move] - expected_moves[move]) < 1e-9 for move in moves), (state, moves)
    assert points == game.value(), (state, points)
    assert adapter.position("state", state) == (state, turn, moves, points), state
    return state


def main(script, name, games_csv, most_plies, games):
    package = {"openspiel": OpenSpiel, "pyffish": Pyffish}[script.rpartition("/")[2].partition("_")[0]]
    game = package(name)
    adapter = Adapter([sys.executable, script, name])
    dice = random.Random(name)
    counts = Counter()
    for row in csv.DictReader(open(games_csv)):
        moves = row["opening_moves"].split() + row["moves"].split()
        is_asked = counts["games"] < 3
        # pyffish needs a second for all the positions of a game, so only some of them are compared.
        places = set(dice.sample(range(len(moves)), min(len(moves), 5 if package == Pyffish else len(moves))))
        game.restart()
        state, question, plies = None, ["start"], 0
        for place, move in enumerate(moves):
            if is_asked:
                compare = place in places
                state = compare_position(game, adapter, question) if compare else adapter.position(*question)[0]
                question = ["play", state, move]
            elif place in places:
                assert game.value() is None, (row, place)
            plies += not game.is_chance()
            game.play(move)
        if is_asked:
            compare_position(game, adapter, question)
        value = game.value()
        assert int(row["plies"]) == plies, (row, plies)
        if value is None:
            assert row["reason"] in ("max plies", "longest game"), row
            assert plies >= (int(most_plies) if row["reason"] == "max plies" else 600), row
            value = 0
        assert row["result"] == ("first" if value > 0 else "second" if value < 0 else "draw"), (row, value)
        counts += Counter(games=1, plies=plies, to_their_end=row["reason"] != "max plies")
    adapter.process.stdin.close()
    assert adapter.process.wait() == 0
    assert counts["games"] == int(games), counts
    print(f"{name:45} {counts['games']} games, {counts['to_their_end']} to their end, {counts['plies']} plies")


main(*sys.argv[1:])
