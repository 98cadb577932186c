# SPDX-License-Identifier: GPL-3.0-or-later
"""picture.py PROGRAM FILE - draws the top of a page of `plan3d report` into a
PNG of few colours, which the README shows. Skipped (exit status 77) where no
browser is. The standard library alone."""
import collections
import os
import struct
import subprocess
import sys
import tempfile
import zlib

import devtools

QUESTION = ["70B", "64xA800"]
WIDTH, HEIGHT = 1280, 1130
COLOURS = 64


def draw(browser, program, folder):
    """A screenshot of the page, as bytes of a PNG."""
    page = os.path.join(folder, "plan.html")
    shot = os.path.join(folder, "page.png")
    subprocess.run([program, "report", *QUESTION, "-o", page], check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu",
                    "--hide-scrollbars", f"--user-data-dir={folder}/profile",
                    f"--window-size={WIDTH},{HEIGHT}",
                    f"--screenshot={shot}", "file://" + page],
                   check=True, timeout=120, stderr=subprocess.DEVNULL)
    with open(shot, "rb") as file:
        return file.read()


def chunks(png):
    """Type and data of each chunk."""
    at = 8
    while at < len(png):
        n, kind = struct.unpack(">I4s", png[at:at + 8])
        yield kind, png[at + 8:at + 8 + n]
        at += n + 12


def paeth(a, b, c):
    p = a + b - c
    pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
    return a if pa <= pb and pa <= pc else b if pb <= pc else c


def rows(png):
    """Rows of pixels (red, green, blue)."""
    parts = list(chunks(png))
    width, _, depth, kind = struct.unpack(">IIBB", parts[0][1][:10])
    n = {2: 3, 6: 4}[kind]
    assert depth == 8
    data = zlib.decompress(b"".join(d for k, d in parts if k == b"IDAT"))
    size = width * n
    above = bytearray(size)
    for at in range(0, len(data), size + 1):
        how, row = data[at], bytearray(data[at + 1:at + 1 + size])
        for i in range(size if how else 0):
            a = row[i - n] if i >= n else 0
            b = above[i]
            c = above[i - n] if i >= n else 0
            row[i] = row[i] + (a if how == 1 else b if how == 2 else
                               (a + b) // 2 if how == 3 else
                               paeth(a, b, c)) & 255
        above = row
        yield [tuple(row[i:i + 3]) for i in range(0, size, n)]


def few_colours(png):
    """The same picture with the colours that are there most."""
    pixels = list(rows(png))
    count = collections.Counter(p for row in pixels for p in row)
    palette = [colour for colour, _ in count.most_common(COLOURS)]
    nearest = {c: min(range(len(palette)),
                      key=lambda i: sum((x - y) ** 2 for x, y in
                                        zip(c, palette[i])))
               for c in count}
    data = b"".join(b"\0" + bytes(nearest[p] for p in row) for row in pixels)

    def chunk(kind, body):
        return (struct.pack(">I", len(body)) + kind + body +
                struct.pack(">I", zlib.crc32(kind + body)))

    head = struct.pack(">IIBBBBB", len(pixels[0]), len(pixels), 8, 3, 0, 0, 0)
    return (png[:8] + chunk(b"IHDR", head) +
            chunk(b"PLTE", b"".join(map(bytes, palette))) +
            chunk(b"IDAT", zlib.compress(data, 9)) + chunk(b"IEND", b""))


def main():
    browser = devtools.find_browser()
    if browser is None:
        print("no browser: the picture stays as it is")
        return 77
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        picture = few_colours(draw(browser, sys.argv[1], folder))
    with open(sys.argv[2], "wb") as file:
        file.write(picture)
    print(f"{sys.argv[2]}: {len(picture) / 1024:.0f} KB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
