#!/usr/bin/env python3
"""What endurance costs: the journal, the start of a run that goes on, and a merge.

    python3 benches/endurance.py [target/release/agon] [--scale 1]

Prints three figures, each beside the most that it may be, and fails where one is above. A scale
below 1 plays less, to try the script. Needs a quiet machine and takes some minutes. The results
are in a temporary folder (TMPDIR), which should be on the disk to be measured.
"""

import argparse
import csv
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LIMITS = {"journal": 0.05, "start": 2.0, "merge": 5.0}

CONFIG = """seed = 1
[game]
kind = "{game}"
{agents}
[schedule]
format = "match"
games = {games}
[openings]
kind = "start"
[output]
report = {report}
"""
RANDOM = '[[agents]]\nname = "a"\nkind = "random"\n[[agents]]\nname = "b"\nkind = "random"'
# Games of about a millisecond.
MILLISECOND = (
    '[[agents]]\nname = "a"\nkind = "mcts"\nsimulations = 110\n'
    '[[agents]]\nname = "b"\nkind = "mcts"\nsimulations = 120'
)


def run(command):
    """Wall time, CPU time and the most memory of a command, in seconds and megabytes."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{command} ended with status {status}")
    wall = time.perf_counter() - begin
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def write(path, **values):
    path.write_text(CONFIG.format(**values))
    return str(path)


def journal(agon, dir, scale):
    """All that is not thinking, the journal among it, as a share of the thinking: it bounds what
    the journal costs. One thread, and openings from the start, so that nothing else is to do."""
    games = 2 * max(100, int(5000 * scale))
    config = write(
        dir / "ms.toml", game="connect4", agents=MILLISECOND, games=games, report="false"
    )
    empty = write(dir / "no.toml", game="connect4", agents=MILLISECOND, games=2, report="false")
    flags = ["-q", "-j", "1"]
    idle, idle_cpu, _ = run([agon, "--config", empty, "--out", dir / "no", *flags])
    wall, cpu, _ = run([agon, "--config", config, "--out", dir / "ms", *flags])
    with open(dir / "ms" / "games.csv", newline="") as file:
        rows = csv.DictReader(file)
        times = [int(row["time_first_ns"]) + int(row["time_second_ns"]) for row in rows]
    thought = sum(times) / 1e9
    share = (wall - idle - thought) / thought
    print(
        f"journal: {games} games of {1000 * thought / games:.2f} ms: {wall - idle:.2f} s, of which"
        f" {thought:.2f} s were thought: {100 * share:.2f} % more"
        f" (CPU {cpu - idle_cpu:.2f} s; at most {100 * LIMITS['journal']:.0f} %)"
    )
    return share


def start(agon, dir, scale):
    """From the command to the first game of a run of which all but two games are there."""
    games = 2 * max(100, int(500_000 * scale))
    config = write(dir / "m.toml", game="tictactoe", agents=RANDOM, games=games, report="false")
    out = dir / "m"
    command = [agon, "--config", config, "--out", out]
    run([*command, "-q"])
    # As a kill leaves it.
    rows = out / "games.csv"
    with open(rows, "rb+") as file:
        file.seek(-400, os.SEEK_END)
        tail = file.read()
        file.truncate(rows.stat().st_size - (len(tail) - tail.rfind(b"\n", 0, -150) - 1))
    manifest = out / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"complete"', '"running"'))
    begin = time.perf_counter()
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=pipe, text=True)
    started = None
    for line in process.stderr:
        if "going on" in line:
            started, said = time.perf_counter() - begin, line.strip()
    _, status, usage = os.wait4(process.pid, 0)
    whole = time.perf_counter() - begin
    if status or started is None:
        sys.exit("the run did not go on")
    print(
        f"start: {said}: after {started:.2f} s; all of it took {whole:.2f} s, CPU"
        f" {usage.ru_utime + usage.ru_stime:.2f} s, {usage.ru_maxrss / 1024:.0f} MB"
        f" (at most {LIMITS['start']:.0f} s)"
    )
    return started


def merge(agon, dir, scale):
    """A thousand shards of a thousand games; and of a tenth as many, to compare the memory."""
    shards = max(10, int(1000 * min(1, 10 * scale)))
    found = {}
    for name, each in [("few", max(10, int(100 * scale))), ("many", max(100, int(1000 * scale)))]:
        games = shards * each
        config = write(
            dir / f"{name}.toml", game="tictactoe", agents=RANDOM, games=games, report="true"
        )
        out = dir / name
        for shard in range(1, shards + 1):
            command = [agon, "--config", config, "--out", out, "--shard", f"{shard}/{shards}", "-q"]
            run([*command, "-j", "1"])
        found[each] = run([agon, "merge", out, "-q"])
        wall, cpu, memory = found[each]
        with open(out / "games.csv", "rb") as file:
            rows = sum(1 for _ in file) - 1
        if rows != games:
            sys.exit(f"{rows} games instead of {games}")
        print(
            f"merge: {shards} shards of {each} games: {wall:.2f} s, CPU {cpu:.2f} s,"
            f" {memory:.0f} MB (at most {LIMITS['merge']:.0f} s)"
        )
    (_, _, little), (wall, _, much) = found.values()
    if much > 1.5 * little + 8:
        sys.exit(f"the memory grows with the games: {little:.0f} and {much:.0f} MB")
    return wall


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("agon", nargs="?", default="target/release/agon")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--only", choices=LIMITS, action="append")
    args = parser.parse_args()
    agon = str(Path(args.agon).resolve())
    above = []
    for name, figure in [("journal", journal), ("start", start), ("merge", merge)]:
        if args.only and name not in args.only:
            continue
        with tempfile.TemporaryDirectory() as dir:
            if figure(agon, Path(dir), args.scale) > LIMITS[name]:
                above.append(name)
    if above:
        sys.exit(f"above the limit: {', '.join(above)}")


if __name__ == "__main__":
    main()
