/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compression.c - the words of compressed communication, and what PowerSGD
 * leaves of a model's gradients. */
#include "spec/compression.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/model.h"
#include "spec/given.h"
#include "spec/sizes.h"

static const char otherwise[] =
        "; write some of qwz, qgz and hpz=8 (ZeRO++), onebit (1-bit Adam), "
        "powersgd=4, or int8";

static bool read_number(
        const char *word, const char *value, int *out, p3d_error *err)
{
    const long n = value[0] != '\0' && strlen(value) < 9 &&
                                   value[strspn(value, "0123456789")] == '\0'
                           ? strtol(value, NULL, 10)
                           : 0;
    const int usual = strcmp(word, "hpz") == 0 ? 8 : 4;

    if (n < 1 || n > P3D_MAX_RANK)
        return p3d_fail(err, P3D_USAGE,
                "%s=%s is no number from 1 to %d; write %s=%d", word, value,
                P3D_MAX_RANK, word, usual);
    *out = (int)n;
    return true;
}

static bool read_word(char *word, p3d_compression *out, p3d_error *err)
{
    static const char *const keys[] = {
            "qwz", "qgz", "hpz", "onebit", "powersgd", "int8"};
    char *const value = strchr(word, '=');
    p3d_nearest nearest = {.word = word};

    if (value != NULL)
        *value = '\0';
    if (value != NULL && p3d_same_word(word, "hpz"))
        return read_number("hpz", value + 1, &out->shares, err);
    if (value != NULL && p3d_same_word(word, "powersgd"))
        return read_number("powersgd", value + 1, &out->rank, err);
    if (value == NULL && p3d_same_word(word, "qwz"))
        return out->weights = true;
    if (value == NULL && p3d_same_word(word, "qgz"))
        return out->gradients = true;
    if (value == NULL && p3d_same_word(word, "onebit"))
        return out->one_bit = true;
    if (value == NULL && p3d_same_word(word, "int8"))
        return out->eight_bit = true;
    for (int i = 0; i < P3D_COUNT_OF(keys); i++)
        p3d_nearest_offer(&nearest, keys[i]);
    return p3d_fail(err, P3D_USAGE, "unknown word '%s'%s", word,
            p3d_did_you_mean(&nearest, otherwise));
}

/* ZeRO++, 1-bit Adam, PowerSGD and 8 bits are ways of which one is taken. */
static bool check_one(const p3d_compression *c, p3d_error *err)
{
    const unsigned needs = spec_compression_needs(c);

    return (needs & (needs - 1)) == 0 ||
           p3d_fail(err, P3D_USAGE,
                   "ZeRO++ (qwz, qgz, hpz), onebit, powersgd and int8 do not "
                   "go together; write one of them");
}

bool spec_compression_read(
        const char *text, p3d_compression *out, p3d_error *err)
{
    p3d_compression found = {0};
    char words[SPEC_COMPRESSION_WORDS];

    if (!p3d_copy(words, sizeof(words), text))
        return p3d_fail(err, P3D_USAGE, "that is too long%s", otherwise);
    for (char *at = words; at != NULL;) {
        char *const comma = strchr(at, ',');

        if (comma != NULL)
            *comma = '\0';
        if (!read_word(at, &found, err))
            return false;
        at = comma != NULL ? comma + 1 : NULL;
    }
    if (!check_one(&found, err))
        return false;
    *out = found;
    return true;
}

const char *spec_compression_print(
        const p3d_compression *c, char text[SPEC_COMPRESSION_WORDS])
{
    char shares[24] = "", rank[24] = "";

    if (c->shares > 0)
        snprintf(shares, sizeof(shares), ",hpz=%d", c->shares);
    if (c->rank > 0)
        snprintf(rank, sizeof(rank), ",powersgd=%d", c->rank);
    snprintf(text, SPEC_COMPRESSION_WORDS, "%s%s%s%s%s%s",
            c->weights ? ",qwz" : "", c->gradients ? ",qgz" : "", shares,
            c->one_bit ? ",onebit" : "", rank, c->eight_bit ? ",int8" : "");
    return text[0] == ',' ? text + 1 : text;
}

unsigned spec_compression_needs(const p3d_compression *c)
{
    return (c->weights || c->gradients || c->shares > 0 ? P3D_COMPRESS_ZEROPP
                                                        : 0) |
           (c->one_bit ? P3D_COMPRESS_ONE_BIT : 0) |
           (c->rank > 0 ? P3D_COMPRESS_LOW_RANK : 0) |
           (c->eight_bit ? P3D_COMPRESS_8_BIT : 0);
}

int spec_compression_zero(const p3d_compression *c)
{
    const unsigned needs = spec_compression_needs(c);

    return needs == 0 ? -1 : needs == P3D_COMPRESS_ZEROPP ? 3 : 0;
}

/* Numbers of a matrix less those that are sent in its place. */
static double saved(double n, double m, double rank)
{
    const double r = rank < n ? (rank < m ? rank : m) : (n < m ? n : m);

    return 2 * r * (n + m) < n * m ? n * m - r * (n + m) : 0;
}

double p3d_low_rank_numbers(const p3d_model *model, int rank)
{
    if (!spec_model_given(model) || rank < 1 || model->n_experts > 0 ||
            model->kv_lora_rank > 0 || model->mixer.kind != P3D_MIXER_NONE ||
            model->tower.hidden > 0)
        return 0;

    const double h = model->hidden, f = model->ffn;
    const double q = (double)model->n_heads * model->head_dim;
    const double k = (double)model->n_kv_heads * model->head_dim;
    const double layer = saved(q, h, rank) + 2 * saved(k, h, rank) +
                         saved(h, q, rank) +
                         (model->gated_mlp ? 3 : 2) * saved(f, h, rank);
    const double ends =
            (model->tied_embeddings ? 1 : 2) * saved(model->vocab, h, rank) +
            saved(model->learned_positions, h, rank);

    return (double)p3d_total_params(model) - model->n_layers * layer - ends;
}
