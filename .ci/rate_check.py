"""Ratings and effects of seats of foreign tables by SciPy, independent of agon: prints the largest difference in Elo.

Usage: rate_check.py AGON FILE…. The likelihood is that of Plackett and Luce. A tie is the mean over the
orders of the tied players. Each seat has a parameter; the mean of the ratings is 0.
"""
import csv, gzip, itertools, json, math, re, subprocess, sys
import numpy as np
from scipy.optimize import minimize

ELO = 400 / math.log(10)

def rows_of(path):
    """Each row as a list of (players of a side, rank), in the order of the seats."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
        if ".pgn" in path:
            ranks = {"1-0": (1, 2), "0-1": (2, 1), "1/2-1/2": (1, 1)}
            tag = r'\[White "(.*)"\]\s*\[Black "(.*)"\]\s*\[Result "(.*)"\]'
            for white, black, result in re.findall(tag, file.read()):
                yield list(zip([[white], [black]], ranks[result]))
        elif ".jsonl" in path:
            for line in file:
                row = json.loads(line)
                order = sorted(row["returns"], reverse=True) if "returns" in row else []
                ranks = row.get("ranks") or [order.index(value) for value in row["returns"]]
                yield [(side if isinstance(side, list) else [side], rank)
                       for side, rank in zip(row["players"], ranks)]
        else:
            for row in csv.DictReader(file):
                names = [row["player1"], row["player2"]]
                ranks = (1, 1) if row["winner"] == "draw" else [1 + (row["winner"] != name) for name in names]
                yield list(zip([[name] for name in names], ranks))

def ratings(rows):
    names = sorted({name for row in rows for side, _ in row for name in side})
    number = {name: i for i, name in enumerate(names)}
    seats, terms = max(map(len, rows)), {}
    for row in rows:  # each order that agrees with the ranks, with its weight
        places = [[seat for seat in range(len(row)) if row[seat][1] == rank]
                  for rank in sorted({rank for _, rank in row})]
        orders = [sum(parts, ()) for parts in itertools.product(*map(itertools.permutations, places))]
        for order in orders:
            key = tuple((seat, tuple(number[name] for name in row[seat][0])) for seat in order)
            terms[key] = terms.get(key, 0) + 1 / len(orders)

    def loss(x):
        total = 0.0
        for order, weight in terms.items():
            s = np.array([x[list(team)].mean() + x[len(names) + seat] for seat, team in order])
            total -= weight * sum(s[i] - np.logaddexp.reduce(s[i:]) for i in range(len(s)))
        return total + x[:len(names)].sum() ** 2 + x[len(names):].sum() ** 2  # both means are 0
    x = minimize(loss, np.zeros(len(names) + seats), method="BFGS", options={"gtol": 1e-7}).x
    seat = ELO * x[len(names):]
    return {name: ELO * x[i] for name, i in number.items()}, seat - seat.mean()

worst = 0.0
for path in sys.argv[2:]:
    out = subprocess.run([sys.argv[1], "rate", path, "--format", "json"], capture_output=True, check=True)
    found = json.loads(out.stdout)
    rated = {row.get("player") or row["agent"]: row["elo"] for row in found.get("players") or found["agents"]}
    expected, seats = ratings(list(rows_of(path)))
    error = max(abs(rated[name] - elo) for name, elo in expected.items())
    # With --within, the list has the effect of each seat, also that of moving first.
    out = subprocess.run([sys.argv[1], "rate", path, "--within", "30", "--format", "json"],
                         capture_output=True, check=True)
    found = [row["elo"] for row in json.loads(out.stdout)["seats"]]
    error = max([error, *(abs(elo - seat) for elo, seat in zip(found, seats, strict=True))])
    print(f"{path.rsplit('/', 1)[-1]}: {len(expected)} players, largest difference {error:.4f} Elo")
    worst = max(worst, error)
sys.exit(1 if worst > 0.1 else 0)
