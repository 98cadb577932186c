/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_units.c - quantities as people write and read them. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/util.h"
#include "plan3d/units.h"

static void check_bytes(const char *text, int64_t want)
{
    int64_t got = -1;
    p3d_error err = {0};

    if (!p3d_parse_bytes(text, &got, &err) || got != want) {
        print_error("'%s' gives %lld (%s)\n", text, (long long)got, err.text);
        fail();
    }
}

static void refuse_bytes(const char *text, const char *message)
{
    int64_t got = -77;
    p3d_error err = {0};

    assert_false(p3d_parse_bytes(text, &got, &err));
    assert_int_equal(err.code, P3D_USAGE);
    assert_string_equal(err.text, message);
    assert_true(got == -77);
}

static void parse_bytes_reads_both_families_exactly(void **state)
{
    (void)state;
    check_bytes("0B", 0);
    check_bytes("1B", 1);
    check_bytes("80GB", 80000000000);
    check_bytes("80GiB", 85899345920);
    check_bytes("3KB", 3000);
    check_bytes("3KiB", 3072);
    check_bytes("3MB", 3000000);
    check_bytes("3MiB", 3145728);
    check_bytes("3TB", 3000000000000);
    check_bytes("3TiB", 3298534883328);
    check_bytes("1.5GiB", 1610612736);
    check_bytes("0.1GB", 100000000);
    check_bytes("79.25GiB", 85094039552);
    check_bytes("1e3MB", 1000000000);
    check_bytes("00080GB", 80000000000);
    check_bytes(".5KiB", 512);
}

static void parse_bytes_is_exact_beyond_doubles(void **state)
{
    (void)state;
    check_bytes("9007199254740993B", 9007199254740993);
    check_bytes("9223372036854775807B", INT64_MAX);
    check_bytes("9223372036854.775807MB", INT64_MAX);
    check_bytes("8191.999999999999999999TiB", 9007199254740992);
    check_bytes("1.0000000000000000000e0B", 1);
}

static void parse_bytes_rounds_a_fraction_of_a_large_unit(void **state)
{
    (void)state;
    check_bytes("79.6GiB", 85469849190); /* 85469849190.4 */
    check_bytes("0.0005KB", 1);          /* halves go up */
    check_bytes("0.0004999KB", 0);
    check_bytes("1e-99GB", 0);
    check_bytes("1e-99999999999GB", 0);
    refuse_bytes("1.5B", "'1.5B' is not a whole number of bytes");
    refuse_bytes("1e-99999B", "'1e-99999B' is not a whole number of bytes");
}

static void parse_bytes_refuses_a_bare_80G(void **state)
{
    (void)state;
    refuse_bytes("80G", "'80G' has no unit; write 80GB or 80GiB");
    refuse_bytes("80", "'80' has no unit; write 80GB or 80GiB");
    refuse_bytes("1.5t", "'1.5t' has no unit; write 1.5TB or 1.5TiB");
    refuse_bytes("80Gi", "'80Gi' has no unit; write 80GiB");
    refuse_bytes("512k", "'512k' has no unit; write 512KB or 512KiB");
}

static void parse_bytes_refuses_other_units_with_a_hint(void **state)
{
    (void)state;
    refuse_bytes(
            "80gb", "'80gb' has the unknown unit 'gb'; did you mean 80GB?");
    refuse_bytes(
            "80GIB", "'80GIB' has the unknown unit 'GIB'; did you mean 80GiB?");
    refuse_bytes("80 GB", "'80 GB' has a space in it; write 80GB");
    refuse_bytes("80GB ",
            "'80GB ' has the unknown unit 'GB '; use one of B, KB, MB, GB, TB, "
            "KiB, MiB, GiB, TiB");
    refuse_bytes("80XB",
            "'80XB' has the unknown unit 'XB'; use one of B, KB, MB, GB, TB, "
            "KiB, MiB, GiB, TiB");
    refuse_bytes("80G\nB",
            "'80G\\nB' has the unknown unit 'G\\nB'; use one of B, KB, MB, GB, "
            "TB, KiB, MiB, GiB, TiB");
    refuse_bytes("1,5GB",
            "'1,5GB' has the unknown unit ',5GB'; use one of B, KB, MB, GB, "
            "TB, KiB, MiB, GiB, TiB");
}

static void parse_bytes_refuses_what_is_no_number(void **state)
{
    static const char *const words[] = {"", "GB", "x", "+5GB", "--5GB", "-GB",
            " 5GB", ".GB", "infGB", "nan", "inf", "e5GB"};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(words); i++) {
        char message[128];

        snprintf(message, sizeof(message),
                "'%s' is not a number; write for example 80GiB", words[i]);
        refuse_bytes(words[i], message);
    }
    refuse_bytes("0x10GB",
            "'0x10GB' has the unknown unit 'x10GB'; use one of B, KB, MB, GB, "
            "TB, KiB, MiB, GiB, TiB");
}

static void parse_bytes_refuses_negative_and_overflow(void **state)
{
    (void)state;
    refuse_bytes("-1GB", "'-1GB' is negative; write an amount of at least 0B");
    refuse_bytes("9223372036854775808B",
            "'9223372036854775808B' is too large; write less than 8388608TiB");
    refuse_bytes("8388608TiB",
            "'8388608TiB' is too large; write less than 8388608TiB");
    refuse_bytes("1e99999999999GB",
            "'1e99999999999GB' is too large; write less than 8388608TiB");
    refuse_bytes("8388607.9999999999999999999TiB",
            "'8388607.9999999999999999999TiB' is too large; write less than "
            "8388608TiB");
}

static void parse_bytes_refuses_a_very_long_number(void **state)
{
    char text[300];
    int64_t got = 0;
    p3d_error err = {0};

    (void)state;
    memset(text, '1', sizeof(text));
    text[sizeof(text) - 1] = '\0';
    assert_false(p3d_parse_bytes(text, &got, &err));
    test_check_error(&err, P3D_USAGE, "11...' is too long for a number");
}

static void check_rate(const char *text, double want)
{
    double got = 0;

    assert_true(p3d_parse_bytes_per_s(text, &got, NULL));
    CHECK_REL(got, want, 0);
}

static void refuse_rate(const char *text, const char *message)
{
    double got = -77;
    p3d_error err = {0};

    assert_false(p3d_parse_bytes_per_s(text, &got, &err));
    assert_int_equal(err.code, P3D_USAGE);
    assert_string_equal(err.text, message);
    CHECK_REL(got, -77, 0);
}

static void parse_bytes_per_s_knows_bits_and_bytes(void **state)
{
    (void)state;
    check_rate("1B/s", 1);
    check_rate("400Gbit/s", 5e10);
    check_rate("12.8Kbit/s", 1600);
    check_rate("100Mbit/s", 1.25e7);
    check_rate("1.6Tbit/s", 2e11);
    check_rate("46.3GB/s", 46.3e9);
    check_rate("1.5GiB/s", 1610612736);
    check_rate("2KB/s", 2000);
    check_rate("2MB/s", 2e6);
    check_rate("3.35TB/s", 3.35e12);
    check_rate("2KiB/s", 2048);
    check_rate("2MiB/s", 2097152);
    check_rate("1TiB/s", 1099511627776);
}

static void parse_bytes_per_s_refuses_what_is_unclear(void **state)
{
    (void)state;
    refuse_rate("400G", "'400G' has no unit; write 400GB/s or 400Gbit/s");
    refuse_rate("400", "'400' has no unit; write 400GB/s or 400Gbit/s");
    refuse_rate("400GB", "'400GB' is not a rate; write 400GB/s");
    refuse_rate("400MiB", "'400MiB' is not a rate; write 400MiB/s");
    refuse_rate("400Gb/s",
            "'400Gb/s' may be bits or bytes; write 400Gbit/s or 400GB/s");
    refuse_rate("400Tbps",
            "'400Tbps' may be bits or bytes; write 400Tbit/s or 400TB/s");
    refuse_rate("400gb/s",
            "'400gb/s' may be bits or bytes; write 400Gbit/s or 400GB/s");
    refuse_rate("400gbit/s",
            "'400gbit/s' has the unknown unit 'gbit/s'; did you mean "
            "400Gbit/s?");
    refuse_rate("400furlong",
            "'400furlong' has the unknown unit 'furlong'; use one of B/s, "
            "KB/s, MB/s, GB/s, TB/s, KiB/s, MiB/s, GiB/s, TiB/s, Kbit/s, "
            "Mbit/s, Gbit/s, Tbit/s");
}

static void parse_bytes_per_s_refuses_zero_and_infinity(void **state)
{
    (void)state;
    refuse_rate(
            "0GB/s", "'0GB/s' is not more than 0; write for example 400Gbit/s");
    refuse_rate("-5GB/s",
            "'-5GB/s' is not more than 0; write for example 400Gbit/s");
    refuse_rate("1e400GB/s", "'1e400GB/s' is too large");
    refuse_rate("fast", "'fast' is not a number; write for example 400Gbit/s");
}

static void parse_seconds_knows_five_units(void **state)
{
    static const struct {
        const char *text;
        double seconds;
    } rows[] = {{"85ms", 0.085}, {"1.5s", 1.5}, {"2min", 120}, {"1.5h", 5400},
            {"3d", 259200}};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        double got = 0;

        assert_true(p3d_parse_seconds(rows[i].text, &got, NULL));
        CHECK_REL(got, rows[i].seconds, 0);
    }
}

static void parse_seconds_refuses_a_bare_number(void **state)
{
    double got = 0;
    p3d_error err = {0};
    p3d_error unknown = {0};
    p3d_error zero = {0};

    (void)state;
    assert_false(p3d_parse_seconds("5", &got, &err));
    assert_string_equal(err.text, "'5' has no unit; write 5s, 5min or 5h");
    assert_false(p3d_parse_seconds("5weeks", &got, &unknown));
    assert_string_equal(unknown.text,
            "'5weeks' has the unknown unit 'weeks'; use one of ms, s, min, h, "
            "d, y");
    assert_false(p3d_parse_seconds("0s", &got, &zero));
    assert_string_equal(
            zero.text, "'0s' is not more than 0; write for example 30min");
}

static void check_count(const char *text, int64_t want)
{
    int64_t got = -1;

    assert_true(p3d_parse_count(text, INT64_MIN, INT64_MAX, &got, NULL));
    assert_true(got == want);
}

static void refuse_count(
        const char *text, int64_t min, int64_t max, const char *message)
{
    int64_t got = -77;
    p3d_error err = {0};

    assert_false(p3d_parse_count(text, min, max, &got, &err));
    assert_int_equal(err.code, P3D_USAGE);
    assert_string_equal(err.text, message);
    assert_true(got == -77);
}

static void parse_count_reads_whole_numbers(void **state)
{
    (void)state;
    check_count("64", 64);
    check_count("2T", 2000000000000);
    check_count("70.6B", 70600000000);
    check_count("8K", 8000);
    check_count("0.5M", 500000);
    check_count("1e3", 1000);
    check_count("-5", -5);
    check_count("9007199254740993", 9007199254740993);
    check_count("2t", 2000000000000);
    check_count("8k", 8000);
}

/* "32K context" is 32,768 tokens, of whatever case. */
static void parse_length_counts_by_1024(void **state)
{
    int64_t got = -1;
    p3d_error err = {0};

    (void)state;
    assert_true(p3d_parse_length("32K", 1, 1 << 20, &got, NULL));
    assert_int_equal(got, 32768);
    assert_true(p3d_parse_length("128k", 1, 1 << 20, &got, NULL));
    assert_int_equal(got, 131072);
    assert_true(p3d_parse_length("1M", 1, 1 << 20, &got, NULL));
    assert_int_equal(got, 1 << 20);
    assert_true(p3d_parse_length("4096", 1, 1 << 20, &got, NULL));
    assert_int_equal(got, 4096);
    assert_false(p3d_parse_length("2B", 1, 1 << 20, &got, &err));
    assert_string_equal(
            err.text, "'2B' has the unknown unit 'B'; use one of K, M");
    assert_int_equal(got, 4096);
}

static void parse_count_refuses_fractions_ranges_and_units(void **state)
{
    (void)state;
    refuse_count("1.5", 1, 9, "'1.5' is not a whole number");
    refuse_count("0.0001K", 1, 9, "'0.0001K' is not a whole number");
    refuse_count("0", 1, 1024,
            "'0' is out of range; write a whole number from 1 to 1024");
    refuse_count("2K", 1, 1024,
            "'2K' is out of range; write a whole number from 1 to 1024");
    refuse_count("0", 1, INT64_MAX,
            "'0' is out of range; write a whole number of at least 1");
    refuse_count("1e30", 1, 64,
            "'1e30' is out of range; write a whole number from 1 to 64");
    refuse_count("-1e30", 1, 64,
            "'-1e30' is out of range; write a whole number from 1 to 64");
    refuse_count("2G", 1, INT64_MAX,
            "'2G' has the unknown unit 'G'; use one of K, M, B, T");
    refuse_count("many", 1, 8, "'many' is not a number; write for example 64");
}

static void parse_number_reads_percent_of_a_share(void **state)
{
    double got = -77;
    p3d_error meant = {0};
    p3d_error range = {0};

    (void)state;
    assert_true(p3d_parse_number("95%", 0, 1, &got, NULL));
    CHECK_REL(got, 0.95, 0);
    assert_true(p3d_parse_number("0.5%", 0, 0.999, &got, NULL));
    CHECK_REL(got, 0.005, 0);
    assert_false(p3d_parse_number("99", 0, 0.999, &got, &meant));
    assert_string_equal(meant.text,
            "'99' is out of range; write a number from 0 to 0.999, or "
            "percent: 99%");
    assert_false(p3d_parse_number("101%", 0, 1, &got, &range));
    assert_string_equal(
            range.text, "'101%' is out of range; write a number from 0 to 1");
    CHECK_REL(got, 0.005, 0);
}

static void parse_number_reads_plain_numbers_in_a_range(void **state)
{
    double got = -77;
    p3d_error unit = {0};
    p3d_error range = {0};
    p3d_error word = {0};
    p3d_error infinite = {0};

    (void)state;
    assert_true(p3d_parse_number("0.45", 0, 1, &got, NULL));
    CHECK_REL(got, 0.45, 0);
    assert_true(p3d_parse_number("-1e-3", -1, 1, &got, NULL));
    CHECK_REL(got, -1e-3, 0);
    got = -77;
    assert_false(p3d_parse_number("50%", 0, 2, &got, &unit));
    assert_string_equal(unit.text,
            "'50%' is not a plain number; write a number from 0 to 2");
    assert_false(p3d_parse_number("2.5", 0, 2, &got, &range));
    assert_string_equal(
            range.text, "'2.5' is out of range; write a number from 0 to 2");
    assert_false(p3d_parse_number("x", 0, 1, &got, &word));
    assert_string_equal(
            word.text, "'x' is not a number; write for example 0.5");
    assert_false(p3d_parse_number("1e999", 0, HUGE_VAL, &got, &infinite));
    test_check_error(&infinite, P3D_USAGE, "'1e999' is out of range");
    CHECK_REL(got, -77, 0);
}

static void numbers_are_correctly_rounded(void **state)
{
    static const struct {
        const char *text;
        double value;
    } rows[] = {
            {"0.1", 0.1},
            {"123456789012345678901234567890", 123456789012345678901234567890.},
            {"9007199254740993", 9007199254740992.},
            {"9007199254740993.000000000000000000001", 9007199254740994.},
            {"2.2250738585072011e-308", 2.2250738585072011e-308},
            {"4.9e-324", 4.9e-324},
            {"1.7976931348623157e308", 1.7976931348623157e308},
            {"000.00012300e+2", 0.0123},
            {"0e99", 0},
    };

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        p3d_decimal number;

        assert_int_equal(
                p3d_scan_decimal(rows[i].text, &number), strlen(rows[i].text));
        CHECK_REL(p3d_decimal_double(&number, 0), rows[i].value, 0);
    }
}

static void scan_decimal_stops_behind_the_number(void **state)
{
    static const struct {
        const char *text;
        size_t used;
    } rows[] = {{"1e", 1}, {"1e+", 1}, {"1.", 1}, {"1.5.2", 3}, {"-", 0},
            {"1-2", 1}, {"1E5x", 3}, {".5", 2}, {"1_0", 1}, {"", 0}};
    char longest[70];
    p3d_decimal number;

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++)
        assert_int_equal(p3d_scan_decimal(rows[i].text, &number), rows[i].used);
    memset(longest, '7', sizeof(longest));
    longest[63] = '\0';
    assert_int_equal(p3d_scan_decimal(longest, &number), 63);
    assert_int_equal(number.n_digits, 63);
    longest[63] = '7';
    longest[64] = '\0';
    assert_int_equal(p3d_scan_decimal(longest, &number), 0);
    longest[60] = 'e';
    assert_int_equal(p3d_scan_decimal(longest, &number), 0);
}

static void print_bytes_chooses_gib_where_it_shows(void **state)
{
    static const struct {
        double bytes;
        const char *text;
    } rows[] = {
            {85899345920., "80.00 GiB"},
            {5368709.2, "0.01 GiB"},
            {5368709., "5.12 MiB"},
            {1048576., "1.00 MiB"},
            {1536., "1.50 KiB"},
            {1023., "1023 B"},
            {0., "0 B"},
            {-0.3, "0 B"},
            {-1610612736., "-1.50 GiB"},
            {1e18, "931322574.62 GiB"},
    };
    char buffer[64];

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++)
        assert_string_equal(
                p3d_print_bytes(buffer, sizeof(buffer), rows[i].bytes),
                rows[i].text);
}

static void print_seconds_chooses_a_fitting_unit(void **state)
{
    static const struct {
        double seconds;
        const char *text;
    } rows[] = {
            {0.085, "85 ms"},
            {267840., "3.1 days"},
            {0., "0 s"},
            {4.2e-9, "4.2 ns"},
            {1e-6, "1 us"},
            {0.9996e-6, "1 us"},
            {12.5e-6, "12.5 us"},
            {0.1234, "123 ms"},
            {0.9999, "1 s"},
            {12.44, "12.4 s"},
            {99.97, "100 s"},
            {119., "119 s"},
            {120., "2 min"},
            {5400., "90 min"},
            {7200., "2 h"},
            {172800., "2 days"},
            {31536000., "365 days"},
            {-0.085, "-85 ms"},
    };
    char buffer[64];

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++)
        assert_string_equal(
                p3d_print_seconds(buffer, sizeof(buffer), rows[i].seconds),
                rows[i].text);
    assert_string_equal(
            p3d_print_seconds(buffer, sizeof(buffer), HUGE_VAL), "inf s");
}

static void print_count_is_short(void **state)
{
    static const struct {
        double count;
        const char *text;
    } rows[] = {
            {70553706496., "70.6B"},
            {0., "0"},
            {7., "7"},
            {999., "999"},
            {999.6, "1K"},
            {1234., "1.23K"},
            {999999., "1M"},
            {8e9, "8B"},
            {2e12, "2T"},
            {1.5e15, "1500T"},
            {-1500., "-1.5K"},
    };
    char buffer[64];

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++)
        assert_string_equal(
                p3d_print_count(buffer, sizeof(buffer), rows[i].count),
                rows[i].text);
}

static void print_integer_groups_thousands(void **state)
{
    static const struct {
        int64_t value;
        const char *text;
    } rows[] = {
            {0, "0"},
            {999, "999"},
            {1000, "1,000"},
            {-999, "-999"},
            {-1000, "-1,000"},
            {70553706496, "70,553,706,496"},
            {INT64_MAX, "9,223,372,036,854,775,807"},
            {INT64_MIN, "-9,223,372,036,854,775,808"},
    };
    char buffer[64];

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++)
        assert_string_equal(
                p3d_print_integer(buffer, sizeof(buffer), rows[i].value),
                rows[i].text);
}

static void print_never_overruns_a_small_buffer(void **state)
{
    char buffer[6];

    (void)state;
    assert_string_equal(
            p3d_print_bytes(buffer, sizeof(buffer), 85899345920.), "80.00");
    assert_string_equal(
            p3d_print_integer(buffer, sizeof(buffer), INT64_MIN), "-9,22");
    assert_string_equal(p3d_print_seconds(buffer, 1, 1.5), "");
    assert_string_equal(p3d_print_count(buffer, 2, 1.5e9), "1");
}

static void print_shortest_reads_back_equal(void **state)
{
    static const double values[] = {0.1, 1e22, 1. / 3, 5e-324,
            1.7976931348623157e308, 9007199254740992., -2.5};
    static const char *const texts[] = {"0.1", "1e+22", "0.3333333333333333",
            "4.94065645841247e-324", "1.7976931348623157e+308",
            "9007199254740992", "-2.5"};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(values); i++) {
        char buffer[P3D_NUMBER_BUFFER];

        assert_string_equal(
                p3d_print_shortest(buffer, sizeof(buffer), values[i]),
                texts[i]);
    }
}

static void check_amounts(void)
{
    char buffer[64];

    check_bytes("1.5GiB", 1610612736);
    check_rate("46.3GB/s", 46.3e9);
    assert_string_equal(
            p3d_print_bytes(buffer, sizeof(buffer), 1.5e9), "1.40 GiB");
    assert_string_equal(
            p3d_print_seconds(buffer, sizeof(buffer), 1.5), "1.5 s");
    assert_string_equal(
            p3d_print_count(buffer, sizeof(buffer), 1.25e9), "1.25B");
    assert_string_equal(
            p3d_print_shortest(buffer, sizeof(buffer), 1.5e-9), "1.5e-09");
}

static void every_locale_reads_and_prints_alike(void **state)
{
    (void)state;
    test_every_locale(check_amounts);
}

static void whole_numbers_end_at_what_is_no_digit(void **state)
{
    int64_t value = 0;

    (void)state;
    assert_int_equal(p3d_scan_whole(" 128, ...", &value), 4);
    assert_int_equal(value, 128);
    assert_int_equal(p3d_scan_whole("12.5", &value), 2);
    assert_int_equal(value, 12);
    assert_int_equal(p3d_scan_whole("-1", &value), 0);
    assert_int_equal(value, 0);
    assert_int_equal(p3d_scan_whole("99999999999999999999", &value), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(parse_bytes_reads_both_families_exactly),
            cmocka_unit_test(parse_bytes_is_exact_beyond_doubles),
            cmocka_unit_test(parse_bytes_rounds_a_fraction_of_a_large_unit),
            cmocka_unit_test(parse_bytes_refuses_a_bare_80G),
            cmocka_unit_test(parse_bytes_refuses_other_units_with_a_hint),
            cmocka_unit_test(parse_bytes_refuses_what_is_no_number),
            cmocka_unit_test(parse_bytes_refuses_negative_and_overflow),
            cmocka_unit_test(parse_bytes_refuses_a_very_long_number),
            cmocka_unit_test(parse_bytes_per_s_knows_bits_and_bytes),
            cmocka_unit_test(parse_bytes_per_s_refuses_what_is_unclear),
            cmocka_unit_test(parse_bytes_per_s_refuses_zero_and_infinity),
            cmocka_unit_test(parse_seconds_knows_five_units),
            cmocka_unit_test(parse_seconds_refuses_a_bare_number),
            cmocka_unit_test(parse_count_reads_whole_numbers),
            cmocka_unit_test(parse_length_counts_by_1024),
            cmocka_unit_test(parse_count_refuses_fractions_ranges_and_units),
            cmocka_unit_test(parse_number_reads_plain_numbers_in_a_range),
            cmocka_unit_test(parse_number_reads_percent_of_a_share),
            cmocka_unit_test(numbers_are_correctly_rounded),
            cmocka_unit_test(scan_decimal_stops_behind_the_number),
            cmocka_unit_test(print_bytes_chooses_gib_where_it_shows),
            cmocka_unit_test(print_seconds_chooses_a_fitting_unit),
            cmocka_unit_test(print_count_is_short),
            cmocka_unit_test(print_integer_groups_thousands),
            cmocka_unit_test(print_never_overruns_a_small_buffer),
            cmocka_unit_test(print_shortest_reads_back_equal),
            cmocka_unit_test(every_locale_reads_and_prints_alike),
            cmocka_unit_test(whole_numbers_end_at_what_is_no_digit),
    };

    return cmocka_run_group_tests_name("units", tests, NULL, NULL);
}
