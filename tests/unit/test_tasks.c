/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_tasks.c - tasks that several threads do come to the same as one after
 * the other. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "test.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "base/tasks.h"
#include "plan3d/threads.h"

enum { N = 500 };

/* Threads that the system still allows; -1 = any number. */
static int n_allowed = -1;

typedef int create_function(pthread_t *thread, const pthread_attr_t *attributes,
        void *(*start)(void *), void *of);

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
        void *(*start)(void *), void *of)
{
    void *const found = dlsym(RTLD_NEXT, "pthread_create");
    create_function *create;

    if (n_allowed == 0)
        return EAGAIN;
    n_allowed -= n_allowed > 0;
    memcpy(&create, &found, sizeof(create));
    return create(thread, attributes, start, of);
}

/** What was done, and in which order it was told. */
typedef struct trial {
    int64_t squares[N];
    int64_t begun[N], taken[N];
    int n_begun, n_taken;
    int64_t refuse_at, stop_at; /* by begin, by take; -1 = never */
    atomic_int n_done;
    atomic_int most_thread;
    pthread_t caller;
    bool told_by_caller;
    atomic_int most_nested;
    atomic_int n_stopped;
} trial;

static bool begin(void *context, int64_t task)
{
    trial *const t = context;

    t->told_by_caller =
            t->told_by_caller && pthread_equal(pthread_self(), t->caller);
    if (task == t->refuse_at)
        return false;
    t->begun[t->n_begun++] = task;
    return true;
}

static void raise_to(atomic_int *most, int value)
{
    int seen = atomic_load(most);

    while (seen < value && !atomic_compare_exchange_weak(most, &seen, value))
        ;
}

static void work(void *context, int64_t task, int thread)
{
    trial *const t = context;

    for (volatile int i = 0; i < (int)(task * 7919 % 2000); i++)
        ;
    t->squares[task] = task * task;
    atomic_fetch_add(&t->n_done, 1);
    atomic_fetch_add(&t->n_stopped, p3d_stopped());
    raise_to(&t->most_thread, thread);
}

static bool take(void *context, int64_t task)
{
    trial *const t = context;

    t->told_by_caller =
            t->told_by_caller && pthread_equal(pthread_self(), t->caller);
    if (t->squares[task] != task * task)
        return false;
    t->taken[t->n_taken++] = task;
    return task != t->stop_at;
}

static void run(trial *t, int n_threads, int64_t refuse_at, int64_t stop_at)
{
    const p3d_tasks tasks = {.n = N,
            .n_threads = n_threads,
            .context = t,
            .begin = begin,
            .work = work,
            .take = take};

    memset(t, 0, sizeof(*t));
    t->caller = pthread_self();
    t->told_by_caller = true;
    t->refuse_at = refuse_at;
    t->stop_at = stop_at;
    p3d_tasks_run(&tasks);
    assert_true(t->told_by_caller);
    for (int i = 0; i < t->n_begun; i++)
        assert_int_equal(t->begun[i], i);
    for (int i = 0; i < t->n_taken; i++)
        assert_int_equal(t->taken[i], i);
}

static const int counts[] = {1, 2, 3, 7, 64};

static void all_tasks_are_done_and_taken_in_order(void **state)
{
    static trial t;

    (void)state;
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        run(&t, counts[i], -1, -1);
        assert_int_equal(t.n_begun, N);
        assert_int_equal(t.n_taken, N);
        assert_int_equal(atomic_load(&t.n_done), N);
        assert_true(atomic_load(&t.most_thread) < counts[i]);
    }
}

/* What was begun before is taken all the same. */
static void none_is_begun_from_a_refused_one_on(void **state)
{
    static trial t;

    (void)state;
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        run(&t, counts[i], 41, -1);
        assert_int_equal(t.n_begun, 41);
        assert_int_equal(t.n_taken, 41);
        assert_int_equal(atomic_load(&t.n_done), 41);
    }
}

static void none_is_taken_behind_the_one_that_ends_them(void **state)
{
    static trial t;

    (void)state;
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        run(&t, counts[i], -1, 41);
        assert_int_equal(t.n_taken, 42);
        assert_true(atomic_load(&t.n_done) >= 42);
    }
}

static void fewer_threads_than_wanted_do_the_same(void **state)
{
    static trial t;

    (void)state;
    for (int n = 0; n < 3; n++) {
        n_allowed = n;
        run(&t, 7, -1, -1);
        assert_int_equal(t.n_taken, N);
        assert_int_equal(atomic_load(&t.most_thread), n > 0 ? n - 1 : 0);
    }
    n_allowed = -1;
}

static void threads_stop_when_the_calling_one_is_to(void **state)
{
    static volatile sig_atomic_t asked = 1;
    static trial t;

    (void)state;
    run(&t, 3, -1, -1);
    assert_int_equal(atomic_load(&t.n_stopped), 0);
    p3d_stop_listen((p3d_stop){.by_signal = &asked});
    run(&t, 3, -1, -1);
    p3d_stop_listen((p3d_stop){NULL, NULL});
    assert_int_equal(atomic_load(&t.n_stopped), N);
}

static void nest(void *context, int64_t task, int thread)
{
    trial *const t = context;

    (void)task;
    (void)thread;
    raise_to(&t->most_nested, p3d_threads_for(100));
}

static void threads_are_as_many_as_said_and_one_inside_a_task(void **state)
{
    static trial t;
    const p3d_tasks tasks = {
            .n = 20, .n_threads = 4, .context = &t, .work = nest};

    (void)state;
    assert_int_equal(p3d_threads_allowed(), 1);
    assert_int_equal(p3d_threads_for(100), 1);
    p3d_use_threads(4);
    assert_int_equal(p3d_threads_for(100), 4);
    assert_int_equal(p3d_threads_for(3), 3);
    assert_int_equal(p3d_threads_for(0), 1);
    p3d_tasks_run(&tasks);
    assert_int_equal(atomic_load(&t.most_nested), 1);
    p3d_use_threads(0);
    assert_int_equal(p3d_threads_allowed(), p3d_processors());
    p3d_use_threads(-5);
    assert_int_equal(p3d_threads_allowed(), 1);
    p3d_use_threads(1 << 20);
    assert_int_equal(p3d_threads_allowed(), P3D_MAX_THREADS);
    p3d_use_threads(1);
}

static atomic_int n_ticks;

static void count_tick(void *context)
{
    (void)context;
    atomic_fetch_add(&n_ticks, 1);
}

static void wait_for_tick(void *context, int64_t task, int thread)
{
    (void)context;
    (void)task;
    (void)thread;
    while (atomic_load(&n_ticks) < 2)
        ;
}

static void the_calling_thread_ticks_while_it_waits(void **state)
{
    const p3d_tasks tasks = {
            .n = 2, .n_threads = 2, .work = wait_for_tick, .tick = count_tick};

    (void)state;
    p3d_tasks_run(&tasks);
    assert_true(atomic_load(&n_ticks) >= 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(all_tasks_are_done_and_taken_in_order),
            cmocka_unit_test(none_is_begun_from_a_refused_one_on),
            cmocka_unit_test(none_is_taken_behind_the_one_that_ends_them),
            cmocka_unit_test(fewer_threads_than_wanted_do_the_same),
            cmocka_unit_test(threads_stop_when_the_calling_one_is_to),
            cmocka_unit_test(threads_are_as_many_as_said_and_one_inside_a_task),
            cmocka_unit_test(the_calling_thread_ticks_while_it_waits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
