/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_left_out.c - a key that plan3d does not know is named, in whichever
 * object of a config.json it stands, or the file is refused: all keys of files
 * of all kinds, one after the other, with another name. */
#include "test.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "plan3d/model.h"

/* A decoder alone, a tower beside flat keys, nested decoders, sound. */
static const char *const files[] = {"models/llama-3-8b.json",
        "models/deepseek-v3.json", "models/mixtral-8x7b.json",
        "models/mpt-7b.json", "models/gemma-3-4b.json",
        "tests/data/towers/qwen2-vl-7b.json",
        "tests/data/towers/qwen2.5-vl-7b.json",
        "tests/data/towers/qwen3-vl-8b.json",
        "tests/data/towers/internvl3-8b.json",
        "tests/data/towers/internvl3-8b-hf.json",
        "tests/data/towers/llava-1.5-7b.json",
        "tests/data/towers/mistral-small-3.1-24b.json",
        "tests/data/towers/paligemma-3b.json",
        "tests/data/towers/qwen2-audio-7b.json",
        "tests/data/towers/smolvlm2-2.2b.json"};

enum { N_FILES = sizeof(files) / sizeof(files[0]) };

static char *read_text(const char *file)
{
    p3d_error err = {0};
    size_t length;
    char *text;

    if (!p3d_read_file(file, 1 << 20, &text, &length, &err))
        fail_msg("%s", err.text);
    return text;
}

/* A file as people have it: without the member of models/. */
static char *config_of(const char *file)
{
    char *const text = read_text(file);
    char *const card = strstr(text, "\"plan3d\"");
    char *end;

    if (card == NULL)
        return text;
    end = strstr(card, "\n  },\n");
    assert_non_null(end);
    end += strlen("\n  },\n");
    memmove(card, end, strlen(end) + 1);
    return text;
}

/* True where the file is refused, or its answer names the key. */
static bool is_told(const char *text, const char *key)
{
    p3d_error err = {0};
    p3d_model model;

    if (!p3d_model_parse("config.json", text, &model, &err))
        return err.text[0] != '\0';
    return strstr(model.unread_keys, key) != NULL ||
           strstr(model.not_counted, key) != NULL;
}

/* Room that a longer text takes. */
enum { MORE = 128 };

/* The text with more at a place, into as many bytes and MORE. */
static void splice(char *to, const char *text, size_t at, const char *more)
{
    snprintf(to, strlen(text) + MORE, "%.*s%s%s", (int)at, text, more,
            text + at);
}

/* The name of the object that a place is in; "" is the file. */
static void object_at(const char *text, size_t at, char name[64])
{
    int depth = 0;

    name[0] = '\0';
    while (at > 0 && depth >= 0) {
        at--;
        depth += text[at] == '}' ? 1 : text[at] == '{' ? -1 : 0;
    }
    while (at > 0 && text[at] != '"')
        at--;
    if (at > 0) {
        size_t from = at;

        while (from > 0 && text[from - 1] != '"')
            from--;
        snprintf(name, 64, "%.*s", (int)(at - from), text + from);
    }
}

/* Objects whose members have sizes of a decoder or of a tower; others are
 * known or not as a whole. */
static bool has_sizes(const char *object)
{
    static const char *const names[] = {
            "", "text_config", "llm_config", "vision_config", "audio_config"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(names[i], object) == 0)
            return true;
    }
    return false;
}

static void every_new_key_is_told(void **state)
{
    static const char *const values[] = {
            "7", "true", "0.5", "\"word\"", "[1, 2]", "{\"size\": 3}"};
    int n_tried = 0;

    (void)state;
    for (int i = 0; i < N_FILES; i++) {
        char *const text = config_of(files[i]);
        char *const changed = malloc(strlen(text) + MORE);

        assert_non_null(changed);
        for (const char *at = strchr(text, '{'); at != NULL;
                at = strchr(at + 1, '{')) {
            char object[64];

            object_at(text, (size_t)(at + 1 - text), object);
            for (int v = 0; v < 6 && has_sizes(object); v++) {
                char more[64];

                snprintf(more, sizeof(more), "\"zz_new\": %s, ", values[v]);
                splice(changed, text, (size_t)(at + 1 - text), more);
                if (!is_told(changed, "zz_new"))
                    fail_msg("%s: %s in '%s' is not told", files[i], more,
                            object);
                n_tried++;
            }
        }
        free(changed);
        free(text);
    }
    assert_true(n_tried > 6 * 2 * N_FILES - 40);
}

/* A key with a value that asks for nothing needs no word. */
static bool asks_for_nothing(const char *value)
{
    return strncmp(value, "false", 5) == 0 || strncmp(value, "null", 4) == 0 ||
           strncmp(value, "\"\"", 2) == 0 || strncmp(value, "[]", 2) == 0 ||
           strncmp(value, "{}", 2) == 0 ||
           (value[0] == '0' && !isdigit((unsigned char)value[1]) &&
                   value[1] != '.');
}

/* The first key from here on that is written as one: "key": value. */
static const char *next_key(const char *at, size_t *length, const char **value)
{
    while ((at = strchr(at, '"')) != NULL) {
        const char *const end = strchr(at + 1, '"');

        assert_non_null(end);
        if (end[1] == ':') {
            *length = (size_t)(end - at - 1);
            *value = end + 2 + strspn(end + 2, " ");
            return at + 1;
        }
        at = end + 1;
    }
    return NULL;
}

static void every_renamed_key_is_told(void **state)
{
    int n_tried = 0;

    (void)state;
    for (int i = 0; i < N_FILES; i++) {
        char *const text = config_of(files[i]);
        char *const changed = malloc(strlen(text) + MORE);
        const char *value;
        size_t length;

        assert_non_null(changed);
        for (const char *key = next_key(text, &length, &value); key != NULL;
                key = next_key(value, &length, &value)) {
            char object[64];

            object_at(text, (size_t)(key - text), object);
            if (!has_sizes(object) || asks_for_nothing(value))
                continue;
            splice(changed, text, (size_t)(key - text) + length, "_zz");
            if (!is_told(changed, "_zz"))
                fail_msg("%s: %.*s of '%s', with another name, is not told",
                        files[i], (int)length, key, object);
            n_tried++;
        }
        free(changed);
        free(text);
    }
    assert_true(n_tried > 200);
}

/* Nothing of these files themselves is unknown. */
static void what_is_known_is_not_told(void **state)
{
    (void)state;
    for (int i = 0; i < N_FILES; i++) {
        char *const text = config_of(files[i]);
        p3d_error err = {0};
        p3d_model model;

        if (!p3d_model_parse("config.json", text, &model, &err))
            fail_msg("%s: %s", files[i], err.text);
        if (model.unread_keys[0] != '\0')
            fail_msg("%s: %s", files[i], model.unread_keys);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(every_new_key_is_told),
            cmocka_unit_test(every_renamed_key_is_told),
            cmocka_unit_test(what_is_known_is_not_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
