/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measured_files.c - opens files of measurements, whatever wrote them: a trace
 * as it comes, anything else whole. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/sqlite.h"
#include "base/util.h"
#include "exchange/measure/measurements.h"
#include "exchange/trace/nsys.h"
#include "exchange/trace/reader.h"

/* A trace says what it is among its first members. */
static const size_t MOST_BYTES = 32 << 20;
enum { HEAD_BYTES = 512 };

/* A file that is read. */
typedef struct opening {
    exchange_trace *trace; /* NULL = no trace, or not known yet */
    bool is_text;          /* known to be no trace */
    p3d_text text;         /* what came before that was known; the text */
} opening;

/* Packed by gzip, or with members that only a profiler writes, or a list of
 * events. plan3d's own files begin with other members. */
static bool is_trace(const p3d_text *head)
{
    static const char *const members[] = {"\"traceEvents\"",
            "\"schemaVersion\"", "\"deviceProperties\"", "\"distributedInfo\""};
    const char *const text = p3d_text_get(head);

    if (text[0] == '\x1f')
        return true;
    for (int i = 0; i < P3D_COUNT_OF(members); i++)
        if (strstr(text, members[i]) != NULL)
            return true;
    return text[strspn(text, " \t\r\n")] == '[' &&
           strstr(text, "\"ph\"") != NULL;
}

/* Hand on what came so far. */
static bool begin_trace(opening *o, p3d_error *err)
{
    o->trace = exchange_trace_new();
    return (o->trace != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory")) &&
           exchange_trace_take(o->trace, o->text.data, o->text.length, err);
}

static bool take(void *to, const char *part, size_t n, p3d_error *err)
{
    opening *const o = to;

    if (o->trace != NULL)
        return exchange_trace_take(o->trace, part, n, err);
    p3d_text_append(&o->text, part, n);
    if (o->text.failed)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    if (p3d_is_sqlite(p3d_text_get(&o->text), o->text.length))
        return p3d_fail(err, P3D_DATA,
                "an export of Nsight Systems is read from a file, not from a "
                "pipe; write its path");
    if (o->text.length > MOST_BYTES)
        return p3d_fail(
                err, P3D_DATA, "the file is longer than %zu bytes", MOST_BYTES);
    if (o->is_text || o->text.length < HEAD_BYTES)
        return true;
    o->is_text = !is_trace(&o->text);
    return o->is_text || begin_trace(o, err);
}

/* @param wanted  a trace is asked for */
static bool read_file(const char *path, bool wanted, opening *o, p3d_error *err)
{
    if (!p3d_read_parts(path, &(p3d_taker){take, o}, err))
        return false;
    return o->trace != NULL || !(wanted || is_trace(&o->text)) ||
           begin_trace(o, err);
}

static void close_file(opening *o)
{
    exchange_trace_free(o->trace);
    p3d_text_free(&o->text);
}

bool p3d_trace_open(const char *path, p3d_trace *out, p3d_error *err)
{
    opening o = {.trace = NULL};
    p3d_trace got = {.n_steps = 0};
    p3d_error cause = {0};
    bool ok;

    if (path == NULL || out == NULL)
        return p3d_misuse(err, __func__);
    if (p3d_sqlite_is(path))
        ok = exchange_nsys_read(path, &got, &cause);
    else
        ok = read_file(path, true, &o, &cause) &&
             exchange_trace_end(o.trace, &got, &cause);
    close_file(&o);
    if (ok)
        *out = got;
    else
        p3d_trace_free(&got);
    return ok || p3d_fail_file(err, p3d_file_name(path), &cause);
}

void p3d_trace_free(p3d_trace *trace)
{
    if (trace != NULL)
        p3d_measurements_free(&trace->measured);
}

/* Of a trace its rows. */
static bool read_measured(
        const char *path, opening *o, p3d_measurements *out, p3d_error *err)
{
    p3d_trace trace = {.n_steps = 0};
    bool ok;

    if (p3d_sqlite_is(path)) {
        ok = exchange_nsys_read(path, &trace, err);
        *out = trace.measured;
        return ok;
    }
    if (!read_file(path, false, o, err))
        return false;
    if (o->trace == NULL)
        return exchange_measurements_read(p3d_file_name(path),
                p3d_text_get(&o->text), o->text.length, out, err);
    ok = exchange_trace_end(o->trace, &trace, err);
    *out = trace.measured;
    return ok;
}

bool p3d_measurements_open(
        const char *path, p3d_measurements *out, p3d_error *err)
{
    if (path == NULL || out == NULL)
        return p3d_misuse(err, __func__);

    opening o = {.trace = NULL};
    p3d_measurements got = {0};
    p3d_error cause = {0};
    const bool ok = read_measured(path, &o, &got, &cause);

    close_file(&o);
    if (ok)
        *out = got;
    else
        p3d_measurements_free(&got);
    return ok || p3d_fail_file(err, p3d_file_name(path), &cause);
}
