"""Numbers as they are read: an interval always stands behind its mean, and always means 95 % of the mean."""

from __future__ import annotations

import math


def missing(value: float | None) -> bool:
    """Whether there is no number."""
    return value is None or math.isnan(value)


def span(low: float, high: float, digits: int = 3) -> str:
    """``0.961 to 0.972``; a dash where there is no interval, as for a single round."""
    return "–" if missing(low) else f"{low:.{digits}f} to {high:.{digits}f}"


def points(effect: float, low: float, high: float) -> str:
    """``+3.4 (+2.9 to +3.9)``: a difference of accuracies in points, hundredths of accuracy."""
    text = f"{100 * effect:+.1f}"
    return text if missing(low) else f"{text} ({points_span(low, high)})"


def points_span(low: float, high: float) -> str:
    """``+2.9 to +3.9``: an interval in points."""
    return "–" if missing(low) else f"{100 * low:+.1f} to {100 * high:+.1f}"


def percent(share: float, low: float, high: float) -> str:
    """``93 % (88 to 97)``; a dash where there is nothing to share."""
    return "–" if missing(share) else f"{100 * share:.0f} % ({100 * low:.0f} to {100 * high:.0f})"


def p_text(value: float) -> str:
    """A p-value with three digits."""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def half_width(mean: float, high: float, digits: int = 3) -> str:
    """``0.961 ± 0.005``: a mean and half of its interval; the mean alone where there is none."""
    return f"{mean:.{digits}f}" if missing(high) else f"{mean:.{digits}f} ± {high - mean:.{digits}f}"
