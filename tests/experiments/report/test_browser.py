"""The published page in a real Chromium: it opens at once, its parts move, and it stays inside a phone."""

import pandas as pd
import pytest

from experiments.report.__main__ import write_report
from experiments.results import Results

RESULTS = Results().folder
OPENS_WITHIN = 2.0
HEAVIEST = 5e6
PHONE = {"width": 360, "height": 740}


@pytest.fixture(scope="module", params=["published", pytest.param("written anew", marks=pytest.mark.heavy)])
def address(request, tmp_path_factory):
    """The page of the committed results as a local file: the one that is there; all its findings take a minute."""
    path = RESULTS / "report" / "index.html"
    if request.param == "written anew":
        path = write_report(RESULTS, tmp_path_factory.mktemp("report"))[0]
    assert path.stat().st_size < HEAVIEST
    return path.as_uri()


@pytest.fixture
def opened(browser, address):
    """Opens the page with options of a browser context; fails at the end if the page complained about anything."""
    complaints, contexts = [], []

    def open_page(**options):
        contexts.append(browser.new_context(**options))
        page = contexts[-1].new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "request",
            lambda request: None if request.url.startswith(("file:", "data:")) else complaints.append(request.url),
        )
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def cpu_seconds(page):
    """What the page has cost its process so far: the clock would count the other jobs of the machine too."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    return {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}["ProcessTime"]


def test_it_opens_at_once(opened):
    page = opened()
    assert 0 < cpu_seconds(page) < OPENS_WITHIN
    assert page.locator("h1").inner_text().startswith("Constrained Extreme Learning Machines")
    assert page.locator(".numbers td > button").count() >= 79


def test_a_number_opens_to_its_rounds_and_closes(opened):
    page = opened()
    row = page.locator("#table1-wdbc-elm")
    button = page.locator("[aria-controls=table1-wdbc-elm]")
    assert row.is_hidden()
    button.click()
    assert row.is_visible()
    assert button.get_attribute("aria-expanded") == "true"
    assert row.locator("ol li").count() == 10
    button.click()
    assert row.is_hidden()


def test_pointing_at_a_curve_reads_its_values(opened):
    page = opened()
    plot = page.locator("#fig4 .plot").first
    plot.scroll_into_view_if_needed()
    plot.locator("svg").first.hover(position={"x": 200, "y": 90})
    told = plot.locator(".tip").inner_text()
    count = int(told.split()[0])
    panel = page.locator("#fig4 figcaption").first.inner_text().partition(",")[0]
    drawn = pd.read_csv(RESULTS / "figures" / "fig4.csv").set_index(["panel", "model", "n_hidden"])
    assert f"{drawn['accuracy_mean'][panel, 'elm', count]:.3f} ELM" in told
    page.mouse.move(0, 0)
    assert plot.locator(".tip").inner_text() == ""


def test_no_label_of_a_plot_is_cut_off(opened):
    outside = """all => all.filter(text => {
      const [box, room] = [text, text.ownerSVGElement].map(e => e.getBoundingClientRect());
      return box.left < room.left || box.right > room.right || box.top < room.top || box.bottom > room.bottom;
    }).map(text => text.textContent)"""
    labels = opened().locator(".plot svg text")
    assert labels.count() > 0
    assert labels.evaluate_all(outside) == []


def test_arrow_keys_read_a_curve(opened):
    page = opened()
    plot = page.locator("#fig4 .plot").first
    plot.focus()
    page.keyboard.press("Home")
    assert plot.locator(".tip").inner_text().startswith("5 nodes")
    page.keyboard.press("ArrowRight")
    assert plot.locator(".tip").inner_text().startswith("10 nodes")


def test_a_method_is_hidden_in_every_panel_and_in_the_values(opened):
    page = opened()
    toggle = page.locator("#fig4 .legend [data-model=elm]")
    curves = page.locator("#fig4 .curve[data-model=elm]")
    assert curves.count() == 6
    toggle.click()
    assert toggle.get_attribute("aria-pressed") == "false"
    assert not any(curve.is_visible() for curve in curves.all())
    plot = page.locator("#fig4 .plot").first
    plot.focus()
    page.keyboard.press("End")
    assert " ELM" in plot.locator(".tip").inner_text()
    assert page.locator("#fig4 .tip svg.m-elm").count() == 0
    toggle.click()
    assert curves.first.is_visible()


def test_a_command_is_copied(opened):
    page = opened(permissions=["clipboard-read", "clipboard-write"])
    page.locator("[aria-controls=table1-mdd_kar-selm]").click()
    page.locator("#table1-mdd_kar-selm .copy").first.click()
    page.get_by_text("copied: .venv/bin/python").wait_for(state="attached")
    wanted = ".venv/bin/python -m experiments.run experiment=table1 dataset=mdd_kar model=selm"
    assert page.evaluate("navigator.clipboard.readText()") == wanted


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_theme_follows_the_system_until_the_button_is_pressed(opened, scheme):
    page = opened(color_scheme=scheme)
    background = "getComputedStyle(document.body).backgroundColor"
    first = page.evaluate(background)
    assert (first == "rgb(255, 255, 255)") == (scheme == "light")
    page.locator("#theme").click()
    assert page.evaluate(background) != first
    page.reload()
    assert page.evaluate(background) != first


def test_tab_reaches_every_kind_of_control(opened):
    page = opened()
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate(
                "(e => e.id || e.className || e.getAttribute('aria-controls') || e.hash)(document.activeElement)"
            )
        )
    assert {"skip", "#tables", "theme", "scroll", "table1-wdbc-elm"} <= reached
    page.locator("[aria-controls=table1-wdbc-elm]").focus()
    page.keyboard.press("Enter")
    assert page.locator("#table1-wdbc-elm").is_visible()


def test_every_control_has_a_name_and_every_picture_a_text(opened):
    page = opened()
    nameless = "all => all.filter(e => !`${e.textContent}${e.ariaLabel ?? ''}${e.alt ?? ''}`.trim()).length"
    for kind in ("button", "a", "img", "summary", ".plot", ".scroll"):
        assert page.locator(kind).count() > 0
        assert page.locator(kind).evaluate_all(nameless) == 0, kind


def test_a_phone_scrolls_in_one_direction(opened):
    page = opened(viewport=PHONE, has_touch=True, is_mobile=True)
    for button in page.locator("#tables .numbers td > button").all()[:3]:
        button.click()
    for details in page.locator("details").all():
        details.evaluate("e => e.open = true")
    plot = page.locator("#fig4 .plot").first
    plot.focus()
    page.keyboard.press("End")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert page.evaluate("document.querySelector('.numbers').parentElement.scrollWidth") > PHONE["width"]


def test_print_opens_everything_and_shows_no_buttons(opened):
    page = opened(color_scheme="dark")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0
    assert page.locator("#table1-wdbc-elm").is_visible()
    assert not page.locator("nav").is_visible()
    assert not any(button.is_visible() for button in page.locator(".copy").all()[:5])
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(28, 33, 40)"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details[open]").count() == 0


CONTRAST = """
() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return canvas.getImageData(0, 0, 1, 1).data;
  };
  const light = (color) => {
    const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = [...rgba(color)].map((v) => linear(v / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (e) => {
    for (; e; e = e.parentElement) {
      const color = getComputedStyle(e).backgroundColor;
      if (rgba(color)[3] === 255) return color;
    }
    return "white";
  };
  const poor = new Set();
  for (const e of document.querySelectorAll("body *")) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || !e.getClientRects().length || e.closest("svg, script, .sr")) continue;
    const [a, b] = [light(getComputedStyle(e).color), light(behind(e))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) poor.add(`${e.tagName} ${e.className} ${((a + 0.05) / (b + 0.05)).toFixed(2)}`);
  }
  return [...poor];
}
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_what_is_behind_it(opened, scheme):
    page = opened(color_scheme=scheme)
    for button in page.locator("#tables .numbers td > button").all()[:12]:
        button.click()
    assert page.evaluate(CONTRAST) == []
