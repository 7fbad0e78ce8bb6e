#!/usr/bin/env python3
"""The player whose number is closer to the hidden number wins."""
import json, random, subprocess, sys

first, second, seed = sys.argv[1:]
hidden = random.Random(int(seed)).randrange(100)
numbers, errors = [0, 0], [None, None]
for player, command in enumerate([first, second]):
    try:
        run = subprocess.run(command, shell=True, input=f"{seed}\n", capture_output=True, text=True, timeout=5)
        numbers[player] = int(run.stdout)
    except subprocess.TimeoutExpired:
        errors[player] = "timeout"
    except ValueError:
        errors[player] = "illegal move"
distances = [abs(number - hidden) for number in numbers]
print(json.dumps({"scores": [-d for d in distances], "errors": errors, "hidden": hidden}))
