/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sentence.c - a question in words: "will 70B fit on 64 A800s?" */
#include "cli/sentence.h"

#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/cluster.h"

enum { MAX_TOKENS = 32 };

static const char digits[] = "0123456789";

static const char *const verbs[] = {"will", "does", "can", "would"};
static const char *const fits[] = {
        "fit", "fits", "train", "trains", "trained", "run", "runs"};
static const char *const places[] = {
        "on", "in", "onto", "into", "across", "over", "using"};
static const char *const model_fillers[] = {
        "a", "an", "the", "my", "our", "i", "we", "you", "be", "model"};
static const char *const cluster_fillers[] = {"the", "my", "our", "of", "gpu",
        "gpus", "node", "nodes", "card", "cards", "each", "x", "*"};

static const struct {
    const char *word;
    const char *count;
} counts[] = {
        {"a", "1"},
        {"an", "1"},
        {"one", "1"},
        {"two", "2"},
        {"four", "4"},
        {"eight", "8"},
        {"sixteen", "16"},
};

typedef struct tokens {
    char text[CLI_SENTENCE];
    int n;
    char *token[MAX_TOKENS];
} tokens;

#define IS_ONE_OF(token, words) is_one_of(token, words, P3D_COUNT_OF(words))

static bool is_one_of(const char *token, const char *const *words, int n)
{
    for (int i = 0; i < n; i++)
        if (p3d_same_word(token, words[i]))
            return true;
    return false;
}

bool cli_sentence_begins(const char *argument)
{
    const size_t n = strcspn(argument, " ");
    char first[16];

    snprintf(first, sizeof(first), "%.*s", n < 15 ? (int)n : 15, argument);
    return IS_ONE_OF(first, verbs);
}

/* One text from all the words. */
static bool join(int n_words, const char *const *words, char *text, size_t n)
{
    size_t used = 0;

    text[0] = '\0';
    for (int i = 0; i < n_words; i++) {
        const int added = snprintf(text + used, n - used, "%s ", words[i]);

        if (added < 0 || (size_t)added >= n - used)
            return false;
        used += (size_t)added;
    }
    return true;
}

/* Cut the text into tokens, without the punctuation after them. */
static bool split(tokens *t)
{
    char *at = t->text + strspn(t->text, " \t");

    while (*at != '\0') {
        char *const end = at + strcspn(at, " \t");
        char *const next = end + strspn(end, " \t");
        char *last = end;

        while (last > at && strchr("?!.,;", last[-1]) != NULL)
            last--;
        *last = '\0';
        if (last > at) {
            if (t->n == MAX_TOKENS)
                return false;
            t->token[t->n++] = at;
        }
        at = next;
    }
    return true;
}

static void append(char *to, const char *between, const char *token)
{
    const size_t used = strlen(to);

    snprintf(to + used, CLI_SENTENCE - used, "%s%s", used > 0 ? between : "",
            token);
}

/* "16,384" and "8x": a count without its separators; false for a name. */
static bool read_count(const char *token, char *out)
{
    size_t n = 0;

    for (int i = 0; i < P3D_COUNT_OF(counts); i++) {
        if (p3d_same_word(token, counts[i].word)) {
            snprintf(out, CLI_SENTENCE, "%s", counts[i].count);
            return true;
        }
    }
    for (const char *c = token; *c != '\0'; c++) {
        const bool is_times = (*c == 'x' || *c == 'X') && c > token;

        if (strchr(digits, *c) == NULL && *c != ',' && !is_times)
            return false;
        if (*c != ',' && !(is_times && c[1] == '\0'))
            out[n++] = *c;
    }
    out[n] = '\0';
    return n > 0;
}

/* "8xH100s" -> "8xH100", but "8xL40S" stays: both are known, as two GPUs. */
static void make_singular(char *token)
{
    const size_t n = strlen(token);
    const char *const gpu = token + strspn(token, "0123456789xX");
    p3d_gpu plural;
    p3d_gpu singular;
    char s;
    bool known;

    if (n < 2 || *gpu == '\0' || strchr("sS", token[n - 1]) == NULL)
        return;
    s = token[n - 1];
    known = p3d_gpu_find(gpu, &plural, NULL);
    token[n - 1] = '\0';
    if (!p3d_gpu_find(gpu, &singular, NULL) ||
            (known && strcmp(plural.name, singular.name) != 0))
        token[n - 1] = s;
}

static void read_cluster(const tokens *t, int from, char *cluster)
{
    bool named = false; /* the type has begun: the rest belongs to it */

    for (int i = from; i < t->n; i++) {
        char count[CLI_SENTENCE];

        if (IS_ONE_OF(t->token[i], cluster_fillers))
            continue;
        if (!named && read_count(t->token[i], count)) {
            append(cluster, "x", count);
            continue;
        }
        make_singular(t->token[i]);
        append(cluster, named ? "-" : "x", t->token[i]);
        named = true;
    }
}

bool cli_sentence_read(int n_words, const char *const *words, cli_sentence *out,
        p3d_error *err)
{
    cli_sentence got = {"", ""};
    tokens t = {.n = 0};
    bool asked = false;
    int i = 1;

    if (!join(n_words, words, t.text, sizeof(t.text)) || !split(&t))
        return p3d_fail(err, P3D_USAGE,
                "the question is too long; write plan3d fit MODEL "
                "CLUSTER");
    for (; i < t.n && !IS_ONE_OF(t.token[i], places); i++)
        if (IS_ONE_OF(t.token[i], fits))
            asked = true;
        else if (!IS_ONE_OF(t.token[i], model_fillers))
            append(got.model, "-", t.token[i]);
    read_cluster(&t, i + 1, got.cluster);
    if (!asked || got.model[0] == '\0' || got.cluster[0] == '\0') {
        return p3d_fail(err, P3D_USAGE,
                "question not understood; ask 'will 70B fit on 64 A800s?'");
    }
    *out = got;
    return true;
}
