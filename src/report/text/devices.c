/* SPDX-License-Identifier: GPL-3.0-or-later */
/* devices.c - what an answer calls the devices of a cluster: sentences say GPU,
 * TPUs and NPUs have names of their own, which are as long. */
#include <string.h>

#include "base/ascii.h"
#include "report/text/layout.h"

static bool is_part_of_word(char c)
{
    return p3d_is_word(c) || c == '-';
}

/* Whether a word begins there; "/GPU" heads a column. */
static bool begins(const char *text, const char *at)
{
    if (at > text && at[-1] == '/')
        at--;
    return at == text ||
           (!is_part_of_word(at[-1]) && at[-1] != '/' && at[-1] != '.');
}

/* Whether it ends behind "GPU" or "GPUs": a dot may end a sentence, and not
 * begin the end of a file's name. GPU-hours are a word of their own. */
static bool ends(const char *behind)
{
    if (strncmp(behind, "-hour", 5) == 0)
        return true;
    if (*behind == 's')
        behind++;
    return !is_part_of_word(*behind) && *behind != '/' &&
           (*behind != '.' || !is_part_of_word(behind[1]));
}

static void name_in_line(const char *noun, char *line)
{
    /* A line with a command is to be typed as it is. */
    if (strstr(line, "plan3d ") != NULL)
        return;
    for (char *at = strstr(line, "GPU"); at != NULL; at = strstr(at + 3, "GPU"))
        if (begins(line, at) && ends(at + 3))
            memcpy(at, noun, 3);
}

void report_name_devices(const char *noun, char *text)
{
    if (strcmp(noun, "GPU") == 0)
        return;
    while (*text != '\0') {
        char *const end = text + strcspn(text, "\n");
        const char kept = *end;

        *end = '\0';
        name_in_line(noun, text);
        *end = kept;
        text = kept == '\0' ? end : end + 1;
    }
}

const char *report_common_noun(const char *noun, const p3d_gpu *gpu)
{
    const char *const own = p3d_gpu_noun(gpu);

    return noun == NULL || strcmp(noun, own) == 0 ? own : "GPU";
}

const char *report_pools_noun(const p3d_pools *pools)
{
    const char *noun = NULL;

    for (int k = 0; k < pools->n_pools; k++)
        noun = report_common_noun(noun, &pools->clusters[k].gpu);
    return noun;
}
