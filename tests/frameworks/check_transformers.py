# SPDX-License-Identifier: GPL-3.0-or-later
"""The parameters of every file of models/, as transformers counts them.

The models are built on the meta device: no weight exists, nothing is fetched.
"""
import json
import pathlib
import tempfile

import support

torch = support.need("torch", "transformers")
transformers = torch and support.need("transformers", "transformers")

# Buffers of transformers that are parameters of the published checkpoints.
COUNTED_BUFFERS = ("e_score_correction_bias", "expert_bias")

# Types that transformers does not have, built of the layers of another.
LIKE = {"kimi_k2": "deepseek_v3"}


# Who builds a model with a tower for pictures or sounds, whole.
WITH_TOWER = ("AutoModelForImageTextToText", "AutoModelForMultimodalLM",
              "AutoModelForSeq2SeqLM")

# Types of which plan3d counts the language model alone, and says so.
LANGUAGE_ALONE = ("gemma3n", "gemma4", "minimax_m3_vl")


def counts_towers(config):
    return config["model_type"] not in LANGUAGE_ALONE and any(
        tower in config for tower in ("vision_config", "audio_config"))


def build(path):
    """The model of a config.json, with the towers that are counted."""
    config = json.loads(path.read_text())
    del config["plan3d"]
    config["model_type"] = LIKE.get(config["model_type"], config["model_type"])
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "config.json").write_text(json.dumps(config))
        read = transformers.AutoConfig.from_pretrained(folder)
    names = ("AutoModelForCausalLM",)
    if counts_towers(config):
        names = WITH_TOWER
    else:
        read = read.get_text_config()
    with torch.device("meta"):
        for name in names:
            auto = getattr(transformers, name)
            if type(read) in auto._model_mapping:
                return auto.from_config(read)
    raise LookupError(f"no class of transformers builds {type(read).__name__}")


def count(model):
    tied_once = sum(p.numel() for p in model.parameters())
    return tied_once + sum(b.numel() for name, b in model.named_buffers()
                           if name.endswith(COUNTED_BUFFERS))


def check(path, expected):
    kind = json.loads(path.read_text())["model_type"]
    if LIKE.get(kind, kind) not in transformers.CONFIG_MAPPING:
        support.skipped(path.stem, f"transformers has no {kind}")
        return
    support.equal(path.stem, count(build(path)), expected)


if transformers:
    transformers.logging.set_verbosity_error()
    listed = {item["name"]: item["parameters"]
              for item in support.answer("list", "models")["items"]}
    for file in sorted(pathlib.Path("models").glob("*.json")):
        support.check(file.stem, check, file, listed[file.stem])
support.end()
