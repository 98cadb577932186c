/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.h - the text of a document: its strict grammar, checked before cJSON
 * sees it, and the place of a value in it, for messages. */
#ifndef PLAN3D_JSON_TEXT_H
#define PLAN3D_JSON_TEXT_H

#include "json/json.h"

enum { JSON_MAX_DEPTH = 64, JSON_MAX_BYTES = 8 << 20 };

/**
 * Check that a text is one JSON document as json_parse() promises, but for
 * duplicate keys.
 *
 * @param file  name for messages
 * @param text  text[length] is NUL
 */
P3D_CHECK bool json_scan(
        const char *file, const char *text, size_t length, p3d_error *err);

/**
 * Decode what stands at *at inside a valid string: an escape gives its
 * character, anything else one byte.
 *
 * @param at   moved behind it
 * @param out  1 to 4 bytes of UTF-8
 * @return number of bytes
 */
int json_unescape(const char **at, char out[4]);

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

#endif
