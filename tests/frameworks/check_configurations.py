# SPDX-License-Identifier: GPL-3.0-or-later
"""The default configuration of every language model of transformers.

Each is read by plan3d, and its parameters are held against the model that
transformers builds of it on the meta device. A model that is accepted with
other parameters fails; one that is refused is skipped, with the reason. Of a
model that also sees or hears all parameters are held where plan3d counts its
tower, else those of the language model. The files of tests/data/towers, which
have the sizes of published models, are held as well. The line before the last
counts them.
"""
import collections
import ctypes
import json
import pathlib
import re
import tempfile

import support

torch = support.need("torch", "transformers")
transformers = torch and support.need("transformers", "transformers")

# Buffers of transformers that are parameters of the published checkpoints.
COUNTED_BUFFERS = ("e_score_correction_bias",)

# Parts of a model beside its language model, by words of their names.
BESIDE = re.compile(
    r"vision|visual|audio|image|img_|video|qformer|query_tokens|multi_modal|"
    r"projector|connector|perceiver|merger|aligner|high_res|vqmodel|vqgan|"
    r"generation_|embed_tokens_extend|resampler|language_projection|"
    r"speech|timm|mm_|embed_vision|embed_audio|view_sep|row_|newline")

_ROPE = {"rope_type": "default", "rope_theta": 10000.0}
_BY_LAYER = {"rope_parameters": {"full_attention": _ROPE,
                                 "sliding_attention": _ROPE}}

# What the default of a class lacks, or has wrong, for transformers to build a
# model of it: both sides get the same.
MENDED = {
    "aya_vision": {"vision_config": {"num_attention_heads": 16}},
    "cohere_compass": {"text_config": _BY_LAYER},
    "cohere_compass_text": _BY_LAYER,
    "dots1": {"n_routed_experts": 128, "n_shared_experts": 2,
              "num_experts_per_tok": 6, "first_k_dense_replace": 1,
              "n_group": 1, "topk_group": 1},
    "emu3": {"vocabulary_map": {"<image>": 1, "<|extra_200|>": 2}},
    "hunyuan_v1_dense": {"head_dim": 128},
    "hunyuan_v1_moe": {"head_dim": 128},
    "hunyuan_vl": {"text_config": {"head_dim": 128}},
    "ministral": {"head_dim": 128},
    "nemotron": {"num_key_value_heads": 48},
}

counts = collections.Counter()


class Library:
    """libplan3d, which reads a file and counts its parameters."""

    def __init__(self):
        place = pathlib.Path(support.PLAN3D).with_name("libplan3d.so")
        self.lib = ctypes.CDLL(str(place.absolute()))
        self.lib.p3d_total_params.restype = ctypes.c_int64
        self.lib.p3d_tower_params.restype = ctypes.c_int64
        self.lib.p3d_model_load.restype = ctypes.c_bool
        self.lib.p3d_model_load.argtypes = [
            ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p]
        self.lib.p3d_print_error.restype = ctypes.c_char_p
        self.lib.p3d_print_error.argtypes = [
            ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p]

    def parameters(self, path):
        """Parameters of a file, those of its tower and None, or None, None and
        why it is refused."""
        model = ctypes.create_string_buffer(1 << 16)
        error = ctypes.create_string_buffer(1 << 12)
        text = ctypes.create_string_buffer(1 << 12)
        if self.lib.p3d_model_load(str(path).encode(), model, error):
            return (self.lib.p3d_total_params(model),
                    self.lib.p3d_tower_params(model), None)
        self.lib.p3d_print_error(text, len(text), error)
        return None, None, text.value.decode().partition("config.json:")[2][:160]


def language_model(names):
    """What of the parameters belongs to the language model."""
    return sum(n for name, n in names if not BESIDE.search(name))


def build(config, auto):
    """The parameters by name; None where transformers cannot build its own
    default."""
    try:
        with torch.device("meta"):
            model = getattr(transformers, auto)
            make = getattr(model, "from_config", model)
            model = make(config)
    except Exception:  # of each family its own
        return None
    names = [(n, p.numel()) for n, p in model.named_parameters()]
    names += [(n, b.numel()) for n, b in model.named_buffers()
              if n.endswith(COUNTED_BUFFERS)]
    return names


def mended(kind):
    """The default configuration of a class, with what it lacks."""
    config = transformers.CONFIG_MAPPING[kind]()
    for key, value in MENDED.get(kind, {}).items():
        part = getattr(config, key, None)
        if isinstance(part, transformers.PretrainedConfig):
            for name, number in value.items():
                setattr(part, name, number)
        else:
            setattr(config, key, value)
    return config


def check_tower(library, path):
    """A file with the sizes of a published model."""
    said = json.loads(path.read_text())
    kind = said.pop("model_type")
    auto = {"qwen2_audio": "Qwen2AudioForConditionalGeneration"}.get(
        kind, "AutoModelForImageTextToText")
    if kind not in transformers.CONFIG_MAPPING:
        support.skipped(path.name, "its code is not of transformers")
        return
    names = build(transformers.CONFIG_MAPPING[kind](**said), auto)
    got, tower, _ = library.parameters(path)
    support.equal(path.name, got, sum(n for _, n in names))
    support.equal(f"{path.name}: has a tower", tower > 0, True)


def check(library, kind, auto):
    name = f"{kind} ({auto[len('AutoModelFor'):]})"
    try:
        config = mended(kind)
    except Exception:  # of each family its own
        support.skipped(name, "transformers rejects its own default")
        return
    names = build(config, auto)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "config.json")
        path.write_text(config.to_json_string(use_diff=False))
        got, tower, why = library.parameters(path)
    if got is None:
        counts["refused"] += 1
        support.skipped(name, why)
        return
    counts["accepted"] += 1
    if names is None:
        counts["no model"] += 1
        support.skipped(name, "transformers cannot build its default")
        return
    if tower > 0 and not any(BESIDE.search(name) for name, _ in names):
        got, tower = got - tower, 0  # the class leaves its tower out
    want = sum(n for _, n in names) if tower > 0 else language_model(names)
    counts["equal"] += got == want
    support.equal(name, got, want)


if transformers:
    from transformers.models.auto import modeling_auto as auto_models
    transformers.logging.set_verbosity_error()
    plan3d = Library()
    for mapping, auto in (
            (auto_models.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
             "AutoModelForCausalLM"),
            (auto_models.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES,
             "AutoModelForImageTextToText")):
        for kind in sorted(mapping):
            support.check(kind, check, plan3d, kind, auto)
    for file in sorted(pathlib.Path("tests/data/towers").glob("*.json")):
        support.check(file.name, check_tower, plan3d, file)
    print("{accepted} accepted, {equal} of them equal, {no} that transformers "
          "cannot build; {refused} refused".format(no=counts["no model"],
                                                   **counts))
support.end()
