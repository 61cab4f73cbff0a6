"""Mutation testing: change one operator or number, or drop one condition or statement, and see whether a test
fails.

    python tests/support/mutants.py --sample 120 [--room core] [--seed N] [--minutes M] [--jobs 1]

A sample of all mutants is drawn by the seed, which is printed. Of each, the tests of its module and the
recorded results run first, then those that name it and those of its room, then the tables of whole documents
and what uses the room, then all recorded results; the first failure ends them. Each result is printed as it
comes, survivors with their difference. When the minutes are over, no other mutant begins, and those that were
tried are summed up.

Changes of what is not executed, and of the text of an error, are not drawn. Mutants in
tests/data/equivalent_mutants.txt (a reason on each line) behave as the original, and are not counted. A line
there names one mutant by a digest, or all values of a constant: `text/xml_decoder.py:FILTERED_BYTES`.

Exit codes: 0 the shares are reached; 1 they are not; 2 the tests fail as it is.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from cosmic_ray.ast import ast_nodes, get_ast_from_path
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator

PROJECT = Path(__file__).parents[2]
SOURCE = PROJECT / "src" / "feedcharset"
TESTS = PROJECT / "tests"
EQUIVALENT = TESTS / "data" / "equivalent_mutants.txt"

CORE = ("charsets", "evidence", "decide", "text")
REACH = {"core": 0.97, "else": 0.92}
"""The shares that must be killed."""

OPERATORS = [
    *(f"core/ReplaceComparisonOperator_{change}" for change in ("Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt")),
    *(f"core/ReplaceComparisonOperator_{change}" for change in ("Eq_NotEq", "NotEq_Eq")),
    *(f"core/ReplaceComparisonOperator_{change}" for change in ("Is_IsNot", "IsNot_Is")),
    *(f"core/ReplaceBinaryOperator_{change}" for change in ("Add_Sub", "Sub_Add", "Mul_Add", "FloorDiv_Mul")),
    *(f"core/{name}" for name in ("ReplaceUnaryOperator_Delete_Not", "AddNot", "NumberReplacer")),
    *(f"core/Replace{name}" for name in ("TrueWithFalse", "FalseWithTrue", "AndWithOr", "OrWithAnd")),
    *(f"core/Replace{name}" for name in ("BreakWithContinue", "ContinueWithBreak")),
    "core/ZeroIterationForLoop",
]
TABLES = ("test_limits.py", "test_mutant_cases.py")
"""Limits and cases of mutants, with the tests of the room."""
LAST = (
    "test_fixtures.py",
    "test_field_reports.py",
    "test_hard_cases.py",
    "test_public_names.py",
    "test_sizes.py",
)
"""Whole documents, public names and sizes of pieces, after the tests of the room."""
ALL_RECORDED = ["-m", "long", str(TESTS / "test_recorded_results.py")]
"""Eleven of the twelve parts of the recorded results."""
USERS = {
    "charsets": ("evidence", "decide", "text", "reading", "validate"),
    "evidence": ("decide", "text", "parsing", "validate", "cli/test_detect.py"),
    "decide": ("text", "reading", "parsing", "validate", "cli/test_explain_and_cat.py"),
    "text": ("reading", "parsing", "validate", "cli/test_repair.py", "cli/test_repair_kinds.py"),
    "results": ("decide", "cli/test_explain_and_cat.py"),
    "fetch": ("reading", "cli/test_exit_codes.py"),
    "reading": ("parsing", "fetch/test_response_body.py", "cli/test_detect.py"),
    "parsing": ("consumers", "test_conformance.py"),
    "validate": ("cli/test_check.py", "cli/test_fix_files.py", "cli/test_repair_kinds.py"),
    "batch": ("adapters",),
}
"""Of a room, tests of what uses it; they run last."""
DROPPED = (ast.Expr, ast.Assign, ast.AugAssign, ast.Return, ast.Raise, ast.Delete)
"""Statements of functions that are dropped one at a time."""
SECONDS = 60
"""Of one test, ten times the longest; a mutant that takes longer is killed (an endless loop)."""
PYTEST = (
    *(sys.executable, "-m", "pytest", "-x", "-q", "-m", "not long", "-p", "no:cacheprovider"),
    *("-o", f"faulthandler_timeout={SECONDS}", "-o", "faulthandler_exit_on_timeout=true"),
)


def share_and_room(path: Path) -> tuple[str, str]:
    """The share that a module counts for, and its folder."""
    room = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    return "core" if room in CORE else "else", room


class Mutant(NamedTuple):
    """One change of one file."""

    path: Path
    operator: str
    code: str

    def difference(self) -> list[str]:
        """The changed lines, below their place."""
        before = self.path.read_text(encoding="utf-8").splitlines()
        return list(difflib.unified_diff(before, self.code.splitlines(), lineterm="", n=0))[2:]

    @property
    def name(self) -> str:
        """Stable while the line stays: the module and a digest of the change."""
        lines = [line for line in self.difference() if line[:1] in "+-"]
        digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]
        return f"{self.path.relative_to(SOURCE)}:{digest}"

    @property
    def constant(self) -> str:
        """The module and the constant whose value is changed; the module alone for any other change."""
        before, after = (ast.parse(text).body for text in (self.path.read_text(encoding="utf-8"), self.code))
        changed = next(
            one for one, other in zip(before, after, strict=True) if ast.dump(one) != ast.dump(other)
        )
        target = changed.targets[0] if isinstance(changed, ast.Assign) else None
        names = target.elts if isinstance(target, ast.Tuple) else [target]
        name = ", ".join(one.id for one in names if isinstance(one, ast.Name))
        return f"{self.path.relative_to(SOURCE)}:{name}"


class _WithoutAnnotations(ast.NodeTransformer):
    """Removes what is not executed, the text of errors, and `strict=True` of zip, an assertion."""

    def visit_If(self, node: ast.If) -> ast.AST | None:
        self.generic_visit(node)
        return None if "TYPE_CHECKING" in ast.dump(node.test) else node

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        for part in ast.walk(node):
            if isinstance(part, ast.JoinedStr):
                part.values = []
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "zip":
            node.keywords = [keyword for keyword in node.keywords if keyword.arg != "strict"]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        self.generic_visit(node)
        if node.value is None:
            return None
        return ast.copy_location(ast.Assign([node.target], node.value), node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        self.generic_visit(node)
        return node


def executed(code: str) -> str:
    """The code's syntax without annotations and messages."""
    return ast.dump(_WithoutAnnotations().visit(ast.parse(code)))


def droppings(code: str) -> Iterator[tuple[str, ast.expr | ast.stmt, str]]:
    """What can be dropped of a module: the kind, the node, and what stands there instead.

    A condition that is one of several joined by `and` or `or`; a statement in a function, but its docstring,
    and a `return None` at its end.
    """
    nodes = list(ast.walk(ast.parse(code)))
    for node in nodes:
        if isinstance(node, ast.BoolOp):
            neutral = "True" if isinstance(node.op, ast.And) else "False"
            yield from (("drop/condition", value, neutral) for value in node.values)
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    inside = {part for node in functions for part in ast.walk(node)}
    inside -= {node.body[-1] for node in functions if ast.unparse(node.body[-1]) in ("return", "return None")}
    for node in nodes:
        constant = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if node in inside and isinstance(node, DROPPED) and not constant:
            yield "drop/statement", node, "pass"


def without(code: str, node: ast.expr | ast.stmt, instead: str) -> str:
    """The code with something else in the place of a node."""
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    lines = code.encode().splitlines(keepends=True)  # columns are bytes
    before = b"".join(lines[: node.lineno - 1]) + lines[node.lineno - 1][: node.col_offset]
    after = lines[node.end_lineno - 1][node.end_col_offset :] + b"".join(lines[node.end_lineno :])
    return (before + instead.encode() + after).decode()


def positions(path: Path) -> Iterator[tuple[Path, str, int]]:
    """Every place of a module where an operator applies: the module, the operator, the occurrence."""
    kinds = Counter(kind for kind, _, _ in droppings(path.read_text(encoding="utf-8")))
    yield from ((path, kind, at) for kind, count in kinds.items() for at in range(count))
    module = get_ast_from_path(path)
    nodes = list(ast_nodes(module))
    for name in OPERATORS:
        operator = get_operator(name)()
        count = sum(1 for node in nodes for _ in operator.mutation_positions(node))
        yield from ((path, name, occurrence) for occurrence in range(count))


def mutant_at(path: Path, name: str, occurrence: int) -> Mutant | None:
    """The mutant of a position; None where it is no Python, or changes nothing that is executed."""
    code = path.read_text(encoding="utf-8")
    if name.startswith("drop/"):
        found = [place[1:] for place in droppings(code) if place[0] == name]
        changed = without(code, *found[occurrence])
    else:
        changed = mutate_code(code, get_operator(name)(), occurrence)
    try:
        same = changed is None or executed(changed) == executed(code)
    except SyntaxError:
        return None
    return None if same else Mutant(path, name, changed)


def draw(places: list[tuple[Path, str, int]], size: int, known: dict[str, str]) -> Iterator[Mutant]:
    """The first `size` mutants of the shuffled positions that count."""
    for place in places:
        mutant = mutant_at(*place)
        if mutant is not None and not {mutant.name, mutant.constant} & known.keys():
            yield mutant
            size -= 1
            if not size:
                return


def tests_for(mutant: Mutant) -> list[list[str]]:
    """The tests, those that find most first."""
    (_, room), name = share_and_room(mutant.path), mutant.path.stem
    own = [*TESTS.rglob(f"test_{name}.py"), TESTS / "test_recorded_results.py"]
    named = sorted(path for path in TESTS.rglob("test_*.py") if f"{room}.{name} " in path.read_text("utf-8"))
    places = (*TABLES, room, f"cli/test_{room}.py")
    later = [*named, *(TESTS / place for place in places if (TESTS / place).exists())]
    last = [TESTS / path for path in (*LAST, *USERS.get(room, ()))]
    return [list(dict.fromkeys(map(str, paths))) for paths in (own, later, last) if paths]


def survives(mutant: Mutant) -> bool:
    """Run the tests with the mutant in the place of its module."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "feedcharset"
        shutil.copytree(SOURCE, copy)
        (copy / mutant.path.relative_to(SOURCE)).write_text(mutant.code, encoding="utf-8")
        return all(_pass(paths, folder) for paths in (*tests_for(mutant), ALL_RECORDED))


def _pass(paths: list[str], folder: str) -> bool:
    """Run tests of the package in a folder, and end the processes that they leave behind (a command that
    never ends)."""
    tests = subprocess.Popen(
        [*PYTEST, *paths],
        cwd=PROJECT,
        env={**os.environ, "PYTHONPATH": folder},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    code = tests.wait()
    with suppress(ProcessLookupError):
        os.killpg(tests.pid, signal.SIGKILL)
    return code in (0, 5)  # 5: all of them take long


def equivalent() -> dict[str, str]:
    """Mutants that behave as the original, with the reason."""
    if not EQUIVALENT.exists():
        return {}
    lines = EQUIVALENT.read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t", 1) for line in lines if line and not line.startswith("#"))


def main() -> int:
    """Draw a sample, run it, print each result and the shares."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--room", help="only this folder; or core, or else")
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    every = [place for path in sorted(SOURCE.rglob("*.py")) for place in positions(path)]
    if arguments.room:
        every = [place for place in every if arguments.room in share_and_room(place[0])]
    random.Random(arguments.seed).shuffle(every)
    known = equivalent()
    sample = list(draw(every, arguments.sample, known))
    print(f"seed {arguments.seed}: {len(sample)} of about {len(every)} mutants, {len(known)} are equivalent")
    paths = sorted({path for mutant in sample for paths in tests_for(mutant) for path in paths})
    if not _pass(paths, str(SOURCE.parent)):
        print("these tests fail without a mutant:", *paths)
        return 2
    end = time.monotonic() + 60 * arguments.minutes
    killed: Counter[str] = Counter()
    total: Counter[str] = Counter()
    with ThreadPoolExecutor(arguments.jobs) as threads:
        late = threads.map(lambda mutant: None if time.monotonic() > end else survives(mutant), sample)
        for mutant, alive in zip(sample, late, strict=True):
            if alive is not None:
                total.update(share_and_room(mutant.path))
                killed.update(share_and_room(mutant.path) if not alive else ())
                lines = mutant.difference() if alive else ()
                print(f"{'survives' if alive else 'killed'}: {mutant.name}", *lines, sep="\n    ", flush=True)
    for name in sorted(total):
        reach = f", reach {REACH[name]:.0%}" if name in REACH else ""
        print(f"{name}: {killed[name]} of {total[name]} killed, {killed[name] / total[name]:.1%}{reach}")
    return int(any(killed[name] < reach * total[name] for name, reach in REACH.items()))


if __name__ == "__main__":
    sys.exit(main())
