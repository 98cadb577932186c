/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tasks.h - numbered tasks that several threads do, and whose results are taken
 * in their order: what comes of them is the same for any number of threads; and
 * long work that ends early when somebody asks for it. */
#ifndef PLAN3D_BASE_TASKS_H
#define PLAN3D_BASE_TASKS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

enum { P3D_MAX_THREADS = 256 };

/** Tasks from 0 to below n, none of which needs another's result. */
typedef struct p3d_tasks {
    int64_t n;
    int n_threads; /* as of p3d_threads_for() */
    void *context; /* of all functions */
    /** NULL, or told by the calling thread, in order, before a task is done.
     *  @return false: neither this one nor those that follow are wanted */
    bool (*begin)(void *context, int64_t task);
    /** Do a task, beside others. Memory of a thread's own goes by its number,
     *  from 0 to below n_threads. */
    void (*work)(void *context, int64_t task, int thread);
    /** Take what a task has come to: by the calling thread, in order.
     *  @return false: those that follow are not wanted */
    bool (*take)(void *context, int64_t task);
    /** NULL, or called by the calling thread now and then while it waits. */
    void (*tick)(void *context);
} p3d_tasks;

/** Processors that this process may use. */
int p3d_processors(void);

/** What p3d_use_threads() said in this thread; 1 before that. */
int p3d_threads_allowed(void);

/** Threads that so many tasks of the calling thread are shared among: as many
 *  as p3d_use_threads() said, and one inside a task. */
int p3d_threads_for(int64_t n_tasks);

/** Do the tasks, by this thread where there is one, else by others. These stop
 *  when this one is to (p3d_stopped()), and no signal reaches them. Where the
 *  system refuses threads, fewer do the same. */
void p3d_tasks_run(const p3d_tasks *tasks);

/** Who may end long work: NULL = nobody. */
typedef struct p3d_stop {
    const volatile sig_atomic_t *by_signal; /* its handler has set it */
    const volatile sig_atomic_t *by_caller; /* of this work alone */
} p3d_stop;

/** From here on the work of this thread ends early once a flag is not 0. */
void p3d_stop_listen(p3d_stop stop);

/** What this thread listens to, for others that work for it. */
p3d_stop p3d_stop_asked(void);

/** True when the work of this thread is to end: what it has then is a part, or
 *  nothing. Cheap enough for every loop. */
bool p3d_stopped(void);

#endif
