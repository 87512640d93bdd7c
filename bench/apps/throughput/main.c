/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often in a second, through PSA Crypto and by the library's own functions, in turns, by one
 * thread and by two, for messages of several sizes. One line for each: throughput NAME THREADS
 * BYTES API DIRECT API_NS DIRECT_NS, the last two being processor time of one operation, which
 * other programs disturb less.
 */
#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "work.h"

#define THREADS_MAX 2
#define ROUNDS 20
#define ROUND_NS UINT64_C(10000000)
/* Of short messages so many are worked on between two looks at the clock. */
#define SHORT 1024
#define BATCH 32
#define SECOND_NS UINT64_C(1000000000)

static const size_t sizes[] = {16, 64, 256, 1024, 16384, WORK_SIZE_MAX};

struct worker {
    pthread_t thread;
    bool (*once)(size_t bytes);
    size_t bytes;
    unsigned batch;
    uint64_t done; /* in how many nanoseconds: */
    uint64_t spent;
    uint64_t worked; /* of these by the processor */
    bool is_well;
};

/* The best that was seen of one way. */
struct best {
    uint64_t rate;
    uint64_t cost; /* nanoseconds of processor time for one */
};

static uint64_t now(clockid_t clock)
{
    struct timespec time;

    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * SECOND_NS + (uint64_t)time.tv_nsec;
}

static void *run(void *argument)
{
    struct worker *const worker = argument;
    const uint64_t start = now(CLOCK_MONOTONIC);
    const uint64_t start_of_work = now(CLOCK_THREAD_CPUTIME_ID);

    do {
        for (unsigned i = 0; i < worker->batch; i++) {
            worker->is_well = worker->once(worker->bytes) && worker->is_well;
        }
        worker->done += worker->batch;
        worker->spent = now(CLOCK_MONOTONIC) - start;
    } while (worker->spent < ROUND_NS);
    worker->worked = now(CLOCK_THREAD_CPUTIME_ID) - start_of_work;
    return NULL;
}

/* One round by all threads together; whether all went well. */
static bool work_for_a_while(struct worker task, unsigned threads, struct best *best)
{
    struct worker workers[THREADS_MAX];
    uint64_t rate = 0;
    uint64_t worked = 0;
    uint64_t done = 0;
    bool is_well = true;

    for (unsigned i = 0; i < threads; i++) {
        workers[i] = task;
        is_well = pthread_create(&workers[i].thread, NULL, run, &workers[i]) == 0 && is_well;
    }
    for (unsigned i = 0; is_well && i < threads; i++) {
        pthread_join(workers[i].thread, NULL);
        is_well = workers[i].is_well && is_well;
        rate += workers[i].done * SECOND_NS / workers[i].spent;
        worked += workers[i].worked;
        done += workers[i].done;
    }
    if (is_well) {
        best->rate = rate > best->rate ? rate : best->rate;
        best->cost = worked / done < best->cost ? worked / done : best->cost;
    }
    return is_well;
}

/* The best of several rounds, each way in turn, so that a slow moment meets both. */
static bool compare(const struct work *work, size_t bytes, unsigned threads)
{
    const unsigned batch = work->is_short && bytes <= SHORT ? BATCH : 1;
    const struct worker by_api = {
        .once = work->api, .bytes = bytes, .batch = batch, .is_well = true};
    struct worker by_library = by_api;
    struct best api = {0, UINT64_MAX};
    struct best direct = {0, UINT64_MAX};
    bool is_well = true;

    by_library.once = work->direct;
    for (unsigned round = 0; is_well && round < ROUNDS; round++) {
        is_well = work_for_a_while(by_api, threads, &api) &&
                  work_for_a_while(by_library, threads, &direct);
    }
    printf("throughput \"%s\" %u %zu %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", work->name,
           threads, bytes, api.rate, direct.rate, api.cost, direct.cost);
    return is_well;
}

/* By one thread, and by all. */
static bool compare_all(const struct work *work, size_t bytes)
{
    bool is_well = true;

    for (unsigned threads = 1; is_well && threads <= THREADS_MAX; threads++) {
        is_well = compare(work, bytes, threads);
    }
    return is_well;
}

int main(void)
{
    struct work works[WORK_COUNT];
    bool is_well = work_prepare(works);

    for (unsigned i = 0; i < WORK_COUNT && is_well; i++) {
        if (works[i].direct == NULL) {
            continue;
        }
        if (works[i].bytes > 0) {
            is_well = compare_all(&works[i], works[i].bytes);
            continue;
        }
        for (size_t s = 0; is_well && s < sizeof sizes / sizeof sizes[0]; s++) {
            is_well = compare_all(&works[i], sizes[s]);
        }
    }
    return is_well ? 0 : 1;
}
