#!/usr/bin/env python3
"""Lets a language model play: an engine that asks a service with the usual chat interface.

    agon match "python3 model_bridge.py http://127.0.0.1:8080/v1/chat/completions" random --game connect4

The variable MODEL_KEY has the key of the service. Legal moves and the board come from `agon serve`:
agon must be on PATH, or in the variable AGON. The file agon_engine.py must be beside this one.
"""
import argparse, http.client, json, os, subprocess, time, urllib.error, urllib.request

from agon_engine import Engine

KEY = os.environ.get("MODEL_KEY", "")
QUESTION = """You play {game}. The moves so far: {moves}. The board:
{board}
The legal moves: {legal}. Answer with one of them, as the last word."""


class Model(Engine):
    name, rules, asked = "Model", None, None

    def choose(self, position):
        board, legal = self.look(position)
        text = QUESTION.format(game=position.game, moves=" ".join(position.moves) or "none",
                               board="\n".join(board), legal=" ".join(legal))
        if self.asked == position.moves:
            text += " Your last answer was not legal."
        self.asked = list(position.moves)
        try:
            answer, usage = self.ask(text)
        except (OSError, http.client.HTTPException, ValueError, LookupError, TypeError) as error:
            self.log("unavailable", type(error).__name__, " ".join(str(error).split()))
            return "(none)"
        tokens = [usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)]
        cost = (tokens[0] * options.price[0] + tokens[1] * options.price[1]) / 1e6
        self.log(f"cost {cost:.9f} tokens_in {tokens[0]} tokens_out {tokens[1]}")
        return (answer.strip(" .`*\n").split() or ["nothing"])[-1].strip("`*")

    def look(self, position):
        """The board as lines, and the legal moves."""
        if self.rules is None:
            params = ",".join(f"{key}={value}" for key, value in position.params.items())
            game = f"{position.game}:{params}".rstrip(":")
            agon = [os.environ.get("AGON", "agon"), "serve", "--agent", "random", "--game", game]
            pipe = subprocess.PIPE
            self.rules = subprocess.Popen(agon, stdin=pipe, stdout=pipe, text=True, bufsize=1)
        start = f"fen {position.start}" if position.start else "startpos"
        self.rules.stdin.write(f"position {start} moves {' '.join(position.moves)}\nd\nquery moves\n")
        board = []
        for line in self.rules.stdout:
            if line.startswith("response "):
                return board, line.split()[1:]
            board.append(line.removeprefix("info string ").rstrip())
        raise RuntimeError("agon serve has ended")

    def ask(self, text):
        """The answer of the service and its tokens. A busy service is asked three times."""
        question = {"model": options.model, "messages": [{"role": "user", "content": text}]}
        head = {"Content-Type": "application/json", "Authorization": "Bearer " + KEY}
        request = urllib.request.Request(options.url, json.dumps(question).encode(), head)
        for pause in (0.1, 1, None):
            try:
                with urllib.request.urlopen(request, timeout=options.timeout) as reply:
                    found = json.load(reply)
                return found["choices"][0]["message"]["content"], found.get("usage", {})
            except urllib.error.HTTPError as error:
                if error.code not in (429, 503) or pause is None:
                    raise
            time.sleep(pause)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("url", help="where the service listens")
    parser.add_argument("--model", default="model", help="its name, as the service wants it")
    parser.add_argument("--price", type=float, nargs=2, default=[0, 0], metavar=("IN", "OUT"),
                        help="costs of a million tokens of the question and of the answer")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for an answer (60)")
    options = parser.parse_args()
    Model().run()
