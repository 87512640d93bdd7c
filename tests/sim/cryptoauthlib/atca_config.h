/* SPDX-License-Identifier: Apache-2.0 */
/* CryptoAuthLib as this test builds it: one ATECC608 on I2C, every function compiled, the library's
 * own software hashes (no other crypto library), polling for answers. */
#ifndef ATCA_CONFIG_H
#define ATCA_CONFIG_H

#define ATCA_HAL_I2C
#define ATCA_ATECC608_SUPPORT
#define ATCA_TA_SUPPORT 0
#define ATCA_CHECK_PARAMS_EN 1
#define ATCA_PREPROCESSOR_WARNING 0
#define ATCA_USE_ATCAB_FUNCTIONS
#define ATCA_POST_DELAY_MSEC 25
#define ATCAC_SHA384_EN 0
#define ATCAC_SHA512_EN 0
#define ATCACERT_COMPCERT_EN 0
#define ATCACERT_FULLSTOREDCERT_EN 0
#define ATCACERT_INTEGRATION_EN 0
#define CALIB_DELETE_EN 0
#define MULTIPART_BUF_EN 0
#define ATCA_PLATFORM_MALLOC malloc
#define ATCA_PLATFORM_FREE free

#define atca_delay_ms hal_delay_ms
#define atca_delay_us hal_delay_us

#endif
