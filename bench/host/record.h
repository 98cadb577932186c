/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record.h - the file of measurements while it is being filled. */
#ifndef PLAN3D_BENCH_RECORD_H
#define PLAN3D_BENCH_RECORD_H

#include "base/text.h"
#include "bench/host/args.h"
#include "plan3d/measurements.h"

/** Rows grow with bench_add(); `failed` sticks once memory ran out. */
typedef struct bench_record {
    p3d_measurements file;
    bool failed;
} bench_record;

/** Program, command line and date. */
void bench_record_begin(int argc, const char *const *argv, bench_record *out);

/** Append one row of `size` bytes to rows of the record. */
void bench_add(bench_record *r, p3d_rows *rows, size_t size, const void *row);

/** Add a sentence to the note, once. */
void bench_note(bench_record *r, const char *sentence);

/** Write it; see bench_output_write(). */
P3D_CHECK bool bench_record_write(
        const bench_record *r, const bench_args *args, p3d_error *err);

void bench_record_free(bench_record *r);

/** 16 hexadecimal digits that tell devices apart without naming them: 64-bit
 *  FNV-1a of the bytes. Source: G. Fowler, L. C. Noll, K.-P. Vo, D. Eastlake,
 *  draft-eastlake-fnv. */
void bench_hash(const void *data, size_t n, char out[24]);

#endif
