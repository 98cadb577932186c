/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_sha256.c - digests of NIST's examples, and around the ends of blocks. */
#include "test.h"

#include <string.h>

#include "base/sha256.h"

/* Examples of FIPS 180-4 in base64; the others by Python's hashlib. */
static void digests_are_those_of_the_standard(void **state)
{
    static const struct {
        const char *letter;
        size_t n; /* times the letter, 0 = as it stands */
        const char *digest;
    } rows[] = {
            {"", 0, "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="},
            {"abc", 0, "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="},
            {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 0,
                    "JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE="},
            {"a", 55, "n0OQ+NMMLdkuyfCVtl4rmumwqSWlJY4kHJ8ekQ9zQxg="},
            {"a", 56, "s1Q5pKxvCUi21vnjxq8PX1kM4g8b3nCQ73lwaG7Gc4o="},
            {"a", 63, "fT50oF19sVvOStnsBljqmOPwbu7PFrTG//LaRX3cLzQ="},
            {"a", 64, "/+BU/nrgy23GXDr5th1SCfQ5hR20PQulmXM33xVGaOs="},
            {"a", 65, "Y1NhxIu56rFBmOduqKt/GkFoXWrWKqkUbTAdTxfrCuA="},
            {"a", 1000000, "zcduXJkU+5KBocfihNc+Z/GAmkiklyAOBG05zMcRLNA="},
    };
    static char text[1000000];
    char digest[P3D_SHA256_TEXT];

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const size_t n = rows[i].n > 0 ? rows[i].n : strlen(rows[i].letter);

        if (rows[i].n > 0)
            memset(text, rows[i].letter[0], n);
        else
            memcpy(text, rows[i].letter, n);
        p3d_sha256(text, n, digest);
        assert_string_equal(digest, rows[i].digest);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(digests_are_those_of_the_standard),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
