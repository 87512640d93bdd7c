/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys as objects. A handle is made of the identifier of the key and the class, so stored keys need
 * no table, and their handles are the same in each session and each process.
 */
#include <stdlib.h>
#include <string.h>

#include <corral/builtin.h>
#include <corral/driver.h>
#include <corral/lock.h>
#include <corral/port.h>
#include <psa/internal_trusted_storage.h>

#include "template.h"

/* The notes are entries of the storage, whose numbers end with that of the key. */
#define NOTE_UIDS ((psa_storage_uid_t)0x504b4331u << 32)
#define NOTE_HEAD 3u /* these flags, and two lengths */
#define NOTE_GENERATED 0x01u
#define NOTE_PUBLIC_HIDDEN 0x02u
#define NOTE_MAX_SIZE (NOTE_HEAD + ID_MAX_SIZE + LABEL_MAX_SIZE)

#define CLASSES 4u /* handle = identifier * CLASSES + class - CKO_PUBLIC_KEY + 1 */

#define BUILTIN_KEY(index) (CORRAL_BUILTIN_KEY_FIRST + ((psa_key_id_t)(index) << 16))

/* A volatile key, and the session that it ends with. */
struct session_key {
    struct session_key *next;
    CK_SESSION_HANDLE session;
    CK_SLOT_ID slot;
    psa_key_id_t key;
    struct note note;
};

static struct session_key *session_keys;

CK_OBJECT_HANDLE object_handle(psa_key_id_t key, CK_OBJECT_CLASS class)
{
    return key * (CK_OBJECT_HANDLE)CLASSES + class - CKO_PUBLIC_KEY + 1;
}

bool object_is_stored(const struct object *object)
{
    return !PSA_KEY_LIFETIME_IS_VOLATILE(psa_get_key_lifetime(&object->attributes));
}

psa_key_location_t object_location(const struct object *object)
{
    return PSA_KEY_LIFETIME_GET_LOCATION(psa_get_key_lifetime(&object->attributes));
}

static struct session_key *find_session_key(psa_key_id_t key)
{
    struct session_key *found = session_keys;

    while (found != NULL && found->key != key) {
        found = found->next;
    }
    return found;
}

bool session_key_add(CK_SESSION_HANDLE session, CK_SLOT_ID slot, psa_key_id_t key,
                     const struct note *note)
{
    struct session_key *added = malloc(sizeof *added);

    if (added == NULL) {
        return false;
    }
    *added = (struct session_key){session_keys, session, slot, key, *note};
    session_keys = added;
    return true;
}

/* Forget a volatile key, or all of a session. */
static void forget(psa_key_id_t key, CK_SESSION_HANDLE session)
{
    struct session_key **at = &session_keys;

    while (*at != NULL) {
        struct session_key *found = *at;
        if (found->key == key || found->session == session) {
            *at = found->next;
            (void)psa_destroy_key(found->key);
            free(found);
        } else {
            at = &found->next;
        }
    }
}

void session_keys_destroy(CK_SESSION_HANDLE session)
{
    forget(PSA_KEY_ID_NULL, session);
}

CK_RV note_write(psa_key_id_t key, const struct note *note)
{
    uint8_t entry[NOTE_MAX_SIZE] = {(uint8_t)((note->is_generated ? NOTE_GENERATED : 0u) |
                                              (note->is_public_hidden ? NOTE_PUBLIC_HIDDEN : 0u)),
                                    note->id_length, note->label_length};

    memcpy(entry + NOTE_HEAD, note->id, note->id_length);
    memcpy(entry + NOTE_HEAD + note->id_length, note->label, note->label_length);
    return rv_of(psa_its_set(NOTE_UIDS | key,
                             (size_t)NOTE_HEAD + note->id_length + note->label_length, entry,
                             PSA_STORAGE_FLAG_NONE));
}

void note_remove(psa_key_id_t key)
{
    (void)psa_its_remove(NOTE_UIDS | key);
}

/* Of a key without a note, such as one that another program made, CKA_ID is the identifier. */
static void note_read(psa_key_id_t key, struct note *note)
{
    uint8_t entry[NOTE_MAX_SIZE] = {0};
    size_t length = 0;

    memset(note, 0, sizeof *note);
    const psa_status_t status = psa_its_get(NOTE_UIDS | key, 0, sizeof entry, entry, &length);
    if (status == PSA_SUCCESS && entry[1] <= ID_MAX_SIZE && entry[2] <= LABEL_MAX_SIZE &&
        length == (size_t)NOTE_HEAD + entry[1] + entry[2]) {
        note->is_generated = (entry[0] & NOTE_GENERATED) != 0;
        note->is_public_hidden = (entry[0] & NOTE_PUBLIC_HIDDEN) != 0;
        note->id_length = entry[1];
        note->label_length = entry[2];
        memcpy(note->id, entry + NOTE_HEAD, entry[1]);
        memcpy(note->label, entry + NOTE_HEAD + entry[1], entry[2]);
        return;
    }
    note->id_length = 4;
    for (unsigned i = 0; i < 4; i++) {
        note->id[i] = (uint8_t)(key >> (24 - 8 * i));
    }
}

/* Whether a key can be an object of the class. */
static bool fits(psa_key_type_t type, CK_OBJECT_CLASS class)
{
    if (attribute_key_type(type) == NO_KEY_TYPE) {
        return false;
    }
    switch (class) {
    case CKO_PUBLIC_KEY:
        return PSA_KEY_TYPE_IS_ASYMMETRIC(type);
    case CKO_PRIVATE_KEY:
        return PSA_KEY_TYPE_IS_KEY_PAIR(type);
    default:
        return !PSA_KEY_TYPE_IS_ASYMMETRIC(type);
    }
}

/* Keys that the board came with (CORRAL_BUILTIN_KEYS). */
static bool is_builtin(psa_key_id_t key)
{
    for (unsigned i = 0; i != CORRAL_BUILTIN_KEY_COUNT; i++) {
        if (key == BUILTIN_KEY(i)) {
            return true;
        }
    }
    return false;
}

static bool is_public_of_pair(const struct object *object)
{
    return object->class == CKO_PUBLIC_KEY &&
           PSA_KEY_TYPE_IS_KEY_PAIR(psa_get_key_type(&object->attributes));
}

/* object_open() with a key's identifier and a class. */
static bool open_key(const struct session *session, psa_key_id_t key, CK_OBJECT_CLASS class,
                     struct object *object)
{
    const struct session_key *mine = find_session_key(key);

    *object = (struct object){key, class, PSA_KEY_ATTRIBUTES_INIT, {0}};
    if (key == PSA_KEY_ID_NULL || (mine == NULL && key > PSA_KEY_ID_USER_MAX && !is_builtin(key)) ||
        psa_get_key_attributes(key, &object->attributes) != PSA_SUCCESS) {
        return false;
    }
    if (!fits(psa_get_key_type(&object->attributes), class) ||
        object_location(object) != slot_location(session->slot)) {
        return false;
    }
    if (mine != NULL) {
        object->note = mine->note;
    } else {
        note_read(key, &object->note);
    }
    return !(is_public_of_pair(object) && object->note.is_public_hidden);
}

bool object_open(const struct session *session, CK_OBJECT_HANDLE handle, struct object *object)
{
    const CK_OBJECT_HANDLE key = handle / CLASSES;

    return handle % CLASSES != 0 && key <= UINT32_MAX &&
           open_key(session, (psa_key_id_t)key, handle % CLASSES - 1 + CKO_PUBLIC_KEY, object);
}

/* Whether an object has all attributes of a template. */
static bool matches(const struct object *object, const CK_ATTRIBUTE *template, CK_ULONG count)
{
    uint8_t value[ATTRIBUTE_MAX_SIZE];
    size_t length = 0;
    bool is_match = true;

    for (CK_ULONG i = 0; is_match && i < count; i++) {
        is_match = attribute_get(object, template[i].type, value, &length) == CKR_OK &&
                   length == template[i].ulValueLen &&
                   (length == 0 || memcmp(value, template[i].pValue, length) == 0);
    }
    corral_wipe(value, sizeof value); /* it may be a key */
    return is_match;
}

/* A search at work. */
struct search {
    struct session *session;
    const CK_ATTRIBUTE *template;
    CK_ULONG count;
    size_t room;
    CK_RV rv;
};

static void keep(struct search *search, CK_OBJECT_HANDLE handle)
{
    struct session *session = search->session;

    if (session->found_count == search->room) {
        const size_t room = 2 * search->room + 16;
        CK_OBJECT_HANDLE *larger = realloc(session->found, room * sizeof *larger);
        if (larger == NULL) {
            search->rv = CKR_HOST_MEMORY;
            return;
        }
        session->found = larger;
        search->room = room;
    }
    session->found[session->found_count++] = handle;
}

/* Keep the objects of a key that match. */
static void look_at(struct search *search, psa_key_id_t key)
{
    static const CK_OBJECT_CLASS classes[] = {CKO_PRIVATE_KEY, CKO_PUBLIC_KEY, CKO_SECRET_KEY};
    struct object object;

    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        if (open_key(search->session, key, classes[i], &object) &&
            matches(&object, search->template, search->count)) {
            keep(search, object_handle(key, classes[i]));
        }
    }
}

static void search_all(struct search *search)
{
    struct corral_entry_name stored = {0, CORRAL_SPACE_KEYS};
    psa_status_t status;

    while ((status = corral_port_entry_next(&stored)) == PSA_SUCCESS) {
        if (stored.uid <= PSA_KEY_ID_USER_MAX) {
            look_at(search, (psa_key_id_t)stored.uid);
        }
    }
    if (status != PSA_ERROR_DOES_NOT_EXIST) {
        search->rv = rv_of(status); /* a token that cannot be read is not an empty one */
    }
    for (unsigned i = 0; i != CORRAL_BUILTIN_KEY_COUNT; i++) {
        look_at(search, BUILTIN_KEY(i));
    }
    for (const struct session_key *key = session_keys; key != NULL; key = key->next) {
        look_at(search, key->key);
    }
}

static CK_RV find_init(struct session *session, const CK_ATTRIBUTE *template, CK_ULONG count)
{
    struct search search = {session, template, count, 0, CKR_OK};

    if (session->is_finding) {
        return CKR_OPERATION_ACTIVE;
    }
    for (CK_ULONG i = 0; i < count; i++) {
        if (template == NULL || (template[i].pValue == NULL && template[i].ulValueLen > 0)) {
            return CKR_ARGUMENTS_BAD;
        }
    }
    free(session->found);
    session->found = NULL;
    session->found_count = 0;
    session->found_at = 0;
    search_all(&search);
    session->is_finding = search.rv == CKR_OK;
    return search.rv;
}

CK_RV C_FindObjectsInit(CK_SESSION_HANDLE handle, CK_ATTRIBUTE *template, CK_ULONG count)
{
    struct session *session;
    const CK_RV rv = enter_session(handle, &session);

    return rv != CKR_OK ? rv : leave(find_init(session, template, count));
}

static CK_RV find(struct session *session, CK_OBJECT_HANDLE *objects, CK_ULONG room,
                  CK_ULONG *count)
{
    if (!session->is_finding) {
        return CKR_OPERATION_NOT_INITIALIZED;
    }
    if (count == NULL || (objects == NULL && room > 0)) {
        return CKR_ARGUMENTS_BAD;
    }
    *count = 0;
    while (*count < room && session->found_at < session->found_count) {
        objects[(*count)++] = session->found[session->found_at++];
    }
    return CKR_OK;
}

CK_RV C_FindObjects(CK_SESSION_HANDLE handle, CK_OBJECT_HANDLE *objects, CK_ULONG room,
                    CK_ULONG *count)
{
    struct session *session;
    const CK_RV rv = enter_session(handle, &session);

    return rv != CKR_OK ? rv : leave(find(session, objects, room, count));
}

CK_RV C_FindObjectsFinal(CK_SESSION_HANDLE handle)
{
    struct session *session;
    const CK_RV rv = enter_session(handle, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    const bool was_finding = session->is_finding;
    session->is_finding = false;
    return leave(was_finding ? CKR_OK : CKR_OPERATION_NOT_INITIALIZED);
}

/* Write the note of an object again. */
static CK_RV note_change(const struct object *object)
{
    struct session_key *mine = find_session_key(object->key);

    if (mine == NULL) {
        return note_write(object->key, &object->note);
    }
    mine->note = object->note;
    return CKR_OK;
}

static CK_RV destroy_key(psa_key_id_t key)
{
    const psa_status_t status = psa_destroy_key(key);

    if (status == PSA_SUCCESS) {
        note_remove(key);
    }
    return rv_of(status);
}

static bool may_change(const struct session *session, const struct object *object, CK_RV *rv)
{
    *rv = CKR_OK;
    if (is_builtin(object->key)) {
        *rv = CKR_ACTION_PROHIBITED;
    } else if (object_is_stored(object) && !session->is_writable) {
        *rv = CKR_SESSION_READ_ONLY;
    }
    return *rv == CKR_OK;
}

/* PSA Crypto has no pair without its public key, so that is only hidden. */
static CK_RV destroy(const struct session *session, CK_OBJECT_HANDLE handle)
{
    struct object object;
    CK_RV rv;

    if (!object_open(session, handle, &object)) {
        return CKR_OBJECT_HANDLE_INVALID;
    }
    if (!may_change(session, &object, &rv)) {
        return rv;
    }
    if (is_public_of_pair(&object)) {
        object.note.is_public_hidden = true;
        return note_change(&object);
    }
    if (object_is_stored(&object)) {
        return destroy_key(object.key);
    }
    forget(object.key, CK_INVALID_HANDLE);
    return CKR_OK;
}

CK_RV C_DestroyObject(CK_SESSION_HANDLE handle, CK_OBJECT_HANDLE object)
{
    struct session *session;
    const CK_RV rv = enter_session(handle, &session);

    return rv != CKR_OK ? rv : leave(destroy(session, object));
}

/* CKA_ID and CKA_LABEL are the module's own; the others are fixed when a key is made. */
static CK_RV set(const struct session *session, CK_OBJECT_HANDLE handle,
                 const struct templates *templates)
{
    struct object object;

    CK_RV rv = template_check(templates);
    if (rv != CKR_OK) {
        return rv;
    }
    if (!object_open(session, handle, &object)) {
        return CKR_OBJECT_HANDLE_INVALID;
    }
    if (!may_change(session, &object, &rv)) {
        return rv;
    }
    for (CK_ULONG i = 0; i < templates->first_count; i++) {
        if (templates->first[i].type != CKA_ID && templates->first[i].type != CKA_LABEL) {
            return CKR_ATTRIBUTE_READ_ONLY;
        }
    }
    rv = template_note(templates, &object.note);
    return rv == CKR_OK ? note_change(&object) : rv;
}

CK_RV C_SetAttributeValue(CK_SESSION_HANDLE handle, CK_OBJECT_HANDLE object,
                          CK_ATTRIBUTE *attributes, CK_ULONG count)
{
    const struct templates templates = {attributes, count, NULL, 0};
    struct session *session;
    const CK_RV rv = enter_session(handle, &session);

    return rv != CKR_OK ? rv : leave(set(session, object, &templates));
}
