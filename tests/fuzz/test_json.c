/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_json.c - mutated and hostile documents: no crash, no slow answer, and
 * what is accepted is read the same after it was written again. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/util.h"
#include "fuzz/fuzz.h"
#include "json/json.h"

enum { N_MUTATIONS = 20000, MAX_DOCUMENT = 4096, BIG = 8 << 20 };

/* For one hostile document. It takes under a second; the limit is wide for
 * sanitizers and valgrind, and still far below a quadratic algorithm. */
static const double limit_s = 60;

static const char *const seeds[] = {
        "{}",
        "[]",
        "null",
        "-0.5e+10",
        "\"text\"",
        "{\"schema\": 1, \"name\": \"a800-80g\", \"hbm_bytes\": 85899345920}",
        "{\"a\": {\"b\": {\"c\": [1, 2, {\"d\": null}]}}}",
        "[[[[[[[[[[[[]]]]]]]]]]]]",
        "[0, -0, 1, 0.1, 1e5, 1E-5, 123456789012345678901234567890]",
        "[true, false, null, \"\", {}, []]",
        "\"\\u00e9\\ud83d\\ude00\\n\\t\\\\\\\"\\/\"",
        "{\"\xc3\xa9\": \"\xf0\x9f\x98\x80\", \"\\u00ea\": \"\xe2\x82\xac\"}",
        "{\"hidden_size\": 8192, \"num_attention_heads\": 64,\n"
        " \"rope_scaling\": {\"factor\": 8.0, \"type\": \"linear\"},\n"
        " \"torch_dtype\": \"bfloat16\", \"tie_word_embeddings\": false}\n",
        "{\"sources\": {\"/bf16_flop_per_s\": {\"kind\": \"datasheet\"}}}",
        "[1.7976931348623157e308, 4.9e-324, 2.2250738585072014e-308]",
        "{\"\": {\"\": {\"\": 0}}}",
        "{\"a/b\": 1, \"m~n\": 2, \"~1\": 3}",
        "  \t\r\n[ 1 , 2 ]\r\n ",
        "[\"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\"]",
        "[{\"n\": 1}, {\"n\": 2}, {\"n\": 3}, {\"n\": 4}]",
};

/* xorshift64*, Vigna 2016: the same numbers on every machine. */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(2685821657736338717);
}

static size_t below(uint64_t *state, size_t n)
{
    return (size_t)(next_random(state) >> 16) % n;
}

static bool try_document(const char *data, size_t n)
{
    return fuzz_json((const uint8_t *)data, n);
}

/* A document while it is being changed. */
typedef struct draft {
    char data[MAX_DOCUMENT];
    size_t length;
} draft;

static void replace(draft *d, size_t at, size_t n, const char *by, size_t n_by)
{
    if (d->length - n + n_by > sizeof(d->data))
        return;
    memmove(d->data + at + n_by, d->data + at + n, d->length - at - n);
    memcpy(d->data + at, by, n_by);
    d->length += n_by - n;
}

static void mutate(draft *d, uint64_t *state)
{
    static const char *const tokens[] = {"{", "}", "[", "]", ",", ":", "\"",
            "\\", "\\u", "d800", "0", "-", ".", "e", "1e999", "true", "null",
            " ", "\n", "/", "\xc3", "\xa9", "\xed\xa0\x80", "\x01", "\"a\":1,",
            "[1,2]", "\\u0000", "\\ud83d\\ude00", "00", "~1"};
    const size_t at = below(state, d->length + 1);
    const size_t left = d->length - at;
    const char *const token = tokens[below(state, P3D_COUNT_OF(tokens))];
    const char byte = (char)(unsigned char)below(state, 256);
    char copy[64];
    size_t n;

    switch (below(state, 6)) {
    case 0: replace(d, at, left > 0, &byte, 1); break;
    case 1: replace(d, at, 0, &byte, 1); break;
    case 2: replace(d, at, 0, token, strlen(token)); break;
    case 3: replace(d, at, left > 0, token, strlen(token)); break;
    case 4: replace(d, at, left == 0 ? 0 : below(state, left), "", 0); break;
    default: /* repeat a piece somewhere else */
        n = left < sizeof(copy) ? left : sizeof(copy);
        memcpy(copy, d->data + at, n);
        replace(d, below(state, d->length + 1), 0, copy, n);
        break;
    }
}

static void mutated_documents_are_survived(void **test)
{
    uint64_t state = 20240229;
    int n_accepted = 0;

    (void)test;
    for (int i = 0; i < N_MUTATIONS; i++) {
        const char *const seed = seeds[i % P3D_COUNT_OF(seeds)];
        const size_t n_changes = 1 + below(&state, 4);
        draft d = {.length = strlen(seed)};

        memcpy(d.data, seed, d.length);
        for (size_t j = 0; j < n_changes; j++)
            mutate(&d, &state);
        n_accepted += try_document(d.data, d.length);
    }
    /* Both outcomes must be common, or the test shows little. */
    assert_in_range(n_accepted, N_MUTATIONS / 20, N_MUTATIONS * 19 / 20);
}

static void seeds_are_accepted_and_their_prefixes_refused(void **test)
{
    (void)test;
    for (int i = 0; i < P3D_COUNT_OF(seeds); i++) {
        const size_t n = strlen(seeds[i]);
        size_t shortest = n;

        assert_true(try_document(seeds[i], n));
        while (strchr(" \r\n", seeds[i][shortest - 1]) != NULL)
            shortest--;
        /* A number's prefix may be a number. */
        for (size_t j = 0; j < shortest && seeds[i][0] != '-'; j++)
            assert_false(try_document(seeds[i], j));
    }
}

/* Every single byte at every place of one document. */
static void every_byte_at_every_place_is_survived(void **test)
{
    static const char seed[] = "{\"k\": [-1.5e3, \"\\u00e9\"]}";

    (void)test;
    for (size_t at = 0; at < sizeof(seed) - 1; at++) {
        for (int byte = 0; byte < 256; byte++) {
            char data[sizeof(seed)];

            memcpy(data, seed, sizeof(seed));
            data[at] = (char)(unsigned char)byte;
            (void)try_document(data, sizeof(seed) - 1);
        }
    }
}

static bool parse_fast(const p3d_text *text, p3d_error *err)
{
    const clock_t begin = clock();
    json_doc doc = {0};
    const bool ok = json_parse("hostile", text->data, text->length, &doc, err);

    json_close(&doc);
    assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < limit_s);
    return ok;
}

static void a_hundred_thousand_brackets_are_refused(void **test)
{
    static const char *const openings[] = {"[", "{\"a\":", "[{\"\":"};

    (void)test;
    for (int i = 0; i < P3D_COUNT_OF(openings); i++) {
        p3d_text text = {0};
        p3d_error err = {0};

        for (int j = 0; j < 100000; j++)
            p3d_text_add(&text, "%s", openings[i]);
        assert_false(parse_fast(&text, &err));
        test_check_error(&err, P3D_DATA, "more than 64 levels deep");
        p3d_text_free(&text);
    }
}

/* Repeats a piece, with a number in it or not, up to nearly 8 MiB. */
static void fill(p3d_text *text, const char *open, const char *before,
        bool numbered, const char *after, const char *close)
{
    p3d_text_add(text, "%s", open);
    for (int i = 0; text->length < BIG - 2048; i++) {
        p3d_text_append(text, before, strlen(before));
        if (numbered)
            p3d_text_add(text, "%x", i);
        p3d_text_append(text, after, strlen(after));
    }
    p3d_text_add(text, "%s", close);
}

static void eight_mib_of_different_keys_are_read_fast(void **test)
{
    p3d_text text = {0};

    (void)test;
    fill(&text, "{", "\"", true, "\":0,", "\"x\":0}");
    assert_true(parse_fast(&text, NULL));
    p3d_text_free(&text);
}

static void eight_mib_of_equal_keys_are_refused_fast(void **test)
{
    p3d_text text = {0};
    p3d_error err = {0};

    (void)test;
    fill(&text, "{", "\"a\":0,", false, "", "\"x\":0}");
    assert_false(parse_fast(&text, &err));
    test_check_error(&err, P3D_DATA, "key 'a' appears twice");
    assert_int_equal(err.column, 8);
    p3d_text_free(&text);
}

static void keys_with_a_long_common_beginning_are_read_fast(void **test)
{
    p3d_text text = {0};
    char before[1026] = "\"";

    (void)test;
    memset(before + 1, 'k', sizeof(before) - 2);
    fill(&text, "{", before, true, "\":0,", "\"x\":0}");
    assert_true(parse_fast(&text, NULL));
    p3d_text_free(&text);
}

static void a_duplicate_after_8_mib_of_elements_is_found_fast(void **test)
{
    p3d_text text = {0};
    p3d_error err = {0};

    (void)test;
    fill(&text, "[", "0,", false, "", "{\"a\":1,\n\"a\":2}]");
    assert_false(parse_fast(&text, &err));
    test_check_error(&err, P3D_DATA, "key 'a' appears twice");
    assert_int_equal(err.line, 2);
    p3d_text_free(&text);
}

static void many_small_values_are_read_fast(void **test)
{
    static const char *const pieces[] = {
            "[],", "{},", "\"\",", "1e-300,", "{\"a\":0,\"b\":0},", "\n"};

    (void)test;
    for (int i = 0; i < P3D_COUNT_OF(pieces); i++) {
        p3d_text text = {0};

        fill(&text, "[", pieces[i], false, "", "0]");
        assert_true(parse_fast(&text, NULL));
        p3d_text_free(&text);
    }
}

static void long_strings_are_read_fast(void **test)
{
    static const char *const pieces[] = {"a", "\\n", "\\ud83d\\ude00"};

    (void)test;
    for (int i = 0; i < P3D_COUNT_OF(pieces); i++) {
        p3d_text text = {0};
        p3d_error err = {0};

        fill(&text, "[\"", pieces[i], false, "", "\"]");
        assert_true(parse_fast(&text, NULL));
        text.length -= 2;
        assert_false(parse_fast(&text, &err));
        test_check_error(&err, P3D_DATA, "the string is not closed");
        p3d_text_free(&text);
    }
}

static void a_long_number_is_refused_fast(void **test)
{
    p3d_text text = {0};
    p3d_error err = {0};

    (void)test;
    fill(&text, "", "1", false, "", "");
    assert_false(parse_fast(&text, &err));
    test_check_error(&err, P3D_DATA, "the number is longer than 63");
    p3d_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(mutated_documents_are_survived),
            cmocka_unit_test(seeds_are_accepted_and_their_prefixes_refused),
            cmocka_unit_test(every_byte_at_every_place_is_survived),
            cmocka_unit_test(a_hundred_thousand_brackets_are_refused),
            cmocka_unit_test(eight_mib_of_different_keys_are_read_fast),
            cmocka_unit_test(eight_mib_of_equal_keys_are_refused_fast),
            cmocka_unit_test(keys_with_a_long_common_beginning_are_read_fast),
            cmocka_unit_test(a_duplicate_after_8_mib_of_elements_is_found_fast),
            cmocka_unit_test(many_small_values_are_read_fast),
            cmocka_unit_test(long_strings_are_read_fast),
            cmocka_unit_test(a_long_number_is_refused_fast),
    };

    return cmocka_run_group_tests_name("json fuzz", tests, NULL, NULL);
}
