/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nccl_tests.c - what nccl-tests prints, as measurements.
 *
 *     # Collective test starting: all_reduce_perf
 *     # nThread 1 nGpus 8 minBytes ... iters: 20 ...
 *     #  Rank  0 Group  0 Pid  4711 on  node1 device  0 [0000:1b:00] NVIDIA ...
 *     #  size  count  type  redop  root  time  algbw  busbw  #wrong  time ...
 *     1048576  262144  float  sum  -1  32.5  32.2  56.4  0  31.9  32.8  57.5  0
 *     # Avg bus bandwidth    : 57.0
 *
 * The second half of a row is in place. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rows.h"
#include "base/util.h"
#include "exchange/measure/log_lines.h"
#include "exchange/measure/measured_logs.h"

static const struct {
    const char *program;
    p3d_measured_op op;
} programs[] = {
        {"all_reduce", P3D_OP_ALL_REDUCE},
        {"all_gather", P3D_OP_ALL_GATHER},
        {"reduce_scatter", P3D_OP_REDUCE_SCATTER},
        {"alltoall", P3D_OP_ALL_TO_ALL},
        {"broadcast", P3D_OP_BROADCAST},
        {"sendrecv", P3D_OP_SEND_RECV},
};
static const char SUFFIX[] = "_perf";

enum { NONE = -1, MAX_HOSTS = 1024, HOST = 64 };

/* The run at hand: its columns, and the ranks of its first group. */
typedef struct run {
    int op; /* index into programs, or NONE */
    int64_t n_iterations;
    int time_at[2]; /* columns of time, out of place and in place; 0 = none */
    int wrong_at[2];
    int n_columns;
    int64_t bytes; /* of the row */
    int n_ranks;
    int n_groups;
    int n_hosts;
    char host[MAX_HOSTS][HOST];
    bool open; /* rows are expected */
    bool ended;
} run;

bool exchange_is_nccl_tests(const char *text)
{
    return strstr(text, "# nccl-tests version") != NULL ||
           strstr(text, "# nThread ") != NULL ||
           (strstr(text, "algbw") != NULL && strstr(text, "busbw") != NULL);
}

static int program_in(const char *text, size_t n)
{
    for (int i = 0; i < P3D_COUNT_OF(programs); i++) {
        char name[32];
        const size_t length = (size_t)snprintf(
                name, sizeof(name), "%s%s", programs[i].program, SUFFIX);

        for (size_t k = 0; k + length <= n; k++)
            if (memcmp(text + k, name, length) == 0)
                return i;
    }
    return NONE;
}

/* The line that says how the run is made; what was known of the last is
 * forgotten, but the program that a line above may have named. */
static void begin_run(const log_lines *lines, run *r)
{
    const int op = r->op;

    memset(r, 0, sizeof(*r));
    r->op = op;
    r->n_iterations = 1;
    for (int i = 0; i + 2 < lines->n_words; i++) {
        int64_t n = 0;

        if (log_word_is(lines->words[i], "iters:") &&
                !log_word_is(lines->words[i - 1], "warmup") &&
                !log_word_is(lines->words[i - 1], "agg") &&
                log_count(lines->words[i + 1], &n) && n > 0)
            r->n_iterations = n;
    }
}

/* "#  Rank  0 Group  0 Pid  1 on  node1 device  0 [0000:1b:00] NVIDIA H100" */
static bool read_rank(
        const log_lines *lines, run *r, p3d_machine *machine, p3d_error *err)
{
    const char *const bracket = log_find(lines, "] ");
    int64_t group = 0;
    char name[sizeof(machine->name)];
    char host[HOST] = "";
    int i = 0;

    if (bracket == NULL)
        return log_fail(lines, err, "a rank without its device");
    snprintf(name, sizeof(name), "%.*s",
            (int)(lines->line + lines->n - bracket - 2), bracket + 2);
    if (machine->name[0] != '\0' && strcmp(machine->name, name) != 0)
        return log_fail(lines, err,
                "devices of two types: '%.60s' and '%.60s'; give logs of one",
                machine->name, name);
    p3d_copy(machine->name, sizeof(machine->name), name);
    for (int k = 1; k + 1 < lines->n_words; k++) {
        const log_word next = lines->words[k + 1];

        if (log_word_is(lines->words[k], "Group"))
            (void)log_count(next, &group);
        if (log_word_is(lines->words[k], "on"))
            snprintf(host, sizeof(host), "%.*s", (int)next.n, next.at);
    }
    r->n_groups = group >= r->n_groups ? (int)group + 1 : r->n_groups;
    if (group > 0)
        return true;
    r->n_ranks++;
    while (i < r->n_hosts && strcmp(r->host[i], host) != 0)
        i++;
    if (i == MAX_HOSTS)
        return log_fail(lines, err, "more than %d hosts", MAX_HOSTS);
    if (i == r->n_hosts)
        p3d_copy(r->host[r->n_hosts++], HOST, host);
    return true;
}

/* "#  size  count  type  redop  root  time  algbw  busbw  #wrong ..." */
static bool read_columns(const log_lines *lines, run *r, p3d_error *err)
{
    int n = 0;

    r->time_at[0] = r->time_at[1] = 0;
    r->wrong_at[0] = r->wrong_at[1] = 0;
    for (int i = 1; i < lines->n_words; i++) {
        const log_word word = lines->words[i];

        if (log_word_is(word, "cputime"))
            return log_fail(lines, err,
                    "these are times of the host (-C 1), not of the device; "
                    "run it without -C");
        if (log_word_is(word, "time") && n < 2)
            r->time_at[n++] = i - 1;
        if ((log_word_is(word, "#wrong") || log_word_is(word, "error")) &&
                n > 0)
            r->wrong_at[n - 1] = i - 1;
    }
    r->n_columns = lines->n_words - 1;
    if (n == 0)
        return log_fail(lines, err, "no column of times");
    if (r->op == NONE)
        return log_fail(lines, err,
                "which collective this is stands nowhere above; keep the line "
                "with the command, or name the file all_reduce_perf.log");
    if (r->n_ranks == 0)
        return log_fail(lines, err,
                "no line '#  Rank ... device ...' above; keep the whole "
                "output");
    r->open = true;
    return true;
}

static bool add_half(const log_lines *lines, const run *r, int half,
        p3d_measurements *out, p3d_error *err)
{
    const log_word wrong = lines->words[r->wrong_at[half]];
    const p3d_measured_op op = programs[r->op].op;
    p3d_collective_row row = {.op = (int)op,
            .axis = "all",
            .n_ranks = r->n_ranks,
            .n_nodes = r->n_hosts,
            .n_groups = r->n_groups,
            .in_place = half == 1,
            .bytes = r->bytes};
    double time_us = 0;
    double n_wrong = 0;

    if (!log_number(lines->words[r->time_at[half]], &time_us))
        return log_fail(lines, err, "no time where the columns have one");
    if (r->wrong_at[half] > 0 && log_number(wrong, &n_wrong) && n_wrong > 0)
        return log_fail(lines, err,
                "%.0f wrong values: this machine computes wrongly", n_wrong);
    if (r->bytes == 0 || time_us <= 0)
        return true;
    row.timing = (p3d_timing){
            r->n_iterations, 1e-6 * time_us, 1e-6 * time_us, 1e-6 * time_us};
    row.algbw_bytes_per_s = (double)r->bytes / row.timing.median_s;
    row.busbw_bytes_per_s =
            row.algbw_bytes_per_s * p3d_bus_factor(op, row.n_ranks);
    return p3d_rows_add(&out->collective, sizeof(row), &row, err);
}

static bool read_row(const log_lines *lines, const run *r,
        p3d_measurements *out, p3d_error *err)
{
    if (lines->n_words < r->n_columns)
        return log_fail(lines, err,
                "%d of %d columns; the output was cut here, keep all of it",
                lines->n_words, r->n_columns);
    for (int half = 0; half < 2; half++) {
        if ((half == 0 || r->time_at[half] > 0) &&
                !add_half(lines, r, half, out, err))
            return false;
    }
    return true;
}

/* A row begins with a number, whatever stands between the rows. */
static bool begins_with_number(const log_lines *lines, int64_t *bytes)
{
    return lines->n_words >= 2 && log_count(lines->words[0], bytes);
}

static bool read_line(
        const log_lines *lines, run *r, p3d_measurements *out, p3d_error *err)
{
    const int op = program_in(lines->line, lines->n);

    if (op != NONE && !r->open)
        r->op = op;
    if (log_find(lines, "Avg bus bandwidth") != NULL) {
        r->open = false;
        r->ended = true;
        return true;
    }
    if (r->open && begins_with_number(lines, &r->bytes))
        return read_row(lines, r, out, err);
    if (lines->n_words < 3 || !log_word_is(lines->words[0], "#"))
        return true;
    if (log_word_is(lines->words[1], "nThread"))
        begin_run(lines, r);
    else if (log_word_is(lines->words[1], "Rank"))
        return read_rank(lines, r, &out->machine, err);
    else if (log_word_is(lines->words[1], "size"))
        return read_columns(lines, r, err);
    return true;
}

static bool read_lines(
        log_lines *lines, run *r, p3d_measurements *out, p3d_error *err)
{
    while (log_next(lines))
        if (!read_line(lines, r, out, err))
            return false;
    if (!r->ended)
        return log_fail(lines, err,
                "the log ends before '# Avg bus bandwidth': the run did not "
                "end, or its output was cut");
    if (out->collective.n == 0)
        return log_fail(lines, err, "no measurement in this log");
    out->schema = 1;
    out->machine.n_ranks = r->n_ranks;
    out->machine.n_nodes = r->n_hosts;
    return true;
}

bool exchange_nccl_tests_read(const char *file, const char *text,
        p3d_measurements *out, p3d_error *err)
{
    log_lines lines = {.file = file, .next = text};
    run *const r = calloc(1, sizeof(*r));
    bool ok;

    if (r == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    r->op = program_in(file, strlen(file));
    p3d_copy(out->program, sizeof(out->program), "nccl-tests");
    ok = read_lines(&lines, r, out, err);
    free(r);
    return ok;
}
