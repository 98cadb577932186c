/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_page.c - pages of plan3d report: what is accepted has all the words of a
 * question. */
#include "fuzz/fuzz.h"

#include <stdlib.h>

#include "base/util.h"
#include "exchange/read/page.h"

static void check_page(const exchange_page *page)
{
    P3D_ASSERT(page->model != NULL && page->cluster != NULL);
    P3D_ASSERT(page->plan != NULL);
    P3D_ASSERT(page->n_options >= 0 && page->n_options <= EXCHANGE_MAX_OPTIONS);
    for (int i = 0; i < page->n_options; i++)
        P3D_ASSERT(page->options[i].name != NULL);
}

bool fuzz_page(const uint8_t *data, size_t n)
{
    char *const text = fuzz_text(data, n);
    exchange_page page = {.model = NULL};
    p3d_error err = {0};
    bool ok = exchange_page_is(text);

    if (ok) {
        ok = exchange_page_read("fuzz.html", text, &page, &err);
        fuzz_check_error(ok, &err);
    }
    if (ok)
        check_page(&page);
    exchange_page_free(&page);
    free(text);
    return ok;
}
