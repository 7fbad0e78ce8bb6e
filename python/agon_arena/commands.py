"""The commands of the program `agon` as functions. Tables are DataFrames if pandas or polars
is installed."""

import csv
import html
import importlib
import json
import os
import pathlib
import subprocess
import tempfile
from typing import Any, Dict, List, Optional, Union

from .agon_engine import AgonError, find_agon

Config = Union[str, "os.PathLike[str]", Dict[str, Any]]


def run(config: Config, out: Optional[str] = None, **options: Any) -> "Result":
    """Plays a run: a config as a path, as text in TOML, or as a dictionary.

    `out` is the results folder; without it, a new folder for temporary files. Options are those of
    `agon run` with `_` for `-`, such as `seed=2` or `jobs=4`.
    """
    path, text = ("-", _toml(config)) if isinstance(config, dict) else (os.fspath(config), None)
    if "\n" in path:
        path, text = "-", path
    return _play(["run", path], out, options, text)


def match(*agents: str, game: str, out: Optional[str] = None, **options: Any) -> "Result":
    """A match of agents such as "alphabeta:depth=4" or commands of engines; see `agon match`."""
    return _play(["match", *agents, "--game", game], out, options)


def rate(*files: str, **options: Any) -> Dict[str, Any]:
    """Rates results of other programs; see `agon rate`."""
    return _document(["rate", *files], options)


def solve(game: str, position: Optional[str] = None, **options: Any) -> Dict[str, Any]:
    """The exact value of a position and of its moves; see `agon solve`."""
    return _document(["solve", "--game", game], {"position": position, **options})


def grade(result: Union["Result", str], **options: Any) -> "Result":
    """Compares the moves of a finished run with exact values; see `agon grade`."""
    path = result.path if isinstance(result, Result) else pathlib.Path(result)
    return Result(path, _document(["grade", str(path)], options))


class Result:
    """The results folder of a run, and what agon printed about it."""

    def __init__(self, path: "str | os.PathLike[str]", document: Dict[str, Any]) -> None:
        self.path = pathlib.Path(path)
        self.document = document

    @property
    def verdict(self) -> str:
        """The answer in a sentence."""
        return str(self.document["verdict"])

    def table(self, name: str) -> Any:
        """A table such as "agents", "pairings", "games": a DataFrame of pandas or polars if one of them is
        installed, otherwise a list of dictionaries."""
        file = self.path / f"{name}.csv"
        for library in ("pandas", "polars"):
            try:
                return importlib.import_module(library).read_csv(file)
            except ImportError:
                pass
        with open(file, newline="", encoding="utf-8") as rows:
            return [{k: _number(v) for k, v in row.items()} for row in csv.DictReader(rows)]

    @property
    def agents(self) -> Any:
        return self.table("agents")

    @property
    def pairings(self) -> Any:
        return self.table("pairings")

    @property
    def games(self) -> Any:
        return self.table("games")

    def __repr__(self) -> str:
        return f"<Result {self.path}: {self.verdict}>"

    def _repr_html_(self) -> str:
        """The page of the run, for notebooks."""
        page = html.escape((self.path / "report.html").read_text(encoding="utf-8"))
        return f'<iframe srcdoc="{page}" style="width:100%;height:40em;border:0"></iframe>'


def _play(words: List[str], out: Optional[str], options: Dict[str, Any], text: Optional[str] = None) -> Result:
    folder = out or os.path.join(tempfile.mkdtemp(prefix="agon-"), "results")
    return Result(folder, _document([*words, "--out", folder], options, text))


def _document(words: List[str], options: Dict[str, Any], text: Optional[str] = None) -> Dict[str, Any]:
    """The JSON that a command prints. An exit code can be a verdict, so the JSON decides."""
    for key, value in options.items():
        if value is True:
            words.append("--" + key.replace("_", "-"))
        elif value not in (None, False):
            for one in value if isinstance(value, (list, tuple)) else [value]:
                words += ["--" + key.replace("_", "-"), str(one)]
    done = subprocess.run(
        [find_agon(), *words, "--format", "json"], input=text, capture_output=True, encoding="utf-8"
    )
    try:
        return dict(json.loads(done.stdout))
    except ValueError:
        raise AgonError(done.stderr.strip() or f"agon ended with exit code {done.returncode}") from None


def _toml(config: Dict[str, Any]) -> str:
    return "".join(f"{pair}\n" for pair in _pairs(config))


def _pairs(table: Dict[str, Any]) -> List[str]:
    """The keys with their values. `None` stands for the default."""
    return [f"{_value(str(key))} = {_value(value)}" for key, value in table.items() if value is not None]


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(_pairs(value)) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (str, os.PathLike)):
        # The escapes of JSON are those of TOML, except for one character.
        return json.dumps(os.fspath(value), ensure_ascii=False).replace("\x7f", "\\u007f")
    if hasattr(value, "tolist"):  # numbers and arrays of NumPy
        return _value(value.tolist())
    return repr(value)


def _number(text: str) -> Any:
    """A cell of a table as a number if it is one; None if it is empty."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text or None
