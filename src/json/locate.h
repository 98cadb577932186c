/* SPDX-License-Identifier: GPL-3.0-or-later */
/* locate.h - finds the place of a value in the text again, for messages. */
#ifndef PLAN3D_JSON_LOCATE_H
#define PLAN3D_JSON_LOCATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "json/json.h"

/**
 * Walk a valid document along a JSON Pointer (RFC 6901).
 *
 * @param nth     which of the members that share the last key: 1 is the first
 * @param offset  where the member's key begins, or the element of an array, or
 *                the document; that of the nearest parent when there is no such
 *                value
 * @return true when the pointer led to a value
 */
bool json_locate(const char *text, size_t length, const char *pointer, int nth,
        size_t *offset);

/** 1-based line, and column in bytes, of an offset into a text. */
void json_line_column(const char *text, size_t offset, int *line, int *column);

/** Append "/key" to a pointer, with ~ and / escaped as ~0 and ~1. */
void json_pointer_add(p3d_text *pointer, const char *key);

/** json_fail() with a text that is ready, at the nth member of the same key. */
bool json_fail_nth(const json_doc *doc, const char *pointer, int nth,
        p3d_error *err, const char *text);

#endif
