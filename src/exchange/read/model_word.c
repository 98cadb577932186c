/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_word.c - names of models in what files say: in a value, in a word. */
#include "exchange/read/model_word.h"

#include <string.h>

#include "base/ascii.h"
#include "base/util.h"
#include "plan3d/catalog.h"
#include "spec/release.h"

enum { MAX_WORD = 256, MAX_MODEL = 120 };

/* Names of models of files that are no more than that, and of releases. */
static void cut_release(p3d_text *name)
{
    static const char ending[] = ".yaml";
    const size_t n = sizeof(ending) - 1;

    if (name->length > n &&
            p3d_same_word(name->data + name->length - n, ending))
        p3d_text_cut(name, name->length - n);
    if (spec_drop_releases(name->data))
        p3d_text_cut(name, strlen(name->data));
}

/* "qwen2_1_5b": a size of one and a half, and no second number of a family. */
static void mend_size(p3d_text *name)
{
    static const char *const sizes[] = {"_0_5b", "_1_5b", "_0_6b", "_1_7b"};

    for (int i = 0; i < P3D_COUNT_OF(sizes); i++) {
        char *const at = strstr(name->data, sizes[i]);
        const char after = at == NULL ? ' ' : at[strlen(sizes[i])];

        if (after == '\0' || after == '_') { /* "qwen3_0_6b_base" */
            at[0] = '-';
            at[2] = '.';
        }
    }
}

/* "llama3_1_70b" of functions and files is "llama3.1-70b". */
static void mend_lines(p3d_text *name)
{
    mend_size(name);
    for (size_t i = 1; i + 1 < name->length; i++)
        if (name->data[i] == '_')
            name->data[i] = p3d_is_digit(name->data[i - 1]) &&
                                            p3d_is_digit(name->data[i + 1]) &&
                                            (name->data[i + 2] == '_' ||
                                                    name->data[i + 2] == '-')
                                    ? '.'
                                    : '-';
}

/* ModelScope's folders have "___" for the point of "Qwen2.5". */
static void mend_points(p3d_text *name)
{
    char *at;

    while ((at = strstr(name->data, "___")) != NULL) {
        at[0] = '.';
        memmove(at + 1, at + 3, strlen(at + 3) + 1);
        name->length -= 2;
    }
}

/* The cache of Hugging Face: "models--Qwen--Qwen3-8B/snapshots/3f8a". */
static const char *leave_cache(const char *value, size_t *n)
{
    static const char mark[] = "models--";
    const char *const folder = strstr(value, mark);
    const char *const name =
            folder != NULL ? strstr(folder + sizeof(mark) - 1, "--") : NULL;

    if (name == NULL || memchr(folder, '/', (size_t)(name - folder)) != NULL)
        return value;
    *n = strcspn(name + 2, "/ ");
    return name + 2;
}

void exchange_model_name(const char *value, p3d_text *name)
{
    static const char *const beginnings[] = {"Meta-", "lora_", "qlora_"};
    const bool is_code = /* "torchtune.models.llama3.llama3_8b" */
            strncmp(value, "torchtune.", 10) == 0;
    size_t n = strcspn(value, " ");
    const char *word;

    value = leave_cache(value, &n);
    while (n > 0 && value[n - 1] == '/')
        n--;
    for (word = value + n; word > value && word[-1] != (is_code ? '.' : '/');
            word--) {
    }
    for (int i = 0; i < P3D_COUNT_OF(beginnings); i++)
        if (strncmp(word, beginnings[i], strlen(beginnings[i])) == 0)
            word += strlen(beginnings[i]);
    p3d_text_append(name, word, (size_t)(value + n - word));
    if (name->failed || name->length == 0 || name->length > MAX_MODEL)
        return;
    mend_points(name);
    cut_release(name);
    if (strchr(name->data, '-') == NULL)
        mend_lines(name);
    for (size_t i = 1; i + 1 < name->length; i++) /* "phi-1_5" */
        if (name->data[i] == '_' && p3d_is_digit(name->data[i - 1]) &&
                p3d_is_digit(name->data[i + 1]))
            name->data[i] = '.';
}

/* Of a word in small letters. */
static bool begins_with(const char *at, const char *word)
{
    while (*word != '\0' && p3d_lower(*at) == *word) {
        at++;
        word++;
    }
    return *word == '\0';
}

/* Releases by the beginning of a name's plain words, with a part that no reader
 * of a config.json here has: transformers@v5.23 models/{deepseek_v4,qwen3_omni_
 * moe,qwen2_5_omni,zamba2,rwkv}; ML-GSAI/LLaDA. */
const char *exchange_missing_part(const char *name)
{
    static const struct {
        const char *words; /* anywhere in it, in small letters */
        const char *part;
    } rows[] = {{"deepseek-v4", "several residual streams"},
            {"deepseek4", "several residual streams"},
            {"qwen3-omni", "two towers and a talker"},
            {"qwen2.5-omni", "two towers and a talker"},
            {"phi-4-multimodal", "two towers with adapters of their own"},
            {"llada", "training by masked diffusion"},
            {"diffusiongemma", "training by diffusion"},
            {"zamba", "a block that layers share"},
            {"rwkv", "a recurrence of its own"},
            {"huginn", "a block that is run several times"},
            {"ouro", "a block that is run several times"},
            {"instructblip", "a transformer between tower and decoder"}};

    for (int i = 0; i < P3D_COUNT_OF(rows); i++)
        for (const char *at = name; *at != '\0'; at++)
            if (begins_with(at, rows[i].words))
                return rows[i].part;
    return NULL;
}

static bool has_one(const char *name, const char *const *words, int n)
{
    for (int i = 0; i < n; i++)
        for (const char *at = name; *at != '\0'; at++)
            if (begins_with(at, words[i]))
                return true;
    return false;
}

bool exchange_is_quantized(const char *name)
{
    static const char *const words[] = {
            "gptq", "awq", "int4", "int8", "4bit", "8bit", "aqlm", "hqq"};

    return has_one(name, words, P3D_COUNT_OF(words));
}

bool exchange_is_in_4_bits(const char *name)
{
    static const char *const words[] = {"gptq", "awq", "int4", "4bit"};
    static const char *const others[] = {"int8", "8bit", "int3", "int2"};

    return has_one(name, words, P3D_COUNT_OF(words)) &&
           !has_one(name, others, P3D_COUNT_OF(others));
}

bool exchange_is_other_model(const char *part)
{
    static const char *const others[] = {"layer", "tiny", "mini", "small",
            "lite", "debug", "draft", "pruned", "vl", "omni", "moe", "distill",
            "embed", "reward", "-l", "audio", "vision", "modal", "speech",
            "ocr", "mtp", "medusa", "eagle"};

    for (int i = 0; i < P3D_COUNT_OF(others); i++)
        for (const char *at = part; *at != '\0'; at++)
            if (begins_with(at, others[i]) &&
                    (others[i][0] != '-' || p3d_is_digit(at[2])))
                return true;
    return false;
}

/* "8b", "1.3b", "350m": a number and its unit. */
static bool is_size(const char *word)
{
    const size_t n = strspn(word, "0123456789.");

    return n > 0 && strchr("bm", p3d_lower(word[n])) != NULL &&
           word[n] != '\0' && word[n + 1] == '\0';
}

bool exchange_shorten_model(p3d_text *name)
{
    char *const dash = name->data != NULL ? strrchr(name->data, '-') : NULL;

    /* "DeepSeek-R1-Qwen3-8B", "llama3-8b-pro": of layers of their own. */
    if (dash == NULL || dash == name->data || exchange_is_other_model(dash) ||
            is_size(dash + 1) || p3d_same_word(dash + 1, "pro"))
        return false;
    p3d_text_cut(name, (size_t)(dash - name->data));
    return p3d_is_letter(name->data[0]);
}

/* Letters and digits alone, and where they stand. */
typedef struct plain_word {
    char text[MAX_WORD];
    int at[MAX_WORD];
    int n;
} plain_word;

static void make_plain(const char *word, plain_word *out)
{
    out->n = 0;
    for (int i = 0; word[i] != '\0' && out->n < MAX_WORD - 1; i++)
        if (p3d_is_letter(word[i]) || p3d_is_digit(word[i])) {
            out->at[out->n] = i;
            out->text[out->n++] = p3d_lower(word[i]);
        }
    out->text[out->n] = '\0';
}

/* Words of models that were trained on and have the sizes of the others:
 * "Qwen2.5-Coder-32B". */
static void drop_training(char *word)
{
    static const char *const words[] = {"-coder-", "-math-", "-code-"};

    for (int i = 0; i < P3D_COUNT_OF(words); i++) {
        const size_t n = strlen(words[i]) - 1;

        for (char *at = word; *at != '\0'; at++) {
            size_t k = 0;

            while (k <= n && p3d_lower(at[k]) == words[i][k])
                k++;
            if (k > n)
                memmove(at, at + n, strlen(at + n) + 1);
        }
    }
}

/* Models of some families all see, whether their names say so or not:
 * "qwen35_vl_27b". */
static void drop_sight(char *word)
{
    static const char *const families[] = {"qwen35_vl_", "gemma4_vl_"};

    for (int i = 0; i < P3D_COUNT_OF(families); i++) {
        const size_t n = strlen(families[i]);

        if (strncmp(word, families[i], n) == 0)
            memmove(word + n - 3, word + n, strlen(word + n) + 1);
    }
}

/* A date within a name: "OLMo-2-1124-7B". */
static void drop_date(char *word)
{
    for (char *at = word; *at != '\0'; at++)
        if (at[0] == '-' && strspn(at + 1, "0123456789") == 4 && at[5] == '-')
            memmove(at, at + 5, strlen(at + 5) + 1);
}

static bool is_part(char c)
{
    return p3d_is_letter(c) || p3d_is_digit(c);
}

/* A point between digits parts them: "1.3b" is no "13b". */
static bool has_points(const char *word, const plain_word *in, int i,
        const char *name, const plain_word *of)
{
    for (int k = 1; k < of->n; k++) {
        const char *const at = word + in->at[i + k] - 1;

        if (*at == '.' && p3d_is_digit(at[1]) &&
                in->at[i + k - 1] == in->at[i + k] - 2 &&
                p3d_is_digit(at[-1]) && is_part(name[of->at[k] - 1]))
            return false;
    }
    return true;
}

/* "7b", "350m": the name says its size. */
static bool has_size(const plain_word *name)
{
    for (int i = 1; i < name->n; i++)
        if (p3d_is_digit(name->text[i - 1]) &&
                (name->text[i] == 'b' || name->text[i] == 'm'))
            return true;
    return false;
}

/* Place of a name in a word, at the bounds of its parts: no more of a number
 * before it, none behind it. @return -1 where it is not there */
static int find_name(const char *word, const plain_word *in, const char *name,
        const plain_word *of)
{
    for (int i = 0; i + of->n <= in->n; i++) {
        const int first = in->at[i], last = in->at[i + of->n - 1];
        const bool begins = first == 0 || !is_part(word[first - 1]);

        if (begins && strncmp(in->text + i, of->text, (size_t)of->n) == 0 &&
                !is_part(word[last + 1]) &&
                !(word[last + 1] == '.' && p3d_is_digit(word[last + 2])) &&
                has_points(word, in, i, name, of))
            return i;
    }
    return -1;
}

/* The rest of the word may tell of another model: "qwen2-vl-7b-draft". */
static bool is_other(const char *word, const plain_word *in, int at, int n)
{
    char rest[MAX_WORD];
    int length = 0;

    for (int i = 0; i < in->n; i++) {
        const bool is_name = i >= at && i < at + n;

        if (i > 0 && in->at[i] > in->at[i - 1] + 1 && length < MAX_WORD - 2)
            rest[length++] = '-';
        if (!is_name && length < MAX_WORD - 2)
            rest[length++] = word[in->at[i]];
    }
    rest[length] = '\0';
    return exchange_is_other_model(rest);
}

/* "qwen3-235b-a22b" without the parameters of a token, which names of what was
 * trained on from it leave out. */
static void drop_active(plain_word *name)
{
    int n = name->n;

    while (n > 1 && name->text[n - 1] != 'a')
        n--;
    if (n > 1 && p3d_is_digit(name->text[n]) &&
            name->text[name->n - 1] == 'b' && name->text[n - 2] == 'b') {
        name->n = n - 1;
        name->text[name->n] = '\0';
    }
}

/* The model whose name is the longest within a word.
 * @param whole  the names as they are, or without the parameters of a token */
static void take_longest(
        const p3d_catalog *models, const char *word, bool whole, p3d_text *name)
{
    plain_word in, one;
    int best = -1, longest = 0, at = 0;

    make_plain(word, &in);
    for (int i = 0; i < models->n_names; i++) {
        int place;

        make_plain(models->names[i], &one);
        if (!whole)
            drop_active(&one);
        place = has_size(&one) ? find_name(word, &in, models->names[i], &one)
                               : -1;
        if (place < 0 || one.n <= longest)
            continue;
        best = i;
        longest = one.n;
        at = place;
    }
    if (best >= 0 && !is_other(word, &in, at, longest))
        p3d_text_add(name, "%s", models->names[best]);
}

bool exchange_model_in_word(const char *word, p3d_text *name, p3d_error *err)
{
    char plain[MAX_WORD];
    p3d_catalog models;

    if (!p3d_catalog_open(P3D_MODELS, &models, err))
        return false;
    take_longest(&models, word, true, name);
    if (name->length == 0 && p3d_copy(plain, sizeof(plain), word)) {
        drop_training(plain);
        drop_sight(plain);
        drop_date(plain);
        take_longest(&models, plain, true, name);
        if (name->length == 0)
            take_longest(&models, plain, false, name);
    }
    p3d_catalog_free(&models);
    return true;
}
