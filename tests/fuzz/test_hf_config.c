/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_hf_config.c - damaged model files: refused or sane, never a crash. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "fuzz/fuzz.h"
#include "plan3d/catalog.h"
#include "plan3d/model.h"

enum { MUTANTS_PER_FILE = 40, MAX_TEXT = 16384 };

static const uint64_t seed = 20260830;

typedef struct text {
    char data[MAX_TEXT];
    size_t length;
} text;

/* Marsaglia's xorshift64: the same numbers on every machine. */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static size_t pick(uint64_t *state, size_t n)
{
    return n == 0 ? 0 : (size_t)(next_random(state) % n);
}

/* Put a word in the place of n bytes. */
static void splice(text *t, size_t at, size_t n, const char *word)
{
    const size_t length = strlen(word);

    if (at + n > t->length)
        n = t->length - at;
    if (t->length - n + length >= sizeof(t->data))
        return;
    memmove(t->data + at + length, t->data + at + n, t->length - at - n);
    memcpy(t->data + at, word, length);
    t->length += length - n;
}

/* Replace the value of some key, where most mistakes of people are. */
static void change_value(text *t, uint64_t *state)
{
    static const char *const words[] = {"null", "0", "-1", "1", "2", "3", "7",
            "1.5", "1e9", "2147483648", "99999999999999999999", "1024", "1025",
            "true", "false", "[]", "[0]", "[1, 2, 1023]", "{}", "\"\"",
            "\"llama\"", "\"qwen3_moe\"", "\"gemma3\"", "[\"full_attention\"]",
            "4096", "65536", "262144", "16384", "\"\\u0000\"", "NaN"};
    const size_t start = pick(state, t->length);
    const char *const colon = memchr(t->data + start, ':', t->length - start);
    size_t at;
    size_t end;

    if (colon == NULL)
        return;
    at = (size_t)(colon - t->data) + 1;
    for (end = at; end < t->length && strchr(",\n", t->data[end]) == NULL;)
        end++;
    splice(t, at, end - at, words[pick(state, P3D_COUNT_OF(words))]);
}

static void change_byte(text *t, uint64_t *state)
{
    static const char bytes[] = "0123456789-.eE+\"\\{}[]:,tfn \x80\xff";
    char word[2] = {bytes[pick(state, sizeof(bytes) - 1)], '\0'};

    splice(t, pick(state, t->length), 1, word);
}

/* The case of the first letter of a key, or of a string. */
static void change_key(text *t, uint64_t *state)
{
    const size_t start = pick(state, t->length);
    char *const quote = memchr(t->data + start, '"', t->length - start);

    if (quote != NULL && quote + 1 < t->data + t->length)
        quote[1] = (char)(quote[1] ^ 0x20);
}

static void mutate(text *t, uint64_t *state)
{
    const size_t n = 1 + pick(state, 3);

    for (size_t i = 0; i < n && t->length > 0; i++) {
        switch (pick(state, 8)) {
        case 0: change_byte(t, state); break;
        case 1: splice(t, pick(state, t->length), pick(state, 40), ""); break;
        case 2: change_key(t, state); break;
        case 3:
            if (pick(state, 8) == 0)
                t->length = pick(state, t->length);
            break;
        default: change_value(t, state); break;
        }
    }
}

static void read_text(const char *path, text *t)
{
    FILE *const file = fopen(path, "rb");

    assert_non_null(file);
    t->length = fread(t->data, 1, sizeof(t->data) - 1, file);
    assert_true(feof(file));
    assert_int_equal(fclose(file), 0);
}

/* Half of the mutants lose the "plan3d" key, so that they are read as
 * leniently as somebody else's config.json. */
static void forget_plan3d(text *t)
{
    t->data[t->length] = '\0';
    {
        char *const key = strstr(t->data, "\"plan3d\"");

        if (key != NULL)
            memcpy(key, "\"other!\"", 8);
    }
}

static void damaged_files_are_refused_or_give_a_sane_model(void **state)
{
    uint64_t random = seed;
    p3d_catalog catalog = {0};
    p3d_error err = {0};
    int n_loaded = 0;
    int n_refused = 0;

    (void)state;
    assert_true(p3d_catalog_open(P3D_MODELS, &catalog, &err));
    for (int i = 0; i < catalog.n_names * MUTANTS_PER_FILE; i++) {
        char original[1200];
        bool loaded;
        text t;

        p3d_catalog_path(
                &catalog, i / MUTANTS_PER_FILE, original, sizeof(original));
        read_text(original, &t);
        if (i % 2 == 0)
            forget_plan3d(&t);
        mutate(&t, &random);
        loaded = fuzz_hf_config((const uint8_t *)t.data, t.length);
        n_loaded += loaded;
        n_refused += !loaded;
    }
    print_message("seed %llu: %d mutants load, %d are refused\n",
            (unsigned long long)seed, n_loaded, n_refused);
    assert_true(n_loaded > 500 && n_refused > 500);
    p3d_catalog_free(&catalog);
}

static void any_word_is_found_or_refused(void **state)
{
    static const char letters[] = "lamqwen2370B.-/ \x80gpt";
    uint64_t random = seed;

    (void)state;
    for (int i = 0; i < 100; i++) {
        p3d_model model;
        p3d_error err = {0};
        char word[80] = "";
        const size_t n = pick(&random, sizeof(word) - 1);

        for (size_t j = 0; j < n; j++)
            word[j] = letters[pick(&random, sizeof(letters) - 1)];
        if (!p3d_model_find(word, &model, &err))
            assert_true(err.code == P3D_DATA || err.code == P3D_SYSTEM);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(damaged_files_are_refused_or_give_a_sane_model),
            cmocka_unit_test(any_word_is_found_or_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
