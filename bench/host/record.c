/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record.c - sums up samples, gathers rows and writes them. */
#include "bench/host/record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/grow.h"
#include "exchange/measure/measurements.h"
#include "plan3d/version.h"

void bench_record_begin(int argc, const char *const *argv, bench_record *out)
{
    const time_t now = time(NULL);
    struct tm utc;

    *out = (bench_record){.file = {.schema = 1}};
    snprintf(out->file.program, sizeof(out->file.program), "plan3d-bench %s",
            P3D_VERSION);
    bench_print_command(
            argc, argv, out->file.command, sizeof(out->file.command));
    if (gmtime_r(&now, &utc) != NULL)
        strftime(out->file.date, sizeof(out->file.date), "%Y-%m-%dT%H:%M:%SZ",
                &utc);
}

/* A run may be ended at any time, by a scheduler or by a link that hangs, and
 * its rows are dear. What cannot be written now is said at the end. */
static void keep_rows(bench_record *r)
{
    bench_record partial = *r;

    if (r->keep == NULL || r->keep->output == NULL || r->failed)
        return;
    snprintf(partial.file.note, sizeof(partial.file.note),
            "incomplete: the run had not ended%s%.200s",
            r->file.note[0] != '\0' ? "; " : "", r->file.note);
    r->written = bench_record_write(&partial, r->keep, NULL) || r->written;
}

void bench_add(bench_record *r, p3d_rows *rows, size_t size, const void *row)
{
    if (!p3d_rows_add(rows, size, row, NULL))
        r->failed = true;
    r->n_rows++;
    keep_rows(r);
}

void bench_note(bench_record *r, const char *sentence)
{
    char *const note = r->file.note;
    const size_t used = strlen(note);

    if (strstr(note, sentence) != NULL)
        return;
    snprintf(note + used, sizeof(r->file.note) - used, "%s%s",
            used > 0 ? "; " : "", sentence);
}

bool bench_output_check(const char *path, bool force, p3d_error *err)
{
    return path == NULL || p3d_may_write_file(path, force, err);
}

bool bench_output_write(
        const char *path, bool force, const p3d_text *text, p3d_error *err)
{
    if (text->failed)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    if (path != NULL)
        return p3d_write_file(path, force, text, err);
    return p3d_write_bytes(STDOUT_FILENO, p3d_text_get(text), text->length) ||
           p3d_fail(err, P3D_SYSTEM,
                   "the standard output cannot be written: %s",
                   strerror(errno));
}

bool bench_record_write(
        const bench_record *r, const bench_args *args, p3d_error *err)
{
    p3d_text text = {0};
    bool ok;

    if (r->failed)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    exchange_measurements_write(&r->file, &text);
    ok = bench_output_write(
            args->output, args->force || r->written, &text, err);
    p3d_text_free(&text);
    return ok;
}

bool bench_record_save(bench_record *r, const bench_args *args,
        const p3d_error *cause, p3d_error *err)
{
    char sentence[160];

    if (r->n_rows == 0)
        return true;
    snprintf(sentence, sizeof(sentence), "incomplete: %.140s", cause->text);
    bench_note(r, sentence);
    return bench_record_write(r, args, err);
}

void bench_record_free(bench_record *r)
{
    p3d_measurements_free(&r->file);
}

void bench_hash(const void *data, size_t n, char out[24])
{
    const unsigned char *const bytes = data;
    uint64_t hash = 14695981039346656037U;

    for (size_t i = 0; i < n; i++)
        hash = (hash ^ bytes[i]) * 1099511628211U;
    snprintf(out, 24, "%016llx", (unsigned long long)hash);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The value below which the share `frac` of sorted samples lies, linear between
 * neighbours. */
static double quantile(const double *sorted, int n, double frac)
{
    const double at = frac * (n - 1);
    const int i = (int)at;

    if (i + 1 >= n)
        return sorted[n - 1];
    return sorted[i] + (at - i) * (sorted[i + 1] - sorted[i]);
}

p3d_timing bench_timing(double *samples_s, int n)
{
    qsort(samples_s, (size_t)n, sizeof(*samples_s), compare);
    return (p3d_timing){.n_samples = n,
            .median_s = quantile(samples_s, n, 0.5),
            .p10_s = quantile(samples_s, n, 0.1),
            .p90_s = quantile(samples_s, n, 0.9)};
}
