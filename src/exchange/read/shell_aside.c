/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_aside.c - commands of a script that trains which do something else:
 * they convert weights, serve a model, answer with it or test it.
 *
 * Commands by their names: ms-swift@3602360a swift/cli/main.py and swift/cli/
 * _megatron/main.py; LLaMA-Factory@ff6d4d12 src/llamafactory/launcher.py;
 * axolotl@067b021c src/axolotl/cli/main.py. */
#include <string.h>

#include "base/ascii.h"
#include "base/util.h"
#include "exchange/read/shell_reader.h"

typedef struct pair {
    const char *program;
    const char *words; /* by "|" */
    shell_kind kind;
} pair;

static const pair pairs[] = {
        {"swift", "sft|pt|rlhf", SHELL_TRAINS},
        {"swift", "infer|export|deploy|eval|app|sample|rollout|merge-lora",
                SHELL_ASIDE},
        {"megatron", "sft|pt|rlhf", SHELL_TRAINS},
        {"megatron", "export", SHELL_ASIDE},
        {"llamafactory-cli", "train", SHELL_TRAINS},
        {"llamafactory-cli", "api|chat|eval|export|webchat", SHELL_ASIDE},
        {"axolotl", "train", SHELL_TRAINS},
        {"axolotl", "inference|merge-lora|preprocess|evaluate|lm-eval|quantize",
                SHELL_ASIDE},
        {"vllm", "serve", SHELL_ASIDE},
};

/* Parts of names of programs: one that trains and tests trains. */
static const struct {
    const char *word;
    shell_kind kind;
} parts[] = {{"train", SHELL_TRAINS}, {"pretrain", SHELL_TRAINS},
        {"finetune", SHELL_TRAINS}, {"finetuning", SHELL_TRAINS},
        {"tune", SHELL_TRAINS}, {"sft", SHELL_TRAINS}, {"dpo", SHELL_TRAINS},
        {"grpo", SHELL_TRAINS}, {"ppo", SHELL_TRAINS}, {"rlhf", SHELL_TRAINS},
        {"trainer", SHELL_TRAINS}, {"eval", SHELL_ASIDE},
        {"evaluate", SHELL_ASIDE}, {"evaluation", SHELL_ASIDE},
        {"infer", SHELL_ASIDE}, {"inference", SHELL_ASIDE},
        {"generate", SHELL_ASIDE}, {"predict", SHELL_ASIDE},
        {"convert", SHELL_ASIDE}, {"converter", SHELL_ASIDE},
        {"merge", SHELL_ASIDE}, {"export", SHELL_ASIDE},
        {"preprocess", SHELL_ASIDE}, {"server", SHELL_ASIDE},
        {"serve", SHELL_ASIDE}, {"lm_eval", SHELL_ASIDE}};

bool shell_has_word(const char *text, const char *word)
{
    const size_t n = strlen(word);

    for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
        if ((at == text || !p3d_is_letter(at[-1])) && !p3d_is_letter(at[n]))
            return true;
    return false;
}

/* True where the word is among those between "|". */
static bool is_among(const char *word, const char *words)
{
    const size_t n = strlen(word);

    for (const char *at = words; n > 0 && *at != '\0';) {
        const size_t length = strcspn(at, "|");

        if (length == n && strncmp(at, word, n) == 0)
            return true;
        at += length + (at[length] == '|');
    }
    return false;
}

static shell_kind kind_of_name(const char *text)
{
    const char *const name = p3d_last_part(text);

    for (int i = 0; i < P3D_COUNT_OF(parts); i++)
        if (shell_has_word(name, parts[i].word))
            return parts[i].kind;
    return SHELL_NO_KIND;
}

bool shell_is_of_aside(const char *at, const char *end)
{
    char word[120];
    const char *begin = at + strspn(at, " \t\r\n");
    const size_t n = strcspn(begin, " \t\r\n\\");

    if (begin + n > end || n == 0 || n >= sizeof(word) ||
            memchr(begin, '.', n) == NULL)
        return false;
    memcpy(word, begin, n);
    word[n] = '\0';
    return kind_of_name(word) == SHELL_ASIDE;
}

void shell_note_kind(shell_reader *r, const char *text, bool is_program)
{
    const char *const program = r->before;

    r->before = NULL;
    if (r->kind != SHELL_NO_KIND)
        return;
    for (int i = 0; i < P3D_COUNT_OF(pairs); i++) {
        if (strcmp(p3d_last_part(text), pairs[i].program) == 0)
            r->before = pairs[i].program;
        if (program != NULL && strcmp(program, pairs[i].program) == 0 &&
                is_among(text, pairs[i].words))
            r->kind = pairs[i].kind;
    }
    if (is_program && r->kind == SHELL_NO_KIND)
        r->kind = kind_of_name(text);
    r->trains = r->trains || r->kind == SHELL_TRAINS;
}

static bool is_one_of(const char *name, const char *const *names)
{
    for (int i = 0; names[i] != NULL; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* A program behind which options are its own; what a variable stands for may be
 * one, but "$HERE:/work" is a volume. */
static bool starts_program(const shell_word *w, const char *const *programs)
{
    const char *const text = p3d_text_get(&w->text);
    const size_t n = strlen(text);

    return is_one_of(p3d_last_part(text), programs) ||
           strcmp(text, "-m") == 0 ||
           (n > 3 && strcmp(text + n - 3, ".py") == 0) ||
           (!w->literal && (strchr(text, ' ') || !strchr(text, ':')));
}

void shell_note_wrapper(shell_reader *r, const shell_word *w)
{
    static const char *const containers[] = {"docker", "podman", "singularity",
            "apptainer", "enroot", "uv", NULL};
    static const char *const quoting[] = {
            "ssh", "pdsh", "tmux", "eval", "su", NULL};
    static const char *const programs[] = {"bash", "sh", "zsh", "torchrun",
            "python", "python3", "accelerate", "deepspeed", "swift", "megatron",
            "llamafactory-cli", "axolotl", NULL};
    const char *const name = p3d_last_part(p3d_text_get(&w->text));

    if (r->contains && starts_program(w, programs)) {
        exchange_settings_cut(r->out, r->n_before_container);
        p3d_text_free(&r->name); /* of the last one, which is open */
        p3d_text_free(&r->value);
        r->has_value = r->contains = false;
    }
    if (is_one_of(name, containers)) {
        r->contains = true;
        r->n_before_container = r->out->n;
    }
    if (!r->assigns && is_one_of(name, quoting))
        r->quotes = r->keeps_lines = true;
}

void shell_end_kind(shell_reader *r, int first)
{
    for (int i = first; r->kind == SHELL_ASIDE && i < r->out->n; i++)
        r->out->at[i].aside = true;
    r->kind = SHELL_NO_KIND;
}

void shell_drop_aside(shell_reader *r)
{
    for (int i = r->out->n - 1; r->trains && i >= 0; i--)
        if (r->out->at[i].aside)
            exchange_settings_remove(r->out, i, 1);
}
