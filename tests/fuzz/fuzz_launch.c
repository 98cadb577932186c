/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_launch.c - files of launches: a plan that was read from them has an
 * estimate, or a rule that refuses it. */
#include "fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>

#include "base/util.h"
#include "exchange/read/import.h"
#include "plan3d/estimate.h"

/* Where the launches run, and a model for those that say none. */
static struct {
    bool ready;
    p3d_cluster cluster;
    p3d_model model;
} world;

static void prepare(void)
{
    world.ready = p3d_cluster_find("64xA100", &world.cluster, NULL) &&
                  p3d_model_find("llama-2-7b", &world.model, NULL);
    P3D_ASSERT(world.ready);
}

static void check_plan(const exchange_launch *launch)
{
    const p3d_problem problem = {.model = launch->model,
            .cluster = world.cluster,
            .job = launch->job};
    p3d_estimate estimate;

    if (!p3d_estimate_plan(&problem, &launch->plan, &estimate, NULL))
        return;
    P3D_ASSERT(isfinite(p3d_time_step_s(&estimate.time)));
    P3D_ASSERT(p3d_memory_device_bytes(&estimate.memory) > 0);
}

/* A plan of the settings, with and without a model and a job. */
static bool settle(exchange_settings *settings, const exchange_target *target)
{
    exchange_import *const import = malloc(sizeof(*import));
    const p3d_job job = {.seq_len = 2048, .global_batch = 64};
    bool any = false;

    P3D_ASSERT(import != NULL);
    for (int with = 0; with < 4; with++) {
        p3d_error err = {0};
        const bool ok = exchange_import_settle(
                &(exchange_import_question){.target = target,
                        .model = (with & 1) != 0 ? &world.model : NULL,
                        .cluster = &world.cluster,
                        .job = (with & 2) != 0 ? &job : &(p3d_job){0},
                        .at_own_risk = (with & 1) != 0},
                settings, import, &err);

        fuzz_check_error(ok, &err);
        if (ok)
            check_plan(&import->launch);
        any = any || ok;
        exchange_import_free(import);
    }
    free(import);
    return any;
}

bool fuzz_launch(const char *path, const uint8_t *data, size_t n)
{
    char *const text = fuzz_text(data, n);
    exchange_settings settings = {0};
    exchange_measured measured = {0};
    const exchange_target *target = NULL;
    p3d_error err = {0};
    bool ok;

    if (!world.ready)
        prepare();
    ok = exchange_read_text(
            (exchange_text){path, text, n}, &settings, &measured, &err);
    fuzz_check_error(ok, &err);
    P3D_ASSERT(measured.step_s >= 0 && measured.step_s < 1e15);
    if (ok)
        target = exchange_import_guess(&settings, NULL);
    ok = target != NULL && settle(&settings, target);
    exchange_settings_free(&settings);
    free(text);
    return ok;
}

/* clang-format off */
#define FUZZ_READER(name, path)                 \
    bool fuzz_##name(const uint8_t *data, size_t n) \
    {                                           \
        return fuzz_launch(path, data, n);      \
    }
FUZZ_READER(shell,       "fuzz.sh")
FUZZ_READER(log,         "fuzz.log")
FUZZ_READER(launch_json, "fuzz.json")
FUZZ_READER(yaml,        "fuzz.yaml")
FUZZ_READER(toml,        "fuzz.toml")
FUZZ_READER(python,      "fuzz.py")
/* clang-format on */
