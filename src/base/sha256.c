/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sha256.c - the digest by which a browser knows a style or script. */
#include "base/sha256.h"

#include <stdint.h>
#include <string.h>

enum { BLOCK_BYTES = 64, N_WORDS = 8, N_ROUNDS = 64, LENGTH_BYTES = 8 };

/* Fractional parts of the cube roots of the first 64 primes. */
static const uint32_t K[N_ROUNDS] = {0x428a2f98, 0x71374491, 0xb5c0fbcf,
        0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
        0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7,
        0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
        0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
        0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
        0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e,
        0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
        0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c,
        0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee,
        0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
        0xc67178f2};

static uint32_t turn(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

static void schedule(const unsigned char *block, uint32_t w[N_ROUNDS])
{
    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
               (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (int t = 16; t < N_ROUNDS; t++) {
        const uint32_t a = w[t - 15], b = w[t - 2];

        w[t] = (turn(b, 17) ^ turn(b, 19) ^ b >> 10) + w[t - 7] +
               (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + w[t - 16];
    }
}

static void add_block(uint32_t hash[N_WORDS], const unsigned char *block)
{
    uint32_t w[N_ROUNDS];
    uint32_t v[N_WORDS]; /* a to h */

    schedule(block, w);
    memcpy(v, hash, sizeof(v));
    for (int t = 0; t < N_ROUNDS; t++) {
        const uint32_t a = v[0], e = v[4];
        const uint32_t first = v[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) +
                               ((e & v[5]) ^ (~e & v[6])) + K[t] + w[t];
        const uint32_t second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) +
                                ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));

        memmove(&v[1], v, (N_WORDS - 1) * sizeof(*v));
        v[4] += first;
        v[0] = first + second;
    }
    for (int i = 0; i < N_WORDS; i++)
        hash[i] += v[i];
}

/* The rest of the bytes, a bit 1, zeros, and the number of bits. */
static void add_end(
        uint32_t hash[N_WORDS], const char *rest, size_t n_rest, uint64_t n)
{
    unsigned char end[2 * BLOCK_BYTES] = {0};
    const size_t size = n_rest + 1 + LENGTH_BYTES <= BLOCK_BYTES
                                ? BLOCK_BYTES
                                : 2 * BLOCK_BYTES;

    memcpy(end, rest, n_rest);
    end[n_rest] = 0x80;
    for (int i = 0; i < LENGTH_BYTES; i++)
        end[size - 1 - (size_t)i] = (unsigned char)(8 * n >> 8 * i);
    for (size_t at = 0; at < size; at += BLOCK_BYTES)
        add_block(hash, end + at);
}

/* Six bits a letter; the last three letters stand for two bytes. */
static void print_base64(const uint32_t hash[N_WORDS], char *out)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "abcdefghijklmnopqrstuvwxyz0123456789+/";
    const int n_letters = P3D_SHA256_TEXT - 2;

    for (int i = 0; i < n_letters; i++) {
        unsigned six = 0;

        for (int bit = 6 * i; bit < 6 * i + 6; bit++)
            six = six << 1 |
                  (bit < 256 ? hash[bit / 32] >> (31 - bit % 32) & 1 : 0);
        out[i] = letters[six];
    }
    out[n_letters] = '=';
    out[n_letters + 1] = '\0';
}

void p3d_sha256(const char *data, size_t n, char out[P3D_SHA256_TEXT])
{
    uint32_t hash[N_WORDS] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
            0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    const size_t n_whole = n - n % BLOCK_BYTES;

    for (size_t at = 0; at < n_whole; at += BLOCK_BYTES)
        add_block(hash, (const unsigned char *)data + at);
    add_end(hash, data + n_whole, n - n_whole, n);
    print_base64(hash, out);
}
