/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tables.h - the tables of words; a row without English ends one. */
#ifndef PLAN3D_REPORT_WORDS_TABLES_H
#define PLAN3D_REPORT_WORDS_TABLES_H

#include "report/words/words.h"

/** Of one question, of many at once, of the lists of the library, and of what a
 *  rank runs and keeps; of the page alone; of help, and of its options. */
extern const report_translation report_chinese_answers[];
extern const report_translation report_chinese_studies[];
extern const report_translation report_chinese_terms[];
extern const report_translation report_chinese_items[];
extern const report_translation report_chinese_page[];
extern const report_translation report_chinese_help[];
extern const report_translation report_chinese_options[];

/** Templates of report_say_made(). */
extern const report_translation report_chinese_sentences[];

/** The same of errors: of the rooms base and json, of others, and of all that
 *  are left; of what no literal is the template of; and what is taken only
 *  where none of these is. */
extern const report_translation report_chinese_errors_base[];
extern const report_translation report_chinese_errors_cli[];
extern const report_translation report_chinese_errors_exchange[];
extern const report_translation report_chinese_errors_spec[];
extern const report_translation report_chinese_errors_study[];
extern const report_translation report_chinese_errors_made[];
extern const report_translation report_chinese_errors_general[];

#endif
