#!/usr/bin/env python3
"""What it costs agon to play engines from outside.

Two processes play one long game of chess over and over, which they know by heart: a few lines of
C that count the moves of `position` and answer at once. What is left is what agon costs.

    cargo build --release && python3 benches/engines.py

Takes target/release/agon, or the program that AGON names. Needs a C compiler. The machine should
be at rest; the figures are the best of some rounds.
"""

import csv
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

AGON = os.environ.get("AGON", "target/release/agon")

ENGINE = r"""
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
    static char line[1 << 16];
    int next = 1;
    setvbuf(stdout, NULL, _IOFBF, 1 << 12);
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "position", 8)) {
            char *moves = strstr(line, " moves ");
            next = 1;
            for (char *c = moves ? moves + 6 : ""; *c; c++) next += *c == ' ';
        } else if (!strncmp(line, "go", 2)) {
            printf("bestmove %s\n", next < argc ? argv[next] : "0000");
        } else if (!strncmp(line, "isready", 7)) {
            puts("readyok");
        } else if (!strncmp(line, "ucinewgame", 10)) {
            continue;
        } else if (!strncmp(line, "uci", 3)) {
            puts("uciok");
        } else if (!strncmp(line, "quit", 4)) {
            return 0;
        }
        fflush(stdout);
    }
    return 0;
}
"""

HEAD = 'name = "bench"\nseed = 7\n[game]\nkind = "chess"\n[openings]\nkind = "start"\n'


def play(folder, config, *args):
    """Plays; seconds of wall time."""
    path = folder / "bench.toml"
    path.write_text(HEAD + config)
    out = folder / "out"
    command = [AGON, "--config", path, "--out", out, "--fresh", "-q", "-j", "1", *args]
    begin = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    seconds = time.perf_counter() - begin
    if done.returncode != 0:
        sys.exit(f"agon ended with {done.returncode}: {path.read_text()}")
    return seconds


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source, engine = folder / "engine.c", folder / "engine"
        source.write_text(ENGINE)
        subprocess.run(["cc", "-O2", "-o", engine, source], check=True)
        # The game: one of two random agents, about as long as such games are.
        play(folder, '[[agents]]\nname = "a"\nkind = "random"\n[[agents]]\nname = "b"\nkind = "random"\n[schedule]\ngames = 40\n')
        with (folder / "out" / "games.csv").open() as games:
            rows = sorted(csv.DictReader(games), key=lambda row: abs(int(row["plies"]) - 340))
        opening, moves = rows[0]["opening_moves"].split(), rows[0]["moves"].split()
        plies = len(opening) + len(moves)
        command = [str(engine), *opening, *moves]
        agents = "".join(
            f'[[agents]]\nname = "{name}"\nkind = "engine"\nnodes = 1\ncommand = {command}\n' for name in ("one", "two")
        ).replace("'", '"')
        run = agents + '[schedule]\nformat = "match"\nallow_duplicates = true\ngames = '

        def wall(games, *args, rounds=5):
            return min(play(folder, run + f"{games}\n", *args) for _ in range(rounds))

        few, many = wall(200, "--pin"), wall(600, "--pin")
        a_ply = (many - few) / (400 * plies)
        print(f"a game has {plies} plies")
        print(f"overhead, pinned to one core     {a_ply * 1e6:8.1f} us a ply")
        print(f"games a second, pinned           {400 / (many - few):8.0f}")
        print(f"four games, pinned               {wall(4, '--pin', rounds=15) * 1e3:8.1f} ms of wall time")
        print(f"four games, not pinned           {wall(4, rounds=15) * 1e3:8.1f} ms")


if __name__ == "__main__":
    main()
