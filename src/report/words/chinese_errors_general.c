/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chinese_errors_general.c - Chinese words of errors that are hardly more than
 * their parts. The first that matches is taken, and only where no row of
 * another table does; the first row also for what stands behind a name, such as
 * "--seq: ", and else last. */
#include <stddef.h>

#include "report/words/tables.h"

/* clang-format off */
const report_translation report_chinese_errors_general[] = {
    {"%s: %s", "%#s：%s"},
    {"--%s: %.400s", "--%s：%s"},
    {"'%s' %s; write %s", "“%s”%s；请写%s"},
    {"'%s' %s", "“%s”%s"},
    {"'%s': %.300s", "“%s”：%s"},
    {"%s '%.60s'%s", "%s“%s”%s"},
    {"%s; write %s", "%s；请写%s"},
    {"%.200s:%d: %.200s", "%#s:%s：%s"},
    {NULL, NULL},
};
/* clang-format on */
