/* SPDX-License-Identifier: GPL-3.0-or-later */
/* field_text.c - sets the field of a struct as a text says: the value of an
 * option. */
#include <string.h>

#include "base/text.h"
#include "plan3d/units.h"
#include "json/field.h"

bool json_fail_word(
        const char *what, const char *value, p3d_words *word, p3d_error *err)
{
    p3d_nearest nearest = {.word = value};
    p3d_text words = {0};
    p3d_text known = {0};

    for (int i = 0; word(i) != NULL; i++) {
        p3d_nearest_offer(&nearest, word(i));
        p3d_text_add(&words, "%s %s", i == 0 ? "" : ",", word(i));
    }
    p3d_text_add(&known, "; write one of%s", p3d_text_get(&words));
    p3d_fail(err, P3D_USAGE, "%s '%.60s'%s", what, value,
            p3d_did_you_mean(&nearest, p3d_text_get(&known)));
    p3d_text_free(&words);
    p3d_text_free(&known);
    return false;
}

bool json_find_word(const char *what, const char *value, p3d_words *word,
        int *out, p3d_error *err)
{
    for (int i = 0; word(i) != NULL; i++) {
        if (strcmp(word(i), value) == 0) {
            *out = i;
            return true;
        }
    }
    return json_fail_word(what, value, word, err);
}

static bool read_word(
        const json_field *field, const char *text, void *to, p3d_error *err)
{
    int index = 0;

    P3D_ASSERT(field->type->word != NULL);
    if (!json_find_word("unknown word", text, field->type->word, &index, err))
        return false;
    index += field->type->from_one;
    memcpy(to, &index, sizeof(index));
    return true;
}

static bool read_count(
        const json_field *field, const char *text, int64_t *out, p3d_error *err)
{
    return p3d_parse_count(
            text, (int64_t)field->min, (int64_t)field->max, out, err);
}

static bool read_length(
        const json_field *field, const char *text, int64_t *out, p3d_error *err)
{
    return p3d_parse_length(
            text, (int64_t)field->min, (int64_t)field->max, out, err);
}

static bool read_bytes(
        const json_field *field, const char *text, int64_t *out, p3d_error *err)
{
    char most[32];

    if (!p3d_parse_bytes(text, out, err))
        return false;
    return (double)*out <= field->max ||
           p3d_fail(err, P3D_USAGE, "'%.60s' is out of range; write at most %s",
                   text, p3d_print_bytes(most, sizeof(most), field->max));
}

static bool read_number(
        const json_field *field, const char *text, double *out, p3d_error *err)
{
    return p3d_parse_number(text, field->min, field->max, out, err);
}

static bool is_in_range(const json_field *field, double value)
{
    return field->min <= value && value <= field->max;
}

static bool read_seconds(
        const json_field *field, const char *text, double *out, p3d_error *err)
{
    char low[32];
    char high[32];

    if (!p3d_parse_seconds(text, out, err))
        return false;
    return is_in_range(field, *out) ||
           p3d_fail(err, P3D_USAGE,
                   "'%.60s' is out of range; write a duration from %s to %s",
                   text, p3d_print_seconds(low, sizeof(low), field->min),
                   p3d_print_seconds(high, sizeof(high), field->max));
}

static bool read_bytes_per_s(
        const json_field *field, const char *text, double *out, p3d_error *err)
{
    if (!p3d_parse_bytes_per_s(text, out, err))
        return false;
    return is_in_range(field, *out) ||
           p3d_fail(err, P3D_USAGE,
                   "'%.60s' is out of range; write a rate from %.4gMB/s to "
                   "%.4gTB/s",
                   text, field->min / 1e6, field->max / 1e12);
}

/* How a text says a whole number, or a double. */
static const struct {
    bool (*whole)(const json_field *, const char *, int64_t *, p3d_error *);
    bool (*real)(const json_field *, const char *, double *, p3d_error *);
} readers[JSON_N_UNITS] = {
        [JSON_UNIT_NONE] = {read_count, read_number},
        [JSON_UNIT_TOKENS] = {.whole = read_length},
        [JSON_UNIT_BYTES] = {.whole = read_bytes},
        [JSON_UNIT_SECONDS] = {.real = read_seconds},
        [JSON_UNIT_BYTES_PER_S] = {.real = read_bytes_per_s},
};

static bool read_whole(
        const json_field *field, const char *text, void *to, p3d_error *err)
{
    int64_t value = 0;

    P3D_ASSERT(readers[field->type->unit].whole != NULL);
    if (!readers[field->type->unit].whole(field, text, &value, err))
        return false;
    memcpy(to, &value, sizeof(value));
    return true;
}

static bool read_real(
        const json_field *field, const char *text, void *to, p3d_error *err)
{
    double value = 0;

    P3D_ASSERT(readers[field->type->unit].real != NULL);
    if (!readers[field->type->unit].real(field, text, &value, err))
        return false;
    memcpy(to, &value, sizeof(value));
    return true;
}

static bool read_truth(
        const json_field *field, const char *text, void *to, p3d_error *err)
{
    (void)field, (void)text, (void)err;
    memcpy(to, &(bool){true}, sizeof(bool));
    return true;
}

static bool read_pointer(
        const json_field *field, const char *text, void *to, p3d_error *err)
{
    (void)field, (void)err;
    memcpy(to, &text, sizeof(text));
    return true;
}

static bool read_own(
        const json_field *field, const char *text, void *to, p3d_error *err)
{
    return field->type->read(text, to, err);
}

/* NULL = no text says such a field. */
static bool (*const kinds[JSON_N_KINDS])(
        const json_field *, const char *, void *, p3d_error *) = {
        [JSON_KIND_BOOL] = read_truth,
        [JSON_KIND_TEXT] = read_pointer,
        [JSON_KIND_WORD] = read_word,
        [JSON_KIND_INT64] = read_whole,
        [JSON_KIND_DOUBLE] = read_real,
        [JSON_KIND_ANY] = read_own,
};

bool json_read_text(
        const json_field *field, const char *text, void *object, p3d_error *err)
{
    P3D_ASSERT(kinds[field->type->kind] != NULL);
    return kinds[field->type->kind](
            field, text, (char *)object + field->offset, err);
}
