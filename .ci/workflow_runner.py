"""Runs the jobs of a GitHub workflow on this machine, without a network:

    workflow_runner.py [--with INPUT=VALUE]… [--expect CODE] [--said TEXT] WORKFLOW REPOSITORY AGON

Steps with `run`, `env`, `with`, inputs, outputs and the conditions of agon's action are executed as GitHub
executes them. `actions/checkout` clones REPOSITORY, a `uses` of agon runs the action.yml of the checkout or of
AGON, `actions/cache` finds nothing, and `actions/upload-artifact` counts the files. Everything else is an error.
`--with` replaces inputs of agon's action.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from ruamel.yaml import YAML


class Wrong(Exception):
    pass


def load(path):
    return YAML(typ="safe").load(pathlib.Path(path).read_text())


def known(what, mapping, keys):
    """Every key of a mapping must be one that this runner executes."""
    more = set(mapping) - set(keys)
    if more:
        raise Wrong(f"{what}: this runner does not know {', '.join(sorted(map(str, more)))}")


def expand(text, context):
    """Replaces expressions: only names of the context, no functions."""
    def value(found):
        name = found.group(1).strip()
        if name not in context:
            raise Wrong(f"unknown expression ${{{{ {name} }}}}")
        return context[name]
    return re.sub(r"\$\{\{(.*?)\}\}", value, word(text))


def word(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


class Job:
    def __init__(self, folder, repository, agon, replaced):
        self.workspace, self.temporary = folder / "workspace", folder / "temporary"
        self.temporary.mkdir(parents=True)
        self.repository, self.agon, self.replaced = repository, agon, replaced
        self.summary = folder / "summary.md"
        self.summary.touch()
        self.files = folder / "files"
        self.files.mkdir()
        self.artefacts = []
        self.said = ""

    def steps(self, steps, context, action=None):
        """Runs steps in order. Returns the first exit code that is not 0, and the context with all outputs."""
        code = 0
        for number, step in enumerate(steps, 1):
            known("a step", step, ["name", "id", "if", "uses", "with", "run", "shell", "env"])
            title = step.get("name") or step.get("uses") or f"step {number}"
            # A step that does not run has no outputs, which are empty texts.
            for name in re.findall(rf"steps\.{step.get('id', '-')}\.outputs\.\w+", str(action)):
                context.setdefault(name, "")
            if not self.condition(step.get("if", "success()"), code, context):
                print(f"-- {title}: skipped", flush=True)
                continue
            print(f"-- {title}", flush=True)
            ended, outputs = self.step(step, context, action)
            if ended:
                print(f"-- {title}: exit code {ended}", flush=True)
            code = code or ended
            context.update({f"steps.{step.get('id')}.outputs.{k}": v for k, v in outputs.items()})
        return code, context

    @staticmethod
    def condition(condition, code, context):
        if condition == "always()":
            return True
        equal = re.fullmatch(r"([\w.]+) == '(\w*)'", condition)
        if condition != "success()" and (not equal or equal[1] not in context):
            raise Wrong(f"unknown condition `{condition}`")
        return not code and (not equal or context[equal[1]] == equal[2])

    def step(self, step, context, action):
        if ("run" in step) == ("uses" in step):
            raise Wrong("a step has either `run` or `uses`")
        if "run" in step:
            if step.get("shell") != "bash":
                raise Wrong("a step with `run` needs `shell: bash`")
            return self.run(step, context, action)
        given = {key: expand(value, context) for key, value in step.get("with", {}).items()}
        uses = step["uses"]
        if uses.startswith("actions/checkout@"):
            known(uses, given, ["fetch-depth"])
            command = ["git", "clone", "--quiet", "--depth", given.get("fetch-depth", "1")]
            subprocess.run([*command, f"file://{self.repository}", self.workspace], check=True)
            return 0, {}
        if uses.startswith("actions/cache@"):
            known(uses, given, ["path", "key"])
            return 0, {}
        if uses.startswith("actions/upload-artifact@"):
            known(uses, given, ["name", "path", "if-no-files-found"])
            files = [path for path in pathlib.Path(given["path"]).rglob("*") if path.is_file()]
            self.artefacts += files
            print(f"{given['name']}: {len(files)} files", flush=True)
            return 0, {}
        if uses.startswith("./"):
            return self.action(self.workspace / uses, {**given, **self.replaced})
        if uses == "OWNER/agon@main":
            return self.action(self.agon, {**given, **self.replaced})
        raise Wrong(f"this runner does not know `uses: {uses}`")

    def run(self, step, context, action):
        output, script = self.files / "output", self.files / "step.sh"
        output.write_text("")
        env = {**os.environ, "GITHUB_OUTPUT": str(output), "GITHUB_STEP_SUMMARY": str(self.summary),
               "RUNNER_TEMP": str(self.temporary), "GITHUB_WORKSPACE": str(self.workspace)}
        if action:
            env["GITHUB_ACTION_PATH"] = str(context["github.action_path"])
        env.update({key: expand(value, context) for key, value in step.get("env", {}).items()})
        if "${{" in step["run"]:
            raise Wrong("an expression in a script is code: give it to the script by `env`")
        script.write_text(step["run"])
        # As GitHub starts a step whose shell is bash.
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)]
        ended = subprocess.run(command, cwd=self.workspace, env=env, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        print(ended.stdout, end="", flush=True)
        self.said += ended.stdout
        lines = output.read_text().splitlines()
        if any("=" not in line for line in lines):
            raise Wrong(f"a line of $GITHUB_OUTPUT has no `=`: {lines}")
        return ended.returncode, dict(line.split("=", 1) for line in lines)

    def action(self, folder, given):
        action = load(folder / "action.yml")
        known("action.yml", action, ["name", "description", "inputs", "outputs", "runs"])
        known("runs", action["runs"], ["using", "steps"])
        known("with", given, action["inputs"])
        if action["runs"]["using"] != "composite":
            raise Wrong("this runner knows composite actions only")
        context = {f"inputs.{name}": given.get(name, word(of.get("default", "")))
                   for name, of in action["inputs"].items()}
        context |= {"github.action_path": folder, "runner.temp": str(self.temporary),
                    "runner.os": "Linux", "runner.arch": "X64"}
        code, after = self.steps(action["runs"]["steps"], context, action)
        return code, {name: expand(of["value"], after) for name, of in action["outputs"].items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("workflow")
    parser.add_argument("repository", type=pathlib.Path)
    parser.add_argument("agon", type=pathlib.Path, help="the folder of agon's action.yml")
    parser.add_argument("--with", dest="given", action="append", default=[], metavar="INPUT=VALUE")
    parser.add_argument("--expect", type=int, default=0, help="the exit code of the job")
    parser.add_argument("--said", default="", help="a text that the summary or a step must have")
    args = parser.parse_args()
    workflow = load(args.workflow)
    known("the workflow", workflow, ["name", "on", "jobs"])
    for name, job in workflow["jobs"].items():
        known(f"job {name}", job, ["runs-on", "timeout-minutes", "steps"])
        with tempfile.TemporaryDirectory() as folder:
            replaced = dict(given.split("=", 1) for given in args.given)
            runner = Job(pathlib.Path(folder), args.repository, args.agon, replaced)
            code, _ = runner.steps(job["steps"], {})
            summary = runner.summary.read_text()
            print(f"-- job {name}: exit code {code}, {len(runner.artefacts)} files kept, summary:\n{summary}")
            if code != args.expect:
                raise Wrong(f"job {name} ended with {code}, not with {args.expect}")
            if args.said not in runner.said + summary:
                raise Wrong(f"job {name} did not say: {args.said}")
            if code in (0, 3, 4) and not (summary and runner.artefacts):
                raise Wrong(f"job {name} has no summary or keeps no files")


try:
    main()
except Wrong as wrong:
    sys.exit(f"error: {wrong}")
