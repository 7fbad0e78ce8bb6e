#!/usr/bin/env python3
"""Writes random games of Go by open_spiel, ply by ply, for tests/games/go.rs.

A game begins with `size N`. Each ply is `BOARD|LEGAL MOVES|MOVE`; the game ends with
`BOARD|result R`, 1 for a win of the first player and -1 for a loss. open_spiel ends a game as a draw
when a position recurs. Such moves are illegal for agon, so they are left out.
"""
import random
import sys

import pyspiel

SIZES = [2, 3, 4, 5, 7, 9]


def rows(state, size):
    lines = [line.split() for line in str(state).splitlines()]
    board = [words[1] for words in lines if len(words) == 2 and words[0].isdigit()]
    assert len(board) == size, state
    return "/".join(board).replace("+", ".").replace("X", "x").replace("O", "o")


def repeats(state, action, size):
    """Whether open_spiel would end the game because a position recurs."""
    if action == size * size:
        return False
    child = state.child(action)
    return child.is_terminal() and child.returns()[0] == 0


def play(size):
    game = pyspiel.load_game(f"go(board_size={size},komi=0.5,max_game_length=1000000)")
    state = game.new_initial_state()
    print("size", size)
    while not state.is_terminal():
        legal = [a for a in state.legal_actions() if not repeats(state, a, size)]
        names = [state.action_to_string(state.current_player(), a).split()[1] for a in legal]
        number = random.randrange(len(legal))
        print(rows(state, size), " ".join(names), names[number], sep="|")
        state.apply_action(legal[number])
    print(rows(state, size), f"result {int(state.returns()[0])}", sep="|")


random.seed(1)
for number in range(int(sys.argv[1])):
    play(SIZES[number % len(SIZES)])
