/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reading.h - launch files as texts of tests, for those that include it. */
#ifndef PLAN3D_TEST_READING_H
#define PLAN3D_TEST_READING_H

#include <string.h>

#include "test.h"

#include "exchange/read/read.h"

static exchange_settings settings;
static exchange_measured measured;

static void read_as(const char *path, const char *text)
{
    p3d_error err = {0};

    measured = (exchange_measured){0};
    if (!exchange_read_text((exchange_text){path, text, strlen(text)},
                &settings, &measured, &err))
        fail_msg("%s", err.text);
}

static int forget(void **state)
{
    (void)state;
    exchange_settings_free(&settings);
    return 0;
}

#endif
