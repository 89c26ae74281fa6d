"""What enters a key: original options always, later ones away from their default, what is only shown never."""

from dataclasses import dataclass, field, replace

import pytest

from celm.base.identity import filled, named, original, shown


@dataclass
class Old:
    scale: float = original(1.0)
    counts: list[int] = original(factory=lambda: [1, 2])
    label: str = shown("")


@dataclass
class Grown(Old):
    mirrored: bool = False
    widths: list[float] = field(default_factory=lambda: [0.5])


def test_an_added_option_leaves_the_identity_alone_until_it_is_used():
    assert named(Grown()) == named(Old()) == {"scale": 1.0, "counts": [1, 2]}
    assert named(Grown(mirrored=True, widths=[0.5, 1.0])) == {
        "scale": 1.0,
        "counts": [1, 2],
        "mirrored": True,
        "widths": [0.5, 1.0],
    }


def test_what_is_shown_has_no_part_in_it():
    assert named(replace(Grown(), label="mine")) == named(Grown())


def test_an_identity_does_not_change_with_its_options():
    options = Grown()
    before = named(options)
    options.counts.append(3)
    assert before["counts"] == [1, 2]


@pytest.mark.parametrize("options", [Grown(), Grown(scale=2.0, mirrored=True), Grown(widths=[])])
def test_options_come_back_from_what_names_them(options):
    assert filled(Grown, {**named(options), "other": 7}) == options
