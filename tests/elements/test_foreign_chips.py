# SPDX-License-Identifier: Apache-2.0
"""Chips that the tools have not made stay as they are, whatever is run beside ./corral provision.

Here another program has started blank chips, and a board reaches them. One board does not mention
simulators, as if the chips were real; another describes them wrongly.
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from corral import cli
from corral.build import image as build
from corral.demo import show as demo
from corral.errors import CorralError
from corral.generate import api
from corral.run import chips, provision
from corral.run import program as run
from corral.run.chips import build_simulator
from corral_bench.cost import chips_of
from test_elements import ROOT, run_with

#: All write one board.
pytestmark = pytest.mark.xdist_group("foreign-chips")

BOARDS = ROOT / "build" / "tests" / "boards"
APP = "../tests/elements"
LOCKED = 0x00


@dataclass
class Foreign:
    """Two chips that another program started, its socket, and a board that reaches them."""

    board: str
    is_claimed: bool
    images: list[Path]
    folder: Path  # where the tools keep memories of chips for this board

    def contents(self) -> list[bytes]:
        return [image.read_bytes() for image in self.images]


@pytest.fixture(scope="module")
def socket(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for all servers, so that the board that names it stays as it was built for."""
    return tmp_path_factory.mktemp("foreign") / "socket"


@pytest.fixture(scope="module", autouse=True)
def _images_are_built_once() -> Iterator[None]:
    """Nearly every test builds the same few images, but tests only the commands that use them. A
    folder is built in anew when its board says something else."""
    real = build.build
    made: dict[Path, tuple[str, build.Build]] = {}

    def build_once(
        app: str, board: str, options: build.Options | None = None, prepared: object = None
    ) -> build.Build:
        assert prepared is None
        folder = build.folder_of(app, board, options.name if options else "")
        said = (api.load_board(ROOT, board).folder / "board.toml").read_text()
        asked = f"{options} {said}"
        if folder not in made or made[folder][0] != asked:
            made[folder] = asked, real(app, board, options)
        return made[folder][1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "build", build_once)
        yield


@pytest.fixture
def server(socket: Path, tmp_path: Path) -> Iterator[Path]:
    """The socket of a server with fresh chips."""
    socket.unlink(missing_ok=True)
    specs = [f"bus=0,address={0x60 + i},nvm={tmp_path}/foreign{i}.nvm" for i in range(2)]
    words = [word for spec in specs for word in ("--chip", spec)]
    command = [build_simulator("atecc608"), "--listen", socket, *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert "listening" in process.stdout.readline()
        try:
            yield socket
        finally:
            process.terminate()


def write_board(server: Path, is_claimed: bool) -> str:
    """A copy of board native; `is_claimed`: it says that its elements are simulated, and leads its
    programs to other chips."""
    text = (ROOT / "boards" / "native" / "board.toml").read_text()
    if is_claimed:
        words = json.dumps(["env", f"CORRAL_SIM_SOCKET={server}", "{elf}"])
        text = re.sub(r"^command = .*$", f"command = {words}", text, flags=re.M)
    else:
        text = re.sub(r"^simulator = .*\n", "", text, flags=re.M)
    (BOARDS / "foreign").mkdir(parents=True, exist_ok=True)
    build.write_if_changed(BOARDS / "foreign" / "board.toml", text)
    return "../build/tests/boards/foreign"


@pytest.fixture(scope="module", params=["real", "claimed"])
def is_claimed(request: pytest.FixtureRequest) -> bool:
    """For all tests the one, then for all the other: the board changes once."""
    return bool(request.param == "claimed")


@pytest.fixture
def foreign(
    is_claimed: bool,
    server: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Foreign:
    board = write_board(server, is_claimed)
    monkeypatch.setenv("CORRAL_SIM_SOCKET", str(server))
    monkeypatch.setattr(run, "images_of", lambda _board: tmp_path / "chips")
    images = [tmp_path / f"foreign{i}.nvm" for i in range(2)]
    return Foreign(board, is_claimed, images, tmp_path / "chips")


def by_run(foreign: Foreign) -> None:
    cli.main(["run", APP, foreign.board])


def by_plan(foreign: Foreign) -> None:
    cli.main(["provision", foreign.board])
    cli.main(["run", APP, foreign.board])


def by_demo(foreign: Foreign) -> None:
    with suppress(CorralError):
        demo.demo(None, (foreign.board,), ROOT / "build" / "tests" / "demo-foreign")


def by_bench(foreign: Foreign) -> None:
    done = build.build(APP, foreign.board)
    with suppress(CorralError), chips_of(done, foreign.board):
        pass


def by_tests(foreign: Foreign) -> None:
    with suppress(CorralError, AssertionError):
        run_with(foreign.board, foreign.folder)


def by_chips(foreign: Foreign) -> None:
    cli.main(["chips", foreign.board, "true"])


def by_preparation(foreign: Foreign) -> None:
    with suppress(CorralError):
        provision.prepare_virtual_chips(foreign.board, foreign.folder)


@pytest.mark.parametrize(
    "way",
    [by_run, by_plan, by_demo, by_bench, by_tests, by_chips, by_preparation],
    ids=lambda w: w.__name__,
)
def test_chips_of_somebody_else_stay_blank(
    foreign: Foreign, way: Callable[[Foreign], None]
) -> None:
    before = foreign.contents()
    way(foreign)
    assert foreign.contents() == before


def serial_of_se1(foreign: Foreign, capsys: pytest.CaptureFixture[str]) -> str:
    assert cli.main(["provision", foreign.board]) == 0
    found = re.search(r"SE1: .*serial number ([0-9A-F]{18})", capsys.readouterr().out)
    assert found
    return found[1]


def test_the_board_reaches_them(foreign: Foreign, capsys: pytest.CaptureFixture[str]) -> None:
    """Otherwise the other tests would prove nothing: commands by hand change these chips."""
    serial = serial_of_se1(foreign, capsys)
    before = foreign.contents()
    assert cli.main(["provision", foreign.board, "--element", "SE1", "--lock", serial]) == 0
    after = foreign.contents()
    assert after[0] == before[0]
    assert after[1][16 + 87] == LOCKED


def test_plan_says_the_one_command_that_writes(
    foreign: Foreign, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["provision", foreign.board]) == 0
    shown = capsys.readouterr()
    serial = re.search(r"SE1: .*serial number ([0-9A-F]{18})", shown.out)
    assert serial
    commands = [line for line in shown.err.splitlines() if "SE1" in line]
    assert commands == [f"  ./corral provision {foreign.board} --element SE1 --lock {serial[1]}"]


def test_nothing_else_that_is_typed_writes(
    foreign: Foreign, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not with the right serial number either, and no order hides in the number of another."""
    serial = serial_of_se1(foreign, capsys)
    before = foreign.contents()
    for words in (
        ["--element", "SE1", "--write", serial],
        ["--element", "SE1", "--lock", serial.lower()],
        ["--element", "SE0", "--lock", f"0\nSE1 lock {serial}"],
        ["--lock", serial],
    ):
        with suppress(SystemExit):
            assert cli.main(["provision", foreign.board, *words]) != 0
        assert foreign.contents() == before


@pytest.mark.parametrize("order", ["SE1 write {}", "SE1 lock {} now", "lock {}", "SE1 lock"])
def test_the_application_obeys_no_other_order(
    foreign: Foreign, order: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Even if it is started by hand, with other input than the command writes."""
    serial = serial_of_se1(foreign, capsys)
    before = foreign.contents()
    orders = tmp_path / "orders"
    orders.write_text(order.format(serial) + "\n")
    done = build.build(provision.application_of("atecc608"), foreign.board)
    images = tmp_path / "chips"
    finished = run.run(done, input_file=orders, images=images, capture=True)
    assert finished.returncode == 2, finished.stdout
    assert foreign.contents() == before


def test_wrong_claim_is_told(foreign: Foreign, capsys: pytest.CaptureFixture[str]) -> None:
    status = cli.main(["run", APP, foreign.board])
    said = capsys.readouterr().err
    if foreign.is_claimed:
        assert status == 2
        assert "is not the simulated one" in said and "nothing was written" in said
    else:
        assert "provisioning" not in said


def test_image_that_came_from_elsewhere_is_left_alone(server: Path, tmp_path: Path) -> None:
    """Also in the folder of the tools' own chips, and in the place of one of them."""
    element = build.api.load_board(ROOT, "native").elements[0]
    memories = chips.Memories(tmp_path / "chips")
    blank = (tmp_path / "foreign0.nvm").read_bytes()
    memories.folder.mkdir()
    memories.image(element).write_bytes(blank)
    provision.prepare_virtual_chips("native", memories.folder)
    assert memories.image(element).read_bytes() == blank

    memories.image(element).unlink()
    memories.expect([element])
    memories.note_serials({element.name: "0123456789ABCDEFEE"})
    memories.image(element).write_bytes(blank)
    provision.prepare_virtual_chips("native", memories.folder)
    assert memories.image(element).read_bytes() == blank


@pytest.mark.parametrize("text", ["", "[]", '{"SE0": 1}', "\xff"])
def test_record_that_is_none_is_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "made.json").write_text(text, encoding="latin-1")
    element = build.api.load_board(ROOT, "native").elements[0]
    memories = chips.Memories(tmp_path)
    memories.image(element).touch()
    with pytest.raises(CorralError, match=r"made\.json: is no record of simulated chips"):
        memories.is_unprovisioned(element)


@pytest.mark.parametrize("said", ['{"element": "SE0", "ser', '{"element": "SE0"}', "[]"])
def test_state_that_was_garbled_is_one_line(
    said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    finished = subprocess.CompletedProcess([], 0, f"corral-provision {said}\n")
    monkeypatch.setattr(run, "run", lambda *_, **__: finished)
    assert cli.main(["provision", "native"]) == 2
    complaint = capsys.readouterr().err.splitlines()[-1]
    assert "the board says something else than how a chip is" in complaint


def test_notes_of_several_at_once_are_all_kept(tmp_path: Path) -> None:
    element = build.api.load_board(ROOT, "native").elements[0]
    several = [replace(element, name=f"SE{i}") for i in range(40)]
    links = [tmp_path / f"link{i}" for i in range(4)]
    for link in links:
        link.symlink_to(tmp_path / "chips")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda i: chips.Memories(links[i % 4]).expect([several[i]]), range(40)))
    made = json.loads((tmp_path / "chips" / "made.json").read_text())
    assert sorted(made) == sorted(e.name for e in several)


@pytest.mark.parametrize("name", ["a,b", "a b", "a;b", "ü", "x" * 80])
def test_run_has_a_plain_folder_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A socket's name has at most 107 bytes, and emulators take names apart."""
    (tmp_path / name).mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / name))
    board = build.api.load_board(ROOT, "native")
    with chips.running(board.elements, tmp_path / "chips", fifos=False) as channel:
        assert re.fullmatch(r"[\w./+-]{1,107}", str(channel.socket), re.ASCII)
        assert channel.socket and channel.socket.is_socket()


def test_two_at_once_provision_each_chip_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda _: provision.prepare_virtual_chips("native", tmp_path / "c"), [1, 2]))
    assert sorted(p.name for p in (tmp_path / "c").glob("se*")) == ["se0.nvm", "se1.nvm"]


def test_plan_before_the_first_run_spoils_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It makes blank chips, which a run then finds, and provisions."""
    monkeypatch.setattr(run, "images_of", lambda _board: tmp_path / "chips")
    assert cli.main(["provision", "native"]) == 0
    images = [tmp_path / "chips" / f"se{i}.nvm" for i in range(2)]
    serials = [image.read_bytes()[16:29] for image in images]
    assert all(image.read_bytes()[16 + 87] != LOCKED for image in images)
    assert cli.main(["run", APP, "native"]) == 0
    assert all(image.read_bytes()[16 + 87] == LOCKED for image in images)
    assert [image.read_bytes()[16:29] for image in images] == serials
