"""gnubg as an engine for agon's backgammon: run it inside gnubg, which has Python.

    [[agents]]
    kind = "engine"
    protocol = "ugi"
    command = "gnubg -t -q -r -p examples/gnubg_engine.py"
    options = { Plies = "0" }

It looks `Plies` plies ahead (0, 1 or 2) and ignores limits of time.
"""

import re
import sys

import gnubg

START = {24: 2, 13: 5, 8: 3, 6: 5}
for line in ("automatic roll off", "automatic game off", "display off", "player 0 human", "player 1 human"):
    gnubg.command("set " + line)
gnubg.command("new session")
NO_CUBE = gnubg.cubeinfo(1, 0, 0, 0, (0, 0), 0, 0)


def say(text):
    print(text, flush=True)


def points(way):
    """The points of a way and the number of checkers: 8/4*(2) is [8, 4] and 2."""
    way, _, count = way.replace("bar", "25").replace("off", "0").rstrip(")").partition("(")
    return [int(point.rstrip("*")) for point in way.split("/")], int(count or 1)


def read(position, moves):
    """Both sides' checkers on points 1 to 25, whose turn it is, and the roll."""
    sides = [[START.get(point, 0) for point in range(26)] for _ in range(2)]
    mover, dice = None, None
    if position:
        board, side, *roll = position
        for place, letter in enumerate(board):
            if letter.isupper():
                sides[0][place] = ord(letter) - 64
            elif letter.islower():
                sides[1][25 - place] = ord(letter) - 96
        mover = None if side == "begin" else ["first", "second"].index(side)
        dice = roll[0] if roll else None
    for word in moves:
        if re.fullmatch("[1-6][1-6]", word):
            mover = int(word[0] < word[1]) if mover is None else mover
            dice = word
            continue
        own, other = sides[mover], sides[1 - mover]
        for way in word.split("+") if word != "pass" else []:
            stops, count = points(way)
            own[stops[0]] -= count
            own[stops[-1]] += count * (stops[-1] > 0)
            for point in stops[1:]:
                if point and other[25 - point]:
                    other[25 - point], other[25] = 0, other[25] + 1
        mover, dice = 1 - mover, None
    return sides[mover], sides[1 - mover], dice


plies, position, moves = 0, None, []
for words in map(str.split, sys.stdin):
    if words == ["ugi"]:
        say("id name gnubg\nid author the GNU Backgammon team")
        say("option name Game type string default backgammon\noption name Plies type spin default 0 min 0 max 2\nugiok")
    elif words[:3] == ["setoption", "name", "Plies"]:
        plies = int(words[-1])
    elif words == ["isready"]:
        say("readyok")
    elif words[:1] == ["position"]:
        at = words.index("moves") if "moves" in words else len(words)
        position, moves = words[2:at], words[at + 1 :]
    elif words[:1] == ["go"]:
        own, other, dice = read(position, moves)
        gnubg.command("set dice %s %s" % tuple(dice))
        context = {"cubeful": 0, "plies": plies, "deterministic": 1, "prune": 1, "noise": 0.0}
        best = gnubg.findbestmove((tuple(other[1:]), tuple(own[1:])), NO_CUBE, context)
        steps = ["%s/%s" % (step[0], step[1]) for step in zip(best[::2], best[1::2])]
        say("bestmove " + ("+".join(steps) or "pass"))
    elif words == ["quit"]:
        break
