# SPDX-License-Identifier: GPL-3.0-or-later
"""run_notebook.py NOTEBOOK - runs its cells; an error, or an answer that shows no memory
bars, is one."""

import sys

import nbformat
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
shown = [str(out.get("data", {}).get("text/html", "")) for cell in notebook.cells for out in cell.get("outputs", [])]
n_bars = sum("<b>stage 0</b>" in html for html in shown)
if n_bars < 2:
    sys.exit(f"the notebook shows the memory of {n_bars} plans")
print(f"the notebook ran: {len(notebook.cells)} cells")
