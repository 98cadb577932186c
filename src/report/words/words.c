/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.c - finds words in the tables of a language. */
#include "report/words/words.h"

#include <string.h>

#include "base/util.h"
#include "report/words/tables.h"

static const report_translation *const chinese[] = {report_chinese_answers,
        report_chinese_studies, report_chinese_terms, report_chinese_items,
        report_chinese_page};

const report_translation *report_translation_at(p3d_lang lang, int i)
{
    if (lang != P3D_CHINESE || i < 0)
        return NULL;
    for (int table = 0; table < P3D_COUNT_OF(chinese); table++)
        for (int row = 0; chinese[table][row].english != NULL; row++)
            if (i-- == 0)
                return &chinese[table][row];
    return NULL;
}

const char *report_say(p3d_style style, const char *english)
{
    if (style.lang != P3D_CHINESE)
        return english;
    for (int table = 0; table < P3D_COUNT_OF(chinese); table++)
        for (const report_translation *row = chinese[table];
                row->english != NULL; row++)
            if (strcmp(row->english, english) == 0)
                return row->words != NULL ? row->words : english;
    return english;
}
