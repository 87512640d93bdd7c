/* SPDX-License-Identifier: Apache-2.0 */
/* Status codes shared by PSA Certified APIs (PSA Status code API 1.0).
 *
 * Every function that returns psa_status_t answers PSA_SUCCESS or one of the negative values below.
 * A status not listed for a function may still come out of it; treat it as a failure. Only
 * firmware update (psa/update.h) returns PSA_SUCCESS_REBOOT. No function of this library returns
 * the other codes at the end: clients of the Firmware Framework use them.
 */
#ifndef PSA_ERROR_H
#define PSA_ERROR_H

#include <stdint.h>

#include <corral/cast.h>

/* Result of a call: zero for success, negative for an error. */
typedef int32_t psa_status_t;

/* Done. */
#define PSA_SUCCESS CORRAL_CAST(psa_status_t, 0)

/* Something failed for which no better code exists. */
#define PSA_ERROR_GENERIC_ERROR CORRAL_CAST(psa_status_t, -132)

/* Refused by a policy: of the key, of its lifetime, or of the device. */
#define PSA_ERROR_NOT_PERMITTED CORRAL_CAST(psa_status_t, -133)

/* The request is valid, but this build or this device does not support it. */
#define PSA_ERROR_NOT_SUPPORTED CORRAL_CAST(psa_status_t, -134)

/* A parameter, or the combination of parameters, can never be valid. */
#define PSA_ERROR_INVALID_ARGUMENT CORRAL_CAST(psa_status_t, -135)

/* The key identifier names no key. */
#define PSA_ERROR_INVALID_HANDLE CORRAL_CAST(psa_status_t, -136)

/* Wrong moment: the library is not initialised, or the operation object is not in the state
 * that this call needs. */
#define PSA_ERROR_BAD_STATE CORRAL_CAST(psa_status_t, -137)

/* An output buffer is too short; the sizing macros tell how long it must be. */
#define PSA_ERROR_BUFFER_TOO_SMALL CORRAL_CAST(psa_status_t, -138)

/* An object with this identifier exists already. */
#define PSA_ERROR_ALREADY_EXISTS CORRAL_CAST(psa_status_t, -139)

/* No object with this identifier exists. */
#define PSA_ERROR_DOES_NOT_EXIST CORRAL_CAST(psa_status_t, -140)

/* Out of working memory, for example of key slots. */
#define PSA_ERROR_INSUFFICIENT_MEMORY CORRAL_CAST(psa_status_t, -141)

/* Out of persistent storage. */
#define PSA_ERROR_INSUFFICIENT_STORAGE CORRAL_CAST(psa_status_t, -142)

/* A source has less data left than was asked for. */
#define PSA_ERROR_INSUFFICIENT_DATA CORRAL_CAST(psa_status_t, -143)

/* A service that was asked could not begin its work. */
#define PSA_ERROR_SERVICE_FAILURE CORRAL_CAST(psa_status_t, -144)

/* The device or service that does the work could not be reached, or its answer was lost.
 * Whether it acted is not known. */
#define PSA_ERROR_COMMUNICATION_FAILURE CORRAL_CAST(psa_status_t, -145)

/* Reading or writing persistent storage failed. */
#define PSA_ERROR_STORAGE_FAILURE CORRAL_CAST(psa_status_t, -146)

/* Hardware malfunction. */
#define PSA_ERROR_HARDWARE_FAILURE CORRAL_CAST(psa_status_t, -147)

/* A signature, MAC, tag or hash does not match. */
#define PSA_ERROR_INVALID_SIGNATURE CORRAL_CAST(psa_status_t, -149)

/* Tampering or memory corruption was noticed; stop trusting the device. */
#define PSA_ERROR_CORRUPTION_DETECTED CORRAL_CAST(psa_status_t, -151)

/* Stored data was damaged. */
#define PSA_ERROR_DATA_CORRUPT CORRAL_CAST(psa_status_t, -152)

/* Stored data is intact, but not in a form that this version understands. */
#define PSA_ERROR_DATA_INVALID CORRAL_CAST(psa_status_t, -153)

/* The caller misused a service in a way that no correct program does. */
#define PSA_ERROR_PROGRAMMER_ERROR CORRAL_CAST(psa_status_t, -129)

/* The caller may not connect to the service. */
#define PSA_ERROR_CONNECTION_REFUSED CORRAL_CAST(psa_status_t, -130)

/* The service accepts no further connection now. */
#define PSA_ERROR_CONNECTION_BUSY CORRAL_CAST(psa_status_t, -131)

/* An update needs another image to be updated first. */
#define PSA_ERROR_DEPENDENCY_NEEDED CORRAL_CAST(psa_status_t, -156)

/* Done; the device has to be reset to finish. */
#define PSA_SUCCESS_REBOOT CORRAL_CAST(psa_status_t, 1)

/* Done; components have to be started again to finish. */
#define PSA_SUCCESS_RESTART CORRAL_CAST(psa_status_t, 2)

#endif
