"""Where a command prints: neither a reader who leaves (| head) nor a full disk under its output ends what it does."""

import os
import sys
from io import TextIOWrapper


class SturdyStream(TextIOWrapper):
    """A stream of text that goes on into nothing once nobody takes it; ``lost`` says why, where that was a fault."""

    lost: OSError | None = None

    def write(self, text: str) -> int:
        """Write, as long as there is somewhere to write to."""
        try:
            return super().write(text)
        except OSError as error:
            self._give_up(error)
            return len(text)

    def flush(self) -> None:
        """Flush, as long as there is somewhere to write to."""
        try:
            super().flush()
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.fileno())  # what is still buffered goes there too
        os.close(nowhere)
        if not isinstance(error, BrokenPipeError):
            self.lost = error


def sturdy_streams() -> None:
    """Print by sturdy streams from now on; a terminal that knows ASCII alone is shown other letters by their number."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if type(stream) is TextIOWrapper:
            lines, encoding = stream.line_buffering, stream.encoding
            made = SturdyStream(stream.detach(), encoding, errors="backslashreplace", line_buffering=lines)
            setattr(sys, name, made)
            setattr(sys, f"__{name}__", made)


def check_printed() -> None:
    """End with 1 and a sentence where what was printed is lost; a reader who left did so on purpose."""
    sys.stdout.flush() if sys.stdout is not None else None
    lost = getattr(sys.stdout, "lost", None)
    if lost is not None:
        print(f"error: what was printed is lost: {lost}", file=sys.stderr)
        raise SystemExit(1)
