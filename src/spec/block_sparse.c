/* SPDX-License-Identifier: GPL-3.0-or-later */
/* block_sparse.c - the words of block-sparse attention, and the pairs of query
 * and key that it computes. */
#include "spec/block_sparse.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "spec/sizes.h"

/* What a layout is called, what it takes, and DeepSpeed's defaults. Source:
 * DeepSpeed@38327e07 deepspeed/ops/sparse_attention/sparsity_config.py;
 * gpt-neox@ea7aefd8 megatron/model/utils.py (configure_sparse_attention). */
typedef struct layout_row {
    const char *word; /* NULL = no word of --sparse-attention */
    p3d_block_sparse usual;
} layout_row;

static const layout_row layouts[P3D_N_SPARSE_LAYOUTS] = {
        [P3D_SPARSE_FIXED] = {"fixed", {P3D_SPARSE_FIXED, 16, 4, 0, 1, 0}},
        [P3D_SPARSE_VARIABLE] = {"variable",
                {P3D_SPARSE_VARIABLE, 16, 4, 0, 1, 0}},
        [P3D_SPARSE_LOCAL] = {"local", {P3D_SPARSE_LOCAL, 16, 4, 0, 0, 0}},
        [P3D_SPARSE_BIGBIRD] = {"bigbird",
                {P3D_SPARSE_BIGBIRD, 16, 3, 0, 1, 1}},
        [P3D_SPARSE_LONGFORMER] = {"bslongformer",
                {P3D_SPARSE_LONGFORMER, 16, 3, 0, 1, 0}},
};

static const struct {
    const char *word;
    size_t offset;
    int most;
} sizes[] = {
        {"block", offsetof(p3d_block_sparse, block), 128},
        {"local", offsetof(p3d_block_sparse, local), P3D_MAX_POSITIONS},
        {"global", offsetof(p3d_block_sparse, global), P3D_MAX_POSITIONS},
        {"random", offsetof(p3d_block_sparse, random), P3D_MAX_POSITIONS},
};

static int size_of(const p3d_block_sparse *sparse, int i)
{
    const void *const at = (const char *)sparse + sizes[i].offset;

    return *(const int *)at;
}

static int *place_of(p3d_block_sparse *sparse, int i)
{
    void *const at = (char *)sparse + sizes[i].offset;

    return at;
}

static bool read_layout(const char *word, p3d_block_sparse *out, p3d_error *err)
{
    p3d_nearest nearest = {.word = word};

    for (int i = 0; i < P3D_N_SPARSE_LAYOUTS; i++) {
        if (layouts[i].word == NULL)
            continue;
        if (p3d_same_word(word, layouts[i].word)) {
            *out = layouts[i].usual;
            return true;
        }
        p3d_nearest_offer(&nearest, layouts[i].word);
    }
    return p3d_fail(err, P3D_USAGE, "unknown layout '%s'%s", word,
            p3d_did_you_mean(&nearest,
                    "; write fixed, variable, local, bigbird or bslongformer"));
}

static bool is_count(const char *value)
{
    return value[0] != '\0' && strlen(value) < 9 &&
           value[strspn(value, "0123456789")] == '\0';
}

/* "local=4" of a layout that has it. */
static bool read_size(char *word, p3d_block_sparse *out, p3d_error *err)
{
    const p3d_block_sparse *const usual = &layouts[out->layout].usual;
    char *const sign = strchr(word, '=');
    const char *const value = sign != NULL ? sign + 1 : "";

    if (sign != NULL)
        *sign = '\0';
    for (int i = 0; i < P3D_COUNT_OF(sizes); i++) {
        if (!p3d_same_word(word, sizes[i].word))
            continue;
        if (size_of(usual, i) == 0)
            return p3d_fail(err, P3D_USAGE, "%s has no %s=; leave it out",
                    layouts[out->layout].word, sizes[i].word);
        if (!is_count(value) || strtol(value, NULL, 10) < 1 ||
                strtol(value, NULL, 10) > sizes[i].most)
            return p3d_fail(err, P3D_USAGE,
                    "%s=%s is no number from 1 to %d; write %s=%d",
                    sizes[i].word, value, sizes[i].most, sizes[i].word,
                    size_of(usual, i));
        *place_of(out, i) = (int)strtol(value, NULL, 10);
        return true;
    }
    return p3d_fail(err, P3D_USAGE,
            "unknown word '%s' of a layout; write block=16, local=4, global=1 "
            "or random=1",
            word);
}

/* Triton's products take blocks of these sizes. Groups hold whole sets of
 * global blocks. */
static bool check_sizes(const p3d_block_sparse *s, p3d_error *err)
{
    if (s->block != 16 && s->block != 32 && s->block != 64 && s->block != 128)
        return p3d_fail(err, P3D_USAGE,
                "block=%d: blocks have 16, 32, 64 or 128 tokens a side; write "
                "block=16",
                s->block);
    return s->layout != P3D_SPARSE_FIXED || s->local % s->global == 0 ||
           p3d_fail(err, P3D_USAGE,
                   "global=%d does not divide local=%d; write a divisor",
                   s->global, s->local);
}

bool spec_sparse_read(const char *text, p3d_block_sparse *out, p3d_error *err)
{
    p3d_block_sparse found = {0};
    char words[SPEC_SPARSE_WORDS];
    char *rest;

    if (!p3d_copy(words, sizeof(words), text))
        return p3d_fail(err, P3D_USAGE,
                "that is too long; write a layout and its sizes, as "
                "fixed:block=16,local=4,global=1");
    rest = strchr(words, ':');
    if (rest != NULL)
        *rest++ = '\0';
    if (!read_layout(words, &found, err))
        return false;
    while (rest != NULL) {
        char *const word = rest;

        rest = strchr(rest, ',');
        if (rest != NULL)
            *rest++ = '\0';
        if (!read_size(word, &found, err))
            return false;
    }
    if (!check_sizes(&found, err))
        return false;
    *out = found;
    return true;
}

void spec_sparse_complete(p3d_block_sparse *sparse)
{
    for (int i = 0; i < P3D_COUNT_OF(sizes); i++) {
        if (size_of(sparse, i) == 0)
            *place_of(sparse, i) = size_of(&layouts[sparse->layout].usual, i);
    }
}

const char *spec_sparse_print(
        const p3d_block_sparse *sparse, char text[SPEC_SPARSE_WORDS])
{
    const layout_row *const row = &layouts[sparse->layout];
    size_t n;

    text[0] = '\0';
    if (row->word == NULL)
        return text;
    n = (size_t)snprintf(text, SPEC_SPARSE_WORDS, "%s", row->word);
    for (int i = 0; i < P3D_COUNT_OF(sizes); i++) {
        if (size_of(sparse, i) > 0)
            n += (size_t)snprintf(text + n, SPEC_SPARSE_WORDS - n, "%c%s=%d",
                    i == 0 ? ':' : ',', sizes[i].word, size_of(sparse, i));
    }
    return text;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Blocks that row r sees of its window or group. */
static int near_blocks(const p3d_block_sparse *s, int r)
{
    if (s->layout == P3D_SPARSE_FIXED || s->layout == P3D_SPARSE_VARIABLE)
        return r % s->local + 1;
    if (s->layout == P3D_SPARSE_STRIDED || s->layout == P3D_SPARSE_CHOSEN)
        return smaller(r + 1, s->local);
    return smaller(r + 1, s->local / 2 + 1);
}

/* And of the `left` ones before these. */
static double far_blocks(const p3d_block_sparse *s, int r, int left)
{
    const int first = smaller(left, s->global);

    if (s->layout == P3D_SPARSE_STRIDED)
        return s->stride > 0 ? (double)left / s->stride : 0;
    if (s->layout == P3D_SPARSE_FIXED)
        return (double)(r / s->local) * s->global;
    return first + (double)smaller(s->random, r + 1) * (left - first) / (r + 1);
}

/* Rows that are counted one by one; of more, one in so many. */
enum { MOST_ROWS = 65536 };

double p3d_sparse_pairs(const p3d_block_sparse *sparse, int seq_len)
{
    double blocks = 0;

    if (sparse == NULL || sparse->layout <= P3D_SPARSE_NONE ||
            sparse->layout >= P3D_N_SPARSE_LAYOUTS || sparse->block < 1 ||
            sparse->local < 1 || seq_len < 1)
        return 0;

    const int last = (seq_len - 1) / sparse->block;
    const int step = last / MOST_ROWS + 1;

    for (int r = step / 2; r <= last; r += step) {
        const int near = near_blocks(sparse, r);

        blocks += near + far_blocks(sparse, r, r + 1 - near);
    }
    return blocks * step * sparse->block * sparse->block;
}
