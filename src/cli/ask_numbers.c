/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask_numbers.c - reads numbers in digits, in English words and in Chinese
 * ones, with their magnitudes. */
#include "cli/ask_numbers.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/util.h"

typedef struct number_word {
    const char *word;
    double value;
} number_word;

/* clang-format off */
static const number_word english[] = {
    {"one", 1}, {"two", 2}, {"three", 3}, {"four", 4}, {"five", 5},
    {"six", 6}, {"seven", 7}, {"eight", 8}, {"nine", 9}, {"ten", 10},
    {"eleven", 11}, {"twelve", 12}, {"thirteen", 13}, {"fourteen", 14},
    {"fifteen", 15}, {"sixteen", 16}, {"seventeen", 17}, {"eighteen", 18},
    {"nineteen", 19}, {"twenty", 20}, {"thirty", 30}, {"forty", 40},
    {"fifty", 50}, {"sixty", 60}, {"seventy", 70}, {"eighty", 80},
    {"ninety", 90}, {"dozen", 12},
};

static const number_word magnitudes[] = {
    {"hundred", 1e2}, {"thousand", 1e3}, {"million", 1e6}, {"mn", 1e6},
    {"billion", 1e9}, {"bn", 1e9}, {"trillion", 1e12}, {"tn", 1e12},
    {"K", 1e3}, {"M", 1e6}, {"B", 1e9}, {"T", 1e12},
};

static const number_word digits[] = {
    {"零", 0}, {"〇", 0}, {"一", 1}, {"二", 2}, {"两", 2}, {"三", 3},
    {"四", 4}, {"五", 5}, {"六", 6}, {"七", 7}, {"八", 8}, {"九", 9},
};

static const number_word places[] = {
    {"十", 1e1}, {"百", 1e2}, {"千", 1e3},
};

static const number_word myriads[] = {{"万", 1e4}, {"亿", 1e8}};
/* clang-format on */

#define FIND(text, table, value) find(text, table, P3D_COUNT_OF(table), value)

/* A Chinese number word that the text begins with. @return its bytes */
static size_t find(
        const char *text, const number_word *table, int n, double *value)
{
    for (int i = 0; i < n; i++) {
        const size_t length = strlen(table[i].word);

        if (strncmp(text, table[i].word, length) == 0) {
            *value = table[i].value;
            return length;
        }
    }
    return 0;
}

/* The same of an English word, which ends where its letters do. */
static size_t find_letters(
        const char *text, const number_word *table, int n, double *value)
{
    char word[12];
    size_t length = 0;

    while (isalpha((unsigned char)text[length]))
        length++;
    if (length == 0 || length >= sizeof(word) ||
            isdigit((unsigned char)text[length]))
        return 0;
    snprintf(word, sizeof(word), "%.*s", (int)length, text);
    for (int i = 0; i < n; i++)
        if (p3d_same_word(word, table[i].word)) {
            *value = table[i].value;
            return length;
        }
    return 0;
}

#define FIND_LETTERS(text, table, value) \
    find_letters(text, table, P3D_COUNT_OF(table), value)

static size_t gap(const char *text)
{
    return strspn(text, " -");
}

/* "16,384": digits in groups of three. @return bytes; 0 = no groups */
static size_t scan_groups(const char *text, char plain[P3D_NUMBER_MAX + 1])
{
    size_t at = strspn(text, "0123456789");
    size_t n = 0;

    if (at == 0 || at > 3 || text[at] != ',')
        return 0;
    memcpy(plain, text, at);
    n = at;
    while (text[at] == ',' && strspn(text + at + 1, "0123456789") == 3 &&
            n + 3 <= P3D_NUMBER_MAX) {
        memcpy(plain + n, text + at + 1, 3);
        n += 3;
        at += 4;
    }
    plain[n] = '\0';
    return n > 3 || at > 3 ? at : 0;
}

/* Digits with an optional fraction; an end of a sentence is none of it. */
static size_t scan_digits(const char *text, double *value)
{
    char plain[P3D_NUMBER_MAX + 1] = "";
    p3d_decimal number;
    size_t used = scan_groups(text, plain);

    if (used == 0) {
        used = strspn(text, "0123456789");
        if (used > 0 && text[used] == '.')
            used += strspn(text + used + 1, "0123456789") > 0
                            ? 1 + strspn(text + used + 1, "0123456789")
                            : 0;
        if (used == 0 || used > P3D_NUMBER_MAX)
            return 0;
        snprintf(plain, sizeof(plain), "%.*s", (int)used, text);
    }
    if (p3d_scan_decimal(plain, &number) != strlen(plain))
        return 0;
    *value = p3d_decimal_double(&number, 0);
    return used;
}

/* A letter stands at the number, in capitals also behind a blank; a word
 * anywhere behind it. */
static size_t scan_magnitude(const char *text, double *times, bool *is_letter)
{
    const size_t blanks = gap(text);
    const size_t used = FIND_LETTERS(text + blanks, magnitudes, times);

    *is_letter = used == 1;
    if (used == 0 ||
            (used == 1 && blanks > 0 && !isupper((unsigned char)text[blanks])))
        return 0;
    return blanks + used;
}

/* "亿", "万亿", "千亿", "百万" behind digits. */
static size_t scan_chinese_magnitude(const char *text, double *times)
{
    size_t used = 0;
    double step = 1;

    *times = 1;
    for (;;) {
        const size_t blanks = used == 0 ? strspn(text, " ") : 0;
        size_t n = FIND(text + used + blanks, places, &step);

        if (n == 0)
            n = FIND(text + used + blanks, myriads, &step);
        if (n == 0)
            return used;
        *times *= step;
        used += blanks + n;
    }
}

/* Sizes begin where clusters end. */
static const double SMALLEST_SIZE = 1e7;

/* What is multiplied is whole: 14.8T, 1.5K. */
static void multiply(ask_number *number, double times, bool is_letter)
{
    number->value = round(number->value * times);
    number->is_kilo = is_letter && times == 1e3;
    number->is_size = is_letter || number->value >= SMALLEST_SIZE;
}

static size_t scan_with_magnitude(const char *text, ask_number *out)
{
    size_t used = scan_digits(text, &out->value);
    double times = 1;
    bool is_letter = false;
    size_t n;

    if (used == 0)
        return 0;
    n = scan_magnitude(text + used, &times, &is_letter);
    if (n == 0)
        n = scan_chinese_magnitude(text + used, &times);
    if (n > 0)
        multiply(out, times, is_letter);
    return used + n;
}

/* "thirty-two", "two hundred fifty six", "one and a half" is not read. */
static size_t scan_english(const char *text, ask_number *out)
{
    size_t used = 0;
    size_t n;
    double value = 0;
    double step = 0;
    bool is_letter;

    for (;;) {
        const size_t blanks = used > 0 ? gap(text + used) : 0;

        n = FIND_LETTERS(text + used + blanks, english, &step);
        if (n == 0)
            break;
        value += step;
        used += blanks + n;
        n = scan_magnitude(text + used, &step, &is_letter);
        if (n > 0 && step <= 1e2 && !is_letter) {
            value *= step;
            used += n;
        }
    }
    if (used == 0)
        return 0;
    out->value = value;
    n = scan_magnitude(text + used, &step, &is_letter);
    if (n > 0 && !is_letter) {
        multiply(out, step, false);
        used += n;
    }
    return used;
}

/* A Chinese number that is being read: 一千二百 is section 1200 of it. */
typedef struct chinese {
    double total;   /* before the last 万 or 亿 */
    double section; /* behind it */
    double digit;
    bool has_digit;
} chinese;

static void add_place(chinese *c, double place)
{
    /* 十六 and 千 begin with the place itself. */
    c->section += (c->has_digit ? c->digit : 1) * place;
    c->digit = 0;
    c->has_digit = false;
}

static void add_myriad(chinese *c, double times)
{
    double section = c->section + c->digit;

    if (section == 0 && c->total == 0)
        section = 1;
    c->total = (c->total + section) * times;
    c->section = 0;
    c->digit = 0;
    c->has_digit = false;
}

static size_t scan_chinese(const char *text, ask_number *out)
{
    static const char half[] = "半";
    chinese c = {0};
    size_t used = 0;
    size_t n;
    double step = 0;

    if (strncmp(text, half, sizeof(half) - 1) == 0) {
        out->value = 0.5;
        return sizeof(half) - 1;
    }
    for (;; used += n) {
        n = FIND(text + used, digits, &step);
        if (n > 0) {
            c.digit = step;
            c.has_digit = true;
            continue;
        }
        n = FIND(text + used, places, &step);
        if (n > 0) {
            add_place(&c, step);
            continue;
        }
        n = FIND(text + used, myriads, &step);
        if (n == 0)
            break;
        add_myriad(&c, step);
    }
    out->value = c.total + c.section + c.digit;
    out->is_size = out->value >= SMALLEST_SIZE;
    return used;
}

size_t ask_number_scan(const char *text, ask_number *out)
{
    size_t used;

    *out = (ask_number){0};
    used = scan_with_magnitude(text, out);
    if (used == 0)
        used = scan_english(text, out);
    return used > 0 ? used : scan_chinese(text, out);
}

/* The largest unit that needs at most three decimals. */
void ask_number_print(char buffer[ASK_NUMBER_BUFFER], double value)
{
    static const struct {
        double times;
        const char *letter;
    } units[] = {{1e12, "T"}, {1e9, "B"}, {1e6, "M"}};
    const char *letter = "";
    char number[P3D_NUMBER_BUFFER];

    for (int i = 0; i < P3D_COUNT_OF(units); i++) {
        if (value >= units[i].times && fmod(value, units[i].times / 1e3) == 0) {
            value /= units[i].times;
            letter = units[i].letter;
            break;
        }
    }
    snprintf(buffer, ASK_NUMBER_BUFFER, "%s%s",
            p3d_print_shortest(number, sizeof(number), value), letter);
}
