"""How the documentation is built: make docs."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import matplotlib
from docutils.nodes import SkipNode
from docutils.utils.math.latex2mathml import tex2mathml

import celm
from experiments.config.schema import register
from experiments.texts.answer import told
from experiments.texts.later import drawn_later, later_text, which_one

matplotlib.use("agg")  # the gallery draws without a screen

HERE = Path(__file__).resolve().parent

project = "celm"
author = "the celm maintainers"
copyright = "the celm maintainers, MIT licence"
release = version = celm.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build", "auto_examples/*.ipynb", "auto_examples/*.codeobj.json", "sg_execution_times.rst"]
nitpicky = False
autosummary_generate = True
numpydoc_show_class_members = False
myst_enable_extensions = ["colon_fence", "dollarmath", "attrs_inline", "substitution"]
myst_heading_anchors = 3
# Numbers of the findings, so that none is typed into a page: {{ cells_reproduced }}.
register()  # data sets and models are called as conf/ says
myst_substitutions = {**told(), **later_text(), **drawn_later()}
sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "auto_examples",
    "abort_on_example_error": True,
    "capture_repr": (),  # what an example prints is shown, not what its last line happens to return
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,  # a page of times would ask a server for its scripts
    "plot_gallery": True,
    "reference_url": {"celm": None},
}

html_theme = "pydata_sphinx_theme"
html_title = f"celm {release}"
html_show_sourcelink = False
html_theme_options = {
    "show_toc_level": 2,
    "navigation_with_keys": True,
    "header_links_before_dropdown": 6,
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_sidebars = {"get_started": []}  # a page without pages below it has no menu beside it
html_static_path = ["_static"]
html_css_files = ["celm.css"]
# Formulas are MathML, which browsers draw themselves: a page read from a disk asks nobody for a script.
html_math_renderer = "own_mathml"

# The rooms whose exported names the reference shows, and what it calls them.
ROOMS = {
    "celm.models.elm": "Extreme learning machines",
    "celm.models.baselines": "The systems beside them",
    "celm.features": "Scaling and image features",
    "": "Everything else",
}


def exported() -> str:
    """The reference's tables: every name that celm exports, under the room it lives in."""
    named = {name: inspect.getmodule(getattr(celm, name)).__name__ for name in celm.__all__}
    parts = ["What celm exports\n=================\n\n.. currentmodule:: celm\n"]
    for room, title in ROOMS.items():
        mine = sorted(name for name, module in named.items() if _room_of(module) == room)
        if mine:
            table = [".. autosummary::", "   :toctree: generated", "   :nosignatures:", "", *(f"   {n}" for n in mine)]
            parts.append("\n".join([f".. rubric:: {title}", "", *table, ""]))
    return "\n".join(parts)


def _room_of(module: str) -> str:
    return next(room for room in ROOMS if module.startswith(room))


def plain_roles(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Docstrings inherited from scikit-learn name labels of its own pages: keep the words, not the link."""
    lines[:] = [re.sub(r":(?:ref|term):`([^`<]+?)(?:\s*<[^>]+>)?`", r"\1", line) for line in lines]


def inline_math(translator: Any, node: Any) -> None:
    """A formula within a line."""
    translator.body.append(tex2mathml(node.astext(), as_block=False))
    raise SkipNode


def block_math(translator: Any, node: Any) -> None:
    """A formula on lines of its own."""
    translator.body.append(f'<div class="math">{tex2mathml(node.astext(), as_block=True)}</div>')
    raise SkipNode


def setup(app: Any) -> None:
    """Write what pages list or include before Sphinx looks for it."""
    written = {"reference/estimators.rst": exported(), "explanation/which_one_told.txt": which_one()}
    for name, text in written.items():
        target = HERE / name
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            target.write_text(text, encoding="utf-8")
    app.add_html_math_renderer("own_mathml", (inline_math, None), (block_math, None))
    app.connect("autodoc-process-docstring", plain_roles)
