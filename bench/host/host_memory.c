/* SPDX-License-Identifier: GPL-3.0-or-later */
/* host_memory.c - read, copy and Adam over host memory, by threads that each
 * touch their part of it first. */
#include "bench/host/host_memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "bench/host/record.h"

enum { MAX_THREADS = 4096, ALIGNMENT = 4096 };

/* The step in which the threads touch their pages. */
enum { TOUCH = 1 };

/* A kernel over a part of the buffers, and what its threads share. */
typedef struct job {
    p3d_host_kernel kernel;
    bench_adam_state adam;
    char *from; /* read, copy */
    char *to;   /* copy */
    int64_t n;  /* bytes, or parameters */
    int n_threads;
    int64_t step; /* threads run once each time that it grows */
    int n_done;   /* of this step */
    bool stop;
    pthread_mutex_t lock; /* of the three above */
    pthread_cond_t changed;
} job;

typedef struct worker {
    job *job;
    int index;
    pthread_t thread;
    uint64_t sum; /* so that reading is not optimized away */
} worker;

static uint64_t read_all(const char *from, int64_t n)
{
    const uint64_t *const words = (const uint64_t *)(const void *)from;
    uint64_t a = 0, b = 0, c = 0, d = 0;

    for (int64_t i = 0; i + 4 <= n / 8; i += 4) {
        a += words[i];
        b += words[i + 1];
        c += words[i + 2];
        d += words[i + 3];
    }
    return a + b + c + d;
}

/* A thread's part of the buffers, in whole pages. */
static void find_part(const job *j, int index, int64_t *from, int64_t *to)
{
    const int64_t pages = j->n / ALIGNMENT;

    *from = pages * index / j->n_threads * ALIGNMENT;
    *to = index + 1 == j->n_threads
                  ? j->n
                  : pages * (index + 1) / j->n_threads * ALIGNMENT;
}

/* A page lies in the memory of the processor that writes it first: a thread's
 * pages shall lie beside the thread. */
static void touch_part(const job *j, int64_t from, int64_t to)
{
    const size_t n = (size_t)(to - from);

    if (j->kernel != P3D_HOST_ADAM) {
        memset(j->from + from, 0, n);
        if (j->kernel == P3D_HOST_COPY)
            memset(j->to + from, 0, n);
        return;
    }
    memset(j->adam.weights + from, 0, n * sizeof(float));
    memset(j->adam.gradients + from, 0, n * sizeof(float));
    memset(j->adam.m + from, 0, n * sizeof(float));
    memset(j->adam.v + from, 0, n * sizeof(float));
    memset(j->adam.rounded + from, 0, n * sizeof(uint16_t));
}

static void run_part(worker *w)
{
    const job *const j = w->job;
    int64_t from, to;

    find_part(j, w->index, &from, &to);
    if (j->step == TOUCH) {
        touch_part(j, from, to);
        return;
    }
    switch (j->kernel) {
    case P3D_HOST_READ: w->sum += read_all(j->from + from, to - from); break;
    case P3D_HOST_COPY:
        memcpy(j->to + from, j->from + from, (size_t)(to - from));
        break;
    case P3D_HOST_ADAM:
        bench_adam_step(&j->adam, from, to, j->step - TOUCH);
        break;
    }
}

/* Wait for the next step. @return false when there is none */
static bool wait_for_step(job *j, int64_t done)
{
    bool stop;

    pthread_mutex_lock(&j->lock);
    while (j->step == done && !j->stop)
        pthread_cond_wait(&j->changed, &j->lock);
    stop = j->stop;
    pthread_mutex_unlock(&j->lock);
    return !stop;
}

static void *work(void *argument)
{
    worker *const w = argument;
    job *const j = w->job;

    for (int64_t done = 0; wait_for_step(j, done); done++) {
        run_part(w);
        pthread_mutex_lock(&j->lock);
        j->n_done++;
        pthread_cond_broadcast(&j->changed);
        pthread_mutex_unlock(&j->lock);
    }
    return NULL;
}

/* One sample: from the start of all threads to the end of the last. */
static double run_once(job *j)
{
    const double began_s = p3d_now_s();

    pthread_mutex_lock(&j->lock);
    j->step++;
    j->n_done = 0;
    pthread_cond_broadcast(&j->changed);
    while (j->n_done < j->n_threads)
        pthread_cond_wait(&j->changed, &j->lock);
    pthread_mutex_unlock(&j->lock);
    return p3d_now_s() - began_s;
}

static void run_samples(job *j, double *samples_s, int n)
{
    (void)run_once(j); /* touches the pages */
    (void)run_once(j); /* warms up */
    for (int i = 0; i < n; i++)
        samples_s[i] = run_once(j);
}

static void stop(job *j)
{
    pthread_mutex_lock(&j->lock);
    j->stop = true;
    pthread_cond_broadcast(&j->changed);
    pthread_mutex_unlock(&j->lock);
}

static bool start_and_run(
        job *j, worker *workers, double *samples_s, int n, p3d_error *err)
{
    int n_started = 0;
    bool ok;

    pthread_mutex_init(&j->lock, NULL);
    pthread_cond_init(&j->changed, NULL);
    for (; n_started < j->n_threads; n_started++) {
        worker *const w = &workers[n_started];

        *w = (worker){.job = j, .index = n_started};
        if (pthread_create(&w->thread, NULL, work, w) != 0)
            break;
    }
    ok = n_started == j->n_threads;
    if (ok)
        run_samples(j, samples_s, n);
    else
        p3d_fail(err, P3D_SYSTEM,
                "only %d of %d threads could be started; write --threads %d",
                n_started, j->n_threads, n_started > 0 ? n_started : 1);
    stop(j);
    for (int i = 0; i < n_started; i++)
        pthread_join(workers[i].thread, NULL);
    pthread_cond_destroy(&j->changed);
    pthread_mutex_destroy(&j->lock);
    return ok;
}

/* One block of memory is shared out to the kernel's buffers. */
static int64_t place_buffers(job *j, char *memory, int64_t bytes)
{
    if (j->kernel == P3D_HOST_READ) {
        j->from = memory;
        j->n = bytes;
        return j->n / 32 * 32;
    }
    if (j->kernel == P3D_HOST_COPY) {
        j->n = bytes / 2 / ALIGNMENT * ALIGNMENT;
        j->from = memory;
        j->to = memory + j->n;
        return 2 * j->n;
    }
    j->n = bytes / 18 / ALIGNMENT * ALIGNMENT; /* four of 4 bytes, one of 2 */
    j->adam = (bench_adam_state){.weights = (float *)(void *)memory, .n = j->n};
    j->adam.gradients = j->adam.weights + j->n;
    j->adam.m = j->adam.gradients + j->n;
    j->adam.v = j->adam.m + j->n;
    j->adam.rounded = (uint16_t *)(void *)(j->adam.v + j->n);
    return BENCH_ADAM_BYTES * j->n;
}

/* Pages are given out as they are touched: too many of them end the process,
 * not the allocation. */
static bool is_too_much(int64_t bytes)
{
    const double all =
            (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);

    return (double)bytes > 0.75 * all;
}

bool bench_host_measure(p3d_host_row *row, int n_samples, p3d_error *err)
{
    const int n_threads = (int)row->n_threads;
    const int64_t least = 18 * ALIGNMENT * row->n_threads;
    const int64_t n = row->bytes < least ? least : row->bytes;
    job j = {.kernel = (p3d_host_kernel)row->kernel, .n_threads = n_threads};
    double *const samples = calloc((size_t)n_samples, sizeof(*samples));
    worker *const workers = calloc((size_t)n_threads, sizeof(*workers));
    char *memory = NULL;
    bool ok = false;

    if (samples == NULL || workers == NULL || n_threads > MAX_THREADS ||
            is_too_much(n) ||
            posix_memalign((void **)&memory, ALIGNMENT, (size_t)n) != 0) {
        p3d_fail(err, P3D_SYSTEM,
                "no %.4g GiB of host memory; less than that is free",
                (double)n / 1073741824.0);
        goto out;
    }
    row->bytes = place_buffers(&j, memory, n);
    ok = start_and_run(&j, workers, samples, n_samples, err);
    if (ok)
        row->timing = bench_timing(samples, n_samples);
out:
    free(memory);
    free(workers);
    free(samples);
    return ok;
}
