# SPDX-License-Identifier: GPL-3.0-or-later
"""colours.py - how far colours are from each other, for people who see fewer
of them.

Source: Machado, Oliveira, Fernandes, doi 10.1109/TVCG.2009.113, severity 1;
distances in CIE L*a*b* (1976)."""
import itertools
import re

SEEN = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152286, 1.052583, -0.204868),
               (0.114503, 0.786281, 0.099216),
               (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968),
                 (0.280085, 0.672501, 0.047413),
                 (-0.011820, 0.042940, 0.968881)),
    "no blue": ((1.255528, -0.076749, -0.178779),
                (-0.078411, 0.930809, 0.147602),
                (0.004733, 0.691367, 0.303900)),
}
TO_XYZ = ((0.4339, 0.3762, 0.1899), (0.2126, 0.7152, 0.0722),
          (0.0177, 0.1095, 0.8728))  # of white (1, 1, 1)


def product(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector)) for row in matrix]


def linear(colour):
    """Red, green, blue of "rgb(1, 2, 3)" as light, from 0 to 1."""
    parts = [int(n) / 255 for n in re.findall(r"\d+", colour)[:3]]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
            for c in parts]


def lab(light):
    x, y, z = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116
               for v in product(TO_XYZ, light))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def nearest(colours):
    """The least distance of any two, and how they are seen there."""
    best = (1e9, "", "", "")
    for name, matrix in SEEN.items():
        labs = [lab([min(1, max(0, v)) for v in product(matrix, linear(c))])
                for c in colours]
        for i, k in itertools.combinations(range(len(colours)), 2):
            distance = sum((a - b) ** 2
                           for a, b in zip(labs[i], labs[k])) ** 0.5
            best = min(best, (distance, name, colours[i], colours[k]))
    return best
