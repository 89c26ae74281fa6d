"""The colours of models and classes on a light and on a dark page: the house's own, moved until they can be read."""

from __future__ import annotations

import colorsys
from collections.abc import Iterable

from matplotlib.colors import to_hex, to_rgb

from celm.render.style import CLASS_COLORS, STYLES

# The pages' backgrounds (--page in style.css), and the least contrast of a line or a sign with them (WCAG 1.4.11).
LIGHT, DARK = "#ffffff", "#12161c"
CONTRAST = 3.0
STEP = 0.01


def luminance(color: str) -> float:
    """Relative luminance of a colour, 0 for black and 1 for white (WCAG)."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(color)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    """How well two colours are told apart, from 1 to 21 (WCAG).

    Examples
    --------
    >>> round(contrast("#000000", "#ffffff"))
    21
    """
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


def readable(color: str, page: str) -> str:
    """A colour of the same hue that stands out from a page: on a dark one dark colours turn light first."""
    hue, lightness, saturation = colorsys.rgb_to_hls(*to_rgb(color))
    dark = luminance(page) < 0.5
    lightness = max(lightness, 1 - lightness) if dark else lightness
    shown = color
    while True:
        shown = to_hex(colorsys.hls_to_rgb(hue, lightness, saturation))
        if contrast(shown, page) >= CONTRAST:
            return shown
        lightness += STEP if dark else -STEP


def palette() -> str:
    """The models' and classes' colours as style rules, for light and dark pages."""
    day, night = (_colors(page) for page in (LIGHT, DARK))
    rules = [f".m-{name}{{color:var(--m-{name})}}" for name in STYLES]
    rules += [f".c-{place}{{color:var(--c-{place})}}" for place in range(len(CLASS_COLORS))]
    themes = f":root{{{day}}}@media screen{{:root[data-theme=dark]{{{night}}}}}"
    asked = f"@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{night}}}}}"
    return themes + asked + "".join(rules)


def _colors(page: str) -> str:
    named: Iterable[tuple[str, str]] = [
        *((f"--m-{name}", style.color) for name, style in STYLES.items()),
        *((f"--c-{place}", color) for place, color in enumerate(CLASS_COLORS)),
    ]
    return ";".join(f"{name}:{readable(color, page)}" for name, color in named)
