# SPDX-License-Identifier: Apache-2.0
"""Small trees to configure: the real headers, tables and Kconfig, with drivers made for the tests.

The fixtures describe drivers; their C is written here from the descriptions and the table of entry
points. Every function says its name to a probe and returns the status that the probe has for it, so
a test sees whom dispatch called, and in which order.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corral.configure.bindings import Bindings
from corral.export.library import TREE
from corral.generate import api
from corral.model.driver import Driver
from corral.model.entry_points import parameter_name
from corral.model.tree import Tree

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = Path(__file__).resolve().parent / "fixtures"
PLAIN, RICH = "plain", "rich"
APP = "test"

WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror", "-pedantic"]

PROBE_HEADER = """\
#ifndef PROBE_H
#define PROBE_H
#include <psa/crypto.h>
psa_status_t probe(const char *name);
#endif
"""


def make_tree(folder: Path) -> Path:
    """A tree with the fixtures' drivers, boards and packages, and an empty application."""
    for name in ("include", "dispatch", "core"):
        (folder / name).symlink_to(ROOT / name)
    shutil.copytree(ROOT / "config", folder / "config")
    # Only the port's description: its build files are not in the tree.
    port = (ROOT / "ports" / "posix" / "port.toml").read_text(encoding="utf-8")
    (folder / "ports" / "posix").mkdir(parents=True)
    alone = re.sub(r"(?m)^with = .*\n", "", port)
    (folder / "ports" / "posix" / "port.toml").write_text(alone, encoding="utf-8")
    for name in ("drivers", "boards", "packages"):
        shutil.copytree(FIXTURES / name, folder / name)
    write_app(folder)
    return folder


def make_real_tree(folder: Path) -> Path:
    """The tree under test, with the application of the tests in the place of its own."""
    for name in (*TREE, "boards"):
        (folder / name).symlink_to(ROOT / name)
    write_app(folder)
    return folder


def write_app(root: Path, *wants: str, name: str = APP) -> None:
    """An application's configuration; wants without a value are set to y."""
    folder = root / "apps" / name
    folder.mkdir(parents=True, exist_ok=True)
    lines = [want if "=" in want else f"{want}=y" for want in wants]
    (folder / "app.config").write_text("".join(f"{line}\n" for line in lines))
    (folder / "main.c").write_text("int main(void)\n{\n    return 0;\n}\n")


def edit_json(path: Path, change: Callable[[Any], None]) -> None:
    """Change a description in place."""
    value = json.loads(path.read_text())
    change(value)
    path.write_text(json.dumps(value, indent=2))


def description(root: Path, driver: str) -> Path:
    return root / "drivers" / driver / "driver.json"


@dataclass
class Built:
    """A configured and generated build."""

    root: Path
    folder: Path
    bindings: Bindings

    def text(self, name: str) -> str:
        return (self.folder / "gen" / "corral" / name).read_text()

    def servers(self, mechanism: str, location: str = "") -> dict[str, list[str]]:
        """Unit to the drivers that are tried, for keys at a location."""
        outcome = self.bindings.outcomes[mechanism]
        return {
            binding.unit: [capability.driver for capability in binding.chain]
            for binding in outcome.bindings
            if binding.location == location
        }


def build(
    root: Path,
    *wants: str,
    board: str = PLAIN,
    settings: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Built:
    """Configure and generate the application with these wants."""
    write_app(root, *wants)
    build_dir = folder or root / "build" / f"{APP}-{board}"
    settled = api.configure(root, APP, board, build_dir, settings or {})
    if not (root / "drivers").is_symlink():
        write_driver_code(settled.tree)
    return Built(root, build_dir, api.generate_for(settled))


def reload(built: Built, board: str = PLAIN) -> list[api.ExplainRow]:
    return api.explain(built.root, APP, board, built.folder)


# The C of the drivers


def write_driver_code(tree: Tree) -> None:
    """Contexts and functions of every driver, as far as they are not there."""
    for driver in tree.drivers.values():
        files = _driver_code(tree, driver)
        for name, text in files.items():
            path = driver.folder / name
            if not path.exists():
                path.write_text(text)


def _guarded(name: str, body: Sequence[str]) -> str:
    guard = name.upper().replace(".", "_")
    return "\n".join([f"#ifndef {guard}", f"#define {guard}", *body, "#endif", ""])


def _say(name: str, constants: Sequence[str]) -> str:
    """A body that tells who was called, and with which constants."""
    if not constants:
        return f' return probe("{name}");'
    form = ", ".join("%d" for _ in constants)
    values = ", ".join(f"(int){constant}" for constant in constants)
    return (
        f' char text[64]; (void)snprintf(text, sizeof text, "{name}({form})",'
        f" {values}); return probe(text);"
    )


def _driver_code(tree: Tree, driver: Driver) -> dict[str, str]:
    contexts: dict[str, dict[str, str]] = {}
    functions: dict[str, str] = {}
    for capability in driver.capabilities:
        if capability.context_header:
            used = "".join(f" corral_{name}_context_t {name};" for name in capability.uses)
            size = 8 + 4 * len(contexts.get(capability.context_header, {}))
            text = f"typedef struct {{ uint8_t state[{size}];{used} }} {capability.context};"
            contexts.setdefault(capability.context_header, {})[capability.context] = text
        for name, row in capability.entry_points.items():
            if not capability.has(name):
                continue
            function = capability.function(name)
            declared = driver.prototypes[function.name].parameters
            constants = [parameter_name(p) for p in declared[: len(function.constants)]]
            signature = f"{function.name}({', '.join(declared) or 'void'})"
            unused = " ".join(f"(void){p.name};" for p in row.parameters)
            functions[signature] = unused + _say(function.name, constants)
    files = {
        name: _guarded(
            name,
            [
                "#include <stdint.h>",
                *sorted(
                    f"#include <corral/contexts/{layer}.h>"
                    for c in driver.capabilities
                    if c.context_header == name
                    for layer in c.uses
                ),
                *texts.values(),
            ],
        )
        for name, texts in contexts.items()
    }
    if driver.device is not None:
        files[driver.device.header] = _guarded(driver.device.header, _device(driver))
    code = ["#include <stdio.h>", f"#include <corral/drivers/{driver.name}/entry_points.h>"]
    code += ["psa_status_t probe(const char *name);"]
    code += [f"psa_status_t {signature} {{ {body} }}" for signature, body in functions.items()]
    files["functions.c"] = "\n".join([*code, ""])
    for source in {*driver.sources, *(s for c in driver.capabilities for s in c.sources)}:
        files.setdefault(source, "typedef int nothing_here;\n")
    return files


def _device(driver: Driver) -> list[str]:
    assert driver.device is not None
    lines = ["#include <stdbool.h>", "#include <stdint.h>", "#include <psa/crypto_types.h>"]
    constants = [c for f in driver.device.fields for c in f.values.values()]
    if constants:
        lines.append(f"enum {{ {', '.join(constants)} }};")
    lines.append(f"{driver.device.type} {{")
    for device_field in driver.device.fields:
        length = f"[{device_field.maximum_length}]" if device_field.maximum_length else ""
        kind = "bool" if device_field.type == "boolean" else "uint8_t"
        lines.append(f"    {kind} {device_field.name}{length};")
    return [*lines, "    psa_key_location_t location;", "    uint8_t index;", "};"]


def include_flags(built: Built) -> list[str]:
    return [f"-I{folder}" for folder in (built.folder / "gen", ROOT / "include")]


def compile_text(
    built: Built, text: str, compiler: str = "gcc", language: Sequence[str] = ("-std=c11", "-xc")
) -> None:
    """Check that a translation unit compiles without a warning."""
    done = subprocess.run(
        [compiler, *language, "-fsyntax-only", *WARNINGS, *include_flags(built), "-"],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]


def headers_of(built: Built) -> list[str]:
    gen = built.folder / "gen"
    return [str(path.relative_to(gen)) for path in sorted(gen.rglob("*.h"))]


def compile_everything(built: Built, compiler: str = "gcc") -> None:
    """Each generated header by itself, then all at once."""
    names = headers_of(built)
    text = "".join(f"#include <{name}>\n" for name in names)
    compile_text(built, text + "extern int nothing;\n", compiler)
    for name in names:
        compile_text(built, f"#include <{name}>\nextern int nothing;\n", compiler)


PROBE_MAIN = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <corral/dispatch/agreement.h>
#include <corral/dispatch/block.h>
#include <corral/dispatch/cipher.h>
#include <corral/dispatch/hash.h>
#include <corral/dispatch/init.h>
#include <corral/dispatch/key.h>
#include <corral/dispatch/mac.h>
#include <corral/dispatch/random.h>
#include <corral/dispatch/serves.h>
#include <corral/dispatch/sign.h>
#include <corral/locations.h>

/* Names given by the environment answer NOT_SUPPORTED. */
static char log_of_calls[4096];

psa_status_t probe(const char *name)
{
    const char *refusing = getenv("PROBE_REFUSES");
    char framed[128];

    (void)snprintf(framed, sizeof framed, " %s ", name);
    strcat(log_of_calls, name);
    strcat(log_of_calls, " ");
    return refusing != NULL && strstr(refusing, framed) != NULL ? PSA_ERROR_NOT_SUPPORTED
                                                                : PSA_SUCCESS;
}

void corral_wipe(void *buffer, size_t size)
{
    memset(buffer, 0, size);
}

/* A line for each call: whom it reached, and the status. */
static void say(long status)
{
    printf("%s= %ld\\n", log_of_calls, status);
    log_of_calls[0] = 0;
}

static inline psa_key_attributes_t key(psa_key_type_t type, uint16_t bits,
                                       psa_key_location_t location)
{
    psa_key_attributes_t attributes;

    memset(&attributes, 0, sizeof attributes);
    attributes.type = type;
    attributes.bits = bits;
    attributes.lifetime = location << 8;
    return attributes;
}

static uint8_t in[256];
static uint8_t out[256];
static size_t length;
"""


def run_calls(built: Built, body: str, refusing: Sequence[str] = (), extra: str = "") -> list[str]:
    """Compile a main() of dispatch calls with the build's drivers, run it, return its lines."""
    folder = built.folder / "probe"
    folder.mkdir(exist_ok=True)
    source = folder / "main.c"
    source.write_text(
        f"{PROBE_MAIN}{extra}\nint main(void)\n{{\n(void)in; (void)out; (void)length; (void)key;\n"
        f"{body}\nreturn 0;\n}}\n"
    )
    sources = [source, built.folder / "gen" / "configuration.c", built.folder / "gen" / "devices.c"]
    used = sorted((built.folder / "gen" / "corral" / "drivers").glob("*/entry_points.h"))
    sources += [built.root / "drivers" / path.parent.name / "functions.c" for path in used]
    program = folder / "main"
    done = subprocess.run(
        ["gcc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-O0", "-o",
         str(program), *include_flags(built), *map(str, sources)],
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    environment = {"PROBE_REFUSES": f" {' '.join(refusing)} "}
    result = subprocess.run(
        [str(program)], capture_output=True, text=True, check=False, env=environment
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()
