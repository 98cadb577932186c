/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mamf_finder.c - a log of mamf-finder, as measurements of matrix products.
 *
 * Versions 2, and 3 to 4, print a shape as
 *
 *     7 |  700.1(mean)  702.5(median)  731.0(max) @ 8192x4096x4096 | ...
 *     7  8192x4096x4096      700.1  702.5  731.0  702.5   701  1980
 *
 * in TFLOP/s. */
#include <stdio.h>
#include <string.h>

#include "base/rows.h"
#include "base/util.h"
#include "exchange/measure/log_lines.h"
#include "exchange/measure/measured_logs.h"

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

bool exchange_is_mamf_finder(const char *text)
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

static bool read_line(
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

bool exchange_mamf_finder_read(const char *file, const char *text,
        p3d_measurements *out, p3d_error *err)
{
    log_lines lines = {.file = file, .next = text};
    head h = {.dtype = -1};

    p3d_copy(out->program, sizeof(out->program), "mamf-finder");
    while (log_next(&lines))
        if (!read_line(&lines, &h, out, err))
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
