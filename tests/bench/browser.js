// browser.js FILE.svg: open a flame graph in Chromium as a person does, zoom and
// search, and print what that took, as JSON.
//
// Times are measured by the page itself, from the start of loading or from the event of the mouse or key, until the
// second following animation frame begins: by then, the result has been painted.
// Only this is assumed of the page: svg[data-ready] once it can be used, frames as rects with an aria-label or a
// <title> in #frames, a click zooms, and Enter in ".tools input" searches for what is in there.
"use strict";

const { start, open, timed, memory } = require("./tab.js");

const PATTERNS = ["alloc", "^(tcp|vfs)_.*(read|write)", "[aeiou]{2}_.*_\\[k\\]$", "e"];
const ZOOMS = 4;

// This runs in the page before all its other scripts.
function instrument() {
  const { measured } = window;
  const time = (event) => {
    if (event.type === "keydown" && event.key !== "Enter") {
      return;
    }
    measured.last = null;
    requestAnimationFrame(() => requestAnimationFrame(() => {
      measured.last = performance.now() - event.timeStamp;
    }));
  };
  addEventListener("click", time, true);
  addEventListener("keydown", time, true);
}

// Frames as drawn: their name, width and middle on the screen.  In a tooltip, the name ends at the first number.
const frames = (page) => page.$$eval("#frames rect", (all) => all.map((rect) => {
  const box = rect.getBoundingClientRect();
  const title = rect.querySelector("title");
  const label = rect.getAttribute("aria-label") || (title ? title.textContent : "");
  return { name: label.replace(/ \([\d,.]+ .*$/, ""), width: box.width,
    x: box.x + box.width / 2, y: box.y + box.height / 2 };
}));

const seen = (page, frame) => frame.y > 0 && frame.y < page.viewportSize().height;

// Zoom to the widest frame that is clearly narrower than the whole picture; return the times to zoom in and out.
async function zoom(page, share) {
  const before = await frames(page);
  const widest = Math.max(...before.map((f) => f.width));
  const target = before.filter((f) => f.name && f.width < share * widest && seen(page, f))
    .sort((a, b) => b.width - a.width)[0];
  const there = await timed(page, () => page.mouse.click(target.x, target.y));
  const after = await frames(page);
  if (!after.some((f) => f.name === target.name && f.width > 0.99 * widest)) {
    throw new Error(`the click on ${target.name} did not zoom`);
  }
  const all = after.find((f) => f.name === "all" && seen(page, f));
  const back = await timed(page, () => page.mouse.click(all.x, all.y));
  return [there, back];
}

async function search(page, pattern) {
  const input = page.locator(".tools input");
  await input.evaluate((element, text) => { element.focus(); element.value = text; }, pattern);
  const before = await page.textContent("#details");
  const time = await timed(page, () => page.keyboard.press("Enter"));
  if (await page.textContent("#details") === before) {
    throw new Error(`the search for ${pattern} showed nothing`);
  }
  return time;
}

start(async (browser) => {
  const { page, ...result } = await open(browser, process.argv[2], instrument);

  result.opened = await memory(browser, page);
  Object.assign(result, { zoom_in_ms: [], zoom_out_ms: [], search_ms: [] });
  for (let i = 0; i < ZOOMS; i++) {
    const [there, back] = await zoom(page, 0.9 / (i + 1));
    result.zoom_in_ms.push(there);
    result.zoom_out_ms.push(back);
  }
  for (const pattern of PATTERNS) {
    result.search_ms.push(await search(page, pattern));
  }
  result.used = await memory(browser, page);
  return result;
});
