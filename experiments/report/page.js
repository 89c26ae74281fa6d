"use strict";
(() => {
  const root = document.documentElement;
  const told = document.getElementById("told");
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  // Light or dark: what the system asks for until the button is pressed.
  const button = document.getElementById("theme");
  const isDark = () =>
    root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const remembered = (theme) => {
    try {
      if (theme) localStorage.setItem("celm-theme", theme);
      return localStorage.getItem("celm-theme");
    } catch {
      return null;
    }
  };
  const showTheme = () => button.setAttribute("aria-pressed", String(isDark()));
  const kept = remembered();
  if (kept) root.dataset.theme = kept;
  showTheme();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", showTheme);
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    remembered(root.dataset.theme);
    showTheme();
  });

  // A number of a table opens the row below it.
  for (const opener of all("button[aria-controls]")) {
    opener.addEventListener("click", () => {
      const open = opener.getAttribute("aria-expanded") === "true";
      opener.setAttribute("aria-expanded", String(!open));
      document.getElementById(opener.getAttribute("aria-controls")).hidden = open;
    });
  }

  // Commands are copied; where the browser has no clipboard for local files, the old way.
  const copied = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      return done;
    }
  };
  for (const copy of all("button.copy")) {
    copy.addEventListener("click", async () => {
      const done = await copied(copy.dataset.copy);
      const word = copy.firstChild;
      word.textContent = done ? "Copied" : "Select it";
      told.textContent = done ? `copied: ${copy.dataset.copy}` : "this browser did not copy";
      setTimeout(() => (word.textContent = "Copy"), 1500);
    });
  }

  // Curves: the legend shows and hides methods, the pointer or the arrow keys read values.
  const svgNode = (name, attributes) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    return node;
  };
  for (const figure of all(".curves")) {
    const legend = figure.querySelector(".legend");
    const off = new Set();
    for (const toggle of all(".legend button", figure)) {
      toggle.addEventListener("click", () => {
        const model = toggle.dataset.model;
        const shown = off.has(model);
        if (shown) off.delete(model);
        else off.add(model);
        toggle.setAttribute("aria-pressed", String(shown));
        for (const curve of all(`.curve[data-model="${model}"]`, figure)) curve.classList.toggle("off", !shown);
      });
    }
    for (const plot of all(".plot", figure)) readable(plot, legend, off);
  }

  function readable(plot, legend, off) {
    const svg = plot.querySelector("svg");
    const tip = plot.querySelector(".tip");
    const cursor = plot.querySelector(".cursor");
    const curves = JSON.parse(plot.dataset.curves);
    const [left, right, bottom, top] = JSON.parse(svg.dataset.axes);
    const [x0, x1, y0, y1] = JSON.parse(svg.dataset.place);
    const counts = [...new Set(Object.values(curves).flatMap((curve) => curve[0]))].sort((a, b) => a - b);
    const toX = (count) => x0 + ((count - left) / (right - left || 1)) * (x1 - x0);
    const toY = (value) => y0 + ((value - bottom) / (top - bottom || 1)) * (y1 - y0);
    let place = -1;

    const hide = () => {
      cursor.replaceChildren();
      tip.replaceChildren();
    };
    const show = (next) => {
      place = Math.min(Math.max(next, 0), counts.length - 1);
      const count = counts[place];
      const rows = Object.entries(curves)
        .filter(([model]) => !off.has(model))
        .map(([model, [n, mean, low, high]]) => ({ model, at: n.indexOf(count), mean, low, high }))
        .filter((row) => row.at >= 0)
        .sort((a, b) => b.mean[b.at] - a.mean[a.at]);
      const x = toX(count);
      cursor.replaceChildren(
        svgNode("line", { x1: x, x2: x, y1: y0, y2: y1 }),
        ...rows.map((row) => svgNode("circle", { cx: x, cy: toY(row.mean[row.at]), r: 3, class: `m-${row.model}` })),
      );
      const head = document.createElement("strong");
      head.textContent = `${count} nodes`;
      const lines = rows.map((row) => {
        const line = document.createElement("div");
        const named = legend.querySelector(`[data-model="${row.model}"]`);
        const interval = document.createElement("small");
        interval.textContent = `${row.low[row.at].toFixed(3)}–${row.high[row.at].toFixed(3)}`;
        const value = `${row.mean[row.at].toFixed(3)} ${named.textContent} `;
        line.append(named.querySelector("svg").cloneNode(true), value, interval);
        return line;
      });
      tip.replaceChildren(head, ...lines);
      // Beside the plot, never over it: above where there is no room below.
      const box = plot.getBoundingClientRect();
      tip.classList.toggle("above", box.bottom + tip.offsetHeight > innerHeight && box.top > tip.offsetHeight);
    };
    const nearest = (event) => {
      const box = svg.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * svg.viewBox.baseVal.width;
      const count = left + ((x - x0) / (x1 - x0)) * (right - left);
      return counts.reduce((best, n, i) => (Math.abs(n - count) < Math.abs(counts[best] - count) ? i : best), 0);
    };
    svg.addEventListener("pointermove", (event) => show(nearest(event)));
    svg.addEventListener("pointerdown", (event) => show(nearest(event)));
    svg.addEventListener("pointerleave", hide);
    plot.addEventListener("blur", hide);
    plot.addEventListener("keydown", (event) => {
      const steps = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: counts.length - 1 };
      if (event.key === "Escape") hide();
      if (event.key in steps) {
        event.preventDefault();
        show(steps[event.key]);
      }
    });
  }

  // In print everything is open.
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = all("details:not([open])");
    for (const part of closed) part.open = true;
  });
  addEventListener("afterprint", () => {
    for (const part of closed) part.open = false;
  });
})();
