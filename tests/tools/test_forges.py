# SPDX-License-Identifier: Apache-2.0
"""The files by which forges run the tests, and the checks before a commit."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import test_style
from corral import ROOT
from harness import areas
from ruamel.yaml import YAML

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
GITLAB = ROOT / ".gitlab-ci.yml"
HOOKS = ROOT / ".pre-commit-config.yaml"
ACTIONLINT = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12"
#: The version of Go that it needs.
GO = (1, 24)


def _read(path: Path) -> Any:
    return YAML(typ="safe").load(path)


@pytest.mark.parametrize(
    ("schema", "path"),
    [*(("vendor.github-workflows", path) for path in WORKFLOWS), ("vendor.gitlab-ci", GITLAB)],
)
def test_forge_understands_its_file(schema: str, path: Path) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def _go() -> tuple[int, ...]:
    if shutil.which("go") is None:
        return ()
    said = subprocess.run(["go", "env", "GOVERSION"], capture_output=True, text=True, check=False)
    return tuple(map(int, re.findall(r"\d+", said.stdout)[:2]))


@pytest.mark.skipif(_go() < GO, reason="actionlint needs Go 1.24 or newer")
def test_workflows_pass_their_linter(tmp_path: Path) -> None:
    folder = ROOT / "build" / "tests" / "go"
    environment = {**os.environ, "GOBIN": str(folder)}
    if not (folder / "actionlint").is_file():
        subprocess.run(["go", "install", ACTIONLINT], env=environment, check=True)
    command = [str(folder / "actionlint"), *map(str, WORKFLOWS)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    broken = tmp_path / "broken.yml"
    broken.write_text(WORKFLOWS[0].read_text().replace("matrix.area", "matrix.aera"))
    assert subprocess.run([command[0], broken], capture_output=True, check=False).returncode == 1


def test_forges_run_each_area_and_keep_what_it_took() -> None:
    wanted = list(areas.load())
    for path in WORKFLOWS:
        (job,) = _read(path)["jobs"].values()
        assert sorted(job["strategy"]["matrix"]["area"]) == sorted(wanted), path
        assert re.search(r"\.ci/(run|nightly) \$\{\{ matrix\.area \}\}", path.read_text())
        assert areas.TIMES.relative_to(ROOT).as_posix() in path.read_text()
    read = _read(GITLAB)
    assert sorted(read[".area"]["parallel"]["matrix"][0]["AREA"]) == sorted(wanted)
    assert read[".area"]["artifacts"]["paths"] == [areas.TIMES.relative_to(ROOT).as_posix()]
    for script in re.findall(r"\.ci/\w+", "".join(map(Path.read_text, [*WORKFLOWS, GITLAB]))):
        assert os.access(ROOT / script, os.X_OK), script


def test_hooks_check_what_the_tests_of_style_check() -> None:
    (repository,) = _read(HOOKS)["repos"]
    hooks = {hook["id"]: hook for hook in repository["hooks"]}
    for name, folders, suffix in (
        ("clang-format", test_style.C_FOLDERS, ".c"),
        ("ruff", test_style.PYTHON_FOLDERS, ".py"),
        ("ruff-format", test_style.PYTHON_FOLDERS, ".py"),
    ):
        pattern = re.compile(hooks[name]["files"])
        assert all(pattern.search(f"{folder}/a/b{suffix}") for folder in folders), name
        assert not pattern.search(f"elsewhere/b{suffix}")
    source = Path(test_style.__file__).read_text(encoding="utf-8")
    for command in re.findall(r'"-m", "(mypy|ruff)"', source):
        assert any(f"-m {command} " in hook["entry"] for hook in hooks.values()), command
    chosen = re.search(r'-k "(.*)"', hooks["style"]["entry"])
    assert chosen is not None
    for word in chosen[1].split(" or "):
        assert re.search(rf"def test_\w*{word}", source), word
