/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tasks.c - numbered tasks that several threads do, and long work that ends
 * early when somebody asks for it.
 *
 * The calling thread hands a task out when another is free, and takes the
 * results in their order; it calls whatever is not to be called by two threads
 * at once. */
#ifdef __linux__
#    define _GNU_SOURCE /* sched_getaffinity() */
#endif
#include "base/tasks.h"

#include <pthread.h>
#ifdef __linux__
#    include <sched.h>
#endif
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "plan3d/threads.h"

/* Of a thread: searches keep much of their work on it. */
enum { STACK_BYTES = 8 << 20 };

/* Between two ticks. */
enum { TICK_NS = 50 * 1000 * 1000 };

/* Of this thread; 0 = nobody has said: one. */
static _Thread_local int n_allowed;

/** Processors that this process may use: a cluster's job has a part of those
 *  of its node. */
static int count_processors(void)
{
#ifdef __linux__
    cpu_set_t mine;

    if (sched_getaffinity(0, sizeof(mine), &mine) == 0)
        return CPU_COUNT(&mine);
#endif
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

int p3d_processors(void)
{
    const int n = count_processors();

    return n < 1 ? 1 : n > P3D_MAX_THREADS ? P3D_MAX_THREADS : n;
}

void p3d_use_threads(int n)
{
    n_allowed = n == 0                ? p3d_processors()
                : n < 0               ? 1
                : n > P3D_MAX_THREADS ? P3D_MAX_THREADS
                                      : n;
}

int p3d_threads_allowed(void)
{
    return n_allowed > 0 ? n_allowed : 1;
}

int p3d_threads_for(int64_t n_tasks)
{
    const int n = p3d_threads_allowed();

    return n_tasks >= n ? n : n_tasks < 1 ? 1 : (int)n_tasks;
}

/** Tasks at work. The lock guards all but `tasks` and `stop`. */
typedef struct crew {
    const p3d_tasks *tasks;
    p3d_stop stop;
    pthread_mutex_t lock;
    pthread_cond_t handed; /* a task was handed out, or there are no more */
    pthread_cond_t freed;  /* a thread has nothing to do */
    bool *is_done;         /* of the tasks */
    int64_t n_handed, n_begun, n_taken;
    int n_free; /* threads that wait for a task */
    bool ended; /* no more are handed out */
} crew;

typedef struct member {
    crew *crew;
    int number;
    pthread_t thread;
} member;

/** The next task that was handed out. @return false when there are no more */
static bool next_task(crew *c, int64_t *out)
{
    c->n_free++;
    (void)pthread_cond_signal(&c->freed);
    while (c->n_begun == c->n_handed && !c->ended)
        (void)pthread_cond_wait(&c->handed, &c->lock);
    c->n_free--;
    if (c->n_begun == c->n_handed)
        return false;
    *out = c->n_begun++;
    return true;
}

static void *run_member(void *of)
{
    const member *const m = of;
    crew *const c = m->crew;
    int64_t task;

    p3d_stop_listen(c->stop);
    (void)pthread_mutex_lock(&c->lock);
    while (next_task(c, &task)) {
        (void)pthread_mutex_unlock(&c->lock);
        c->tasks->work(c->tasks->context, task, m->number);
        (void)pthread_mutex_lock(&c->lock);
        c->is_done[task] = true;
    }
    (void)pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* What `begin` and `take` say of a task, with the lock open meanwhile. */
static bool tell(crew *c, bool (*one)(void *context, int64_t task), int64_t i)
{
    bool goes_on;

    (void)pthread_mutex_unlock(&c->lock);
    goes_on = one == NULL || one(c->tasks->context, i);
    (void)pthread_mutex_lock(&c->lock);
    return goes_on;
}

static bool may_take(const crew *c)
{
    return c->n_taken < c->n_handed && c->is_done[c->n_taken];
}

static bool may_hand(const crew *c)
{
    return !c->ended && c->n_handed < c->tasks->n &&
           c->n_free > c->n_handed - c->n_begun;
}

/** Wait until a thread is free, or for the next tick. */
static void wait_for_one(crew *c)
{
    struct timespec until;

    if (c->tasks->tick == NULL) {
        (void)pthread_cond_wait(&c->freed, &c->lock);
        return;
    }
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += TICK_NS;
    if (until.tv_nsec >= 1000 * 1000 * 1000) {
        until.tv_nsec -= 1000 * 1000 * 1000;
        until.tv_sec++;
    }
    (void)pthread_cond_timedwait(&c->freed, &c->lock, &until);
    (void)pthread_mutex_unlock(&c->lock);
    c->tasks->tick(c->tasks->context);
    (void)pthread_mutex_lock(&c->lock);
}

static void end(crew *c)
{
    c->ended = true;
    (void)pthread_cond_broadcast(&c->handed);
}

/** Hand out and take, until all that is wanted is taken. */
static void lead(crew *c)
{
    const int64_t n = c->tasks->n;
    bool wanted = true;

    (void)pthread_mutex_lock(&c->lock);
    while (wanted && c->n_taken < (c->ended ? c->n_handed : n)) {
        if (may_take(c)) {
            wanted = tell(c, c->tasks->take, c->n_taken);
            c->n_taken++;
        } else if (!may_hand(c)) {
            wait_for_one(c);
        } else if (tell(c, c->tasks->begin, c->n_handed)) {
            c->n_handed++;
            (void)pthread_cond_signal(&c->handed);
        } else {
            end(c);
        }
    }
    end(c);
    (void)pthread_mutex_unlock(&c->lock);
}

/** By this thread, one after the other. */
static void run_alone(const p3d_tasks *tasks)
{
    bool goes_on = true;

    for (int64_t i = 0; i < tasks->n && goes_on; i++) {
        goes_on = tasks->begin == NULL || tasks->begin(tasks->context, i);
        if (!goes_on)
            return;
        tasks->work(tasks->context, i, 0);
        goes_on = tasks->take == NULL || tasks->take(tasks->context, i);
    }
}

/** Start threads; signals are for the one that was there before.
 *  @return how many the system allows */
static int start(crew *c, member *members)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    int n = 0;

    if (pthread_attr_init(&attributes) != 0)
        return 0;
    (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    while (n < c->tasks->n_threads) {
        members[n] = (member){.crew = c, .number = n};
        if (pthread_create(&members[n].thread, &attributes, run_member,
                    &members[n]) != 0)
            break;
        n++;
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    (void)pthread_attr_destroy(&attributes);
    return n;
}

static void create(crew *c, const p3d_tasks *tasks)
{
    pthread_condattr_t clock;

    *c = (crew){.tasks = tasks, .stop = p3d_stop_asked()};
    (void)pthread_mutex_init(&c->lock, NULL);
    (void)pthread_cond_init(&c->handed, NULL);
    (void)pthread_condattr_init(&clock);
    (void)pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&c->freed, &clock);
    (void)pthread_condattr_destroy(&clock);
}

static void destroy(crew *c)
{
    (void)pthread_mutex_destroy(&c->lock);
    (void)pthread_cond_destroy(&c->handed);
    (void)pthread_cond_destroy(&c->freed);
    free(c->is_done);
}

void p3d_tasks_run(const p3d_tasks *tasks)
{
    member members[P3D_MAX_THREADS];
    int n = 0;
    crew c;

    if (tasks->n_threads < 2 || tasks->n < 2) {
        run_alone(tasks);
        return;
    }
    create(&c, tasks);
    c.is_done = calloc((size_t)tasks->n, sizeof(*c.is_done));
    if (c.is_done != NULL)
        n = start(&c, members);
    if (n > 0)
        lead(&c);
    for (int i = 0; i < n; i++)
        (void)pthread_join(members[i].thread, NULL);
    destroy(&c);
    if (n == 0)
        run_alone(tasks);
}

/* Whom this thread listens to: another one may be at work for somebody else. */
static _Thread_local p3d_stop listens_to;

void p3d_stop_listen(p3d_stop stop)
{
    listens_to = stop;
}

p3d_stop p3d_stop_asked(void)
{
    return listens_to;
}

static bool is_set(const volatile sig_atomic_t *flag)
{
    return flag != NULL && *flag != 0;
}

bool p3d_stopped(void)
{
    return is_set(listens_to.by_signal) || is_set(listens_to.by_caller);
}
