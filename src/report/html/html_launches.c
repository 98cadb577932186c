/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html_launches.c - the files that launch the plan, by framework. */
#include <stdio.h>

#include "report/html/html.h"
#include "report/text/text.h"

static void put_file(
        const report_target *t, const report_file *file, int i, p3d_text *out)
{
    html_add(out,
            "<div class=\"file\"><div class=\"bar\"><b>%s</b><button "
            "type=\"button\" class=\"copy\" data-copy=\"file-%s-%d\" hidden>"
            "Copy<span class=\"hide\"> %s of %s</span></button></div>\n"
            "<pre tabindex=\"0\" id=\"file-%s-%d\">%s</pre></div>\n",
            file->name, t->name, i, file->name, t->title, t->name, i,
            file->text);
}

static void put_target(const report_target *t, p3d_text *out)
{
    const report_file *const files = t->files.items;
    char step[HTML_CELL];

    html_add(out,
            "<details class=\"target\"><summary>%s <span class=\"quiet\">%s "
            "per step by its own costs%s</span></summary>\n<p class=\"quiet\">"
            "Names of the options: %s</p>\n",
            t->title, report_step_words(step, sizeof(step), t->step_s),
            t->fits ? "" : ", and does not fit there", t->versions);
    for (int i = 0; i < t->files.n; i++)
        put_file(t, &files[i], i, out);
    html_add(out, "</details>\n");
}

static void put_others(const report_page *page, p3d_text *out)
{
    const report_target *const targets = page->targets.items;

    html_table(out, "Frameworks that cannot run this plan, and why",
            "<framework|<reason");
    for (int i = 0; i < page->targets.n; i++)
        if (!targets[i].can)
            html_row(out, (const char *const[]){
                                  targets[i].title, targets[i].reason, NULL});
    html_table_end(out);
}

void html_launches(const report_page *page, p3d_text *out)
{
    const report_target *const targets = page->targets.items;
    char title[2 * HTML_CELL];
    int n = 0;

    for (int i = 0; i < page->targets.n; i++)
        n += targets[i].can;
    snprintf(title, sizeof(title), "%d of %d frameworks can run this plan", n,
            page->targets.n);
    html_section(out, "launches", "Launch files", title);
    if (!page->document->estimate->found.fits)
        html_add(out, "<p>The plan does not fit: these files are for a "
                      "machine with more memory.</p>\n");
    for (int i = 0; i < page->targets.n; i++)
        if (targets[i].can)
            put_target(&targets[i], out);
    if (n < page->targets.n)
        put_others(page, out);
    html_section_end(out);
}
