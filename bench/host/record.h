/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record.h - the file of measurements: times summed up, rows gathered, then
 * written whole or not at all. */
#ifndef PLAN3D_BENCH_RECORD_H
#define PLAN3D_BENCH_RECORD_H

#include "base/text.h"
#include "bench/host/args.h"
#include "plan3d/measurements.h"

/** Rows grow with bench_add(); `failed` sticks once memory ran out. */
typedef struct bench_record {
    p3d_measurements file;
    const bench_args *keep; /* where rows are written as they come; NULL =
                               nowhere */
    int n_rows;
    bool written; /* the file there is this record's, as far as it went */
    bool failed;
} bench_record;

/** Program, command line and date. */
void bench_record_begin(int argc, const char *const *argv, bench_record *out);

/** Append one row of `size` bytes to rows of the record. With `keep`, a file
 *  then has all rows so far, and a note that the run had not ended. */
void bench_add(bench_record *r, p3d_rows *rows, size_t size, const void *row);

/** Add a sentence to the note, once. */
void bench_note(bench_record *r, const char *sentence);

/**
 * Find out before the measurement that the file can be written after it.
 *
 * @param path  NULL = standard output, always fine
 * @return false with P3D_DATA (it exists and force is not set) or P3D_SYSTEM
 */
P3D_CHECK bool bench_output_check(const char *path, bool force, p3d_error *err);

/**
 * Write a file under a name of its own and rename it: a reader sees the old
 * file or the new one. Without force a file that exists is never replaced, even
 * when it appears while this runs.
 *
 * @param path  NULL = standard output
 */
P3D_CHECK bool bench_output_write(
        const char *path, bool force, const p3d_text *text, p3d_error *err);

/** Write the record; see bench_output_write(). What was kept of it is
 *  replaced. */
P3D_CHECK bool bench_record_write(
        const bench_record *r, const bench_args *args, p3d_error *err);

/** Write what a run measured before it failed: nothing without rows.
 *  @param cause  for the note */
P3D_CHECK bool bench_record_save(bench_record *r, const bench_args *args,
        const p3d_error *cause, p3d_error *err);

void bench_record_free(bench_record *r);

/** 16 hexadecimal digits that tell devices apart without naming them: 64-bit
 *  FNV-1a of the bytes. Source: G. Fowler, L. C. Noll, K.-P. Vo, D. Eastlake,
 *  draft-eastlake-fnv. */
void bench_hash(const void *data, size_t n, char out[24]);

/** Median and tenths of n >= 1 samples, which are sorted in place. */
p3d_timing bench_timing(double *samples_s, int n);

#endif
