/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_units.c - quantities: what is accepted is in range, and printable. */
#include "fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>

#include "base/util.h"
#include "plan3d/units.h"

static bool check_bytes(const char *text)
{
    int64_t n_bytes = -1;
    p3d_error err = {0};
    const bool ok = p3d_parse_bytes(text, &n_bytes, &err);
    char buffer[64];

    fuzz_check_error(ok, &err);
    P3D_ASSERT(ok ? n_bytes >= 0 : n_bytes == -1);
    if (ok)
        P3D_ASSERT(p3d_print_bytes(buffer, sizeof(buffer), (double)n_bytes)[0]);
    return ok;
}

static bool check_rate(const char *text)
{
    double per_s = -1;
    p3d_error err = {0};
    const bool ok = p3d_parse_bytes_per_s(text, &per_s, &err);

    fuzz_check_error(ok, &err);
    P3D_ASSERT(ok ? per_s > 0 && isfinite(per_s) : per_s < 0);
    return ok;
}

static bool check_seconds(const char *text)
{
    double time_s = -1;
    p3d_error err = {0};
    const bool ok = p3d_parse_seconds(text, &time_s, &err);
    char buffer[64];

    fuzz_check_error(ok, &err);
    P3D_ASSERT(ok ? time_s > 0 && isfinite(time_s) : time_s < 0);
    if (ok)
        P3D_ASSERT(p3d_print_seconds(buffer, sizeof(buffer), time_s)[0]);
    return ok;
}

static bool check_count(const char *text)
{
    int64_t count = -1;
    p3d_error err = {0};
    const bool ok = p3d_parse_count(text, 1, 1000000, &count, &err);

    fuzz_check_error(ok, &err);
    P3D_ASSERT(ok ? count >= 1 && count <= 1000000 : count == -1);
    return ok;
}

static bool check_number(const char *text)
{
    double number = -1;
    p3d_error err = {0};
    const bool ok = p3d_parse_number(text, 0, 1, &number, &err);

    fuzz_check_error(ok, &err);
    P3D_ASSERT(ok ? number >= 0 && number <= 1 : number < 0);
    return ok;
}

bool fuzz_units(const uint8_t *data, size_t n)
{
    static bool (*const checks[])(const char *) = {
            check_bytes, check_rate, check_seconds, check_count, check_number};
    char *const text = fuzz_text(data, n);
    bool ok = false;

    for (int i = 0; i < P3D_COUNT_OF(checks); i++)
        ok = checks[i](text) || ok;
    free(text);
    return ok;
}
