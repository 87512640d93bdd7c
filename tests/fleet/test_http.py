# SPDX-License-Identifier: Apache-2.0
"""HTTP beside CoAP: its resources, their permissions, and the refusals."""

from __future__ import annotations

import contextlib
import datetime
import http.client
import json
import os
import socket
import sqlite3
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from aiocoap.numbers.codes import Code
from client import PACK, Sensor
from corral_server import Server
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from harness.waiting import PATIENCE, until, within
from reference import FULL, Device, Signer

HERE = ("--http", "127.0.0.1:0")


@dataclass
class Web:
    """An HTTP client, with a token or without."""

    server: Server
    token: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    def ask(
        self, method: str, path: str, body: str | None = None, **more: str
    ) -> tuple[http.client.HTTPResponse, bytes]:
        """The answer and all that it carries."""
        connection = http.client.HTTPConnection(urlsplit(self.server.http).netloc, timeout=PATIENCE)
        headers = {**self.headers, **more}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        try:
            return answer, answer.read()
        finally:
            connection.close()

    def get(self, path: str) -> Any:
        """The JSON of a resource."""
        answer, body = self.ask("GET", path)
        assert answer.status == 200, body
        return json.loads(body)

    def problem(
        self, status: int, method: str, path: str, body: str | None = None, **more: str
    ) -> str:
        """Why a request is not answered as asked."""
        answer, said = self.ask(method, path, body, **more)
        assert answer.status == status, said
        assert answer.headers["Content-Type"] == "application/problem+json"
        problem = json.loads(said)
        assert problem["status"] == status
        return str(problem["detail"])

    def enrol(self, *rows: dict[str, str], **more: bool) -> tuple[int, Any]:
        """The status of an enrolment, and the answer's JSON."""
        body = json.dumps({"enrol": rows, **more})
        answer, said = self.ask(
            "POST", "/v1/enrolments", body, **{"Content-Type": "application/json"}
        )
        return answer.status, json.loads(said)


def token_of(server: Server, *roles: str) -> str:
    words = [word for role in roles for word in ("--role", role)]
    return str(server.rows("token", "add", "-".join(roles), *words)[0]["token"])


def web_of(server: Server, *roles: str) -> Web:
    return Web(server, token_of(server, *roles))


@pytest.fixture
def served(binary: Path, tmp_path: Path) -> Iterator[Server]:
    """A server that is asked over HTTP, too."""
    with Server(binary, tmp_path / "fleet.sqlite", options=HERE).serving() as running:
        yield running


@pytest.fixture
def sensor(served: Server) -> Iterator[Sensor]:
    """A device that registered and published."""
    device = Device(Signer.p256())
    served.run("enrol", device.name, "--place", "attic", "--purpose", "climate")
    with Sensor(served.port, device) as sensor:
        assert sensor.register().code == Code.CREATED
        assert sensor.publish().code == Code.CREATED
        yield sensor


def test_reading__over_http__verifies_from_its_object(served: Server, sensor: Sensor) -> None:
    web = web_of(served, "read")
    page = web.get(f"/v1/readings?device={sensor.device.name}")
    row = page["readings"][0]
    assert row["records"] == [{"n": "t", "u": "Cel", "v": 23.5, "t": 1795000000.0}]
    assert bytes.fromhex(row["object"]) == sensor.device.reading(PACK, sensor.sequence)
    assert page["after"] == row["position"]
    registration = web.get("/v1/registrations")["registrations"][0]
    nonce = bytes.fromhex(registration["nonce"])
    assert bytes.fromhex(registration["object"]) == sensor.device.registration(1, nonce)
    device = web.get(f"/v1/devices/{sensor.device.name}")
    assert (device["place"], device["readings"], device["admitted"]) == ("attic", 1, True)
    assert [one["identity"] for one in web.get("/v1/devices")["devices"]] == [sensor.device.name]


def test_pages__follow_one_another(served: Server, sensor: Sensor) -> None:
    for _ in range(4):
        sensor.publish()
    web, seen, after = web_of(served, "read"), [], 0
    while rows := (page := web.get(f"/v1/readings?after={after}&limit=2"))["readings"]:
        seen += [row["sequence"] for row in rows]
        after = rows[-1]["position"]
    assert page["after"] == after
    assert seen == [2, 3, 4, 5, 6]
    assert [row["sequence"] for row in web.get("/v1/readings?limit=2")["readings"]] == [5, 6]
    served.run("enrol", *(f"{number:032x}" for number in range(1, 6)))
    names: list[str] = []
    page = web.get("/v1/enrolments?limit=2")
    while page["enrolments"]:
        names += [row["identity"] for row in page["enrolments"]]
        page = web.get(f"/v1/enrolments?limit=2&after={page['after']}")
    assert names == sorted([*(f"{number:032x}" for number in range(1, 6)), sensor.device.name])


def test_pages_and_events_of_a_device__leave_out_what_others_sent(
    served: Server, sensor: Sensor
) -> None:
    web, device, other = web_of(served, "read"), sensor.device.name, Device(Signer.p256())
    served.run("enrol", other.name)
    with Sensor(served.port, other) as neighbour:
        neighbour.register()
        for _ in range(4):
            neighbour.publish()
            sensor.publish()
        pages, after = [], 0
        while rows := web.get(f"/v1/readings?device={device}&after={after}&limit=2")["readings"]:
            pages.append([row["sequence"] for row in rows])
            after = rows[-1]["position"]
        assert pages == [[2, 3], [4, 5], [6]]
        newest = web.get(f"/v1/readings?device={device}&limit=3")["readings"]
        assert [row["sequence"] for row in newest] == [4, 5, 6]
        with _follow(web, f"?device={device}") as answer:
            for _ in range(2):
                neighbour.publish()
                sensor.publish()
            assert [event["data"]["sequence"] for event in _events(answer, 2)] == [7, 8]
    unknown = web.get(f"/v1/readings?device={1:032x}&after=3")
    assert unknown == {"readings": [], "after": 3}


def _events(answer: http.client.HTTPResponse, count: int) -> list[dict[str, Any]]:
    """So many events; comments are skipped."""
    events: list[dict[str, Any]] = []
    event: dict[str, Any] = {}
    while len(events) < count:
        line = answer.readline().decode().rstrip("\n")
        name, _, value = line.partition(": ")
        if name == "data":
            event[name] = json.loads(value)
        elif name:
            event[name] = value
        elif event:
            events.append(event)
            event = {}
    return events


def _follow(
    web: Web, path: str = "", source: str = "127.0.0.1", **headers: str
) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection(
        urlsplit(web.server.http).netloc, timeout=PATIENCE, source_address=(source, 0)
    )
    headers["Authorization"] = f"Bearer {web.token}"
    connection.request("GET", f"/v1/readings/follow{path}", headers=headers)
    answer = connection.getresponse()
    assert (answer.status, answer.headers["Content-Type"]) == (200, "text/event-stream")
    return answer


def test_following__brings_what_comes_and_goes_on_behind_the_last(
    served: Server, sensor: Sensor
) -> None:
    web = web_of(served, "read")
    with _follow(web) as answer:
        sensor.publish()
        sensor.publish()
        events = _events(answer, 2)
    assert [event["data"]["sequence"] for event in events] == [3, 4]
    assert {event["event"] for event in events} == {"reading"}
    sensor.publish()
    with _follow(web, **{"Last-Event-ID": events[0]["id"]}) as answer:
        assert [event["data"]["sequence"] for event in _events(answer, 2)] == [4, 5]
    with _follow(web, f"?after=0&device={sensor.device.name}") as answer:
        assert [event["data"]["sequence"] for event in _events(answer, 4)] == [2, 3, 4, 5]


def test_following__brings_each_reading_before_it_looks_by_itself(
    served: Server, sensor: Sensor
) -> None:
    with _follow(web_of(served, "read")) as answer:
        begun = time.monotonic()
        for sequence in range(3, 7):
            sensor.publish()
            assert _events(answer, 1)[0]["data"]["sequence"] == sequence
        # By itself a follower looks every five seconds.
        assert time.monotonic() - begun < 10


def test_following__ends_when_its_token_is_removed(served: Server, sensor: Sensor) -> None:
    with _follow(web_of(served, "read")) as answer:
        served.run("token", "remove", "read")
        sensor.publish()
        assert b"reading" not in answer.read()


def test_following__by_one_token__is_bounded(served: Server) -> None:
    web, other = web_of(served, "read"), web_of(served, "read", "enrol")
    with contextlib.ExitStack() as held:
        first, *_ = [held.enter_context(_follow(web)) for _ in range(64)]
        assert "by this token" in web.problem(429, "GET", "/v1/readings/follow")
        _follow(other).close()
        first.close()
        until(lambda: _metrics(web)["corral_fleet_http_followers"] == 63, "the first is counted")
        _follow(web).close()


def test_followers_of_a_device__leave_room_for_what_others_ask(
    served: Server, sensor: Sensor
) -> None:
    webs = [web_of(served, *roles) for roles in (["read"], ["read", "enrol"])]
    webs += [web_of(served, "command", *roles) for roles in (["read"], ["read", "enrol"])]
    one_more = web_of(served, "read", "command")
    readings = [sensor.device.reading(PACK, sensor.next(), FULL) for _ in range(3)]
    path = f"?device={sensor.device.name}"
    publishing = threading.Thread(target=lambda: [sensor.put(reading) for reading in readings])
    with contextlib.ExitStack() as held:
        # The engine waits for the store, and later requests wait for the engine.
        with served.held():
            publishing.start()
            for source in range(256):
                web = webs[source % 4]
                held.enter_context(_follow(web, path, f"127.0.0.{2 + source // 64}"))
            assert len(webs[0].get("/v1/devices")["devices"]) == 1
            one_more.problem(503, "GET", f"/v1/readings/follow{path}")
        publishing.join()


def test_token__is_stored_as_its_hash_and_removed_at_once(served: Server) -> None:
    web = web_of(served, "read")
    assert web.token.startswith("cft_")
    assert len(web.token) == 68
    with sqlite3.connect(served.store) as store:
        stored = store.execute("SELECT * FROM tokens").fetchall()
    assert web.token not in repr(stored)
    assert bytes.fromhex(web.token[4:]) not in stored[0][0]
    assert served.rows("token", "list")[0]["roles"] == ["read"]
    assert web.get("/v1/devices") == {"after": None, "devices": []}
    assert web.get("/v1/readings") == {"after": 0, "readings": []}
    assert "of the name" in served.run("token", "add", "read", "--role", "read", status=1)
    served.run("token", "remove", "read")
    web.problem(401, "GET", "/v1/devices")
    served.run("token", "remove", "read", status=1)


def test_name_of_a_token__can_be_read(served: Server) -> None:
    for name in ("", " ", "a\nb", "a\x1b[2J", "a\u202eb"):
        assert "is empty" in served.run("token", "add", name, "--role", "read", status=2)
    assert served.rows("token", "list") == []
    token_of(served, "read")


@pytest.mark.parametrize(
    "authorization",
    ["", "Bearer", "Bearer ", "Bearer cft_00", "Basic cm9vdDpyb290", "Bearer ' OR 1=1 --"],
)
def test_stranger__learns_nothing(served: Server, authorization: str) -> None:
    web = Web(served, headers={"Authorization": authorization} if authorization else {})
    for path in ("/v1/devices", "/v1/readings", "/v1/readings/follow", "/v1/refused", "/metrics"):
        web.problem(401, "GET", path)
    web.problem(401, "POST", "/v1/enrolments", "{}")
    web.problem(401, "DELETE", f"/v1/enrolments/{1:032x}")
    assert web.get("/health") == {"status": "ok"}


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER", "bEARER"])
def test_scheme_of_a_token__may_have_any_letters(served: Server, scheme: str) -> None:
    """RFC 9110, section 11.1."""
    token = web_of(served, "read").token
    web = Web(served, headers={"Authorization": f"{scheme} {token}"})
    assert web.get("/v1/devices") == {"after": None, "devices": []}
    other = Web(served, headers={"Authorization": f"{scheme}s {token}"})
    other.problem(401, "GET", "/v1/devices")


@pytest.mark.parametrize("number", ["%2B5", "+5", "-5", "5%20", "0x5", "5_0", "", "%D9%A5"])
def test_number_in_a_query__has_digits_only(served: Server, number: str) -> None:
    web = web_of(served, "read")
    for path in ("devices?limit=", "devices?after=", "enrolments?limit=", "refused?limit="):
        web.problem(400, "GET", f"/v1/{path}{number}")
    for path in ("readings?limit=", "readings?after=", "registrations?after="):
        web.problem(400, "GET", f"/v1/{path}{number}")
    web.problem(400, "GET", f"/v1/readings/follow?after={number}")
    headers = {"Authorization": f"Bearer {web.token}", "Last-Event-ID": "+5"}
    Web(served, headers=headers).problem(400, "GET", "/v1/readings/follow")


def test_role__lets_do_what_it_names_alone(served: Server) -> None:
    reader, enroller, commander = (web_of(served, role) for role in ("read", "enrol", "command"))
    row = {"identity": f"{1:032x}"}
    assert reader.enrol(row)[0] == commander.enrol(row)[0] == 403
    assert reader.problem(403, "DELETE", f"/v1/enrolments/{1:032x}")
    for web in (enroller, commander):
        assert "read" in web.problem(403, "GET", "/v1/devices")
        web.problem(403, "GET", "/metrics")
    assert enroller.enrol(row) == (201, {"enrolled": 1})
    both = web_of(served, "read", "enrol")
    assert both.enrol({"identity": f"{2:032x}"})[0] == 201
    assert len(both.get("/v1/enrolments")["enrolments"]) == 2


def test_enrolment__over_http__lets_in_and_out_at_once(served: Server) -> None:
    web, device = web_of(served, "enrol", "read"), Device(Signer.p256())
    place = "<b>attic</b>'; DROP TABLE log; --"
    assert web.enrol({"identity": device.name, "place": place})[0] == 201
    with Sensor(served.port, device) as sensor:
        assert sensor.register().code == Code.CREATED
        assert sensor.publish().code == Code.CREATED
        assert web.get(f"/v1/devices/{device.name}")["place"] == place
        answer, _ = web.ask("DELETE", f"/v1/enrolments/{device.name}")
        assert answer.status == 200
        assert sensor.publish().code == Code.FORBIDDEN
        status, said = web.enrol({"identity": device.name}, {"identity": f"{7:032x}"})
        assert (status, device.name in said["detail"]) == (409, True)
        assert len(web.get("/v1/enrolments")["enrolments"]) == 1
        assert web.enrol({"identity": device.name}, again=True)[0] == 201
        assert sensor.publish().code == Code.CHANGED
    web.problem(404, "DELETE", f"/v1/enrolments/{9:032x}")


@pytest.mark.parametrize(
    ("status", "method", "path", "body"),
    [
        (404, "GET", "/v1", None),
        (404, "GET", f"/v1/devices/{1:032x}", None),
        (405, "DELETE", "/v1/devices", None),
        (400, "GET", "/v1/devices/xyz", None),
        (400, "GET", "/v1/devices?limit=0", None),
        (400, "GET", "/v1/devices?limit=1001", None),
        (400, "GET", "/v1/devices?colour=red", None),
        (400, "GET", "/v1/readings?after=-1", None),
        (400, "GET", "/v1/readings?after=1&after=2", None),
        (400, "GET", "/v1/readings?device=1", None),
        (400, "GET", "/v1/readings/follow?last=1", None),
        (400, "POST", "/v1/enrolments", "{"),
        (400, "POST", "/v1/enrolments", '{"enrol": []}'),
        (400, "POST", "/v1/enrolments", '{"enrol": [{"identity": "1"}]}'),
        (400, "POST", "/v1/enrolments", '{"enrol": [], "colour": "red"}'),
        pytest.param(413, "POST", "/v1/enrolments", " " * (2 << 20), id="long"),
    ],
)
def test_error__says_why_in_json(
    served: Server, status: int, method: str, path: str, body: str | None
) -> None:
    web = web_of(served, "read", "enrol")
    more = {"Content-Type": "application/json"} if body else {}
    assert web.problem(status, method, path, body, **more)
    if body:
        assert web.problem(415, method, path, "{}", **{"Content-Type": "text/plain"})


def test_text_of_an_enrolment__is_bounded(served: Server) -> None:
    web = web_of(served, "enrol")
    for text in ("x" * 257, "a\x1b[2J"):
        assert web.enrol({"identity": f"{1:032x}", "place": text})[0] == 400


def _metrics(web: Web) -> dict[str, float]:
    answer, body = web.ask("GET", "/metrics")
    assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    lines = [line for line in body.decode().splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


def test_metrics__count_refusals_by_their_reason(served: Server, sensor: Sensor) -> None:
    web = web_of(served, "read")
    before = _metrics(web)
    old = sensor.device.reading(PACK, sensor.next(), FULL)
    assert sensor.put(old).code == Code.CHANGED
    assert sensor.publish().code == Code.CHANGED
    assert sensor.put(old).code == Code.CONFLICT
    after = _metrics(web)
    grown = {name: after[name] - before.get(name, 0) for name in after}
    assert grown['corral_fleet_refused_total{reason="replayed"}'] == 1
    assert grown['corral_fleet_refused_total{reason="bad signature"}'] == 0
    assert grown["corral_fleet_readings_total"] == 2
    assert grown["corral_fleet_requests_total"] == 3
    assert grown['corral_fleet_http_answers_total{status="200"}'] == 1
    assert (after["corral_fleet_devices"], after["corral_fleet_enrolled"]) == (1, 1)


def test_flood_over_http__is_told_so_and_devices_are_served(binary: Path, tmp_path: Path) -> None:
    options = (*HERE, "--http-rate", "1")
    with Server(binary, tmp_path / "fleet.sqlite", options=options).serving() as server:
        web = Web(server)
        begin, served = time.monotonic(), 0
        while (last := web.ask("GET", "/health"))[0].status == 200:
            served += 1
            assert served <= 4 + time.monotonic() - begin
        assert served >= 4
        answer, body = last
        assert (answer.status, answer.headers["Retry-After"]) == (429, "1")
        assert json.loads(body)["status"] == 429
        device = Device(Signer.p256())
        server.run("enrol", device.name)
        with Sensor(server.port, device) as sensor:
            assert sensor.register().code == Code.CREATED


@within(10)
def _is_refused_as_the_last_of_many(port: int) -> bool:
    """Each may hold its connection for ten seconds without asking to the end."""
    with contextlib.ExitStack() as stack:
        address = ("127.0.0.1", port)
        held = [stack.enter_context(socket.create_connection(address)) for _ in range(130)]
        for one in held[:128]:
            one.send(b"GET /health HTTP/1.1\r\n")  # and no more
        held[-1].settimeout(PATIENCE)
        with contextlib.suppress(ConnectionError):
            held[-1].send(b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
            assert held[-1].recv(1) == b""
        return True


def test_connections_of_one_address__are_bounded_and_others_go_on(served: Server) -> None:
    port = urlsplit(served.http).port
    assert port is not None
    assert _is_refused_as_the_last_of_many(port)
    until(lambda: _is_healthy(served), "not served after the others closed")


def _is_healthy(server: Server) -> bool:
    with contextlib.suppress(ConnectionError, http.client.HTTPException):
        return bool(Web(server).get("/health") == {"status": "ok"})
    return False


def test_head_of_a_request__is_bounded(served: Server) -> None:
    web = Web(served)
    assert web.ask("GET", "/health", filler="x" * 8192)[0].status == 200
    with contextlib.suppress(ConnectionError):  # closed before all of it was read
        assert web.ask("GET", "/health", filler="x" * 65536)[0].status == 431


def certificate(folder: Path, name: str) -> tuple[Path, Path]:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    files = folder / f"{name}.pem", folder / f"{name}.key"
    files[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    files[1].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return files


def tls_options(files: tuple[Path, Path]) -> tuple[str, ...]:
    return ("--http-certificate", str(files[0]), "--http-key", str(files[1]))


def _names(server: Server, trusted: Path, version: ssl.TLSVersion) -> int:
    context = ssl.create_default_context(cafile=str(trusted))
    context.minimum_version = context.maximum_version = version
    where = urlsplit(server.http)
    assert where.port is not None
    connection = http.client.HTTPSConnection(
        "localhost", where.port, context=context, timeout=PATIENCE
    )
    connection.request("GET", "/health")
    status = connection.getresponse().status
    connection.close()
    return status


def test_tls__of_the_operators_files__and_no_old_version(binary: Path, tmp_path: Path) -> None:
    files = certificate(tmp_path, "good")
    options = (*HERE, *tls_options(files))
    with Server(binary, tmp_path / "fleet.sqlite", options=options).serving() as server:
        assert server.http.startswith("https://")
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            assert _names(server, files[0], version) == 200
        with pytest.raises((http.client.HTTPException, ConnectionError)):
            Web(server).ask("GET", "/health")


def _begins(server: Server, trusted: Path) -> bool:
    context = ssl.create_default_context(cafile=str(trusted))
    where = urlsplit(server.http)
    assert where.port is not None
    try:
        with (
            socket.create_connection(("127.0.0.1", where.port), timeout=PATIENCE) as plain,
            context.wrap_socket(plain, server_hostname="localhost"),
        ):
            return True
    except (ConnectionError, ssl.SSLEOFError):
        return False


def test_tls__is_begun_as_often_as_requests_may_be_sent(binary: Path, tmp_path: Path) -> None:
    files = certificate(tmp_path, "good")
    options = (*HERE, *tls_options(files), "--http-rate", "1")
    with Server(binary, tmp_path / "fleet.sqlite", options=options).serving() as server:
        begin = time.monotonic()
        begun = [_begins(server, files[0]) for _ in range(20)].count(True)
        assert 4 <= begun <= 4 + time.monotonic() - begin


def _is_served(server: Server, trusted: Path) -> bool:
    try:
        return _names(server, trusted, ssl.TLSVersion.TLSv1_3) == 200
    except ssl.SSLCertVerificationError:
        return False


def test_tls__renewed_files_serve_once_both_are_good(binary: Path, tmp_path: Path) -> None:
    old, new = certificate(tmp_path, "old"), certificate(tmp_path, "new")
    files = tmp_path / "live.pem", tmp_path / "live.key"
    for live, first in zip(files, old, strict=True):
        live.write_bytes(first.read_bytes())
    options = (*HERE, *tls_options(files))
    log = tmp_path / "log"
    with Server(binary, tmp_path / "fleet.sqlite", options=options, log=log).serving() as server:
        files[0].write_bytes(new[0].read_bytes())
        files[1].write_bytes(b"nothing yet")
        # The server looks at the files every two seconds.
        end = time.monotonic() + 7
        while time.monotonic() < end:
            assert _is_served(server, old[0])
            time.sleep(0.5)
        # Once for this pair of files, and once if the first was written when the server looked.
        assert 1 <= log.read_text(encoding="utf-8").count("live.") <= 2
        # As if it could not be read until now, which changes no time.
        at = files[1].stat().st_mtime_ns
        files[1].write_bytes(new[1].read_bytes())
        os.utime(files[1], ns=(at, at))
        until(lambda: _is_served(server, new[0]), "the new files are not used", every=0.2)


def test_tls__with_files_that_do_not_fit__does_not_begin(binary: Path, tmp_path: Path) -> None:
    good, other = certificate(tmp_path, "good"), certificate(tmp_path, "other")
    server = Server(binary, tmp_path / "fleet.sqlite")
    listen = ("serve", "--listen", "127.0.0.1:0", *HERE)
    said = server.run(*listen, *tls_options((good[0], other[1])), status=1)
    assert "good.pem" in said
    assert "absent" in server.run(*listen, *tls_options((tmp_path / "absent", good[1])), status=1)
    assert "go together" in server.run(*listen, "--http-key", str(good[1]), status=1)


def test_http_without_tls__is_for_this_computer_alone(binary: Path, tmp_path: Path) -> None:
    server = Server(binary, tmp_path / "fleet.sqlite")
    for address in ("0.0.0.0:0", "[::]:0"):
        said = server.run("serve", "--listen", "127.0.0.1:0", "--http", address, status=1)
        assert "tokens could be read" in said
    options = ("--http", "0.0.0.0:0", "--http-plain")
    with Server(binary, tmp_path / "fleet.sqlite", options=options).serving() as server:
        port = urlsplit(server.http).port
        server.http = f"http://127.0.0.1:{port}"
        assert Web(server).get("/health") == {"status": "ok"}


def test_full_store__is_not_healthy(binary: Path, tmp_path: Path) -> None:
    """Another process holds the store for longer than the server waits."""
    store = tmp_path / "fleet.sqlite"
    with Server(binary, store, options=HERE).serving() as server:
        device = Device(Signer.p256())
        server.run("enrol", device.name)
        web = Web(server)
        with Sensor(server.port, device) as sensor:
            assert sensor.register().code == Code.CREATED
            with server.held():
                assert sensor.publish().code == Code.SERVICE_UNAVAILABLE
                assert "takes nothing" in web.problem(503, "GET", "/health")
            assert sensor.publish().code == Code.CREATED
        assert web.get("/health") == {"status": "ok"}


def test_serve__told_to_end__ends_well(binary: Path, tmp_path: Path) -> None:
    for signal in ("TERM", "INT"):
        server = Server(binary, tmp_path / "fleet.sqlite", options=HERE)
        with server.serving():
            assert server.process is not None
            subprocess.run(["kill", f"-{signal}", str(server.process.pid)], check=True)
            assert server.process.wait(PATIENCE) == 0


def test_serve__tells_systemd_when_it_is_ready(binary: Path, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified:
        notified.bind(str(tmp_path / "notify"))
        notified.settimeout(PATIENCE)
        process = subprocess.Popen(
            [binary, "--store", tmp_path / "store", "serve", "--listen", "127.0.0.1:0"],
            env={**os.environ, "NOTIFY_SOCKET": str(tmp_path / "notify")},
            stdout=subprocess.DEVNULL,
        )
        try:
            assert notified.recv(64) == b"READY=1"
        finally:
            process.terminate()
            assert process.wait(PATIENCE) == 0
