# SPDX-License-Identifier: GPL-3.0-or-later
"""What a user of the package relies on."""

import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

import plan3d

CONFIG = {
    "model_type": "llama",
    "architectures": ["LlamaForCausalLM"],
    "hidden_size": 2048,
    "intermediate_size": 8192,
    "num_hidden_layers": 16,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "vocab_size": 128256,
    "max_position_embeddings": 8192,
    "tie_word_embeddings": True,
}


def test_yes_is_true():
    answer = plan3d.fit("8B", "8xH100", tokens="1T")
    assert answer
    assert answer.verdict == "fits"
    assert answer.recommended.plan.startswith("tp=1,")
    assert answer.recommended.values.dp == 8
    assert 40 < answer.step_s < 60
    assert answer.plans[0].plan == answer.recommended.plan
    assert answer.model.name == "llama-3-8b"
    assert answer.raw["model"]["name"] == answer["model"]["name"]
    assert "FITS" in answer.text()


def test_no_is_false_and_no_error():
    answer = plan3d.fit("70B", "2xA800")
    assert not answer
    assert answer.verdict == "does_not_fit"
    assert answer.recommended is None and answer.step_s is None and answer.plans == []


def test_the_program_says_the_same():
    program = shutil.which("plan3d")
    assert program is not None
    out = subprocess.run([program, "fit", "8B", "8xH100", "--json"], capture_output=True, text=True, check=True).stdout
    theirs, ours = json.loads(out), plan3d.fit("8B", "8xH100").raw
    for document in theirs, ours:
        document["search"]["seconds"] = 0
    assert theirs == ours


def test_it_needs_no_data_but_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert plan3d.fit("gpt2", "1xA100")
    assert os.listdir(tmp_path) == []


def test_estimate_of_a_plan_in_words_or_numbers():
    words = plan3d.estimate("8B", "8xH100", "tp=2,zero=1")
    numbers = plan3d.estimate("8B", "8xH100", {"tp": 2, "zero": 1})
    assert words.step_s == numbers.step_s
    best = plan3d.fit("8B", "8xH100").recommended
    assert plan3d.estimate("8B", "8xH100", best).step_s == best.step_s


def test_sweep_takes_lists_and_makes_frames():
    answer = plan3d.sweep("8B", "H100", gpus=[8, 16], seq=[4096, 8192])
    assert len(answer.rows) == 4
    frame = answer.to_frame()
    assert list(frame["n_gpus"]) == [8, 8, 16, 16] or len(frame) == 4
    assert (frame["step_s"] > 0).all()


def test_frame_of_plans():
    frame = plan3d.fit("8B", "8xH100").to_frame()
    assert frame["time.step_s"][0] > 0 and frame["plan.dp"][0] == 8


def test_explain_has_tensors():
    assert plan3d.explain("gpt2", "1xA100").rows[0].bytes > 0


@pytest.mark.parametrize("seq", [4096, "4K", 4096.0])
def test_numbers_as_people_write_them(seq):
    assert plan3d.fit("8B", "8xH100", seq=seq).job.seq_len == 4096


def test_a_model_as_dict_path_and_config(tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(CONFIG))

    class Config:
        def to_dict(self):
            return {**CONFIG, "_name_or_path": "meta/tiny"}

    of_dict, of_path, of_config = (plan3d.fit(model, "8xH100") for model in (CONFIG, path, Config()))
    assert of_dict.step_s == of_path.step_s == of_config.step_s
    assert of_config.raw["model"]["asked"] == "tiny.json"
    assert "FITS" in of_dict.text()


def test_export_and_import(tmp_path):
    written = plan3d.export("8B", "8xH100", "megatron", tmp_path / "run")
    assert written and (tmp_path / "run" / "launch.sh").exists()
    read = plan3d.import_(tmp_path / "run" / "launch.sh", "8xH100", model="8B")
    assert read.raw["command"] == "import"


def test_calibrate(tmp_path):
    measured = Path(__file__).parents[1] / "data" / "measured" / "h100-compute.json"
    assert plan3d.calibrate(measured, out=tmp_path / "mine.json").raw["command"] == "calibrate"
    assert plan3d.fit("8B", "8xH100", calibration=tmp_path / "mine.json")


def test_usage_errors_have_the_programs_words():
    with pytest.raises(plan3d.UsageError, match="unknown option '--seqq'; did you mean '--seq'") as error:
        plan3d.fit("8B", "8xH100", seqq=4)
    assert error.value.hint == "did you mean '--seq'?"


def test_data_errors_say_where():
    with pytest.raises(plan3d.DataError, match="H1000'; did you mean 'H100'"):
        plan3d.fit("8B", "8xH1000")
    with pytest.raises(plan3d.DataError, match=r"^given\.json:1:\d+: /num_hidden_layers: ") as error:
        plan3d.fit({**CONFIG, "num_hidden_layers": "many"}, "8xH100")
    assert error.value.pointer == "/num_hidden_layers" and error.value.line == 1
    with pytest.raises(TypeError):
        plan3d.fit(70, "8xH100")


def test_system_errors(tmp_path):
    plan3d.export("8B", "8xH100", "megatron", tmp_path)
    with pytest.raises(plan3d.DataError, match="--force"):
        plan3d.export("8B", "8xH100", "megatron", tmp_path)


def test_html_has_memory_bars_and_time():
    answer = plan3d.fit("70B", "64xA800")
    html = answer._repr_html_()
    assert answer.recommended.plan in html and "<script" not in html
    stages = answer.recommended.memory.stages
    assert html.count("<td><b>stage ") == len(stages) == 4
    assert "weights" in html and "GEMMs" in html and "<b>step" in html
    assert plan3d.fit("70B", "2xA800")._repr_html_().count("<tr>") == 1


def test_html_is_escaped():
    assert "<i>" not in plan3d._html.answer("<i>", None)


def test_progress_is_heard():
    heard = []
    answer = plan3d.explain("70B", "32xA800", "sensitivity", draws=1000, progress=lambda *said: heard.append(said))
    assert answer.raw["command"] == "explain"
    assert heard and all("plans" in words and 0 <= done <= 1 for words, done in heard if done is not None)


def test_progress_may_end_a_call():
    with pytest.raises(KeyboardInterrupt):
        plan3d.explain("70B", "32xA800", "sensitivity", draws=5000, progress=lambda *_: False)
    with pytest.raises(ZeroDivisionError):
        plan3d.explain("70B", "32xA800", "sensitivity", draws=5000, progress=lambda *_: 1 / 0)
    assert plan3d.fit("gpt2", "1xA100")


def test_threads_at_once_say_what_one_says():
    jobs = [("8B", "8xH100"), ("70B", "64xA800"), ("gpt2", "1xA100"), ("13B", "8xA100")]
    alone = [plan3d.fit(*job).step_s for job in jobs]
    found = {}

    def ask(i):
        found[i] = plan3d.fit(*jobs[i % len(jobs)]).step_s

    threads = [threading.Thread(target=ask, args=(i,)) for i in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[i] for i in range(12)] == alone * 3


def test_ctrl_c_afterwards_is_pythons():
    plan3d.fit("8B", "8xH100")
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
        threading.Event().wait(5)


LONG = """
import os, signal, sys, threading
import plan3d
def stop():
    threading.Event().wait(1.0)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=stop, daemon=True).start()
try:
    {ask}
except KeyboardInterrupt:
    print("interrupted")
try:
    os.kill(os.getpid(), signal.SIGINT)
    threading.Event().wait(5)
except KeyboardInterrupt:
    print("python's again")
"""
ASK = "plan3d.explain('405B', '4096xH100', 'sensitivity', draws=5000)"
THREAD = f"""worker = threading.Thread(target=lambda: {ASK})
    threading.excepthook = lambda args: None
    worker.start()
    while True: worker.join(0.1)"""


@pytest.mark.parametrize("ask", [ASK, THREAD], ids=["main", "thread"])
def test_ctrl_c_during_a_call_raises(ask):
    done = subprocess.run([sys.executable, "-c", LONG.format(ask=ask)], capture_output=True, text=True, timeout=120)
    assert done.stdout.split("\n")[:2] == ["interrupted", "python's again"], done.stderr
    assert done.returncode == 0


def test_without_pandas_it_says_what_to_install():
    code = textwrap.dedent(
        """
        import sys
        sys.modules["pandas"] = None
        import plan3d
        try:
            plan3d.fit("gpt2", "1xA100").to_frame()
        except ImportError as error:
            print(error)
        """
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "pip install pandas" in out
