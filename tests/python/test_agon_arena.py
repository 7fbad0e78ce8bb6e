"""The module `agon_arena`, with the program `agon` that is installed beside it."""

import concurrent.futures
import json
import multiprocessing
import os
import subprocess
import sys

import pytest

import agon_arena
from agon_arena import AgonError, Position

SMALL = {
    "game": {"kind": "tictactoe"},
    "agents": [{"kind": "random"}, {"kind": "mcts", "simulations": 20, "name": 'm "ä"'}],
    "schedule": {"games": 20},
}


def test_positions_know_the_rules():
    position = Position("tictactoe")
    assert position.legal_moves() == list("012345678")
    for move, turn in [("4", "second"), ("0", "first"), ("1", "second"), ("2", "first"), ("7", None)]:
        position = position.after(move)
        assert position.turn == turn
    assert position.board == [["o", "x", "o"], [".", "x", "."], [".", "x", "."]]
    assert (position.is_over, position.winner, position.points) == (True, "first", 1)
    assert position.legal_moves() == []
    assert str(position) == "o x o\n. x .\n. x ."


def test_positions_of_every_kind():
    assert Position("chess").board[0] == list("rnbqkbnr")
    assert Position("chess", start="k7/8/8/8/8/8/8/K6R w - - 0 1").board[7][7] == "R"
    assert Position("connect4", {"columns": 4, "rows": 4}).legal_moves() == list("1234")
    die = Position("pig").after("roll")
    assert die.turn == "chance" and die.outcomes() == [(f"d{n}", 1) for n in range(1, 7)]
    assert die.after("d1").turn == "second"


def first_moves(column):
    position = Position("connect4", moves=[column])
    return position.moves, position.text


def test_threads_and_processes_may_ask_at_the_same_time():
    columns = [str(1 + number % 7) for number in range(140)]
    expected = [first_moves(column) for column in columns]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert list(pool.map(first_moves, columns)) == expected
    with multiprocessing.get_context("fork").Pool(4) as pool:
        assert pool.map_async(first_moves, columns, 1).get(timeout=60) == expected


def test_a_wrong_move_is_named_and_the_next_question_works():
    position = Position("tictactoe")
    with pytest.raises(AgonError, match="move 1 `9`"):
        position.after("9").legal_moves()
    assert len(position.after("4").legal_moves()) == 8


def test_mistakes_in_a_position_are_the_words_of_agon_each_time(monkeypatch):
    for _ in range(2):
        with pytest.raises(AgonError, match="did you mean `connect4`"):
            Position("conect4").legal_moves()
    for move in ("1\nquit", None, 3):
        with pytest.raises(AgonError, match="texts of one line"):
            Position("connect4").after(move).legal_moves()
    assert len(Position("connect4").legal_moves()) == 7
    assert len(Position("mnk", {"m": 3, "n": 3, "k": 3, "exact": True}).legal_moves()) == 9
    monkeypatch.setenv("AGON", "true")
    for _ in range(2):
        with pytest.raises(AgonError, match="true has ended"):
            Position("breakthrough").legal_moves()


def test_values_of_a_dictionary_are_written_in_toml():
    class Number:
        def tolist(self):
            return 9

    agents = [{"kind": "random"}, {"kind": "mcts", "simulations": Number()}]
    config = {**SMALL, "question": 'Wer "gewinnt"? \U0001f600', "name": None, "agents": agents}
    result = agon_arena.run(config, set=["schedule.games=4", "seed=5"])
    assert len(result.games) == 4
    with pytest.raises(AgonError, match="control character"):
        agon_arena.run({**SMALL, "agents": [{"kind": "random", "name": "\x7f"}, {"kind": "mcts"}]})


def test_a_run_of_a_dictionary_has_tables(monkeypatch):
    result = agon_arena.run(SMALL, seed=3)
    assert len(result.games) == 20
    rows = result.agents if isinstance(result.agents, list) else result.agents.to_dict("records")
    assert [row["agent"] for row in rows] == ["random", 'm "ä"']
    assert rows[1]["score"] > 0.5 and rows[0]["wins"] + rows[1]["wins"] <= 20
    assert "<iframe" in result._repr_html_() and "stronger" in result.verdict
    for library in ("pandas", "polars"):
        monkeypatch.setitem(sys.modules, library, None)
    assert isinstance(result.games, list)


def test_tables_are_frames_of_polars_without_pandas(monkeypatch):
    polars = pytest.importorskip("polars")
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert isinstance(agon_arena.run(SMALL, seed=3).agents, polars.DataFrame)


def test_a_config_is_a_path_a_text_or_a_dictionary(tmp_path):
    file = tmp_path / "small.toml"
    agents = '[[agents]]\nkind = "random"\n[[agents]]\nkind = "mcts"\nsimulations = 9\n'
    file.write_text(f'game.kind = "tictactoe"\n{agents}[schedule]\ngames = 6\n')
    paths = [str(file), file, file.read_text()]
    results = [agon_arena.run(config, out=str(tmp_path / f"{n}")) for n, config in enumerate(paths)]
    tables = [(result.path / "games.csv").read_text().splitlines() for result in results]
    assert [len(rows) for rows in tables] == [7, 7, 7]


def test_mistakes_are_the_words_of_agon():
    with pytest.raises(AgonError, match="unknown key `agnts`"):
        agon_arena.run({**SMALL, "agnts": []})
    with pytest.raises(AgonError, match="no game of kind"):
        agon_arena.match("random", "random", game="hex")


def test_matches_values_grades_and_ratings(tmp_path):
    result = agon_arena.match("random", "mcts:simulations=10", game="tictactoe", games=10)
    assert "optimal" in json.dumps(agon_arena.grade(result).document)
    assert agon_arena.solve("tictactoe")["in_words"] == "a draw"
    assert agon_arena.solve("tictactoe", "xox/x.o/..o")["value"]["plies"] == 1
    table = tmp_path / "games.csv"
    table.write_text("first,second,result\n" + "a,b,1-0\n" * 30 + "b,a,1-0\n" * 10)
    assert agon_arena.rate(str(table))


AGENT = """
import random
from agon_arena import Agent

class Student(Agent):
    def choose(self, position):
        for move in position.legal_moves():
            if position.after(move).winner == position.turn:
                return move
        return random.choice(position.legal_moves())

random.seed(1)
Student().run()
"""


def test_an_agent_without_rules_of_its_own_plays(tmp_path):
    (tmp_path / "student.py").write_text(AGENT)
    command = f"{sys.executable} {tmp_path / 'student.py'}"
    result = agon_arena.match(command, "random", game="connect4", games=40, movetime=1000, seed=1, jobs=1)
    rows = result.pairings if isinstance(result.pairings, list) else result.pairings.to_dict("records")
    assert rows[0]["a_score"] > 0.5, rows


def test_an_agent_in_a_sandbox_asks_for_the_rules(tmp_path):
    folder = tmp_path / "class" / "alice"
    folder.mkdir(parents=True)
    (folder / "agent.py").write_text(AGENT)
    module = os.path.dirname(os.path.dirname(agon_arena.__file__))
    # In a clone, the files of the module are links.
    source = os.path.dirname(os.path.realpath(agon_arena.agon_engine.__file__))
    student = {
        "kind": "engine", "protocol": "ugi", "command": [sys.executable, "agent.py"], "dir": str(folder),
        "env": {"PYTHONPATH": module}, "readable": [source], "sandbox": True, "movetime": 1000,
    }
    config = {**SMALL, "agents": [student, {"kind": "random"}], "schedule": {"games": 4}}
    result = agon_arena.run(config)
    assert not list(result.path.glob("engine-*.log")), result.verdict


@pytest.mark.parametrize(
    "fault, words",
    [
        ("return None", "illegal move"),
        ('return "9"', "illegal move"),
        ("raise KeyError('where')", "KeyError: 'where'"),
        ("print('bestmove 9'); return position.legal_moves()[0]", ""),
        ("return position.legal_moves()[0] + '\\nquit'", ""),
        ("import time; time.sleep(9)", "time"),
    ],
)
def test_a_faulty_agent_forfeits_with_words(tmp_path, fault, words):
    code = f"from agon_arena import Agent\nclass A(Agent):\n    def choose(self, position):\n        {fault}\nA().run()\n"
    (tmp_path / "agent.py").write_text(code)
    command = f"{sys.executable} {tmp_path / 'agent.py'}"
    result = agon_arena.match(command, "random", game="tictactoe", games=2, movetime=200, seed=1)
    logs = "".join(log.read_text() for log in result.path.glob("engine-*.log"))
    reasons = (result.path / "games.csv").read_text()
    assert words in logs + reasons
    assert bool(words) == bool(logs)


def test_without_the_program_the_error_says_so(tmp_path):
    code = "from agon_arena import AgonError, Position\ntry: Position('chess').turn\nexcept AgonError as error: print(error)"
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "AGON": str(tmp_path / "none")}, capture_output=True, text=True
    )
    assert "there is no program agon" in done.stdout
