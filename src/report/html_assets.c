/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html_assets.c - style and script of the page, made from their files. */
#include <stddef.h>

#include "report/html.h"

const char *const html_style[] = {
#include "report/html/page.css.inc"
        NULL};

const char *const html_script[] = {
#include "report/html/page.js.inc"
        NULL};
