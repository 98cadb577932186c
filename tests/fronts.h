/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fronts.h - what a launch file of a front end says, for tests that include
 * it. */
#ifndef PLAN3D_TEST_FRONTS_H
#define PLAN3D_TEST_FRONTS_H

#include <string.h>

#include "test.h"

#include "exchange/read/front.h"
#include "exchange/read/import_steps.h"

static exchange_settings settings;
static const exchange_front *front;

/** Read a file of a launch on a node of 8 GPUs, and nothing before it. */
static inline void read_as(const char *path, const char *text)
{
    exchange_measured measured = {0};
    p3d_error err = {0};

    exchange_settings_free(&settings);
    settings.n_nodes = 1;
    settings.gpus_per_node = 8;
    if (!exchange_read_text((exchange_text){path, text, strlen(text)},
                &settings, &measured, &err) ||
            !exchange_front_apply(&settings, &front, &err))
        fail_msg("%s", err.text);
}

static inline void says(const char *name, const char *value)
{
    const exchange_setting *const found =
            exchange_settings_find(&settings, name, true);

    if (found == NULL)
        fail_msg("'%s' is not said", name);
    assert_string_equal(found->value != NULL ? found->value : "", value);
}

static inline void says_no(const char *name)
{
    if (exchange_settings_find(&settings, name, true) != NULL)
        fail_msg("'%s' is said", name);
}

/* A teardown. */
static inline int forget(void **state)
{
    (void)state;
    exchange_settings_free(&settings);
    return 0;
}

/* A remark of a kind that begins so. */
static inline bool remarks(char kind, const char *words)
{
    for (int i = 0; i < settings.n; i++)
        if (settings.at[i].name[0] == kind &&
                strncmp(settings.at[i].name + 1, words, strlen(words)) == 0)
            return true;
    return false;
}

#endif
