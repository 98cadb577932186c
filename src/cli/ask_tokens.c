/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask_tokens.c - cuts a question into tokens. Chinese has no blanks between
 * words, so that each token is the longest that begins where the last ended. */
#include "cli/ask_tokens.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "plan3d/model.h"
#include "spec/release.h"
#include "spec/slices.h"

/* Marks that mean the same: what Chinese keyboards write, and typographers. */
static const struct {
    const char *mark;
    char plain;
} marks[] = {{"\u3000", ' '}, {"\u00a0", ' '}, {"\u00d7", 'x'}, {"\u2715", 'x'},
        {"\u2013", '~'}, {"\u2014", '~'}, {"\uff5e", '~'}, {"\u301c", '~'},
        {"\u3001", ','}, {"\u3002", ';'}, {"\u300a", ' '}, {"\u300b", ' '},
        {"\u201c", ' '}, {"\u201d", ' '}, {"\u2018", ' '}, {"\u300c", ' '},
        {"\u300d", ' '}, {"\u2019", '\''}};

/* Names of models that are written in Chinese, too; the longer first. */
static const struct {
    const char *written, *name;
} families[] = {{"\u901a\u4e49\u5343\u95ee", "qwen"}, {"\u5343\u95ee", "qwen"},
        {"\u6df1\u5ea6\u6c42\u7d22", "deepseek"}};

/* Such a name at the beginning of a text. @return bytes of it; 0 = none */
static size_t put_family(const char *from, char *to, size_t *used)
{
    for (int i = 0; i < P3D_COUNT_OF(families); i++) {
        const size_t n = strlen(families[i].written);

        if (strncmp(from, families[i].written, n) != 0)
            continue;
        memcpy(to + *used, families[i].name, strlen(families[i].name));
        *used += strlen(families[i].name);
        return n;
    }
    return 0;
}

/* Full-width letters are ASCII, moved. */
enum { WIDE_FIRST = 0xff01, WIDE_LAST = 0xff5e, WIDE_SHIFT = 0xfee0 };

/* One character in plain form. @return bytes written */
static size_t put_plain(const char *from, int length, char *to)
{
    const uint32_t code = length > 0 ? p3d_utf8_code(from, length) : 0;

    if (code >= WIDE_FIRST && code <= WIDE_LAST) {
        to[0] = (char)(code - WIDE_SHIFT);
        return 1;
    }
    for (int i = 0; i < P3D_COUNT_OF(marks); i++)
        if (length > 1 && strncmp(from, marks[i].mark, (size_t)length) == 0) {
            to[0] = marks[i].plain;
            return 1;
        }
    memcpy(to, from, length > 0 ? (size_t)length : 1);
    return length > 0 ? (size_t)length : 1;
}

/* All arguments as one text. */
static bool join(
        int n, const char *const *words, char text[ASK_BYTES], p3d_error *err)
{
    size_t used = 0;

    for (int i = 0; i < n; i++) {
        const size_t length = strlen(words[i]);

        if (length >= ASK_BYTES || used + length + 2 > ASK_BYTES)
            return p3d_fail(err, P3D_USAGE,
                    "the question is too long; use at most %d bytes",
                    ASK_BYTES - 2);
        for (size_t at = 0; at < length;) {
            const int bytes = p3d_utf8_length(words[i] + at, length - at);
            const size_t family = put_family(words[i] + at, text, &used);

            at += family;
            if (family > 0)
                continue;
            used += put_plain(words[i] + at, bytes, text + used);
            at += bytes > 0 ? (size_t)bytes : 1;
        }
        text[used++] = ' ';
    }
    text[used] = '\0';
    return true;
}

bool ask_fail_at(const ask_text *text, size_t at, size_t length,
        const char *hint, p3d_error *err)
{
    char part[ASK_BYTES];
    char shown[ASK_SHOWN];

    snprintf(part, sizeof(part), "%.*s", (int)length, text->text + at);
    p3d_show(shown, sizeof(shown), part);
    return p3d_fail(err, P3D_USAGE, "not understood: '%s'%s", shown, hint);
}

static bool add(ask_text *text, ask_token token, p3d_error *err)
{
    if (text->n == ASK_TOKENS_MAX)
        return p3d_fail(err, P3D_USAGE,
                "the question is too long; use at most %d words",
                ASK_TOKENS_MAX);
    text->token[text->n++] = token;
    return true;
}

/* "64xA800": the x of a cluster has no blanks around it. */
static bool is_times(const ask_text *text, size_t at)
{
    const char *const from = text->text + at;
    size_t length;

    return (from[0] == 'x' || from[0] == 'X') && at > 0 &&
           isdigit((unsigned char)text->text[at - 1]) &&
           (isdigit((unsigned char)from[1]) ||
                   ask_names_at(&text->names, from + 1, &length) != NULL);
}

/* "Qwen/Qwen2.5-72B": who made a model stands before its name. @return bytes
 * of "Qwen/"; 0 = no name of a model follows */
static size_t maker_length(const ask_text *text, size_t at)
{
    const char *const from = text->text + at;
    size_t n = 0;
    size_t length;
    const ask_name *name;

    while (isalnum((unsigned char)from[n]) || strchr("-_.", from[n]) != NULL) {
        if (from[n] == '\0')
            return 0;
        n++;
    }
    if (n == 0 || from[n] != '/')
        return 0;
    name = ask_names_at(&text->names, from + n + 1, &length);
    return name != NULL && name->kind == ASK_MODEL ? n + 1 : 0;
}

/* "-Chat-hf", "-v0.1": the release of a model, which has the shape of the
 * others. @return bytes of all that stand there */
static size_t release_length(const char *from)
{
    static const char version[] = "-v0.";
    size_t used = spec_release_length(from);

    if (ask_match(from + used, version) == sizeof(version) - 1 &&
            isdigit((unsigned char)from[used + sizeof(version) - 1]))
        used += sizeof(version);
    return used + spec_release_length(from + used);
}

/* The longest token at a place; length 0 = none. A name wins over a number
 * and a number over a word, where they are as long: 4090. */
static ask_token token_at(const ask_text *text, size_t at)
{
    const char *const from = text->text + at;
    const size_t maker = maker_length(text, at);
    ask_token token = {.kind = ASK_NONE, .at = at};
    size_t length;
    const ask_name *const name =
            ask_names_at(&text->names, from + maker, &length);
    ask_number number;
    const size_t n_number = ask_number_scan(from, &number);
    const ask_word word = ask_word_at(from);

    if (is_times(text, at))
        return (ask_token){.kind = ASK_TIMES, .at = at, .length = 1};
    if (name != NULL) {
        token.kind = name->kind;
        token.text = name->meaning;
        token.length = maker + length;
        if (name->kind == ASK_MODEL)
            token.length += release_length(from + token.length);
    }
    if (n_number > token.length) {
        token.kind = number.is_kilo   ? ASK_KILO
                     : number.is_size ? ASK_SIZE
                                      : ASK_NUMBER;
        token.number = number;
        token.text = NULL;
        token.length = n_number;
    }
    if (word.length > token.length) {
        token.kind = word.kind;
        token.value = word.value;
        token.text = word.text;
        token.length = word.length;
    }
    return token;
}

static bool is_mark(char c)
{
    return strchr(" \t\r\n?!;:'\"()[]{}<>=.-_+#`", c) != NULL;
}

/* "./config.json", "/data/model": a path stands alone. */
static size_t path_length(const char *from)
{
    static const char end[] = ".json";
    const size_t n = strcspn(from, " ,");
    const size_t n_end = sizeof(end) - 1;

    return n > n_end && strncmp(from + n - n_end, end, n_end) == 0 ? n : 0;
}

/* "train.sh", "ds_config.yaml": what import reads. */
static bool is_launch_file(const ask_text *text, size_t at)
{
    static const char *const ends[] = {
            ".sh", ".yaml", ".yml", ".toml", ".log", ".sbatch", ".slurm"};
    const char *const from = text->text + at;
    const size_t n = strcspn(from, " ,?!;");

    for (int i = 0; i < P3D_COUNT_OF(ends); i++) {
        const size_t n_end = strlen(ends[i]);

        if (n > n_end && strncmp(from + n - n_end, ends[i], n_end) == 0)
            return true;
    }
    return false;
}

/* What stands between tokens; "8-64" is a range. */
static size_t skip_marks(const ask_text *text, size_t at)
{
    while (text->text[at] != '\0' && is_mark(text->text[at])) {
        if (text->text[at] != ' ' && path_length(text->text + at) > 0)
            break;
        if (text->text[at] == '-' && at > 0 &&
                isdigit((unsigned char)text->text[at - 1]) &&
                isdigit((unsigned char)text->text[at + 1]))
            break;
        if (strncmp(text->text + at, "..", 2) == 0)
            break;
        at++;
    }
    return at;
}

/* ASCII words go to the next blank, others until something is known. */
static size_t unknown_length(const ask_text *text, size_t at)
{
    const char *const from = text->text + at;
    const size_t ascii = strcspn(from, " \t,?!;\"()");
    const size_t left = strlen(from);
    size_t n = 0;

    while (n < ascii && (unsigned char)from[n] < 0x80)
        n++;
    if (n > 0) {
        while (n > 1 && is_mark(from[n - 1]))
            n--;
        return n;
    }
    while (n < ascii && (unsigned char)from[n] >= 0x80) {
        const int bytes = p3d_utf8_length(from + n, left - n);

        n += bytes > 0 ? (size_t)bytes : 1;
        if (token_at(text, at + n).length > 0)
            break;
    }
    return n;
}

/* "H1OO": letters that look like digits. */
static bool is_lookalike(
        const ask_text *text, const char *word, const char **meaning)
{
    char digits[ASK_NAME];
    size_t length = 0;
    const ask_name *name;

    if (strpbrk(word, "0123456789") == NULL ||
            !p3d_copy(digits, sizeof(digits), word))
        return false;
    for (char *c = digits; *c != '\0'; c++)
        *c = *c == 'O' || *c == 'o'                                ? '0'
             : (*c == 'I' || *c == 'l' || *c == 'L') && c > digits ? '1'
                                                                   : *c;
    name = ask_names_at(&text->names, digits, &length);
    if (name == NULL || digits[length] != '\0')
        return false;
    *meaning = name->word;
    return true;
}

/* "llama 70b": a family and a size may be several models. */
static bool find_family(const ask_text *text, ask_unknown *out)
{
    const char *const from = text->text + out->at;
    const size_t letters = strcspn(from, " -_0123456789");
    char family[ASK_NAME];
    char size[16];
    ask_number number;
    size_t next = letters;
    size_t digits;

    while (is_mark(from[next]) && from[next] != '\0')
        next++;
    digits = ask_number_scan(from + next, &number);
    if (letters < 2 || letters > out->length || letters >= sizeof(family) ||
            digits == 0 || digits >= sizeof(size))
        return false;
    snprintf(family, sizeof(family), "%.*s", (int)letters, from);
    snprintf(size, sizeof(size), "%.*s", (int)digits, from + next);
    ask_names_of_size(&text->names, family, size, out->hint, sizeof(out->hint));
    if (out->hint[0] == '\0')
        return false;
    out->length = next + digits;
    return true;
}

/* The model that a size alone stands for; NULL = none. */
static const ask_name *usual_of_size(const ask_text *text, const char *size)
{
    p3d_error unused = {0};
    p3d_model model;
    size_t length;

    return p3d_model_find(size, &model, &unused)
                   ? ask_names_at(&text->names, model.name, &length)
                   : NULL;
}

/* "llama 70b": where 70B alone is a model of that family, it is that one. */
static ask_token family_token(const ask_text *text, size_t at)
{
    const ask_token none = {.length = 0};
    ask_unknown found = {.at = at, .length = unknown_length(text, at)};
    const ask_name *name;
    size_t length;
    char size[16];

    if (!find_family(text, &found))
        return none;
    for (length = found.length; length > 0; length--)
        if (strchr(" -_", text->text[at + length - 1]) != NULL)
            break;
    snprintf(size, sizeof(size), "%.*s", (int)(found.length - length),
            text->text + at + length);
    name = usual_of_size(text, size);
    return name != NULL && strstr(found.hint, name->word) != NULL
                   ? (ask_token){ASK_MODEL, .at = at, .length = found.length,
                             .text = name->meaning}
                   : none;
}

/* "lama 3 70b": the numbers that follow the first part of a name, if a size is
 * the last of them; "lama-3-70b 64xA800" is whole without. */
static size_t whole_name(const ask_text *text, size_t at, size_t length)
{
    const char *const from = text->text + at;
    size_t whole = length;

    if (isdigit((unsigned char)from[strcspn(from, "-_ ") + 1]) &&
            strcspn(from, "-_ ") < length)
        return length;
    while (from[whole] == ' ' && isdigit((unsigned char)from[whole + 1])) {
        ask_number number;
        const size_t n = ask_number_scan(from + whole + 1, &number);

        whole += 1 + n;
        if (n == 0 || number.is_size)
            return n == 0 ? length : whole;
    }
    return length;
}

/* A slip in a shorter word is any other short word. Of the shortest a letter
 * was forgotten: "wil". */
enum { SHORTEST_HINT = 3 };

static bool is_hint(const p3d_nearest *nearest, size_t length)
{
    return length > SHORTEST_HINT ||
           (strlen(nearest->best) == length + 1 &&
                   nearest->best[0] == nearest->word[0]);
}

/* The nearest of all words, with its parts joined as names join theirs. */
static bool find_near(const ask_text *text, size_t at, size_t length,
        p3d_nearest *nearest, char word[ASK_NAME])
{
    snprintf(word, ASK_NAME, "%.*s", (int)length, text->text + at);
    for (char *c = word; *c != '\0'; c++)
        if (*c == ' ')
            *c = '-';
    *nearest = (p3d_nearest){.word = word};
    /* What begins a command line may be a command: "fti". */
    for (int i = 0; at == skip_marks(text, 0) && cli_command_at(i) != NULL; i++)
        p3d_nearest_offer(nearest, cli_command_at(i)->name);
    if (length >= SHORTEST_HINT && length < ASK_NAME) {
        p3d_nearest offered = *nearest;

        ask_words_offer(&offered);
        ask_names_offer(&text->names, &offered);
        if (is_hint(&offered, length))
            *nearest = offered;
    }
    return nearest->best[0] != '\0';
}

/* "70B llama": where 70B alone is a model of that family, it is that one. */
static ask_token usual_of_family(
        const ask_text *text, size_t at, size_t family_at, size_t letters)
{
    const char *const from = text->text + at;
    char size[16], family[ASK_NAME], start[ASK_NAME];
    const ask_name *name;

    snprintf(size, sizeof(size), "%.*s", (int)strcspn(from, " "), from);
    name = usual_of_size(text, size);
    if (name == NULL)
        return (ask_token){.length = 0};
    snprintf(family, sizeof(family), "%.*s", (int)letters, from + family_at);
    snprintf(start, sizeof(start), "%.*s", (int)letters, name->meaning);
    return p3d_same_word(family, start)
                   ? (ask_token){ASK_MODEL, .at = at, .text = name->meaning,
                             .length = family_at + letters}
                   : (ask_token){.length = 0};
}

/* "13B llama 2", "a 32B Qwen 2.5 model": the size before the name. */
static ask_token reversed_token(const ask_text *text, size_t at)
{
    const char *const from = text->text + at;
    const size_t n_size = strcspn(from, " ");
    const char *const family = from + n_size + strspn(from + n_size, " ");
    const size_t letters = strcspn(family, " ,?!;");
    const size_t blanks = strspn(family + letters, " ");
    const size_t version = strspn(family + letters + blanks, "0123456789.");
    size_t lengths[2] = {letters + blanks + version, letters};

    if (letters < 2 || ask_word_at(family).length > 0 || n_size >= 8 ||
            lengths[0] + n_size + 2 > ASK_NAME)
        return (ask_token){.length = 0};
    for (int i = version > 0 ? 0 : 1; i < 2; i++) {
        char name[ASK_NAME];
        size_t used;
        const ask_name *found;

        snprintf(name, sizeof(name), "%.*s %.*s", (int)lengths[i], family,
                (int)n_size, from);
        found = ask_names_at(&text->names, name, &used);
        if (found != NULL && found->kind == ASK_MODEL && name[used] == '\0')
            return (ask_token){ASK_MODEL, .text = found->meaning, .at = at,
                    .length = (size_t)(family - from) + lengths[i]};
    }
    return usual_of_family(text, at, (size_t)(family - from), letters);
}

/* What may be meant by what nothing begins with. */
static ask_unknown find_unknown(const ask_text *text, size_t at)
{
    const size_t length = unknown_length(text, at);
    const size_t whole = whole_name(text, at, length);
    ask_unknown out = {.at = at, .length = length};
    p3d_nearest nearest;
    char word[ASK_NAME];
    const char *meaning = NULL;

    if (find_family(text, &out))
        return out;
    if (whole > length && find_near(text, at, whole, &nearest, word))
        out.length = whole;
    else
        (void)find_near(text, at, length, &nearest, word);
    if (!is_lookalike(text, word, &meaning))
        meaning = nearest.best;
    if (meaning[0] != '\0')
        snprintf(out.hint, sizeof(out.hint), "'%s'", meaning);
    return out;
}

/* The only one, with all that is known of it. */
static bool fail_unknown(
        const ask_text *text, const ask_unknown *unknown, p3d_error *err)
{
    char hint[ASK_HINT + 32] = "";

    if (unknown->reason != NULL)
        snprintf(hint, sizeof(hint), ": %s", unknown->reason);
    else if (unknown->hint[0] != '\0')
        snprintf(hint, sizeof(hint), "; did you mean %s?", unknown->hint);
    return ask_fail_at(text, unknown->at, unknown->length, hint, err);
}

/* True when the same word was one before. */
static bool is_again(const ask_text *text, int i)
{
    const ask_unknown *const u = &text->unknown[i];

    for (int k = 0; k < i; k++)
        if (text->unknown[k].length == u->length &&
                strncmp(text->text + text->unknown[k].at, text->text + u->at,
                        u->length) == 0)
            return true;
    return false;
}

/* All of them at once, so that nobody asks again for each. */
static bool fail_unknowns(const ask_text *text, p3d_error *err)
{
    p3d_text list = {0};
    int n = 0;
    bool ok;

    for (int i = 0; i < text->n_unknown; i++)
        n += !is_again(text, i);
    if (n == 1)
        return fail_unknown(text, &text->unknown[0], err);
    for (int i = 0; i < text->n_unknown; i++)
        if (text->unknown[i].reason != NULL)
            return fail_unknown(text, &text->unknown[i], err);
    for (int i = 0; i < text->n_unknown; i++) {
        const ask_unknown *const u = &text->unknown[i];
        char part[ASK_BYTES];
        char shown[ASK_SHOWN];

        if (is_again(text, i))
            continue;
        snprintf(
                part, sizeof(part), "%.*s", (int)u->length, text->text + u->at);
        p3d_show(shown, sizeof(shown), part);
        p3d_text_add(&list, "%s'%s'", i == 0 ? "" : ", ", shown);
        if (u->hint[0] != '\0')
            p3d_text_add(&list, " (%s?)", u->hint);
    }
    ok = p3d_fail(err, P3D_USAGE, "%d words are not understood: %s", n,
            p3d_text_get(&list));
    p3d_text_free(&list);
    return ok;
}

/* "64xA80O": the x is none of the name. */
static size_t times_length(const ask_text *text, size_t at)
{
    const char *const from = text->text + at;

    return (from[0] == 'x' || from[0] == 'X') && at > 0 &&
           isdigit((unsigned char)text->text[at - 1]) &&
           isalnum((unsigned char)from[1]);
}

static bool read_token(ask_text *text, size_t *at, p3d_error *err)
{
    const char *const from = text->text + *at;
    ask_token token = token_at(text, *at);

    if (path_length(from) > 0)
        token = (ask_token){
                .kind = ASK_PATH, .at = *at, .length = path_length(from)};
    else if (*from == '-')
        token = (ask_token){.kind = ASK_TO, .at = *at, .length = 1};
    if (token.kind == ASK_SIZE) {
        const ask_token named = reversed_token(text, *at);

        token = named.length > 0 ? named : token;
    }
    if (is_launch_file(text, *at))
        return ask_fail_at(text, *at, strcspn(from, " ,?!;"),
                ": 'plan3d import FILE --cluster 64xA800' reads a launch file "
                "and says how far it is from the recommended plan",
                err);
    if (token.length == 0)
        token = family_token(text, *at);
    if (token.length == 0 || token.kind == ASK_BEYOND) {
        const ask_unknown unknown =
                token.length == 0
                        ? find_unknown(text, *at + times_length(text, *at))
                        : (ask_unknown){token.at, token.length, "", token.text};

        *at = unknown.at + unknown.length;
        text->unknown[text->n_unknown++] = unknown;
        return text->n_unknown < ASK_UNKNOWN_MAX || fail_unknowns(text, err);
    }
    *at += token.length;
    return add(text, token, err);
}

/* A whole number of digits alone; 0 where there is none. */
static double number_at(const char *text)
{
    p3d_decimal number;

    return p3d_scan_decimal(text, &number) > 0 ? p3d_decimal_double(&number, 0)
                                               : 0;
}

/* "A800-64", "h100:64", "A800(64)": the number of GPUs behind their type; a
 * number of GB is none, also without its unit. */
static bool is_count_of_type(const ask_text *text, size_t at)
{
    const char *const from = text->text + at;
    const ask_token *const last =
            text->n > 0 ? &text->token[text->n - 1] : NULL;
    const size_t digits = strspn(from + 1, "0123456789");
    const char *const next = from + 1 + digits;

    return last != NULL && last->kind == ASK_GPU &&
           last->at + last->length == at && from[0] != '\0' &&
           strchr("-:(", from[0]) != NULL && digits > 0 &&
           !isalpha((unsigned char)next[strspn(next, " ")]) && next[0] != '.' &&
           ask_names_gpu(&text->names, last->text, number_at(from + 1)) == NULL;
}

/* "v5p-128" counts TensorCores. @return chips of a slice of the type that was
 * read last; 0 = its number counts chips, -1 = half a chip */
static int64_t slice_chips(const ask_text *text)
{
    const char *name = text->text + text->token[text->n - 1].at;
    const size_t tpu = ask_match(name, "tpu");
    const char *unused;
    char word[ASK_NAME];

    name += tpu;
    while (tpu > 0 && is_mark(*name))
        name++;
    snprintf(word, sizeof(word), "%.*s",
            (int)unknown_length(text, (size_t)(name - text->text)), name);
    return spec_slice_named(word, &unused);
}

/* The number behind a type: "A800-64". */
static bool read_count_of_type(ask_text *text, size_t *at, p3d_error *err)
{
    const int64_t chips = slice_chips(text);
    const ask_token times = {ASK_TIMES, .at = *at, .length = 1};
    ask_token *number;

    (*at)++;
    if (!add(text, times, err) || !read_token(text, at, err))
        return false;
    number = &text->token[text->n - 1];
    if (chips < 0)
        return ask_fail_at(text, number->at, number->length,
                "; the name counts two cores a chip, write an even number",
                err);
    if (chips > 0 && number->kind == ASK_NUMBER)
        number->number.value = (double)chips;
    return true;
}

/* A sentence of PyTorch's message says nothing of the job. */
static bool is_of_error(const char *sentence, size_t n)
{
    static const char *const signs[] = {"OutOfMemoryError:",
            "Tried to allocate", "total capacity", "already allocated",
            "memory in use", "allocated by PyTorch", "reserved by PyTorch",
            "PYTORCH_CUDA_ALLOC_CONF", "reserved but unallocated"};

    for (int i = 0; i < P3D_COUNT_OF(signs); i++) {
        const char *const found = strstr(sentence, signs[i]);

        if (found != NULL && found < sentence + n)
            return true;
    }
    return false;
}

/* Blank out a message that was pasted, up to the ends of its sentences. */
static void drop_error(char text[ASK_BYTES])
{
    for (size_t at = 0; text[at] != '\0';) {
        const char *const dot = strstr(text + at, ". ");
        const size_t n =
                dot != NULL ? (size_t)(dot - text) - at + 1 : strlen(text + at);

        if (is_of_error(text + at, n))
            memset(text + at, ' ', n);
        at += n;
    }
}

bool ask_text_read(
        int n, const char *const *words, ask_text *out, p3d_error *err)
{
    size_t at;

    *out = (ask_text){.n = 0};
    if (!join(n, words, out->text, err) || !ask_names_open(&out->names, err))
        return false;
    drop_error(out->text);
    at = skip_marks(out, 0);
    while (out->text[at] != '\0') {
        if (!read_token(out, &at, err))
            return false;
        if (is_count_of_type(out, at) && !read_count_of_type(out, &at, err))
            return false;
        at = skip_marks(out, at);
    }
    return out->n_unknown == 0 || fail_unknowns(out, err);
}

void ask_text_free(ask_text *text)
{
    ask_names_free(&text->names);
}
