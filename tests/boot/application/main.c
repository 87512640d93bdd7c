/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An application that a boot loader starts. It prints its version and state, installs the image in
 * the input file, and judges itself on trial by the last number of its version.
 */
#include <stdio.h>

#include <corral/board.h>
#include <psa/crypto.h>
#include <psa/update.h>

void SVC_Handler(void);

static volatile bool has_called;

/* Of this image: the processor finds it only by the table of this image. */
void SVC_Handler(void)
{
    has_called = true;
}

enum judgement { ACCEPTS, HESITATES, CRASHES, REJECTS };

static psa_status_t receive(void)
{
    uint8_t block[4096];
    size_t offset = 0;
    size_t length;

    psa_status_t status = psa_fwu_start(0, NULL, 0);
    while (status == PSA_SUCCESS && corral_board_input_read(block, sizeof block, &length) &&
           length > 0) {
        status = psa_fwu_write(0, offset, block, length);
        offset += length;
    }
    if (status == PSA_SUCCESS) {
        status = psa_fwu_finish(0);
    }
    return status == PSA_SUCCESS ? psa_fwu_install() : status;
}

static psa_status_t judge(unsigned version)
{
    psa_status_t status;

    switch (version) {
    case ACCEPTS:
        status = psa_fwu_accept();
        return status == PSA_SUCCESS ? psa_fwu_clean(0) : status;
    case CRASHES:
        __asm__ volatile("udf #0");
        return PSA_SUCCESS;
    case REJECTS:
        return psa_fwu_reject(PSA_ERROR_HARDWARE_FAILURE);
    default:
        return PSA_SUCCESS;
    }
}

int main(void)
{
    psa_fwu_component_info_t info;
    psa_status_t status = psa_crypto_init();

    __asm__ volatile("svc #0" : : : "memory");
    if (status == PSA_SUCCESS && has_called) {
        status = psa_fwu_query(0, &info);
    }
    if (status != PSA_SUCCESS || !has_called) {
        return 1;
    }
    printf("%u.%u.%u %u %d\n", (unsigned)info.version.major, (unsigned)info.version.minor,
           (unsigned)info.version.patch, (unsigned)info.state, (int)info.error);
    if (info.state == PSA_FWU_TRIAL) {
        status = judge(info.version.patch);
    } else if (info.state == PSA_FWU_READY && corral_board_input_rewind()) {
        status = receive();
    }
    if (status == PSA_SUCCESS_REBOOT) {
        status = psa_fwu_request_reboot();
    }
    printf("ends with %d\n", (int)status);
    return status == PSA_SUCCESS ? 0 : 2;
}
