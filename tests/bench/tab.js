// A tab of Chromium that shows a picture, for browser.js and heat_browser.js.
"use strict";

const fs = require("fs");
const path = require("path");
const { pathToFileURL } = require("url");
const { chromium } = require("../browser/node_modules/playwright-core");

const LIMIT_MS = 60000;

// This runs in the page before all its other scripts: it notes when svg[data-ready] says that the picture can be used.
function noteReady() {
  const measured = { ready: 0, last: null };
  window.measured = measured;
  new MutationObserver((_, observer) => {
    if (document.documentElement && document.documentElement.hasAttribute("data-ready")) {
      measured.ready = performance.now();
      observer.disconnect();
    }
  }).observe(document, { attributes: true, childList: true, subtree: true, attributeFilter: ["data-ready"] });
}

// Opens the picture.  instrument is run in the page before its scripts.  Returns { page, paint_ms, ready_ms }.
async function open(browser, file, instrument) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 800 } });
  await page.addInitScript(noteReady);
  await page.addInitScript(instrument);
  await page.goto(pathToFileURL(path.resolve(file)).href, { timeout: LIMIT_MS });
  await page.waitForSelector("svg[data-ready]", { state: "attached", timeout: LIMIT_MS });
  const paint = await page.waitForFunction(() => {
    const entry = performance.getEntriesByName("first-contentful-paint")[0];
    return entry && entry.startTime;
  }, null, { timeout: LIMIT_MS });
  return { page, paint_ms: await paint.jsonValue(), ready_ms: await page.evaluate(() => window.measured.ready) };
}

// Do something that the page measures, and return the page's result.
async function timed(page, action) {
  await page.evaluate(() => { window.measured.last = null; });
  await action();
  const handle = await page.waitForFunction(() => window.measured.last, null, { timeout: LIMIT_MS, polling: 50 });
  return handle.jsonValue();
}

// In bytes: the page's JavaScript objects, its process's share of memory (PSS), and its process's peak RSS.
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

// Run use(browser), and print its result as JSON.
async function main(use) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run",
      "--disable-component-update", "--disable-sync"],
  });

  try {
    console.log(JSON.stringify(await use(browser)));
  } finally {
    await browser.close();
  }
}

function start(use) {
  main(use).catch((error) => {
    console.error(`${path.basename(process.argv[1])}: ${error.message}`);
    process.exit(1);
  });
}

module.exports = { start, open, timed, memory };
