/* SPDX-License-Identifier: GPL-3.0-or-later */
/* units.h - quantities as people write them: "80GiB", "400Gbit/s", "2T". */
#ifndef PLAN3D_UNITS_H
#define PLAN3D_UNITS_H

#include <stddef.h>
#include <stdint.h>

#include "plan3d/api.h"
#include "plan3d/error.h"

P3D_API_BEGIN

#define P3D_GIB 1073741824.0

/**
 * Read an amount of memory: a number directly followed by B, KB, MB, GB, TB
 * (powers of 1000) or KiB, MiB, GiB, TiB (powers of 1024). A bare number and
 * the ambiguous "80G" are refused with a hint.
 *
 * @param text  the whole text must be used up
 * @param out   bytes, >= 0; untouched on failure
 */
P3D_CHECK bool p3d_parse_bytes(const char *text, int64_t *out, p3d_error *err);

/**
 * Read a rate of bytes: GB/s, GiB/s, Gbit/s and their K, M, T relatives.
 *
 * @param out  bytes per second, > 0
 */
P3D_CHECK bool p3d_parse_bytes_per_s(
        const char *text, double *out, p3d_error *err);

/** Read a duration: s, ms, min, h, d, y (365 days). @param out seconds, > 0 */
P3D_CHECK bool p3d_parse_seconds(const char *text, double *out, p3d_error *err);

/**
 * Read a count: a number with an optional K, M, B, T in either case (powers of
 * 1000; "2T" tokens are 2e12). The result must be a whole number.
 *
 * @param out  in [min, max]
 */
P3D_CHECK bool p3d_parse_count(const char *text, int64_t min, int64_t max,
        int64_t *out, p3d_error *err);

/**
 * Read the length of a sequence: a number with an optional K (1024) or M
 * (1024 * 1024), as "32K context" means 32,768 tokens.
 *
 * @param out  tokens in [min, max]
 */
P3D_CHECK bool p3d_parse_length(const char *text, int64_t min, int64_t max,
        int64_t *out, p3d_error *err);

/** Read a plain number, such as a fraction; where max is at most 1, percent
 *  stand for it ("95%"). @param out in [min, max] */
P3D_CHECK bool p3d_parse_number(
        const char *text, double min, double max, double *out, p3d_error *err);

/** Print bytes as GiB with 2 decimals, or MiB/KiB/B when that is 0. */
const char *p3d_print_bytes(char *buffer, size_t n, double amount_bytes);

/** Print a duration in the unit a person would choose: "85 ms", "3.1 days". */
const char *p3d_print_seconds(char *buffer, size_t n, double duration_s);

/** Print a count shortly: 70553706496 gives "70.6B". */
const char *p3d_print_count(char *buffer, size_t n, double count);

/** Print a whole number with thousands separators: "70,553,706,496". */
const char *p3d_print_integer(char *buffer, size_t n, int64_t value);

P3D_API_END

#endif
