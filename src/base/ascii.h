/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ascii.h - kinds of characters; unlike those of ctype.h, in any locale. */
#ifndef PLAN3D_BASE_ASCII_H
#define PLAN3D_BASE_ASCII_H

#include <stdbool.h>

static inline bool p3d_is_digit(char c)
{
    return '0' <= c && c <= '9';
}

static inline bool p3d_is_letter(char c)
{
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z');
}

/** True for what names are made of: letters, digits and '_'. */
static inline bool p3d_is_word(char c)
{
    return p3d_is_letter(c) || p3d_is_digit(c) || c == '_';
}

static inline bool p3d_is_space(char c)
{
    return c == ' ' || ('\t' <= c && c <= '\r');
}

/** The small letter of a capital one; anything else as it is. */
static inline char p3d_lower(char c)
{
    return 'A' <= c && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

#endif
