/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_csv.c - mutated and hostile tables: no crash, no slow answer, and what
 * is accepted is a full rectangle of text. */
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/util.h"
#include "fuzz/fuzz.h"

enum { N_MUTATIONS = 20000, MAX_DOCUMENT = 1024, BIG = 60 << 20 };

/* It takes under a second; the limit is wide for sanitizers and valgrind. */
static const double limit_s = 60;

static const char *const seeds[] = {
        "a\n1\n",
        "a,b\n1,2\n3,4\n",
        "a,b\r\n1,2\r\n",
        "\xef\xbb\xbfid,note\nx,\"a, \"\"b\"\"\"\n",
        "id,note\nx,\"1\n2\"\ny,\n",
        "id,\xc3\xa9\n\"\",\"\xf0\x9f\x98\x80\"",
        "a,b,c\n,,\n\"\",\"\",\"\"\n",
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

static bool try_table(const char *data, size_t n)
{
    return fuzz_csv((const uint8_t *)data, n);
}

static size_t mutate(char *data, size_t length, uint64_t *state)
{
    static const char tokens[] = ",\"\n\r\0\xff\xc3 a1";
    const size_t at = below(state, length + 1);
    const char byte = tokens[below(state, sizeof(tokens) - 1)];

    switch (below(state, 3)) {
    case 0: /* insert */
        if (length + 1 >= MAX_DOCUMENT)
            return length;
        memmove(data + at + 1, data + at, length - at);
        data[at] = byte;
        return length + 1;
    case 1: /* replace */
        if (at < length)
            data[at] = byte;
        return length;
    default: /* take out */
        if (at == length)
            return length;
        memmove(data + at, data + at + 1, length - at - 1);
        return length - 1;
    }
}

static void mutated_tables_are_survived(void **test)
{
    uint64_t state = 20260801;
    int n_accepted = 0;

    (void)test;
    for (int i = 0; i < N_MUTATIONS; i++) {
        const char *const seed = seeds[i % P3D_COUNT_OF(seeds)];
        const size_t n_changes = 1 + below(&state, 4);
        char data[MAX_DOCUMENT];
        size_t length = strlen(seed);

        memcpy(data, seed, length);
        for (size_t j = 0; j < n_changes; j++)
            length = mutate(data, length, &state);
        n_accepted += try_table(data, length);
    }
    /* Both outcomes must be common, or the test shows little. */
    assert_in_range(n_accepted, N_MUTATIONS / 20, N_MUTATIONS * 19 / 20);
}

static void every_byte_at_every_place_is_survived(void **test)
{
    (void)test;
    for (int i = 0; i < P3D_COUNT_OF(seeds); i++) {
        const size_t n = strlen(seeds[i]);

        assert_true(try_table(seeds[i], n));
        for (size_t at = 0; at < n; at++) {
            for (int byte = 0; byte < 256; byte++) {
                char data[MAX_DOCUMENT];

                memcpy(data, seeds[i], n);
                data[at] = (char)(unsigned char)byte;
                (void)try_table(data, n);
            }
        }
    }
}

static void big_tables_are_read_fast(void **test)
{
    static const char *const pieces[] = {"\"\"", "x", "\n", ",", "\"\n", "a,"};
    char *const data = malloc(BIG);

    (void)test;
    assert_non_null(data);
    for (int i = 0; i < P3D_COUNT_OF(pieces); i++) {
        const size_t n_piece = strlen(pieces[i]);
        const clock_t begin = clock();

        for (size_t at = 0; at + n_piece <= BIG; at += n_piece)
            memcpy(data + at, pieces[i], n_piece);
        (void)try_table(data, BIG);
        assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < limit_s);
    }
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(mutated_tables_are_survived),
            cmocka_unit_test(every_byte_at_every_place_is_survived),
            cmocka_unit_test(big_tables_are_read_fast),
    };

    return cmocka_run_group_tests_name("csv fuzz", tests, NULL, NULL);
}
