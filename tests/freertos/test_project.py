# SPDX-License-Identifier: Apache-2.0
"""A firmware project with a kernel of its own, made as ports/freertos/README.md says."""

from __future__ import annotations

import re
import subprocess
import textwrap
from pathlib import Path

import pytest
from corral import ROOT
from corral.packages import fetch as packages
from harness import waiting

README = (ROOT / "ports" / "freertos" / "README.md").read_text(encoding="utf-8")
SPECS = "/usr/lib/picolibc/arm-none-eabi/picolibc.specs"
MEMORY = {"flash": 0, "flash_size": 0x400000, "ram": 0x20000000, "ram_size": 0x400000}
#: The project's kernel without the README's lines.
KERNEL = """\
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#define configCPU_CLOCK_HZ 25000000
#define configTICK_RATE_HZ 1000
#define configMAX_PRIORITIES 5
#define configMINIMAL_STACK_SIZE 256
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#define configTOTAL_HEAP_SIZE 65536
#define configMAX_SYSCALL_INTERRUPT_PRIORITY 32
#define configKERNEL_PROVIDED_STATIC_MEMORY 1
#define configUSE_PREEMPTION 1
#define configUSE_IDLE_HOOK 0
#define configUSE_TICK_HOOK 0
#define INCLUDE_vTaskDelete 1
#define vPortSVCHandler arm_svc_isr
#define xPortPendSVHandler arm_pendsv_isr
#define xPortSysTickHandler arm_systick_isr
"""
MAIN = """\
#include <stdio.h>
#include <stdlib.h>

#include <FreeRTOS.h>
#include <psa/crypto.h>
#include <task.h>

static volatile unsigned done;

static void sign(void *key)
{
    uint8_t signature[64];
    size_t length = 0;

    for (;;) {
        static const uint8_t hash[32] = {1, 2, 3};
        if (psa_sign_hash(*(psa_key_id_t *)key, PSA_ALG_ECDSA(PSA_ALG_SHA_256), hash, sizeof hash,
                          signature, sizeof signature, &length) != PSA_SUCCESS) {
            exit(3);
        }
        done++;
    }
}

static void lead(void *unused)
{
    static psa_key_id_t key;
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    TaskHandle_t task;

    (void)unused;
    psa_set_key_type(&attributes, PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1));
    psa_set_key_bits(&attributes, 256);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_SIGN_HASH);
    psa_set_key_algorithm(&attributes, PSA_ALG_ECDSA(PSA_ALG_SHA_256));
    if (psa_crypto_init() != PSA_SUCCESS || psa_generate_key(&attributes, &key) != PSA_SUCCESS) {
        exit(2);
    }
    xTaskCreate(sign, "sign", 4096, &key, 1, &task);
    while (done < 3) {
        vTaskDelay(1);
    }
    const unsigned before = done;
    vTaskDelete(task);
    /* What follows on the call in which it was deleted has not run. */
    if (done != before) {
        exit(6);
    }
    /* Were the key still held, or a lock taken, this would not end well. */
    if (psa_destroy_key(key) != PSA_SUCCESS) {
        exit(4);
    }
    puts("signed");
    exit(0);
}

int main(void)
{
    uint32_t mask;

    /* Memory taken before the scheduler runs leaves interrupts as they are. */
    void *volatile memory = malloc(8);
    free(memory);
    __asm__ volatile("mrs %0, basepri" : "=r"(mask));
    if (mask != 0) {
        return 5;
    }
    xTaskCreate(lead, "lead", 4096, NULL, 2, NULL);
    vTaskStartScheduler();
    return 1;
}
"""


def block(name: str) -> str:
    """The block of the README that follows on the first mention of a file after its step."""
    found = re.search(rf"`{re.escape(name)}`[^\n]*:\n\n( +)```\w*\n(.*?)\n\1```", README, re.S)
    assert found is not None, f"ports/freertos/README.md has no block for {name}"
    return textwrap.dedent(found[2]) + "\n"


def configuration() -> str:
    """FreeRTOSConfig.h with the lines of the README."""
    found = re.search(r"( +)```c\n( +#define configSUPPORT.*?)\n\1```", README, re.S)
    assert found is not None
    return KERNEL + textwrap.dedent(found[2]) + "\n#endif\n"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The README's files, and its command."""
    folder = tmp_path_factory.mktemp("firmware")
    (folder / "boards" / "mine").mkdir(parents=True)
    for name in ("crypto.config", "boards/mine/board.toml", "port.c"):
        (folder / name).write_text(block(name), encoding="utf-8")
    (folder / "main.c").write_text(MAIN, encoding="utf-8")
    (command,) = re.findall(r"^ +/path/to/corral/corral (export .*)$", README, re.M)
    done = waiting.run(
        [ROOT / "corral", *command.split()], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return folder


def compiled(folder: Path, config: str) -> subprocess.CompletedProcess[str]:
    """The project, by a compiler that knows nothing of ours."""
    (folder / "FreeRTOSConfig.h").write_text(config, encoding="utf-8")
    kernel = packages.ensure(ROOT, "freertos")
    port = kernel / "portable" / "GCC" / "ARM_CM3"
    own = [kernel / name for name in ("tasks.c", "queue.c", "list.c")]
    searched = re.findall(r"`(firmware/crypto/[\w/]+)`", README.split("Search headers in")[1])
    assert len(searched) >= 3
    return waiting.run(
        [
            "arm-none-eabi-gcc",
            *("-mcpu=cortex-m4", "-mthumb", f"--specs={SPECS}", "--oslib=semihost"),
            *("--crt0=semihost", "-Os", "-fno-strict-aliasing"),
            *("-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"),
            *(f"-Wl,--defsym=__{name}={value:#x}" for name, value in MEMORY.items()),
            *(f"-I{name}" for name in searched[:3]),
            *("-I.", f"-I{kernel / 'include'}", f"-I{port}"),
            *("main.c", "port.c", *own, kernel / "portable" / "MemMang" / "heap_4.c"),
            port / "port.c",
            *sorted((folder / "firmware" / "crypto" / "src").rglob("*.c")),
            *("-o", "app"),
        ],
        cwd=folder,
        capture_output=True,
        text=True,
    )


def test_project_signs_in_a_task_that_it_deletes(project: Path) -> None:
    built = compiled(project, configuration())
    assert built.returncode == 0, built.stderr
    done = waiting.run(
        [
            *("qemu-system-arm", "-M", "mps2-an386", "-nographic", "-monitor", "none"),
            *("-serial", "stdio", "-icount", "shift=0,sleep=off"),
            *("-semihosting-config", "enable=on,target=native", "-kernel", "app"),
        ],
        cwd=project,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "signed\n")


@pytest.mark.parametrize(
    "line",
    [
        "#define configUSE_MUTEXES 1\n",
        "#define configNUM_THREAD_LOCAL_STORAGE_POINTERS 1\n",
        "#define INCLUDE_eTaskGetState 1\n",
        '#include "corral_freertos.h"\n',
    ],
)
def test_setting_that_is_missing_is_named(project: Path, line: str) -> None:
    config = configuration()
    assert line in config
    built = compiled(project, config.replace(line, ""))
    assert built.returncode != 0
    name = re.split(r"[ \"\n]", line.strip())[1 if "define" in line else 2]
    assert re.search(rf"error: #error .*{name.removeprefix('INCLUDE')}", built.stderr)
