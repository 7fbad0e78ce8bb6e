#!/usr/bin/env python3
"""Runs the same work by agon and by its peers, alternating, on one machine, and prints a
table in Markdown: medians of rounds, and how many times as fast agon is.

    python3 benches/peers/run.py [ROUNDS]

Needs cargo, Python 3 with venv and pip, and their registries. What it installs goes to
`target/peers`; nothing of it is a dependency of agon.
"""

import argparse
import functools
import pathlib
import platform
import random
import re
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TARGET = ROOT / "target" / "peers"
PYTHON = TARGET / "venv" / "bin" / "python"
PACKAGES = {"open_spiel": "2.0.2", "bitbully": "0.0.79", "easyAI": "2.0.12", "numpy": "2.4.6"}
CRATES = {"minimax": "0.5.4", "board-game": "0.8.2", "connect-four-ai": "1.0.0"}

# Task, what its figure is, whether a larger one is better, and who does it.
TASKS = [
    ("games", "random games a second, Connect Four", True, ["board-game", "open_spiel"]),
    ("search", "alpha-beta to depth 12 with a table of 16 MB, seconds", False, ["minimax"]),
    ("chess", "chess, alpha-beta to depth 7 with a table of 16 MB, seconds", False, ["minimax"]),
    ("othello", "Othello, alpha-beta to depth 9 with a table of 16 MB, seconds", False, ["minimax"]),
    ("shallow", "alpha-beta to depth 6, seconds", False, ["easyAI"]),
    ("mcts", "simulations a second, five searches of the empty board, one thread", True,
     ["board-game", "minimax", "open_spiel", "open_spiel (Python)"]),
    ("go", "simulations a second, a search of the empty board of Go 9×9", True, ["open_spiel"]),
    ("solve", "scores of all moves, positions of 14 stones, seconds each", False, ["bitbully"]),
]

# Positions as in each of P. Pons' six sets, by stones (L) and plies left under perfect play (R).
SETS = {"L1_R1": 1000, "L1_R2": 30, "L1_R3": 5, "L2_R1": 3000, "L2_R2": 300, "L3_R1": 20000}
TASKS += [
    (name, f"score of a position, set {name}, seconds each", False, ["connect-four-ai", "bitbully"])
    for name in SETS
]


def prepare():
    """Builds the crates and installs the packages, at pinned versions."""
    # Not `--locked`: what agon has come to depend on since is added, and nothing else changes.
    cargo = ["cargo", "build", "--release", "--quiet",
             "--manifest-path", str(HERE / "rust" / "Cargo.toml"), "--target-dir", str(TARGET)]
    subprocess.run(cargo, check=True)
    if not PYTHON.exists():
        subprocess.run([sys.executable, "-m", "venv", str(TARGET / "venv")], check=True)
    wanted = [f"{name}=={version}" for name, version in PACKAGES.items()]
    subprocess.run([str(PYTHON), "-m", "pip", "install", "--quiet", *wanted], check=True)


def positions(count=20, stones=14):
    """Undecided positions of random moves, as columns from 1."""
    draw, found = random.Random(1), []
    while len(found) < count:
        heights, cells, text = [0] * 7, {}, ""
        while len(text) < stones:
            column = draw.choice([c for c in range(7) if heights[c] < 6])
            at, mover = (column, heights[column]), len(text) % 2
            cells[at] = mover
            heights[column] += 1
            text += str(column + 1)
            if wins(cells, at, mover):
                break
        else:
            found.append(text)
    return found


@functools.cache
def positions_of_set(name):
    """Random positions, which agon's solver puts in the sets."""
    command = [str(TARGET / "release" / "peers"), "agon", "positions", name[1], name[4],
               str(SETS[name])]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


def wins(cells, at, mover):
    """Whether a line of four runs through a stone."""
    def run(dx, dy):
        (x, y), length = at, 0
        while cells.get((x + dx, y + dy)) == mover:
            x, y, length = x + dx, y + dy, length + 1
        return length

    return any(run(dx, dy) + run(-dx, -dy) >= 3 for dx, dy in [(1, 0), (0, 1), (1, 1), (1, -1)])


def measure(program, task):
    """Seconds per unit of one run, and what came out."""
    if program in CRATES or program == "agon":
        command = [str(TARGET / "release" / "peers"), program, task]
    else:
        command = [str(PYTHON), str(HERE / "peers.py"), program, task]
    if task == "solve":
        command += positions()
    if task in SETS:
        command += positions_of_set(task)
    done = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    units, seconds, result = done.strip().split(" ", 2)
    return float(seconds) / int(units), result


def shown(seconds, rate):
    if rate:
        return f"{1 / seconds:,.0f}".replace(",", " ")
    return f"{seconds:.3g}" if seconds >= 1e-4 else f"{seconds:.6f}"


def times_as_fast(ratio):
    """Three digits, without an exponent."""
    return f"{ratio:.3g}" if ratio < 1000 else f"{float(f'{ratio:.3g}'):,.0f}".replace(",", " ")


def main():
    parser = argparse.ArgumentParser(description="The same work by agon and its peers, side by side.")
    parser.add_argument("rounds", nargs="?", type=int, default=5, help="rounds of each row (5)")
    rounds = max(1, parser.parse_args().rounds)
    prepare()
    print(f"Machine: {platform.processor() or platform.machine()}, Python {platform.python_version()}")
    print()
    print("| work | agon | peer | | agon is faster by |")
    print("| --- | ---: | --- | ---: | ---: |")
    for task, what, rate, peers in TASKS:
        times, results = {name: [] for name in ["agon", *peers]}, {}
        per_node = {name: [] for name in times}
        for turn in range(rounds):
            # Alternating, each round in the other order.
            for name in list(times)[:: 1 if turn % 2 == 0 else -1]:
                seconds, results[name] = measure(name, task)
                times[name].append(seconds)
                if nodes := re.search(r"(\d+) nodes", results[name]):
                    per_node[name].append(seconds / int(nodes[1]))
        print_rows(what, rate, times)
        if per_node["agon"]:
            print_rows(what.replace("seconds", "nodes a second"), True, per_node)
        print(f"results of {task}: {results}", file=sys.stderr)


def print_rows(what, rate, times):
    """Prints a row for each peer; `times` has the seconds of a unit in each round, by program."""
    for name in list(times)[1:]:
        version = CRATES.get(name) or PACKAGES.get(name.split(" ")[0])
        agon, peer = (shown(statistics.median(times[who]), rate) for who in ["agon", name])
        ratio = statistics.median(p / a for p, a in zip(times[name], times["agon"]))
        print(f"| {what} | {agon} | {name} {version} | {peer} | {times_as_fast(ratio)}× |", flush=True)


if __name__ == "__main__":
    main()
