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
#include "exchange/trace/ranks.h"
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

/* What of a trace is none of its measurements. */
static void drop_calls(p3d_trace *trace)
{
    free(trace->calls.items);
    trace->calls = (p3d_rows){0};
}

void p3d_trace_free(p3d_trace *trace)
{
    if (trace == NULL)
        return;
    p3d_measurements_free(&trace->measured);
    drop_calls(trace);
}

/* Of what is no trace only the rows are set.
 * @param is_trace  set where it is one */
static bool read_any(
        const char *path, p3d_trace *out, bool *is_trace, p3d_error *err)
{
    opening o = {.trace = NULL};
    bool ok;

    *is_trace = p3d_sqlite_is(path);
    if (*is_trace)
        return exchange_nsys_read(path, out, err);
    ok = read_file(path, false, &o, err);
    *is_trace = o.trace != NULL;
    if (ok && o.trace != NULL)
        ok = exchange_trace_end(o.trace, out, err);
    else if (ok)
        ok = exchange_measurements_read(p3d_file_name(path),
                p3d_text_get(&o.text), o.text.length, &out->measured, err);
    close_file(&o);
    return ok;
}

static bool open_any(
        const char *path, p3d_trace *out, bool *is_trace, p3d_error *err)
{
    p3d_error cause = {0};

    *out = (p3d_trace){.n_steps = 0};
    if (read_any(path, out, is_trace, &cause))
        return true;
    p3d_trace_free(out);
    return p3d_fail_file(err, p3d_file_name(path), &cause);
}

bool p3d_measurements_open(
        const char *path, p3d_measurements *out, p3d_error *err)
{
    p3d_trace trace;
    bool is_trace;

    if (path == NULL || out == NULL)
        return p3d_misuse(err, __func__);
    if (!open_any(path, &trace, &is_trace, err))
        return false;
    drop_calls(&trace);
    *out = trace.measured;
    return true;
}

static bool open_files(
        const char *const *paths, int n, p3d_trace *out, p3d_error *err)
{
    bool is_trace;

    for (int i = 0; i < n; i++)
        if (paths[i] == NULL)
            return p3d_misuse(err, "p3d_measurements_open_all");
    for (int i = 0; i < n; i++)
        if (!open_any(paths[i], &out[i], &is_trace, err))
            return false;
    return !exchange_is_one_run(out, n) || exchange_join_rows(out, n, err);
}

bool p3d_measurements_open_all(const char *const *paths, int n_paths,
        p3d_measurements *out, p3d_error *err)
{
    p3d_trace *traces;
    bool ok;

    if (paths == NULL || n_paths < 1 || out == NULL)
        return p3d_misuse(err, __func__);
    traces = calloc((size_t)n_paths, sizeof(*traces));
    ok = (traces != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory")) &&
         open_files(paths, n_paths, traces, err);
    for (int i = 0; i < n_paths && traces != NULL; i++) {
        if (!ok) {
            p3d_trace_free(&traces[i]);
            continue;
        }
        drop_calls(&traces[i]);
        out[i] = traces[i].measured;
    }
    free(traces);
    return ok;
}
