"""What a reading says of itself, and where a default or a reading may come from."""

from __future__ import annotations

from dataclasses import dataclass, field

from celm.base.validation import check_choice

# Where a default or a reading comes from.
FITTED = "fitted"
ORIGINS = {
    "paper": "stated in the paper",
    "code": "in the code of a method's authors",
    "practice": "usual practice where neither says it",
    FITTED: "chosen because it comes closer to the published results",
}


@dataclass
class Origin:
    """Where a default or what an experiment sets comes from, see :data:`ORIGINS`; about: the choice in a few words."""

    origin: str = ""
    about: str = ""

    def check(self, key: str) -> None:
        """Raise a ValueError naming the key that says nothing."""
        check_choice(self.origin, f"origins.{key}.origin", ORIGINS, "config")
        if not self.about:
            raise ValueError(f"config: origins.{key}.about must say in a few words what was chosen.")


@dataclass
class ReadingAbout:
    """What a reading is: another way to understand the paper where it leaves a choice open.

    origin: where it comes from, see :data:`ORIGINS`. touches: table or figure -> its place among the readings of that
    one, nearest to the paper's text first. models, datasets: those it changes (empty: all). sees_test: whether test
    rows take part in scaling or choosing.
    """

    about: str = ""
    origin: str = ""
    touches: dict[str, int] = field(default_factory=dict)
    models: list[str] = field(default_factory=list)
    datasets: list[str] = field(default_factory=list)
    sees_test: bool = False

    def check(self, name: str) -> None:
        """Raise a ValueError naming the first key that says nothing."""
        check_choice(self.origin, f"readings.{name}.origin", ORIGINS, "config")
        if not self.about:
            raise ValueError(f"config: readings.{name}.about must say in a sentence what is read differently.")
