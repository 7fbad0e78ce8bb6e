"""Writes four tables of results of other programs to a folder: a PGN, a contest in CSV, games of OpenSpiel
in JSON Lines, and games of four seats with ties and teams. A seed makes the random numbers.
"""
import json, math, random, sys
import numpy as np
import pyspiel

folder, rng = sys.argv[1], random.Random(5)

def contest(names, games):
    """Pairs of players with a result: 1, 0.5 or 0. The first player has an advantage."""
    for _ in range(games):
        a, b = rng.sample(range(len(names)), 2)
        win = 1 / (1 + math.exp(0.3 * (b - a) - 0.2))
        yield names[a], names[b], rng.choices([1, 0.5, 0], [0.8 * win, 0.2, 0.8 * (1 - win)])[0]

with open(f"{folder}/manager.pgn", "w") as file:
    for a, b, score in contest(["old", "new", "newer", "newest"], 400):
        result = {1: "1-0", 0.5: "1/2-1/2", 0: "0-1"}[score]
        file.write(f'[White "{a}"]\n[Black "{b}"]\n[Result "{result}"]\n\n1. e4 e5 {result}\n\n')

with open(f"{folder}/contest.csv", "w") as file:
    file.write("player1,player2,winner\n")
    for a, b, score in contest([f"bot {i}" for i in range(6)], 500):
        file.write(f"{a},{b},{ {1: a, 0.5: 'draw', 0: b}[score] }\n")

# An OpenSpiel loop: agents that play at random with a chance, or else the first winning move.
agents = {"random": 1.0, "half": 0.5, "careful": 0.2, "greedy": 0.0}
game = pyspiel.load_game("tic_tac_toe")
with open(f"{folder}/open_spiel.jsonl", "w") as file:
    for _ in range(300):
        players, state = rng.sample(list(agents), 2), game.new_initial_state()
        while not state.is_terminal():
            moves, me = state.legal_actions(), state.current_player()
            wins = [move for move in moves if state.child(move).is_terminal() and state.child(move).returns()[me] > 0]
            is_random = rng.random() < agents[players[me]]
            state.apply_action(rng.choice(moves) if is_random or not wins else wins[0])
        file.write(json.dumps({"players": players, "returns": state.returns()}) + "\n")

# Four seats: the order of noisy strengths; similar ones are tied. Some rows are teams of two.
with open(f"{folder}/four_seats.jsonl", "w") as file:
    for number in range(300):
        players = rng.sample(range(8), 4 if number % 3 else 6)
        sides = [[p] for p in players] if number % 3 else [players[i:i + 2] for i in (0, 2, 4)]
        value = [round(np.mean(side) * 0.4 - math.log(-math.log(rng.random())) + 0.1 * i) for i, side in enumerate(sides)]
        order = sorted(set(value), reverse=True)
        ranks = [1 + order.index(v) for v in value]
        file.write(json.dumps({"players": [[f"p{p}" for p in side] for side in sides], "ranks": ranks}) + "\n")
