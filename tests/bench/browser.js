// browser.js FILE.svg: open a flame graph in Chromium as a person does, zoom and
// search, and print what that took, as JSON.
//
// Times are the page's own, from the start of its loading or from the event of the
// mouse or key, until the frame after the next is begun: until then it was painted.
// Nothing is assumed of the page but: svg[data-ready] once it can be used, frames
// as rects with an aria-label or a <title> in #frames, a click zooms, and Enter in ".tools input"
// searches for what is in there.
"use strict";

const fs = require("fs");
const path = require("path");
const { pathToFileURL } = require("url");
const { chromium } = require("../browser/node_modules/playwright-core");

const PATTERNS = ["alloc", "^(tcp|vfs)_.*(read|write)", "[aeiou]{2}_.*_\\[k\\]$", "e"];
const ZOOMS = 4;
const LIMIT_MS = 60000;

// Runs in the page before anything else does.
function instrument() {
  const measured = { ready: 0, last: null };
  window.measured = measured;
  new MutationObserver((_, observer) => {
    if (document.documentElement && document.documentElement.hasAttribute("data-ready")) {
      measured.ready = performance.now();
      observer.disconnect();
    }
  }).observe(document, { attributes: true, childList: true, subtree: true, attributeFilter: ["data-ready"] });
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

// Do something that ends in a click or Enter; return how long it took the page.
async function timed(page, action) {
  await page.evaluate(() => { window.measured.last = null; });
  await action();
  const handle = await page.waitForFunction(() => window.measured.last, null, { timeout: LIMIT_MS, polling: 50 });
  return handle.jsonValue();
}

// Frames as drawn: name, width and the middle on the screen.  The first number in a tooltip ends its name.
const frames = (page) => page.$$eval("#frames rect", (all) => all.map((rect) => {
  const box = rect.getBoundingClientRect();
  const title = rect.querySelector("title");
  const label = rect.getAttribute("aria-label") || (title ? title.textContent : "");
  return { name: label.replace(/ \([\d,.]+ .*$/, ""), width: box.width,
    x: box.x + box.width / 2, y: box.y + box.height / 2 };
}));

const seen = (page, frame) => frame.y > 0 && frame.y < page.viewportSize().height;

// Zoom to the widest frame that is not (nearly) as wide as all; return the times there and back.
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

// Bytes: the page's JavaScript objects, and its process's share of memory (PSS) and most RSS ever.
async function memory(browser, page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const { metrics } = await session.send("Performance.getMetrics");
  const all = await browser.newBrowserCDPSession();
  const { processInfo } = await all.send("SystemInfo.getProcessInfo");
  const kib = (file, key) => Number(new RegExp(`^${key}:\\s*(\\d+)`, "m").exec(fs.readFileSync(file, "utf8"))[1]);
  const processes = processInfo.filter((process) => process.type === "renderer").map(({ id }) => ({
    pss: 1024 * kib(`/proc/${id}/smaps_rollup`, "Pss"),
    peak: 1024 * kib(`/proc/${id}/status`, "VmHWM"),
  }));
  const tab = processes.sort((a, b) => b.pss - a.pss)[0];
  return { heap: metrics.find((m) => m.name === "JSHeapUsedSize").value, ...tab };
}

async function main() {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run",
      "--disable-component-update", "--disable-sync"],
  });

  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 800 } });
    await page.addInitScript(instrument);
    await page.goto(pathToFileURL(path.resolve(process.argv[2])).href, { timeout: LIMIT_MS });
    await page.waitForSelector("svg[data-ready]", { state: "attached", timeout: LIMIT_MS });
    const paint = await page.waitForFunction(() => {
      const entry = performance.getEntriesByName("first-contentful-paint")[0];
      return entry && entry.startTime;
    }, null, { timeout: LIMIT_MS });
    const result = { paint_ms: await paint.jsonValue(), ready_ms: await page.evaluate(() => window.measured.ready) };

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
    console.log(JSON.stringify(result));
  } finally {
    await browser.close();
  }
}

main().catch((error) => {
  console.error(`browser.js: ${error.message}`);
  process.exit(1);
});
