/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lengths.c - lengths of texts: as they are read, and what follows of them. */
#include "spec/lengths.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/number.h"
#include "base/util.h"
#include "plan3d/job.h"
#include "spec/params.h"
#include "spec/sizes.h"

enum { MOST_FILE_BYTES = 64 << 20 };

const char *p3d_filling_word(int i)
{
    static const char *const words[P3D_N_FILLINGS] = {
            "whole", "packed", "padded"};

    return P3D_HAS(words, i) ? words[i] : NULL;
}

double p3d_text_tokens(const p3d_job *job)
{
    if (job == NULL)
        return 0;

    const p3d_lengths *const l = &job->lengths;

    return l->filling == P3D_FILLING_PACKED && l->mean > 0
                   ? fmin(job->seq_len, l->mean_square / l->mean)
                   : job->seq_len;
}

double p3d_job_tokens(const p3d_job *job)
{
    if (job == NULL)
        return 0;

    const p3d_lengths *const l = &job->lengths;
    const double each = l->filling == P3D_FILLING_PADDED && l->mean > 0
                                ? fmin(job->seq_len, l->mean)
                                : job->seq_len;

    return (double)job->global_batch * each;
}

p3d_filling spec_useful_filling(const p3d_job *job)
{
    return job->lengths.filling == P3D_FILLING_PADDED ? P3D_FILLING_PACKED
                                                      : job->lengths.filling;
}

/* Lengths on lines of a text. */
typedef struct sums {
    int64_t n;
    double of_lengths, of_squares;
} sums;

static bool fail_line(
        const char *file, int64_t line, const char *text, p3d_error *err)
{
    const int n = (int)strcspn(text, "\n");

    return p3d_fail(err, P3D_DATA,
            "%.100s:%lld: '%.*s' is no number of tokens from 1 to %d; write "
            "one on each line",
            file, (long long)line, n < 40 ? n : 40, text, P3D_MAX_SEQ_LEN);
}

/** Add a line's number, if there is one. @return the next line, or NULL */
static const char *add_line(const char *at, int seq_len, sums *out)
{
    int64_t length;
    const size_t used = p3d_scan_whole(at, &length);
    const char *const end = at + used + strspn(at + used, " \t\r");

    if (used > 0 && (length < 1 || length > P3D_MAX_SEQ_LEN))
        return NULL;
    if (*end != '\n' && *end != '\0')
        return NULL;
    if (used > 0) {
        const double cut = length < seq_len ? (double)length : seq_len;

        out->n++;
        out->of_lengths += cut;
        out->of_squares += cut * cut;
    }
    return *end == '\n' ? end + 1 : end;
}

static bool add_lines(const char *file, const char *text, int seq_len,
        sums *out, p3d_error *err)
{
    int64_t line = 1;

    for (const char *at = text; *at != '\0'; line++) {
        const char *const next = add_line(at, seq_len, out);

        if (next == NULL)
            return fail_line(file, line, at, err);
        at = next;
    }
    return out->n > 0 ||
           p3d_fail(err, P3D_DATA,
                   "%.100s has no lengths; write one on each line", file);
}

static bool read_file(
        const char *path, int seq_len, p3d_lengths *out, p3d_error *err)
{
    sums found = {0};
    size_t length;
    char *text;
    bool ok;

    if (!p3d_read_file(path, MOST_FILE_BYTES, &text, &length, err))
        return false;
    ok = strlen(text) == length
                 ? add_lines(p3d_file_name(path), text, seq_len, &found, err)
                 : p3d_fail(err, P3D_DATA, "%.100s has NUL bytes", path);
    free(text);
    if (!ok)
        return false;
    out->mean = found.of_lengths / (double)found.n;
    out->mean_square = found.of_squares / (double)found.n;
    return true;
}

/** "700,450"; false where it is not of that form. */
static bool read_moments(const char *words, double *mean, double *deviation)
{
    p3d_decimal number;
    size_t n = p3d_scan_decimal(words, &number);

    if (n == 0 || words[n] != ',')
        return false;
    *mean = p3d_decimal_double(&number, 0);
    words += n + 1;
    n = p3d_scan_decimal(words, &number);
    *deviation = n > 0 ? p3d_decimal_double(&number, 0) : -1;
    return n > 0 && words[n] == '\0';
}

bool spec_lengths_are_moments(const char *words)
{
    double mean, deviation;

    return read_moments(words, &mean, &deviation);
}

bool spec_lengths_read(
        const char *words, int seq_len, p3d_lengths *out, p3d_error *err)
{
    double mean, deviation;

    if (!read_moments(words, &mean, &deviation))
        return read_file(words, seq_len, out, err);
    if (!(mean >= 1 && mean <= seq_len && deviation >= 0 &&
                deviation <= seq_len))
        return p3d_fail(err, P3D_USAGE,
                "--lengths: the mean '%.40s' is of 1 to %d tokens, as long as "
                "a sequence, its standard deviation of 0 to as many; write "
                "--lengths %d,%d or a longer --seq",
                words, seq_len, seq_len / 2 + 1, seq_len / 4);
    out->mean = mean;
    out->mean_square = mean * mean + deviation * deviation;
    return true;
}
