/* SPDX-License-Identifier: GPL-3.0-or-later */
/* quick_command.c - plan3d-bench quick: what calibrate needs of a machine, one
 * part after the other, into one file; a run that ended early is taken up. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/util.h"
#include "bench/device/commands.h"
#include "bench/device/together.h"

enum { MOST_KINDS = 3 };

/* A part: what it measures, its rows, and what it usually takes: on one H100 as
 * measured, of collectives on eight GPUs as expected. The first are those
 * without which a plan's time is least known. */
typedef struct part {
    const char *word;
    bench_measure *measure;
    bool is_of_one; /* rank 0 tells, the others wait */
    double usual_s;
    size_t rows[MOST_KINDS]; /* in the file; 0 = none */
} part;

#define ROWS(kind) offsetof(p3d_measurements, kind)
static const part parts[] = {
        {"gemm", bench_gemm_command, false, 5, {ROWS(gemm)}},
        {"nccl", bench_nccl_command, false, 120, {ROWS(collective)}},
        {"attention", bench_attention_command, true, 10, {ROWS(attention)}},
        {"memory", bench_memory_command, true, 15,
                {ROWS(pass), ROWS(copy), ROWS(host)}},
        {"overlap", bench_overlap_command, false, 45, {ROWS(overlap)}},
        {"capacity", bench_capacity_command, false, 5, {ROWS(capacity)}},
};

static p3d_rows *rows_of(p3d_measurements *file, const part *p, int kind)
{
    return kind < MOST_KINDS && p->rows[kind] > 0
                   ? (p3d_rows *)(void *)((char *)file + p->rows[kind])
                   : NULL;
}

static bool has_rows(p3d_measurements *file, const part *p)
{
    for (int k = 0; rows_of(file, p, k) != NULL; k++)
        if (rows_of(file, p, k)->n > 0)
            return true;
    return false;
}

static void clear(p3d_measurements *file, const part *p)
{
    for (int k = 0; rows_of(file, p, k) != NULL; k++)
        rows_of(file, p, k)->n = 0;
}

/* The part in which a run ended: the last with rows. It is measured anew, for
 * nobody knows which of its rows are missing. */
static int part_to_begin_with(p3d_measurements *file)
{
    for (int i = P3D_COUNT_OF(parts) - 1; i > 0; i--)
        if (has_rows(file, &parts[i]))
            return i;
    return 0;
}

static bool check_same(const p3d_machine *was, const p3d_machine *is,
        const char *path, p3d_error *err)
{
    return (strcmp(was->uuid_hash, is->uuid_hash) == 0 &&
                   was->n_ranks == is->n_ranks) ||
           p3d_fail(err, P3D_DATA,
                   "--resume: %s is of another device, or of %lld ranks where "
                   "these are %lld; leave --resume out and write elsewhere",
                   path, (long long)was->n_ranks, (long long)is->n_ranks);
}

/* How notes begin that say how a run ended: those of record.c, and ours. */
static const char INCOMPLETE[] = "incomplete: ";
static const char LATE[] = "left out for time: ";

static bool is_incomplete(const p3d_measurements *file)
{
    return strstr(file->note, INCOMPLETE) != NULL;
}

static bool check_unfinished(
        const p3d_measurements *file, const char *path, p3d_error *err)
{
    return is_incomplete(file) || strstr(file->note, LATE) != NULL ||
           p3d_fail(err, P3D_DATA,
                   "--resume: %s is whole; there is nothing left to measure",
                   path);
}

static bool begins(const char *text, const char *words)
{
    return strncmp(text, words, strlen(words)) == 0;
}

/* What a note says of the rows stays; how the run ended does not. */
static void keep_note(const char *note, bench_record *r)
{
    char sentence[sizeof(r->file.note)];

    while (*note != '\0') {
        const size_t n = strcspn(note, ";");

        snprintf(sentence, sizeof(sentence), "%.*s", (int)n, note);
        if (!begins(sentence, INCOMPLETE) && !begins(sentence, LATE))
            bench_note(r, sentence);
        note += n;
        note += strspn(note, "; ");
    }
}

/* The record goes on with the rows of a file, as measured by this run. */
static void go_on_with(p3d_measurements *was, int first, bench_record *r)
{
    for (int i = first; i < P3D_COUNT_OF(parts); i++)
        clear(was, &parts[i]);
    was->machine = r->file.machine;
    memcpy(was->command, r->file.command, sizeof(was->command));
    memcpy(was->date, r->file.date, sizeof(was->date));
    p3d_measurements_free(&r->file);
    r->file = *was;
    r->file.note[0] = '\0';
    keep_note(was->note, r);
    r->written = true;
    for (int i = 0; i < first; i++)
        r->n_rows += has_rows(&r->file, &parts[i]);
}

/* Take the rows of a run that ended early. What was left out for time follows a
 * part that is whole. */
static bool take_up(bench_task *task, int *first, p3d_error *err)
{
    const char *const path = task->args->output;
    bench_record *const r = task->record;
    p3d_measurements was;

    if (!p3d_measurements_open(path, &was, err))
        return false;
    if (!check_same(&was.machine, &r->file.machine, path, err) ||
            !check_unfinished(&was, path, err)) {
        p3d_measurements_free(&was);
        return false;
    }
    *first = part_to_begin_with(&was) + !is_incomplete(&was);
    go_on_with(&was, *first, r);
    return true;
}

/* Of each type the largest product runs on. */
static double sustained_s(const bench_args *args)
{
    double sum_s = 0;

    for (int number = 0; number < P3D_N_NUMBERS; number++)
        sum_s += args->sustain_s * (args->numbers >> number & 1);
    return sum_s;
}

static double usual_s(const bench_args *args, int first, int end)
{
    double sum_s = 0;

    for (int i = first; i < end; i++)
        sum_s += parts[i].usual_s + (parts[i].measure == bench_gemm_command
                                                    ? sustained_s(args)
                                                    : 0);
    return sum_s;
}

/* What is left takes as much longer than usual as what is done. */
static double left_s(const bench_args *args, int first, int i, double elapsed_s)
{
    const double done_s = usual_s(args, first, i);
    const double pace = done_s > 0 ? elapsed_s / done_s : 1;

    return pace * usual_s(args, i, P3D_COUNT_OF(parts));
}

/* "[####......] 2 of 6: nccl; about 4 min left" */
static void say_progress(
        const bench_args *args, int first, int i, double elapsed_s)
{
    enum { BAR = 20 };
    const double all_s = usual_s(args, 0, P3D_COUNT_OF(parts));
    const int full = (int)lround(BAR * usual_s(args, 0, i) / all_s);
    char bar[BAR + 1];

    memset(bar, '.', BAR);
    memset(bar, '#', (size_t)full);
    bar[BAR] = '\0';
    bench_say("[%s] %d of %d: %s; about %.0f min left", bar, i + 1,
            P3D_COUNT_OF(parts), parts[i].word,
            ceil(left_s(args, first, i, elapsed_s) / 60));
}

static bool measure_alone(
        bench_task *task, const part *p, double patience_s, p3d_error *err)
{
    p3d_error cause = {0};
    bench_verdict all;
    bool ok;

    bench_net_rest(task->net);
    ok = task->launch->rank > 0 || p->measure(task, &cause);

    bench_net_wait_up_to(task->net, patience_s);
    if (!bench_agree(task, bench_verdict_of(ok, &cause), &all, err))
        return false;
    bench_net_wait_up_to(task->net, task->args->timeout_s);
    if (all == BENCH_DONE)
        return true;
    if (all == BENCH_FAILED)
        return p3d_fail(err, ok ? P3D_DEVICE : cause.code, "%s",
                ok ? "rank 0 failed" : cause.text);
    return ok || p3d_fail(err, P3D_DATA, "%s", cause.text);
}

/* A part that this machine cannot run is left out, and said so. */
static bool measure_part(
        bench_task *task, const part *p, double patience_s, p3d_error *err)
{
    p3d_error cause = {0};
    char sentence[160];

    if (p->is_of_one ? measure_alone(task, p, patience_s, &cause)
                     : p->measure(task, &cause))
        return true;
    if (cause.code != P3D_DATA) {
        *err = cause;
        return false;
    }
    if (task->launch->rank == 0) {
        bench_say("left out %s: %s", p->word, cause.text);
        snprintf(sentence, sizeof(sentence), "%s was left out: %.100s", p->word,
                cause.text);
        bench_note(task->record, sentence);
    }
    return true;
}

/* All ranks begin with the same part, and end before the same. */
static bool tell(bench_task *task, int *number, p3d_error *err)
{
    return task->launch->n_ranks == 1 ||
           bench_net_broadcast(task->net, number, sizeof(*number), err);
}

static void leave_out(bench_task *task, int i)
{
    char sentence[160];

    (void)p3d_copy(sentence, sizeof(sentence), LATE);
    for (; i < P3D_COUNT_OF(parts); i++) {
        const size_t n = strlen(sentence);

        snprintf(sentence + n, sizeof(sentence) - n, "%s%s", parts[i].word,
                i + 1 < P3D_COUNT_OF(parts) ? ", " : "");
    }
    bench_note(task->record, sentence);
    bench_say("%s; --resume measures them", sentence);
}

bool bench_quick_command(bench_task *task, p3d_error *err)
{
    const double began_s = p3d_now_s();
    const bool is_first = task->launch->rank == 0;
    int first = 0;

    if (is_first && task->args->resume && !take_up(task, &first, err))
        return false;
    if (!tell(task, &first, err))
        return false;
    for (int i = first; i < P3D_COUNT_OF(parts); i++) {
        const double elapsed_s = p3d_now_s() - began_s;
        int is_late = elapsed_s > task->args->budget_s;

        if (!tell(task, &is_late, err))
            return false;
        if (is_late && is_first)
            leave_out(task, i);
        if (is_late)
            return true;
        if (is_first)
            say_progress(task->args, first, i, elapsed_s);
        if (!measure_part(task, &parts[i],
                    task->args->timeout_s + task->args->budget_s, err))
            return false;
    }
    return true;
}
