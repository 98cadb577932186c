/* SPDX-License-Identifier: GPL-3.0-or-later */
/* release.c - see release.h. */
#include "spec/release.h"

#include <string.h>

#include "base/ascii.h"
#include "base/util.h"

/* What is trained on from a model, or converted, keeps its layers; each of
 * these is a part between dashes. Parts that may change the vocabulary or the
 * positions ("-Python", "-1M") are not among them. */
static const char *const releases[] = {"instruct", "chat", "base", "hf", "it",
        "pt", "sft", "dpo", "rlvr", "thinking", "preview", "deduped", "bf16",
        "fp16"};

/* Year and month, or month and day: "-2507", "-0324". */
enum { DATE_DIGITS = 4 };

static size_t part_length(const char *text)
{
    return strcspn(text, "-");
}

static bool is_release(const char *part, size_t n)
{
    for (int i = 0; i < P3D_COUNT_OF(releases); i++) {
        size_t k = 0;

        while (k < n && p3d_lower(part[k]) == releases[i][k])
            k++;
        if (k == n && releases[i][k] == '\0')
            return true;
    }
    return false;
}

static bool is_date(const char *part, size_t n)
{
    return n == DATE_DIGITS && strspn(part, "0123456789") == n;
}

/* Take parts behind the first out of a name. */
static bool drop_parts(char *name, bool (*drops)(const char *, size_t))
{
    char *to = name + part_length(name);
    const char *from = to;
    bool dropped = false;

    while (*from == '-') {
        const size_t n = part_length(from + 1);

        if (drops(from + 1, n)) {
            dropped = true;
        } else {
            memmove(to, from, 1 + n);
            to += 1 + n;
        }
        from += 1 + n;
    }
    *to = '\0';
    return dropped;
}

const char *spec_without_maker(const char *word)
{
    const char *const slash = strchr(word, '/');

    return slash != NULL && slash != word && strchr(slash + 1, '/') == NULL
                   ? slash + 1
                   : word;
}

size_t spec_release_length(const char *text)
{
    size_t used = 0;

    while (text[used] == '-') {
        const size_t n = strspn(text + used + 1,
                "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                "0123456789");

        if (!is_release(text + used + 1, n))
            break;
        used += 1 + n;
    }
    return used;
}

bool spec_drop_releases(char *name)
{
    return drop_parts(name, is_release);
}

void spec_release_names_of(const char *word, spec_release_names *out)
{
    char name[SPEC_RELEASE_NAME];

    out->n = 0;
    if (!p3d_copy(name, sizeof(name), word))
        return;
    p3d_copy(out->form[out->n++], sizeof(name), name);
    p3d_copy(name, sizeof(name), spec_without_maker(word));
    p3d_copy(out->form[out->n++], sizeof(name), name);
    (void)spec_drop_releases(name);
    p3d_copy(out->form[out->n++], sizeof(name), name);
    (void)drop_parts(name, is_date);
    p3d_copy(out->form[out->n++], sizeof(name), name);
}
