/* SPDX-License-Identifier: Apache-2.0 */
/* Slots and tokens: one for each place of keys. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <corral/locations.h>
#include <corral/version.h>

#include "module.h"

static const psa_key_location_t locations[] = {PSA_KEY_LOCATION_LOCAL_STORAGE,
                                               CORRAL_ELEMENT_LOCATIONS};
static const char *const names[] = {"", CORRAL_ELEMENT_NAMES};

#define SLOTS (sizeof locations / sizeof locations[0])

bool slot_exists(CK_SLOT_ID slot)
{
    return slot < SLOTS;
}

psa_key_location_t slot_location(CK_SLOT_ID slot)
{
    return locations[slot];
}

/* Without a name, the port would look for its folder in the working directory of the program. */
bool token_is_present(void)
{
    const char *storage = getenv("CORRAL_STORAGE");

    return storage != NULL && storage[0] != '\0';
}

/* Fill a field of an answer: no null behind it, but spaces. */
static void put_text(CK_UTF8CHAR *field, size_t size, const char *text)
{
    const size_t length = strlen(text);

    memset(field, ' ', size);
    memcpy(field, text, length < size ? length : size);
}

static void put_name(CK_UTF8CHAR *field, size_t size, CK_SLOT_ID slot)
{
    char text[64];

    (void)snprintf(text, sizeof text, slot == 0 ? "Corral%s" : "Corral %s", names[slot]);
    put_text(field, size, text);
}

static CK_RV list_slots(CK_BBOOL with_token, CK_SLOT_ID *slots, CK_ULONG *count)
{
    const CK_ULONG found = with_token && !token_is_present() ? 0 : SLOTS;

    if (count == NULL) {
        return CKR_ARGUMENTS_BAD;
    }
    const CK_ULONG room = *count;
    *count = found;
    if (slots == NULL) {
        return CKR_OK;
    }
    if (room < found) {
        return CKR_BUFFER_TOO_SMALL;
    }
    for (CK_SLOT_ID slot = 0; slot < found; slot++) {
        slots[slot] = slot;
    }
    return CKR_OK;
}

CK_RV C_GetSlotList(unsigned char with_token, CK_SLOT_ID *slots, CK_ULONG *count)
{
    const CK_RV rv = enter();

    return rv != CKR_OK ? rv : leave(list_slots(with_token, slots, count));
}

/* Check the arguments of a function about a slot. */
static CK_RV check(CK_SLOT_ID slot, const void *info, bool needs_token)
{
    if (!slot_exists(slot)) {
        return CKR_SLOT_ID_INVALID;
    }
    if (info == NULL) {
        return CKR_ARGUMENTS_BAD;
    }
    return needs_token && !token_is_present() ? CKR_TOKEN_NOT_PRESENT : CKR_OK;
}

CK_RV C_GetSlotInfo(CK_SLOT_ID slot, CK_SLOT_INFO *info)
{
    CK_RV rv = enter();

    if (rv != CKR_OK) {
        return rv;
    }
    rv = check(slot, info, false);
    if (rv == CKR_OK) {
        memset(info, 0, sizeof *info);
        put_name(info->slotDescription, sizeof info->slotDescription, slot);
        put_text(info->manufacturerID, sizeof info->manufacturerID, "Corral");
        info->flags = (token_is_present() ? CKF_TOKEN_PRESENT : 0) | (slot > 0 ? CKF_HW_SLOT : 0);
    }
    return leave(rv);
}

static void describe_token(CK_SLOT_ID slot, CK_TOKEN_INFO *info)
{
    char serial[17];

    memset(info, 0, sizeof *info);
    put_name(info->label, sizeof info->label, slot);
    put_text(info->manufacturerID, sizeof info->manufacturerID, "Corral");
    put_text(info->model, sizeof info->model, slot == 0 ? "storage" : "element");
    (void)snprintf(serial, sizeof serial, "%016lx", (unsigned long)locations[slot]);
    memcpy(info->serialNumber, serial, sizeof info->serialNumber);
    info->flags = CKF_TOKEN_INITIALIZED | (CORRAL_WANT_GENERATE_RANDOM ? CKF_RNG : 0);
    info->ulMaxSessionCount = CK_EFFECTIVELY_INFINITE;
    info->ulSessionCount = CK_UNAVAILABLE_INFORMATION;
    info->ulMaxRwSessionCount = CK_EFFECTIVELY_INFINITE;
    info->ulRwSessionCount = CK_UNAVAILABLE_INFORMATION;
    info->ulTotalPublicMemory = CK_UNAVAILABLE_INFORMATION;
    info->ulFreePublicMemory = CK_UNAVAILABLE_INFORMATION;
    info->ulTotalPrivateMemory = CK_UNAVAILABLE_INFORMATION;
    info->ulFreePrivateMemory = CK_UNAVAILABLE_INFORMATION;
    info->firmwareVersion.major = CORRAL_VERSION_MAJOR;
    info->firmwareVersion.minor = CORRAL_VERSION_MINOR;
    memset(info->utcTime, ' ', sizeof info->utcTime);
}

CK_RV C_GetTokenInfo(CK_SLOT_ID slot, CK_TOKEN_INFO *info)
{
    CK_RV rv = enter();

    if (rv != CKR_OK) {
        return rv;
    }
    rv = check(slot, info, true);
    if (rv == CKR_OK) {
        describe_token(slot, info);
    }
    return leave(rv);
}

static CK_RV list_mechanisms(psa_key_location_t place, CK_MECHANISM_TYPE *types, CK_ULONG *count)
{
    const CK_ULONG room = *count;
    size_t found = 0;

    while (mechanism_at(place, found) != NULL) {
        found++;
    }
    *count = found;
    if (types == NULL) {
        return CKR_OK;
    }
    if (room < found) {
        return CKR_BUFFER_TOO_SMALL;
    }
    for (size_t i = 0; i < found; i++) {
        types[i] = mechanism_at(place, i)->type;
    }
    return CKR_OK;
}

CK_RV C_GetMechanismList(CK_SLOT_ID slot, CK_MECHANISM_TYPE *types, CK_ULONG *count)
{
    CK_RV rv = enter();

    if (rv != CKR_OK) {
        return rv;
    }
    rv = check(slot, count, true);
    return leave(rv == CKR_OK ? list_mechanisms(slot_location(slot), types, count) : rv);
}

CK_RV C_GetMechanismInfo(CK_SLOT_ID slot, CK_MECHANISM_TYPE type, CK_MECHANISM_INFO *info)
{
    CK_RV rv = enter();

    if (rv != CKR_OK) {
        return rv;
    }
    rv = check(slot, info, true);
    return leave(rv == CKR_OK ? mechanism_info(slot_location(slot), type, info) : rv);
}

/* Slots and tokens never change. */
CK_RV C_WaitForSlotEvent(CK_FLAGS flags, CK_SLOT_ID *slot, void *reserved)
{
    const CK_RV rv = enter();

    if (rv != CKR_OK) {
        return rv;
    }
    if (slot == NULL || reserved != NULL) {
        return leave(CKR_ARGUMENTS_BAD);
    }
    return leave((flags & CKF_DONT_BLOCK) != 0 ? CKR_NO_EVENT : CKR_FUNCTION_NOT_SUPPORTED);
}
