# SPDX-License-Identifier: GPL-3.0-or-later
"""Classes of the answers and of the objects in them, made of `plan3d schema`."""
