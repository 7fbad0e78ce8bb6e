#!/usr/bin/env python3
"""What the sandbox costs, and how much hostile programs in it slow others.

    cargo build --release && cargo build --release --example rogue && python3 benches/sandbox.py

Takes target/release/agon and its example rogue, or the folder that TARGET names. Each figure is from
pairs of runs in turns, so a busy machine disturbs both sides alike.
"""

import csv
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TARGET = Path(os.environ.get("TARGET", "target/release")).resolve()
AGON, ROGUE = TARGET / "agon", TARGET / "examples" / "rogue"
ATTACKS = """connect-here connect-outside send-datagram listen abstract-socket file-socket read-home
read-neighbour list-neighbours write-outside write-source write-system write-shared-memory
write-kernel fork-bomb thread-bomb memory shared-memory many-memories system-v-memory fill-disk
many-files kill-all stop-parent read-processes read-environment ptrace read-memory leave-session
fork-twice mount unshare clone-user chroot devices key-ring raise-limits raise-priority spin
spin-in-many""".split()
HEAD = 'seed = 7\n[game]\nkind = "connect4"\n[openings]\nkind = "start"\n[output]\nreport = false\nmoves = true\n'


def config(folder, name, agents, games):
    path = folder / f"{name}.toml"
    path.write_text(HEAD + agents + f"[schedule]\ngames = {games}\nallow_duplicates = true\n")
    return [AGON, "run", path, "--out", folder / name, "--fresh", "-q", "-j", "1"]


def engine(name, command, keys):
    words = ", ".join(f'"{word}"' for word in command)
    return f'[[agents]]\nname = "{name}"\nkind = "engine"\nprotocol = "ugi"\ncommand = [{words}]\n{keys}\n'


def rogue(name, keys):
    return engine(name, [ROGUE, "instant"], f"nodes = 1\n{keys}")


def seconds(command):
    begin = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begin


def costs(folder, keys, few, many):
    """The differences in milliseconds for one more game, in 9 pairs of runs, sorted."""
    differences = []
    for _ in range(9):
        more = {}
        for sandbox in ("true", "false"):
            agents = "".join(rogue(name, f"sandbox = {sandbox}\n{keys}") for name in "ab")
            # The start of a run costs both lengths the same.
            few_seconds, many_seconds = (
                seconds(config(folder, f"cost{games}", agents, games)) for games in (few, many)
            )
            more[sandbox] = many_seconds - few_seconds
        differences.append(1000 * (more["true"] - more["false"]) / (many - few))
    return sorted(differences)


def rows(path):
    with path.open() as file:
        return list(csv.DictReader(file))


def neighbour(folder, attack):
    """Median milliseconds of a move beside a run with this attack in each game."""
    kind = "instant" if attack is None else "hostile"
    place = folder / (attack or "honest")
    place.mkdir(exist_ok=True)
    (place / "targets.txt").write_text("9\n/tmp/none\nnone\n/etc/shadow\n/var/tmp/none\n")
    # What an attack has started lives as long as its process.
    restart = "auto" if attack in ("fork-bomb", "thread-bomb", "spin-in-many") else "always"
    hostile = engine("hostile", [ROGUE, kind], f'dir = "{place}"\nmovetime = 500\nsandbox = true\nrestart = "{restart}"\nmax_consecutive_forfeits = 0')
    beside = config(folder, "beside", hostile + '[[agents]]\nkind = "random"\n', 10_000)
    near = [AGON, "serve", "--game", "connect4", "--agent", "mcts:nodes=300000", "--protocol", "ugi"]
    keys = "nodes = 300000\nsandbox = true"
    measured = config(folder, "measured", engine("a", near, keys) + engine("b", near, keys), 2)
    other = subprocess.Popen(beside, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        time.sleep(0.3)
        seconds(measured)
    finally:
        other.send_signal(signal.SIGKILL)
        other.wait()
    times = [int(row["time_ns"]) for row in rows(folder / "measured" / "moves.csv")]
    return statistics.median(times) / 1e6


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        # Two programs start for each game.
        starts = [cost / 2 for cost in costs(folder, 'restart = "always"', 2, 42)]
        print(f"a start costs {starts[4]:.2f} ms more ({starts[1]:.2f} to {starts[7]:.2f})", flush=True)
        games = costs(folder, "", 100, 1100)
        count = len(rows(folder / "cost1100" / "moves.csv")) / 1100
        plies = [1000 * cost / count for cost in games]
        print(f"a ply costs {plies[4]:.2f} µs more ({plies[1]:.2f} to {plies[7]:.2f})", flush=True)
        worst = 0
        for attack in sys.argv[1:] or ATTACKS:
            pairs = [(neighbour(folder, attack), neighbour(folder, None)) for _ in range(3)]
            slower = statistics.median(beside - alone for beside, alone in pairs)
            alone = statistics.median(alone for _, alone in pairs)
            worst = max(worst, slower)
            print(f"{attack}: a neighbour's move takes {alone:.2f} ms, and {slower:+.2f} ms", flush=True)
        print(f"the worst attack slows a neighbour's move by {worst:.2f} ms on the median")


if __name__ == "__main__":
    main()
