# SPDX-License-Identifier: Apache-2.0
"""Fuzz for longer, and keep what was learned: `.venv/bin/python tests/fuzz/long_run.py --help`."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]
sys.path[:0] = [str(Path(__file__).resolve().parents[2] / "tools")]

from fuzz import targets  # noqa: E402

#: Inputs that are kept of a target, at most.
KEPT = 40


def fuzz(name: str, seconds: int, artefacts: Path) -> bool:
    """Run one target, and keep a small part of its new inputs. Whether it held."""
    image = targets.build(name)
    with tempfile.TemporaryDirectory() as folder:
        found, small = Path(folder) / "found", Path(folder) / "small"
        found.mkdir()
        small.mkdir()
        targets.unpack(name, found)
        prefix = f"-artifact_prefix={artefacts}/{name}-"
        done = targets.run(
            name, image, [f"-max_total_time={seconds}", prefix, str(found)], seconds + 300
        )
        if done.returncode != 0:
            print(done.stderr[-5000:])
            print(f"{name}: does not hold; the input is in {artefacts}")
            return False
        targets.run(name, image, ["-merge=1", str(small), str(found)], 600)
        paths = sorted(small.iterdir(), key=lambda path: path.stat().st_size)
        every = -(-len(paths) // KEPT)  # short and long ones alike
        for i, path in enumerate(paths):
            if i % every != 0:
                path.unlink()
        print(f"{name}: holds; {targets.pack(name, small)} of {len(paths)} inputs kept")
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", help="all, if none is named")
    parser.add_argument("--seconds", type=int, default=600, help="for each target (600)")
    parser.add_argument("--artefacts", type=Path, default=Path("build/fuzz"))
    given = parser.parse_args()
    given.artefacts.mkdir(parents=True, exist_ok=True)
    names = given.targets or list(targets.TARGETS)
    held = [fuzz(name, given.seconds, given.artefacts) for name in names]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
