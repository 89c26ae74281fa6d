#!/bin/sh
# Finds the Chromium that the tests of the report run in, or installs one: make browser.
set -eu
for name in "${CELM_CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable chrome; do
    if [ -n "$name" ] && command -v "$name" >/dev/null 2>&1; then
        echo "browser: $(command -v "$name")"
        exit 0
    fi
done
if "$RUN" - <<'PYTHON'
import pathlib, sys
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    sys.exit(not pathlib.Path(playwright.chromium.executable_path).exists())
PYTHON
then
    echo "browser: Playwright's own Chromium"
    exit 0
fi
echo "browser: none here, installing one"
if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
    if apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium; then
        exit 0
    fi
fi
if "$RUN" -m playwright install chromium; then
    exit 0
fi
echo "browser: no Chromium could be installed. Install Debian's package chromium (as root: apt-get install chromium)" >&2
echo "or any Chrome, or name one with CELM_CHROMIUM=/path/to/chromium; the tests of the report need it." >&2
exit 1
