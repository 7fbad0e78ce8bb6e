"""One piece of work by one Python package: `peers.py PROGRAM TASK` prints units of work done,
the seconds they took, and a figure that shows that the work was the same.

Each function here imports and loads what the work needs, and returns the work to be timed."""

import random
import sys
import time


def spiel_games():
    import pyspiel

    game, draw, count = pyspiel.load_game("connect_four"), random.Random(1), 5000

    def work():
        plies = 0
        for _ in range(count):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(draw.choice(state.legal_actions()))
                plies += 1
        return count, f"{plies / count:.2f} plies"

    return work


def spiel_mcts():
    import numpy
    import pyspiel
    from open_spiel.python.algorithms import mcts

    game, count = pyspiel.load_game("connect_four"), 5000
    draw = numpy.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.4, count, mcts.RandomRolloutEvaluator(1, draw), random_state=draw)
    state = game.new_initial_state()
    return lambda: (count, f"column {bot.step(state) + 1}")


def spiel_mcts_cpp(name="connect_four", count=100_000):
    import pyspiel

    game = pyspiel.load_game(name)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(
        game, evaluator, 1.4, count, 1000, True, 1, False, pyspiel.ChildSelectionPolicy.UCT
    )
    state = game.new_initial_state()
    return lambda: (count, f"move {state.action_to_string(bot.step(state))}")


def spiel_go():
    return spiel_mcts_cpp("go(board_size=9)", 20_000)


def easy_shallow():
    from easyAI import AI_Player, Negamax
    from easyAI.games.ConnectFour import ConnectFour

    depth = 6
    game = ConnectFour([AI_Player(Negamax(depth)), AI_Player(Negamax(depth))])
    return lambda: (1, f"depth {depth}, column {game.get_move() + 1}")


def bitbully(positions, score):
    """A solver without a book. `score` gives what it finds for a board."""
    from bitbully import BitBully, Board

    boards = [Board([int(column) - 1 for column in text]) for text in positions]
    agent = BitBully(opening_book=None)
    return lambda: (len(boards), f"sum of scores {sum(score(agent, board) for board in boards)}")


def bitbully_solve(*positions):
    return bitbully(positions, lambda agent, board: sum(agent.score_all_moves(board).values()))


def bitbully_set(*positions):
    return bitbully(positions, lambda agent, board: agent.mtdf(board))


PREPARE = {
    ("open_spiel", "games"): spiel_games,
    ("open_spiel", "mcts"): spiel_mcts_cpp,
    ("open_spiel", "go"): spiel_go,
    ("open_spiel (Python)", "mcts"): spiel_mcts,
    ("easyAI", "shallow"): easy_shallow,
    ("bitbully", "solve"): bitbully_solve,
}


def main():
    program, task, *positions = sys.argv[1:]
    work = PREPARE.get((program, task), bitbully_set)(*positions)
    begin = time.perf_counter()
    units, result = work()
    print(units, f"{time.perf_counter() - begin:.6f}", result)


if __name__ == "__main__":
    main()
