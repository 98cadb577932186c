/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fronts.h - what a launch file of a front end says, for tests that include
 * it. */
#ifndef PLAN3D_TEST_FRONTS_H
#define PLAN3D_TEST_FRONTS_H

#include <string.h>

#include "test.h"

#include "exchange/read/front.h"

static exchange_settings settings;
static const exchange_front *front;

static void says(const char *name, const char *value)
{
    const exchange_setting *const found =
            exchange_settings_find(&settings, name, true);

    if (found == NULL)
        fail_msg("'%s' is not said", name);
    assert_string_equal(found->value != NULL ? found->value : "", value);
}

/* A remark of a kind that begins so. */
static bool remarks(char kind, const char *words)
{
    for (int i = 0; i < settings.n; i++)
        if (settings.at[i].name[0] == kind &&
                strncmp(settings.at[i].name + 1, words, strlen(words)) == 0)
            return true;
    return false;
}

#endif
