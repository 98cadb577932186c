# SPDX-License-Identifier: GPL-3.0-or-later
"""Megatron-LM's own parser, validation and configuration, without a GPU.

The package on PyPI has no arguments: MEGATRON_LM names a checkout of its
repository. Transformer Engine is not installed: its version is said, as the
rules ask for it alone.
"""
import contextlib
import io
import os
import re
import sys
import typing
import unittest.mock

import support

TRANSFORMER_ENGINE = "2.12.0"
CAPABILITIES = {"H100": (9, 0), "H200": (9, 0), "B200": (10, 0)}


def load():
    """Megatron-LM's arguments of the checkout, or None with a line."""
    folder = support.checkout("MEGATRON_LM", "Megatron-LM", "not on PyPI")
    if not folder:
        return None
    sys.path.insert(0, folder)
    if not hasattr(typing, "override"):  # Python 3.11
        typing.override = lambda method: method
    utils = support.need("megatron.core.utils", "Megatron-LM")
    if utils is None:
        return None
    utils._te_version = utils.PkgVersion(TRANSFORMER_ENGINE)
    return support.need("megatron.training.arguments", "Megatron-LM")


def parse(files, cluster):
    """The arguments of launch.sh as a training on a cluster ("16xH100") has
    them."""
    from megatron.training import arguments
    words = support.launched(files, "pretrain_gpt.py")
    script = files["launch.sh"]
    n_gpus, gpu = cluster.split("x")
    capability = CAPABILITIES.get(gpu, (8, 0))
    environment = {"WORLD_SIZE": n_gpus, "RANK": "0", "LOCAL_RANK": "0"}
    environment.update(re.findall(r"^export (\w+)=([\w:]+)$", script, re.M))
    device = unittest.mock.Mock(major=capability[0], minor=capability[1],
                                total_memory=80 << 30)
    with contextlib.ExitStack() as stack:
        enter = stack.enter_context
        enter(unittest.mock.patch.dict(os.environ, environment))
        enter(unittest.mock.patch.object(sys, "argv", ["pretrain", *words]))
        enter(unittest.mock.patch("torch.cuda.get_device_capability",
                                  return_value=capability))
        enter(unittest.mock.patch("torch.cuda.get_device_properties",
                                  return_value=device))
        enter(contextlib.redirect_stdout(io.StringIO()))
        args = arguments.parse_args()
        arguments.validate_args(args)
    return args


def configure(args):
    """The configuration that the layers are built from: it has rules of its
    own. Kernels that are not installed are there."""
    from megatron.core.models.common.embeddings import rope_utils
    from megatron.training.argument_utils import (
        core_transformer_config_from_args)
    with contextlib.redirect_stdout(io.StringIO()), unittest.mock.patch.object(
            rope_utils, "fused_apply_rotary_pos_emb", object()):
        return core_transformer_config_from_args(args)
