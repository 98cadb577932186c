/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_files.h - files of models that a test writes, and reading them. */
#ifndef PLAN3D_TEST_MODEL_FILES_H
#define PLAN3D_TEST_MODEL_FILES_H

#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/util.h"
#include "plan3d/model.h"

/* A folder for this test's files: begin() makes it, end() removes it. */
static char root[64];

static inline void write_file(const char *name, const char *text)
{
    char path[256];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s", root, name);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static inline int begin(void **state)
{
    char path[128];

    (void)state;
    snprintf(root, sizeof(root), "/tmp/plan3d-model-XXXXXX");
    assert_non_null(mkdtemp(root));
    snprintf(path, sizeof(path), "%s/models", root);
    return mkdir(path, 0700);
}

static inline int end(void **state)
{
    static const char *const leftovers[] = {"config.json", "models/a.json",
            "models/b.json", "models/broken.json", "models", "my-model.json"};
    char path[256];

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(leftovers); i++) {
        snprintf(path, sizeof(path), "%s/%s", root, leftovers[i]);
        remove(path);
    }
    unsetenv("PLAN3D_DATA");
    return rmdir(root);
}

static inline bool load_text(const char *text, p3d_model *out, p3d_error *err)
{
    char path[256];

    write_file("config.json", text);
    snprintf(path, sizeof(path), "%s/config.json", root);
    return p3d_model_load(path, out, err);
}

static inline p3d_model load(const char *text)
{
    p3d_model model = {0};
    p3d_error err = {0};

    if (!load_text(text, &model, &err))
        fail_msg("%d:%d: %s: %s", err.line, err.column, err.pointer, err.text);
    return model;
}

static inline p3d_model find(const char *word)
{
    p3d_model model = {0};
    p3d_error err = {0};

    if (!p3d_model_find(word, &model, &err))
        fail_msg("%s: %s: %s", word, err.pointer, err.text);
    return model;
}

/* clang-format off */
/* The least that a family needs; NAME(rest) adds to it. */
#define LLAMA(rest) \
"{\"model_type\": \"llama\", \"hidden_size\": 1024, \"num_hidden_layers\": 4," \
" \"num_attention_heads\": 16, \"vocab_size\": 32000" rest "}\n"
#define SHAPE \
" \"hidden_size\": 1024, \"num_hidden_layers\": 4," \
" \"num_attention_heads\": 16, \"num_key_value_heads\": 4," \
" \"intermediate_size\": 4096, \"vocab_size\": 32000"
#define CARD(rest) \
"{\"plan3d\": {\"schema\": 1, \"name\": \"a\", \"parameters\": 1," \
" \"source\": \"made up\"" rest "}, \"model_type\": \"gpt2\"," \
" \"n_embd\": 768, \"n_layer\": 12, \"n_head\": 12, \"vocab_size\": 50257}\n"
/* clang-format on */

#endif
