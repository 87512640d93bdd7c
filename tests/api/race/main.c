/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "../../../core/keys/pool.h"
#include "../../harness/threads.h"
#include "race.h"

#define MAX_KINDS 64u

struct thread {
    struct worker worker;
    unsigned created;
    unsigned destroyed;
};

static struct thread threads[TEST_THREADS_MAX];

unsigned race_below(struct worker *worker, unsigned limit)
{
    worker->state = worker->state * 1664525u + 1013904223u;
    return (worker->state >> 16) % limit;
}

bool race_note(struct worker *worker, bool ok, psa_status_t status, const char *file, int line)
{
    if (!ok && worker->failures++ == 0) {
        worker->first_file = file;
        worker->first_line = line;
        worker->first_status = status;
    }
    return ok;
}

bool race_succeeds(struct worker *worker, psa_status_t status, const char *file, int line)
{
    return race_note(worker, status == PSA_SUCCESS, status, file, line);
}

/* A status that a key may have given which others destroy, or for which they leave no slot. */
static bool gave_way(struct worker *worker, psa_status_t status, psa_status_t when_gone)
{
    if (!worker->may_be_gone) {
        return false;
    }
    worker->gone += status == when_gone;
    worker->full += status == PSA_ERROR_INSUFFICIENT_MEMORY;
    return status == when_gone || status == PSA_ERROR_INSUFFICIENT_MEMORY;
}

bool race_use(struct worker *worker, psa_status_t status, const char *file, int line)
{
    return !gave_way(worker, status, PSA_ERROR_INVALID_HANDLE) &&
           race_succeeds(worker, status, file, line);
}

bool race_go_on(struct worker *worker, psa_status_t status, const char *file, int line)
{
    return !gave_way(worker, status, PSA_ERROR_BAD_STATE) &&
           race_succeeds(worker, status, file, line);
}

/* Whether a key could not be created because others have all slots, which may always be. */
static bool is_full(struct worker *worker, psa_status_t status)
{
    worker->full += status == PSA_ERROR_INSUFFICIENT_MEMORY;
    return status == PSA_ERROR_INSUFFICIENT_MEMORY;
}

bool race_make(struct worker *worker, psa_status_t status, const char *file, int line)
{
    return !is_full(worker, status) && race_use(worker, status, file, line);
}

bool race_end(struct worker *worker, psa_status_t status, const char *file, int line)
{
    return !is_full(worker, status) && race_go_on(worker, status, file, line);
}

/* The `turn`-th time of a kind of work: with a key of one's own, or with one of the shared ones. */
static void do_work(struct worker *worker, const struct race_kind *kind, unsigned turn)
{
    const unsigned life = (turn + worker->number) % (RACE_LIVES + 1);

    if (kind->with_key == NULL) {
        kind->without(worker);
    } else if (life < RACE_LIVES) {
        worker->may_be_gone = true;
        kind->with_key(worker, race_shared(kind, (enum race_life)life));
        worker->may_be_gone = false;
    } else {
        const psa_key_id_t key = race_own(worker, kind);
        if (key != PSA_KEY_ID_NULL) {
            kind->with_key(worker, key);
            race_destroy(worker, key);
        }
    }
}

static void work(void *argument)
{
    struct worker *worker = &((struct thread *)argument)->worker;
    unsigned left[MAX_KINDS];
    unsigned sum = 0;

    for (size_t i = 0; i < race_kind_count; i++) {
        left[i] = race_kinds[i]->times;
        sum += left[i];
    }
    for (; sum > 0; sum--) {
        unsigned choice = race_below(worker, sum);
        size_t kind = 0;
        while (choice >= left[kind]) {
            choice -= left[kind++];
        }
        do_work(worker, race_kinds[kind], --left[kind]);
    }
}

static void start(void (*function)(void *))
{
    void *arguments[TEST_THREADS_MAX];

    memset(threads, 0, sizeof threads);
    for (unsigned i = 0; i < test_thread_count; i++) {
        threads[i].worker.number = i;
        threads[i].worker.state = 77 * i + 5;
        arguments[i] = &threads[i];
    }
    test_threads_run(function, arguments);
    for (unsigned i = 0; i < test_thread_count; i++) {
        const struct worker *worker = &threads[i].worker;
        if (worker->failures != 0) {
            printf("thread %u: %u failures, the first at %s:%d, %s\n", i, worker->failures,
                   worker->first_file, worker->first_line, test_status_name(worker->first_status));
        }
        test_context("thread", i);
        CHECK(worker->failures == 0);
    }
    test_context(NULL, 0);
}

/* Slots of a pool that take a key now; they are given back. */
static unsigned room_for(const struct race_kind *kind)
{
    const psa_key_attributes_t attributes = race_attributes(kind);
    psa_key_id_t ids[CORRAL_SINGLE_KEY_SLOTS + CORRAL_KEY_PAIR_SLOTS];
    unsigned n = 0;

    while (n < sizeof ids / sizeof ids[0] &&
           race_import(&threads[0].worker, &attributes, kind, &ids[n]) == PSA_SUCCESS) {
        n++;
    }
    for (unsigned i = 0; i < n; i++) {
        EXPECT(PSA_SUCCESS, psa_destroy_key(ids[i]));
    }
    return n;
}

static void check_nothing_is_left(void)
{
    CHECK(corral_holds() == 0);
    CHECK(room_for(&race_raw) == CORRAL_SINGLE_KEY_SLOTS);
    CHECK(room_for(&race_x25519) == CORRAL_KEY_PAIR_SLOTS);
}

static void threads__all_families__each_call_is_as_if_alone(void)
{
    unsigned done = 0;
    unsigned gone = 0;
    unsigned full = 0;

    REQUIRE(race_kind_count <= MAX_KINDS);
    for (unsigned i = 0; i < race_kind_count; i++) {
        race_kinds[i]->number = i;
    }
    start(work);
    for (unsigned i = 0; i < test_thread_count; i++) {
        done += threads[i].worker.done;
        gone += threads[i].worker.gone;
        full += threads[i].worker.full;
    }
    printf("work done %u times, key gone %u times, no slot %u times\n", done, gone, full);
    CHECK(done > 0 && gone > 0);
    race_settle(&threads[0].worker);
    CHECK(threads[0].worker.failures == 0);
    check_nothing_is_left();
    /* And each kind of work still does what it should. */
    for (size_t i = 0; i < race_kind_count; i++) {
        test_context(race_kinds[i]->name, i);
        threads[0].worker.full = 0;
        do_work(&threads[0].worker, race_kinds[i], RACE_LIVES);
        CHECK(threads[0].worker.failures == 0);
        CHECK(threads[0].worker.full == 0 || race_kinds[i] == &race_hog);
    }
    race_settle(&threads[0].worker);
    check_nothing_is_left();
}

#define CONTESTS 60u
#define CONTESTED 7u

static psa_status_t create_contested(psa_key_usage_t usage, uint8_t value)
{
    psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_RAW_DATA, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT | usage);
    uint8_t data[16];
    psa_key_id_t id;

    memset(data, value, sizeof data);
    psa_set_key_id(&attributes, CONTESTED);
    return psa_import_key(&attributes, data, sizeof data, &id);
}

/* All create the same key at once, and then destroy it. */
static void contest(void *argument)
{
    struct thread *thread = argument;

    for (unsigned i = 0; i < CONTESTS; i++) {
        test_threads_meet();
        const psa_status_t made =
            create_contested(i % 2 == 0 ? PSA_KEY_USAGE_CACHE : 0, (uint8_t)thread->worker.number);
        thread->created += made == PSA_SUCCESS;
        race_note(&thread->worker, made == PSA_SUCCESS || made == PSA_ERROR_ALREADY_EXISTS, made,
                  __FILE__, __LINE__);
        test_threads_meet();
        const psa_status_t gone = psa_destroy_key(CONTESTED);
        thread->destroyed += gone == PSA_SUCCESS;
        race_note(&thread->worker, gone == PSA_SUCCESS || gone == PSA_ERROR_INVALID_HANDLE, gone,
                  __FILE__, __LINE__);
    }
}

static void threads__creating_one_identifier__exactly_one_wins(void)
{
    unsigned created = 0;
    unsigned destroyed = 0;

    start(contest);
    for (unsigned i = 0; i < test_thread_count; i++) {
        created += threads[i].created;
        destroyed += threads[i].destroyed;
    }
    CHECK(created == CONTESTS);
    CHECK(destroyed == CONTESTS);
    check_nothing_is_left();
}

static _Atomic bool is_created;

/* The first creates a key that the others read meanwhile, and destroys it: then no thread finds
 * it. */
static void watch(void *argument)
{
    struct thread *thread = argument;
    uint8_t data[16];
    size_t n;

    for (unsigned i = 0; i < CONTESTS; i++) {
        test_threads_meet();
        if (thread->worker.number == 0) {
            SUCCEEDS(&thread->worker, create_contested(PSA_KEY_USAGE_CACHE, (uint8_t)i));
            atomic_store_explicit(&is_created, true, memory_order_relaxed);
        }
        while (!atomic_load_explicit(&is_created, memory_order_relaxed)) {
            const psa_status_t status = psa_export_key(CONTESTED, data, sizeof data, &n);
            HOLDS(&thread->worker, status == PSA_ERROR_INVALID_HANDLE ||
                                       (status == PSA_SUCCESS && test_all(data, n, (uint8_t)i)));
        }
        test_threads_meet();
        if (thread->worker.number == 0) {
            SUCCEEDS(&thread->worker, psa_destroy_key(CONTESTED));
            atomic_store_explicit(&is_created, false, memory_order_relaxed);
        }
        test_threads_meet();
        HOLDS(&thread->worker,
              psa_export_key(CONTESTED, data, sizeof data, &n) == PSA_ERROR_INVALID_HANDLE);
    }
}

static void threads__reading_a_key_that_is_created__keep_nothing_of_it(void)
{
    start(watch);
    check_nothing_is_left();
}

static const struct test_case tests[] = {
    TEST(threads__creating_one_identifier__exactly_one_wins),
    TEST(threads__reading_a_key_that_is_created__keep_nothing_of_it),
    TEST(threads__all_families__each_call_is_as_if_alone),
};

static TEST_SUITE(race, tests);

int main(void)
{
    const struct test_suite *const suites[] = {&suite_race};

    return test_initialise_and_run(suites, 1);
}
