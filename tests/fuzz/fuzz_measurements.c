/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_measurements.c - measurements and requests: what is accepted is written
 * as it is read. */
#include "fuzz/fuzz.h"

#include <string.h>

#include "base/util.h"
#include "exchange/measure/measurements.h"

static const char *file_of(const p3d_text *text)
{
    return fuzz_file((const uint8_t *)p3d_text_get(text), text->length);
}

static void check_same(p3d_text *first, p3d_text *second)
{
    P3D_ASSERT(strcmp(p3d_text_get(first), p3d_text_get(second)) == 0);
    p3d_text_free(first);
    p3d_text_free(second);
}

static bool try_measurements(const char *path)
{
    p3d_measurements read = {0};
    p3d_text written = {0};
    p3d_text again = {0};
    p3d_error err = {0};
    const bool ok = p3d_measurements_open(path, &read, &err);

    fuzz_check_error(ok, &err);
    if (!ok)
        return false;
    exchange_measurements_write(&read, &written);
    p3d_measurements_free(&read);
    P3D_ASSERT(p3d_measurements_open(file_of(&written), &read, NULL));
    exchange_measurements_write(&read, &again);
    p3d_measurements_free(&read);
    check_same(&written, &again);
    return true;
}

static bool try_request(const char *path)
{
    p3d_request read = {0};
    p3d_text written = {0};
    p3d_text again = {0};
    p3d_error err = {0};
    const bool ok = p3d_request_open(path, &read, &err);

    fuzz_check_error(ok, &err);
    if (!ok)
        return false;
    exchange_request_write(&read, &written);
    p3d_request_free(&read);
    P3D_ASSERT(p3d_request_open(file_of(&written), &read, NULL));
    exchange_request_write(&read, &again);
    p3d_request_free(&read);
    check_same(&written, &again);
    return true;
}

/* Logs of others are told by what they contain, and say less of the machine. */
bool fuzz_measured_log(const uint8_t *data, size_t n)
{
    p3d_measurements read = {0};
    p3d_error err = {0};
    const bool ok = p3d_measurements_open(fuzz_file(data, n), &read, &err);

    fuzz_check_error(ok, &err);
    P3D_ASSERT(!ok || read.schema == 1);
    p3d_measurements_free(&read);
    return ok;
}

bool fuzz_measurements(const uint8_t *data, size_t n)
{
    const bool measured = try_measurements(fuzz_file(data, n));

    return try_request(fuzz_file(data, n)) || measured;
}
