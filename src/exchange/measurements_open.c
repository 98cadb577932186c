/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measurements_open.c - files of measurements, of whichever program: its
 * contents say which. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/util.h"
#include "exchange/measured_logs.h"
#include "exchange/measurements.h"

static const size_t MOST_BYTES = 32 << 20;

static bool is_json(const char *text)
{
    const char first = text[strspn(text, " \t\r\n")];

    return first == '{' || first == '[';
}

static bool fail_unknown(const char *file, p3d_error *err)
{
    p3d_error cause = {0};

    p3d_record(&cause, P3D_DATA,
            "no measurements: neither JSON of plan3d-bench nor a log of "
            "nccl-tests or mamf-finder");
    return p3d_fail_file(err, file, &cause);
}

static bool read_text(const char *file, const char *text, size_t length,
        p3d_measurements *out, p3d_error *err)
{
    if (is_json(text) || length == 0)
        return p3d_measurements_parse(file, text, length, out, err);
    if (strlen(text) == length && p3d_is_nccl_tests(text))
        return p3d_nccl_tests_read(file, text, out, err);
    if (strlen(text) == length && p3d_is_mamf_finder(text))
        return p3d_mamf_finder_read(file, text, out, err);
    return fail_unknown(file, err);
}

bool p3d_measurements_open(
        const char *path, p3d_measurements *out, p3d_error *err)
{
    if (path == NULL || out == NULL)
        return p3d_misuse(err, __func__);

    p3d_measurements got = {0};
    char *text = NULL;
    size_t length = 0;
    bool ok;

    if (!p3d_read_file(path, MOST_BYTES, &text, &length, err))
        return false;
    ok = read_text(p3d_file_name(path), text, length, &got, err);
    free(text);
    if (ok)
        *out = got;
    else
        p3d_measurements_free(&got);
    return ok;
}
