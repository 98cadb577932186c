/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read.h - files of frameworks as settings: one reader a syntax. */
#ifndef PLAN3D_EXCHANGE_READ_READ_H
#define PLAN3D_EXCHANGE_READ_READ_H

#include <stddef.h>
#include <stdint.h>

#include "exchange/read/settings.h"

/** What a log says that was measured; 0 = nothing. */
typedef struct p3d_measured_run {
    double step_s; /* median after the first two steps */
    int n_steps;
    int64_t max_allocated_bytes; /* largest over the ranks that say so */
    int64_t max_reserved_bytes;
} p3d_measured_run;

/*
 * Each reader appends what a text says to the settings. Nothing in a file is
 * run. @return false with P3D_DATA (line of the text in err->line where that
 * is known) or P3D_SYSTEM
 */

/** A shell script, as far as its variables, arrays and arguments can be read
 *  without running it: values with "$" in them are not resolved. */
P3D_CHECK bool exchange_read_shell(
        const char *text, p3d_settings *out, p3d_error *err);

/** Python: assignments and arguments of calls whose values are literals. */
P3D_CHECK bool exchange_read_python(
        const char *text, p3d_settings *out, p3d_error *err);

/** JSON, or Hjson: with comments, without quotes or commas.
 *  @param file  for messages
 *  @param text  ends in NUL */
P3D_CHECK bool exchange_read_json(const char *file, const char *text,
        size_t length, p3d_settings *out, p3d_error *err);

/** YAML 1.1 without anchors. */
P3D_CHECK bool exchange_read_yaml(
        const char *text, size_t length, p3d_settings *out, p3d_error *err);

/** TOML: tables, and values in one line. */
P3D_CHECK bool exchange_read_toml(
        const char *text, p3d_settings *out, p3d_error *err);

/** A log with Megatron-LM's dump of arguments, and what it measured. */
P3D_CHECK bool exchange_read_log(const char *text, p3d_settings *out,
        p3d_measured_run *measured, p3d_error *err);

/**
 * Read a file by its name and contents.
 *
 * @param measured  filled by a log
 * @return false with P3D_DATA at file:line, or P3D_SYSTEM
 */
P3D_CHECK bool exchange_read_file(const char *path, p3d_settings *out,
        p3d_measured_run *measured, p3d_error *err);

/** A file that was read. */
typedef struct p3d_launch_text {
    const char *path; /* for its ending and for messages */
    const char *text;
    size_t length;
} p3d_launch_text;

/** The same for a text. */
P3D_CHECK bool exchange_read_text(p3d_launch_text from, p3d_settings *out,
        p3d_measured_run *measured, p3d_error *err);

#endif
