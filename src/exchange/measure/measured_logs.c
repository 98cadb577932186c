/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measured_logs.c - logs of other benchmarks as measurements, read line by
 * line, word by word. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/grow.h"
#include "base/number.h"
#include "base/util.h"
#include "exchange/measure/measurements.h"

enum { LOG_MAX_WORDS = 40 };

double p3d_bus_factor(p3d_measured_op op, int64_t n_ranks)
{
    const double n = (double)n_ranks;

    if (n_ranks < 2)
        return 0;
    switch (op) {
    case P3D_OP_ALL_REDUCE: return 2 * (n - 1) / n;
    case P3D_OP_ALL_GATHER:
    case P3D_OP_REDUCE_SCATTER:
    case P3D_OP_ALL_TO_ALL: return (n - 1) / n;
    case P3D_OP_BROADCAST:
    case P3D_OP_SEND_RECV:
    case P3D_OP_COPY_H2D:
    case P3D_OP_COPY_D2H:
    case P3D_N_MEASURED_OPS: break;
    }
    return 1;
}

/* A word of a line, not NUL-terminated. */
typedef struct log_word {
    const char *at;
    size_t n;
} log_word;

/* Zero but for file and next to begin. */
typedef struct log_lines {
    const char *file; /* as shown in messages */
    const char *next; /* rest of the text */
    int number;       /* of the line at hand, from 1; counts line feeds */
    const char *line; /* not NUL-terminated */
    size_t n;
    int n_words; /* the first ones of the line */
    log_word words[LOG_MAX_WORDS];
} log_lines;

static const char BLANKS[] = " \t";

static void split(log_lines *lines)
{
    const char *const end = lines->line + lines->n;
    const char *at = lines->line;

    lines->n_words = 0;
    while (lines->n_words < LOG_MAX_WORDS) {
        const char *from;

        while (at < end && strchr(BLANKS, *at) != NULL)
            at++;
        from = at;
        while (at < end && strchr(BLANKS, *at) == NULL)
            at++;
        if (at == from)
            return;
        lines->words[lines->n_words++] = (log_word){from, (size_t)(at - from)};
    }
}

/* Go to the next line; a carriage return ends one too, as progress does.
 * @return false after the last */
static bool log_next(log_lines *lines)
{
    const bool new_line = lines->line == NULL || lines->line[lines->n] == '\n';

    if (*lines->next == '\0')
        return false;
    lines->number += new_line;
    lines->line = lines->next;
    lines->n = strcspn(lines->next, "\r\n");
    lines->next += lines->n + (lines->next[lines->n] != '\0');
    split(lines);
    return true;
}

static bool log_word_is(log_word word, const char *text)
{
    return word.n == strlen(text) && memcmp(word.at, text, word.n) == 0;
}

/* Where a word of some bytes begins in a text of n, or NULL. */
static const char *find(
        const char *text, size_t n, const char *word, size_t length)
{
    for (size_t i = 0; i + length <= n; i++)
        if (memcmp(text + i, word, length) == 0)
            return text + i;
    return NULL;
}

static const char *log_find(const log_lines *lines, const char *text)
{
    return find(lines->line, lines->n, text, strlen(text));
}

/* Read a whole word as a number >= 0. @return false when it is none */
static bool log_number(log_word word, double *out)
{
    p3d_decimal decimal;

    if (word.n == 0 || p3d_scan_decimal(word.at, &decimal) != word.n ||
            decimal.negative)
        return false;
    *out = p3d_decimal_double(&decimal, 0);
    return *out < 1e300;
}

static bool log_count(log_word word, int64_t *out)
{
    p3d_decimal decimal;
    bool exact = false;

    return word.n > 0 && p3d_scan_decimal(word.at, &decimal) == word.n &&
           !decimal.negative &&
           p3d_decimal_integer(&decimal, 0, 1, out, &exact) && exact;
}

/* Fail with P3D_DATA at the line at hand. @return false */
P3D_PRINTF(3, 4)
static bool log_fail(
        const log_lines *lines, p3d_error *err, const char *fmt, ...)
{
    char text[P3D_ERROR_TEXT];
    p3d_error cause = {.line = lines->number, .column = 1};
    va_list args;

    va_start(args, fmt);
    if (vsnprintf(text, sizeof(text), fmt, args) < 0)
        text[0] = '\0';
    va_end(args);
    p3d_record(&cause, P3D_DATA, "%s", text);
    return p3d_fail_file(err, lines->file, &cause);
}

/* What nccl-tests prints:
 *
 *     # Collective test starting: all_reduce_perf
 *     # nThread 1 nGpus 8 minBytes ... iters: 20 ...
 *     #  Rank  0 Group  0 Pid  4711 on  node1 device  0 [0000:1b:00] NVIDIA ...
 *     #  size  count  type  redop  root  time  algbw  busbw  #wrong  time ...
 *     1048576  262144  float  sum  -1  32.5  32.2  56.4  0  31.9  32.8  57.5  0
 *     # Avg bus bandwidth    : 57.0
 *
 * The second half of a row is in place. */

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

static bool is_nccl_tests(const char *text)
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

        if (find(text, n, name, length) != NULL)
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

static bool read_both_halves(const log_lines *lines, const run *r,
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

static bool read_nccl_line(
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
        return read_both_halves(lines, r, out, err);
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

static bool read_nccl_lines(
        log_lines *lines, run *r, p3d_measurements *out, p3d_error *err)
{
    while (log_next(lines))
        if (!read_nccl_line(lines, r, out, err))
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

static bool read_nccl_tests(const char *file, const char *text,
        p3d_measurements *out, p3d_error *err)
{
    log_lines lines = {.file = file, .next = text};
    run *const r = calloc(1, sizeof(*r));
    bool ok;

    if (r == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    r->op = program_in(file, strlen(file));
    p3d_copy(out->program, sizeof(out->program), "nccl-tests");
    ok = read_nccl_lines(&lines, r, out, err);
    free(r);
    return ok;
}

/* A log of mamf-finder, of GEMMs.
 *
 * Versions 2, and 3 to 4, print a shape as
 *
 *     7 |  700.1(mean)  702.5(median)  731.0(max) @ 8192x4096x4096 | ...
 *     7  8192x4096x4096      700.1  702.5  731.0  702.5   701  1980
 *
 * in TFLOP/s. */

static const struct {
    const char *word;
    p3d_number number;
} types[] = {
        {"bfloat16", P3D_NUMBER_BF16},
        {"float16", P3D_NUMBER_FP16},
        {"float8_e4m3fn", P3D_NUMBER_FP8},
        {"float8_e4m3fnuz", P3D_NUMBER_FP8},
        {"float32", P3D_NUMBER_FP32},
};

static const char MEDIAN[] = "(median)";

/* What the head of the log has said. */
typedef struct head {
    int dtype; /* p3d_number, or -1 */
    bool ended;
} head;

static bool is_mamf_finder(const char *text)
{
    return strstr(text, "mamf-finder.py") != NULL ||
           (strstr(text, "** Dtype:") != NULL &&
                   strstr(text, "** Platform/Device info:") != NULL);
}

static bool read_dtype(const log_lines *lines, head *h, p3d_error *err)
{
    log_word word = lines->n_words > 2 ? lines->words[2] : (log_word){"", 0};
    const size_t prefix = strlen("torch.");

    if (word.n > prefix && memcmp(word.at, "torch.", prefix) == 0)
        word = (log_word){word.at + prefix, word.n - prefix};
    for (int i = 0; i < P3D_COUNT_OF(types); i++) {
        if (log_word_is(word, types[i].word)) {
            h->dtype = (int)types[i].number;
            return true;
        }
    }
    return log_fail(lines, err,
            "products of type '%.*s' have no cost form; run it with --dtype "
            "bfloat16, float16 or float8_e4m3fn",
            word.n < 40 ? (int)word.n : 40, word.at);
}

/* The number behind "key=", or 0. */
static int64_t property(const log_lines *lines, const char *key)
{
    const char *const at = log_find(lines, key);
    const char *const from = at != NULL ? at + strlen(key) : "";
    int64_t value = 0;

    (void)log_count((log_word){from, strspn(from, "0123456789")}, &value);
    return value;
}

/* "- _CudaDeviceProperties(name='NVIDIA H100', major=9, total_memory=81079MB,
 * multi_processor_count=132, ...)" */
static void read_device(const log_lines *lines, p3d_machine *out)
{
    static const char key[] = "name='";
    const char *const name = log_find(lines, key) + strlen(key);

    snprintf(out->name, sizeof(out->name), "%.*s", (int)strcspn(name, "'\r\n"),
            name);
    out->memory_bytes = property(lines, "total_memory=") << 20;
    out->n_sms = property(lines, "multi_processor_count=");
}

/* "Benchmark started on 2026-01-31 12:00:00", by the clock on the wall. */
static void read_date(const log_lines *lines, p3d_measurements *out)
{
    if (lines->n_words >= 5 && lines->words[3].n == 10 &&
            lines->words[4].n == 8)
        snprintf(out->date, sizeof(out->date), "%.10sT%.8s", lines->words[3].at,
                lines->words[4].at);
}

/* "8192x4096x4096" */
static bool read_shape(log_word word, p3d_gemm_row *row)
{
    int64_t *const sides[] = {&row->m, &row->n, &row->k};
    const char *at = word.at;

    for (int i = 0; i < 3; i++) {
        const size_t n = strspn(at, "0123456789");

        if (!log_count((log_word){at, n}, sides[i]) || *sides[i] < 1)
            return false;
        at += n;
        if (i < 2 && *at++ != 'x')
            return false;
    }
    return at == word.at + word.n;
}

/* The median stands before its word, or third behind the shape's number. */
static bool find_median(const log_lines *lines, int shape_at, double *out)
{
    const log_word second =
            lines->n_words > 3 ? lines->words[3] : (log_word){"", 0};

    for (int i = 0; i < shape_at; i++) {
        const log_word word = lines->words[i];
        const size_t n = strlen(MEDIAN);

        if (word.n > n && memcmp(word.at + word.n - n, MEDIAN, n) == 0)
            return log_number((log_word){word.at, word.n - n}, out);
    }
    return shape_at == 1 && log_number(second, out);
}

/* A row begins with its number and has one shape. */
static bool is_row(const log_lines *lines, int *shape_at, p3d_gemm_row *row)
{
    int64_t number = 0;

    if (lines->n_words < 3 || !log_count(lines->words[0], &number))
        return false;
    for (int i = 1; i < lines->n_words; i++) {
        if (read_shape(lines->words[i], row)) {
            *shape_at = i;
            return true;
        }
    }
    return false;
}

static bool fill_row(const log_lines *lines, const head *h, int shape_at,
        p3d_gemm_row *row, p3d_error *err)
{
    double tflop_per_s = 0;
    double time_s;

    if (h->dtype < 0)
        return log_fail(
                lines, err, "no line '** Dtype:' above; keep the whole log");
    if (!find_median(lines, shape_at, &tflop_per_s) || tflop_per_s <= 0)
        return log_fail(lines, err, "a shape without its median TFLOPS");
    time_s = 2e-12 * (double)row->m * (double)row->n * (double)row->k /
             tflop_per_s;
    row->dtype = h->dtype;
    row->layout = P3D_LAYOUT_FORWARD;
    row->how = P3D_GEMM_SINGLE;
    row->count = 1;
    row->timing = (p3d_timing){1, time_s, time_s, time_s};
    return true;
}

static bool read_mamf_line(
        const log_lines *lines, head *h, p3d_measurements *out, p3d_error *err)
{
    p3d_gemm_row row = {.name = ""};
    int shape_at = 0;

    if (log_find(lines, "** Dtype:") != NULL)
        return read_dtype(lines, h, err);
    if (log_find(lines, "Properties(name='") != NULL)
        read_device(lines, &out->machine);
    else if (log_find(lines, "Benchmark started on") != NULL)
        read_date(lines, out);
    else if (log_find(lines, "the best outcomes were") != NULL)
        h->ended = true;
    else if (is_row(lines, &shape_at, &row))
        return fill_row(lines, h, shape_at, &row, err) &&
               p3d_rows_add(&out->gemm, sizeof(row), &row, err);
    return true;
}

static bool read_mamf_finder(const char *file, const char *text,
        p3d_measurements *out, p3d_error *err)
{
    log_lines lines = {.file = file, .next = text};
    head h = {.dtype = -1};

    p3d_copy(out->program, sizeof(out->program), "mamf-finder");
    while (log_next(&lines))
        if (!read_mamf_line(&lines, &h, out, err))
            return false;
    if (!h.ended)
        return log_fail(&lines, err,
                "the log ends before 'Tried ... shapes': the run did not end, "
                "or its output was cut");
    if (out->gemm.n == 0)
        return log_fail(&lines, err,
                "no line of a shape, only the best ones; give the file of "
                "--output_file");
    if (out->machine.name[0] == '\0')
        return log_fail(&lines, err,
                "no line with the properties of a CUDA device; keep the whole "
                "log");
    out->schema = 1;
    out->machine.n_ranks = 1;
    out->machine.n_nodes = 1;
    return true;
}

exchange_log_reader *exchange_log_reader_of(const char *text)
{
    return is_nccl_tests(text)    ? read_nccl_tests
           : is_mamf_finder(text) ? read_mamf_finder
                                  : NULL;
}
