/* SPDX-License-Identifier: GPL-3.0-or-later */
/* output.c - what the reader's side can show (NO_COLOR, TERM, the locale), and
 * files that commands make. */
#include "cli/output.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/file.h"
#include "base/util.h"
#include "cli/progress.h"
#include "json/options.h"

const char *cli_color_word(int i)
{
    static const char *const words[CLI_N_COLORS] = {"auto", "always", "never"};

    return i < CLI_N_COLORS ? words[i] : NULL;
}

const char *cli_lang_word(int i)
{
    static const char *const words[P3D_N_LANGS] = {"en", "zh"};

    return i < P3D_N_LANGS ? words[i] : NULL;
}

const char *cli_lang_option(p3d_lang lang)
{
    static const char *const options[P3D_N_LANGS] = {
            " --lang en", " --lang zh"};

    return options[lang];
}

/* The value of a variable; "" where it is not set. */
static const char *variable(const char *name)
{
    const char *value = getenv(name);

    return value != NULL ? value : "";
}

bool cli_usual_lang(p3d_lang *out, p3d_error *err)
{
    const char *const word = variable("PLAN3D_LANG");
    int lang = P3D_ENGLISH;

    if (word[0] != '\0' && !json_find_word("PLAN3D_LANG: unknown language",
                                   word, cli_lang_word, &lang, err))
        return false;
    *out = (p3d_lang)lang;
    return true;
}

static bool has_colors(FILE *out)
{
    const char *term = variable("TERM");

    return variable("NO_COLOR")[0] == '\0' && term[0] != '\0' &&
           strcmp(term, "dumb") != 0 && isatty(fileno(out)) == 1;
}

/* The first of these that is set decides, as in setlocale(). */
static bool is_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *locale = "";
    const char *codes;

    for (int i = 0; i < P3D_COUNT_OF(names) && locale[0] == '\0'; i++)
        locale = variable(names[i]);
    codes = strchr(locale, '.');
    return codes != NULL && (strncasecmp(codes, ".UTF-8", 6) == 0 ||
                                    strncasecmp(codes, ".utf8", 5) == 0);
}

/* Of a terminal; 0 where there is none, or one that does not say. */
static int columns_of(FILE *out)
{
    struct winsize size;

    return isatty(fileno(out)) == 1 &&
                           ioctl(fileno(out), TIOCGWINSZ, &size) == 0
                   ? size.ws_col
                   : 0;
}

p3d_style cli_style(cli_color color, FILE *out)
{
    return (p3d_style){.color = color == CLI_COLOR_ALWAYS ||
                                (color == CLI_COLOR_AUTO && has_colors(out)),
            .utf8 = is_utf8(),
            .columns = columns_of(out)};
}

static bool check_name(const char *path, const char *example, p3d_error *err)
{
    return p3d_last_part(path)[0] != '\0' ||
           p3d_fail(err, P3D_USAGE,
                   "-o %.300s: not a file; write a name such as %s behind it",
                   path, example);
}

bool cli_may_write_file(
        const char *path, bool force, const char *example, p3d_error *err)
{
    return check_name(path, example, err) &&
           p3d_may_write_file(path, force, err);
}

bool cli_write_file(const char *path, bool force, const char *example,
        const p3d_text *text, p3d_error *err)
{
    if (text->failed)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    return check_name(path, example, err) && cli_begin_write(err) &&
           p3d_write_file(path, force, text, err);
}
