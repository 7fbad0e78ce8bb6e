"""Replays the games of `examples/random_games.rs` in OpenSpiel: GAME FILE. Ends with 1 at the first difference."""

import sys

import pyspiel

KINDS = {"kalah": "mancala", "backgammon": "backgammon(scoring_type=full_scoring)"}
LETTERS = str.maketrans("-", ".")


def name(state, action):
    return state.action_to_string(state.current_player(), action)


class Othello:
    """Moves and boards have the same text."""

    def position(self, state):
        rows = [line.split()[1:-1] for line in str(state).splitlines() if line[:1].isdigit()]
        return "/".join("".join(row).translate(LETTERS) for row in rows)

    def expected(self, position):
        return position.split()[0]

    def moves(self, state):
        return {name(state, action).split()[-1].strip("()").lower(): action for action in state.legal_actions()}

    def result(self, state, payoff):
        return (state.returns()[0] > 0) - (state.returns()[0] < 0) == (payoff > 0) - (payoff < 0)


class Breakthrough(Othello):
    """Its first player moves down, and captures have a star."""

    def position(self, state):
        rows = [line[1:9] for line in str(state).splitlines() if line[:1].isdigit()]
        return "/".join(rows[::-1]).replace("b", "x").replace("w", "o")

    def moves(self, state):
        turned = {row: str(9 - int(row)) for row in "12345678"}
        text = lambda action: "".join(turned.get(letter, letter) for letter in name(state, action).rstrip("*"))
        return {text(action): action for action in state.legal_actions()}


class Kalah(Othello):
    """The end of the game leaves the stones in the pits: only sums are compared there."""

    def position(self, state):
        above, stores, below = [[int(n) for n in line.split("-") if n] for line in str(state).splitlines()]
        sides = [below + stores[1:], above[::-1] + stores[:1]]
        if state.is_terminal():
            sides = [[0] * 6 + [sum(side)] for side in sides]
        return sides

    def expected(self, position):
        return [[int(n) for n in side.split()[:7]] for side in position.rsplit(" ", 1)[0].split("/")]

    def moves(self, state):
        return {str(action - 7 * state.current_player()): action for action in state.legal_actions()}


class Backgammon(Othello):
    """A double is two actions of two steps. Turns are compared by the positions after them."""

    def position(self, state):
        points = [state.board(0, 24 - p) for p in range(1, 25)], [state.board(1, p - 1) for p in range(1, 25)]
        return tuple(tuple(side) + (state.board(player, 100),) for player, side in enumerate(points))

    def expected(self, position):
        board = position.split()[0]
        count = lambda letter, none: max(0, ord(letter) - none) if letter.isalpha() and (letter < "a") == (none < 96) else 0
        return tuple(count(c, 64) for c in board[1:]), tuple(count(c, 96) for c in board[24::-1])

    def roll(self, state, word):
        dice, begins = "".join(sorted(word)), "X" if word[0] > word[1] else "O"
        for action, _ in state.chance_outcomes():
            text = name(state, action)
            if text.endswith(f"{dice})") and ("starts" not in text or f" {begins} starts" in text):
                return action
        raise AssertionError(f"no roll {word}")

    def result(self, state, payoff):
        return state.returns()[0] == payoff

    def ends(self, state):
        """The states after the turn, by position."""
        player, found, open_states = state.current_player(), {}, [(state, 0)]
        double = len(set(next(line for line in str(state).splitlines() if line[:4] == "Dice")[6:])) == 1
        while open_states:
            before, actions = open_states.pop()
            for action in before.legal_actions():
                after = before.child(action)
                if double and actions == 0 and after.current_player() == player:
                    open_states.append((after, 1))
                else:
                    found[self.position(after)] = after
        return found


def agree(condition, *what):
    if not condition:
        print("difference:", *what, sep="\n")
        sys.exit(1)


def main(kind, path):
    game = pyspiel.load_game(KINDS.get(kind, kind))
    reader = {"othello": Othello, "breakthrough": Breakthrough, "kalah": Kalah, "backgammon": Backgammon}[kind]()
    games = plies = moves = 0
    state = game.new_initial_state()
    lines = [line.rstrip("\n").split("\t") for line in open(path)]
    for number, (position, legal, played) in enumerate(lines):
        agree(reader.position(state) == reader.expected(position), position, state)
        if legal == "over":
            agree(state.is_terminal() and reader.result(state, int(played)), position, played, state.returns())
            games, state = games + 1, game.new_initial_state()
            continue
        agree(not state.is_terminal(), position, state)
        if state.is_chance_node():
            agree(legal == "", position, state)
            state.apply_action(reader.roll(state, played))
            continue
        if kind == "backgammon":
            ends = reader.ends(state)
            agree(len(ends) == len(legal.split()), position, legal, sorted(ends))
            after = reader.expected(lines[number + 1][0])
            agree(after in ends, position, played, lines[number + 1][0])
            state = ends[after]
        else:
            found = reader.moves(state)
            agree(sorted(found) == sorted(legal.split()), position, legal, sorted(found))
            state.apply_action(found[played])
        plies, moves = plies + 1, moves + len(legal.split())
    print(f"{kind}: {games} games, {plies} plies with {moves} legal moves: 0 differences")


main(*sys.argv[1:])
