/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launched.c - the command that launches a configuration: of the README of its
 * folder or of one above, or of a script beside it; or one that has whatever
 * configuration a variable names. */
#include "exchange/read/launched.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/util.h"
#include "exchange/read/follow.h"
#include "exchange/read/front.h"

enum { MOST_FOLDERS = 8, MOST_BYTES = 1 << 20, MOST_SCRIPTS = 200 };
enum { MOST_STAND_INS = 4, DEPTH_OF_SCRIPTS = 2 };
enum { NOT_NAMED, BY_VARIABLE, BY_PATTERN, BY_NAME };

static const char launch[] = "accelerate launch", option[] = "--config_file",
                  blanks[] = " \t\r\n\\`'\"";

/* The command found so far. */
typedef struct found {
    p3d_text command, config, where; /* `config`: its accelerate file */
    int how;
    bool differs; /* another one of the same folder has another file */
} found;

/* What stands for "{task}" in the name of the file. */
typedef struct stand_in {
    const char *word, *value; /* "task"; not NUL-ended */
    size_t word_length, length;
} stand_in;

typedef struct pattern {
    stand_in at[MOST_STAND_INS];
    int n;
} pattern;

/* "{full,qlora}" of a word: one of them begins the rest of a name; "{task}" is
 * of any. @param n  length of what stands for it in the name */
static bool fits_brace(const char *brace, size_t length, const char *name,
        size_t n, pattern *any)
{
    const char *const end = brace + length;

    if (memchr(brace, ',', length) == NULL) {
        if (n == 0 || any->n == MOST_STAND_INS)
            return false;
        any->at[any->n++] = (stand_in){brace, name, length, n};
        return true;
    }
    while (brace < end) {
        const char *const comma = memchr(brace, ',', (size_t)(end - brace));
        const size_t k = (size_t)((comma != NULL ? comma : end) - brace);

        if (k == n && strncmp(brace, name, n) == 0)
            return true;
        brace += k + 1;
    }
    return false;
}

/* One part of a path as a word of a command has it. */
static bool is_part(const char *word, size_t length, const char *name, size_t n,
        pattern *any)
{
    const char *const open = memchr(word, '{', length);
    const char *const close = memchr(word, '}', length);
    const size_t head = open != NULL ? (size_t)(open - word) : length;
    size_t tail;

    if (open == NULL || close == NULL || close < open)
        return length == n && strncmp(word, name, n) == 0;
    tail = length - (size_t)(close - word) - 1;
    return n >= head + tail && strncmp(word, name, head) == 0 &&
           strncmp(close + 1, name + n - tail, tail) == 0 &&
           fits_brace(open + 1, (size_t)(close - open) - 1, name + head,
                   n - head - tail, any);
}

/* Parts of both from the last one on; a name alone is of the same folder. */
static int names_file(const char *word, size_t length, const char *file,
        bool is_beside, pattern *any)
{
    size_t n = strlen(file);
    int parts = 0;

    any->n = 0;
    while (length > 0 && n > 0) {
        size_t a = length, b = n;

        while (a > 0 && word[a - 1] != '/')
            a--;
        while (b > 0 && file[b - 1] != '/')
            b--;
        if (parts > 0 && length - a == 1 && word[a] == '.')
            break; /* "./configs" */
        if (!is_part(word + a, length - a, file + b, n - b, any))
            return NOT_NAMED;
        parts++;
        length = a > 0 ? a - 1 : 0;
        n = b > 0 ? b - 1 : 0;
    }
    return parts < 2 && !is_beside ? NOT_NAMED
           : any->n > 0            ? BY_PATTERN
                                   : BY_NAME;
}

/* A command goes on where a line ends in "\". @return behind its last line */
static const char *end_of_command(const char *at)
{
    for (;;) {
        const size_t n = strcspn(at, "\n");
        size_t last = n;

        while (last > 0 && strchr(" \t\r", at[last - 1]) != NULL)
            last--;
        if (at[n] == '\0' || last == 0 || at[last - 1] != '\\')
            return at + n;
        at += n + 1;
    }
}

/* The file whose launch is looked for. */
typedef struct wanted {
    const char *file;
    bool is_beside; /* what is read is of its folder */
} wanted;

/* Words for what a program does, in its name and in those of folders. */
static const char *const tasks[] = {"sft", "dpo", "grpo", "orpo", "kto", "ppo"};

static int find_task(const char *text, size_t n)
{
    for (int i = 0; i < P3D_COUNT_OF(tasks); i++) {
        const size_t length = strlen(tasks[i]);

        for (size_t k = 0; k + length <= n; k++)
            if (strncmp(text + k, tasks[i], length) == 0 &&
                    (k == 0 || !p3d_is_letter(text[k - 1])) &&
                    (k + length == n || !p3d_is_letter(text[k + length])))
                return i;
    }
    return -1;
}

/* "--config $CONFIG" of a program that does what the file's name says, if it
 * says that. */
static bool takes_any(
        const char *word, size_t n, const char *program, const char *file)
{
    const int task = find_task(file, strlen(file));

    return n > 1 && word[0] == '$' && program != NULL &&
           (task < 0 || task == find_task(program, strcspn(program, blanks)));
}

/* How a command names the file, and its accelerate configuration. */
static int read_command(const char *at, const char *end, const wanted *of,
        pattern *any, p3d_text *config)
{
    static const char of_program[] = "--config";
    int how = NOT_NAMED;
    bool is_config = false, is_own = false;
    const char *program = NULL;

    for (at += strspn(at, blanks); at < end; at += strspn(at, blanks)) {
        const size_t n = strcspn(at, blanks);
        const char *const equals = memchr(at, '=', n);
        const char *const value =
                equals != NULL && at[0] == '-' ? equals + 1 : at;
        const size_t length = n - (size_t)(value - at);
        const bool opens = strncmp(at, option, sizeof(option) - 1) == 0;
        const bool opens_own =
                !opens && strncmp(at, of_program, sizeof(of_program) - 1) == 0;

        if ((is_config || (opens && equals != NULL)) && config->length == 0)
            p3d_text_append(config, value, length);
        else if (how == NOT_NAMED)
            how = names_file(value, length, of->file, of->is_beside, any);
        if (how == NOT_NAMED && (is_own || (opens_own && equals != NULL)) &&
                takes_any(value, length, program, of->file))
            how = BY_VARIABLE;
        if (program == NULL && n > 3 && strncmp(at + n - 3, ".py", 3) == 0)
            program = at;
        is_config = opens && equals == NULL;
        is_own = opens_own && equals == NULL;
        at += n;
    }
    return config->length == 0 || strpbrk(config->data, "${") != NULL
                   ? NOT_NAMED
                   : how;
}

/* The command without what it has from variables: words, and the options that
 * they are of. */
static void leave_variables(const char *at, const char *end, p3d_text *out)
{
    size_t last = 0; /* where the option before begins */

    for (at += strspn(at, blanks); at < end; at += strspn(at, blanks)) {
        const size_t n = strcspn(at, blanks);
        const bool varies = memchr(at, '$', n) != NULL;

        if (varies && out->length > last && out->data[last] == '-')
            p3d_text_cut(out, last);
        last = out->length;
        if (!varies)
            p3d_text_append(out, at, n);
        if (!varies)
            p3d_text_add(out, " ");
        at += n;
    }
}

/* The command with what stands for the parts of its pattern. */
static void fill(
        const char *at, const char *end, const pattern *any, p3d_text *out)
{
    while (at < end) {
        const stand_in *by = NULL;

        for (int i = 0; at[0] == '{' && i < any->n; i++)
            if (strncmp(at + 1, any->at[i].word, any->at[i].word_length) == 0 &&
                    at[1 + any->at[i].word_length] == '}')
                by = &any->at[i];
        p3d_text_append(
                out, by != NULL ? by->value : at, by != NULL ? by->length : 1);
        at += by != NULL ? by->word_length + 2 : 1;
    }
}

static void keep(found *best, int how, const p3d_text *config, const char *path,
        const p3d_text *command)
{
    if (how == best->how &&
            strcmp(p3d_text_get(&best->config), p3d_text_get(config)) != 0)
        best->differs = true;
    if (how <= best->how)
        return;
    best->how = how;
    best->differs = false;
    p3d_text_cut(&best->config, 0);
    p3d_text_cut(&best->where, 0);
    p3d_text_cut(&best->command, 0);
    p3d_text_add(&best->config, "%s", p3d_text_get(config));
    p3d_text_add(&best->where, "%s", path);
    p3d_text_add(&best->command, "%s", p3d_text_get(command));
}

static void look_at(const char *path, const wanted *of, found *best)
{
    char *text = NULL;
    size_t length = 0;

    if (!p3d_read_file(path, MOST_BYTES, &text, &length, NULL))
        return;
    for (char *at = strstr(text, launch); at != NULL; at = strstr(at, launch)) {
        char *const end = text + (end_of_command(at) - text);
        p3d_text config = {0}, command = {0};
        pattern any = {.n = 0};
        const int how = read_command(at, end, of, &any, &config);

        if (how == BY_VARIABLE)
            leave_variables(at, end, &command);
        else
            fill(at, end, &any, &command);
        if (how != NOT_NAMED)
            keep(best, how, &config, path, &command);
        p3d_text_free(&config);
        p3d_text_free(&command);
        at = end;
    }
    free(text);
}

static bool has_word(
        const char *name, const char *const *words, int n, bool at_end)
{
    for (int i = 0; i < n; i++) {
        const char *const at = strstr(name, words[i]);

        if (at != NULL && (!at_end || strcmp(strrchr(name, '.'), at) == 0))
            return true;
    }
    return false;
}

static bool is_script(const char *name)
{
    static const char *const endings[] = {".sh", ".slurm", ".sbatch", ".txt"};

    return strchr(name, '.') != NULL &&
           has_word(name, endings, P3D_COUNT_OF(endings), true);
}

/* A folder of scripts beside that of configurations. */
static bool is_of_scripts(const char *name)
{
    static const char *const words[] = {
            "script", "slurm", "launch", "command", "run"};

    return name[0] != '.' && strchr(name, '.') == NULL &&
           has_word(name, words, P3D_COUNT_OF(words), false);
}

static void look_at_scripts(
        const wanted *of, const char *folder, int depth, found *best)
{
    DIR *const d = opendir(folder[0] != '\0' ? folder : ".");
    p3d_text path = {0};
    int looks = 0;

    for (const struct dirent *e = d != NULL ? readdir(d) : NULL;
            e != NULL && looks < MOST_SCRIPTS; e = readdir(d)) {
        const bool is_folder = depth < DEPTH_OF_SCRIPTS &&
                               (depth > 0 ? strchr(e->d_name, '.') == NULL
                                          : is_of_scripts(e->d_name));

        if (!is_folder && !is_script(e->d_name))
            continue;
        looks++;
        p3d_text_cut(&path, 0);
        p3d_text_add(&path, "%s%s%s", folder, e->d_name, is_folder ? "/" : "");
        if (!path.failed && is_folder)
            look_at_scripts(of, path.data, depth + 1, best);
        else if (!path.failed)
            look_at(path.data, of, best);
    }
    if (d != NULL)
        closedir(d);
    p3d_text_free(&path);
}

/* The README of a folder, its scripts, and those of its folders of scripts. */
static void look_into(const wanted *of, int n, found *best)
{
    p3d_text path = {0};

    p3d_text_add(&path, "%.*s", n, of->file);
    if (!path.failed)
        look_at_scripts(of, path.data != NULL ? path.data : "", 0, best);
    p3d_text_add(&path, "README.md");
    if (!path.failed)
        look_at(path.data, of, best);
    p3d_text_free(&path);
}

static bool add(const found *best, exchange_settings *out, p3d_error *err)
{
    p3d_text line = {0};
    bool ok;

    p3d_text_add(&line, "%c", EXCHANGE_REMARKS[EXCHANGE_SCOPE]);
    p3d_text_add(
            &line, "launched as %.100s has it", p3d_text_get(&best->where));
    ok = (!line.failed && !best->command.failed) ||
         p3d_fail(err, P3D_SYSTEM, "out of memory");
    ok = ok && exchange_read_shell(best->command.data, out, err) &&
         exchange_settings_add(
                 out, p3d_text_get(&line), NULL, EXCHANGE_PRESET, err);
    if (ok)
        out->at[out->n - 1].used = true;
    p3d_text_free(&line);
    return ok;
}

bool exchange_note_launched(
        const char *file, exchange_settings *out, p3d_error *err)
{
    const char *const slash = strrchr(file, '/');
    const int own = slash != NULL ? (int)(slash - file) + 1 : 0;
    found best = {.how = NOT_NAMED};
    bool ok = true;

    for (int n = own, i = 0;
            n >= 0 && i < MOST_FOLDERS && !best.differs && best.how != BY_NAME;
            n = exchange_folder_above(file, n), i++)
        look_into(&(wanted){file, n == own}, n, &best);
    if (best.how != NOT_NAMED && !best.differs)
        ok = add(&best, out, err);
    p3d_text_free(&best.command);
    p3d_text_free(&best.config);
    p3d_text_free(&best.where);
    return ok;
}
