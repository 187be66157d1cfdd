// Opens the page of pyrograph web from file:// in Chromium and uses it.
// Prints TAP; arguments: the directory that web.test.sh made.
"use strict";

const path = require("path");
const { pathToFileURL } = require("url");
const { chromium } = require("playwright-core");

const url = pathToFileURL(path.join(process.argv[2], "index.html")).href;

function is(what, got, wanted) {
  const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)];
  console.log(a === b ? `ok - ${what}` : `not ok - ${what}\n#   got:    ${a}\n#   wanted: ${b}`);
}

// What is on the page, by name: captures, and the threads of those.
const shown = (page, selector) => page.$$eval(selector, (elements) =>
  elements.filter((e) => e.checkVisibility()).map((e) => e.querySelector(".name, .title").textContent));
const captures = (page) => shown(page, ".capture");
const threads = (page) => shown(page, ".thread");

const all = ["db1-T2", "db1-T1", "\"><img src=x onerror=window.broken=1>", "100%41 ?#\ufffd", "web-T0"];

async function useFilter(page) {
  await page.keyboard.press("/");
  await page.keyboard.type("LBM  db1");
  is("/ and words: captures with a thread that matches", await captures(page), ["db1-T1"]);
  is("... its threads", await threads(page), ["java-8/lbm-1", "java-8/lbm-2"]);
  is("... the count", await page.textContent("#shown"), "1 of 5");
  is("... days and hosts without a match are gone", await page.$$eval("h2, h3", (headings) =>
    headings.filter((h) => h.checkVisibility()).map((h) => h.textContent)), ["2026-11-21", "db1"]);
  is("... the address remembers it", new URL(page.url()).hash, "#filter=LBM++db1");
  await page.fill("#filter", "cpu: whole");
  is("a title shows its capture, threads closed", [await captures(page), await threads(page)],
    [["db1-T2", "db1-T1"], []]);
  await page.fill("#filter", "throttled");
  is("losses can be found", await captures(page), ["db1-T1"]);
  await page.fill("#filter", "no such thing");
  is("no match", await captures(page), []);
  await page.fill("#filter", "");
  is("an empty filter shows everything", await captures(page), all);
}

async function useSort(page) {
  await page.selectOption("#sort", "lost");
  is("most lost first", (await captures(page))[0], "db1-T1");
  await page.selectOption("#sort", "oldest");
  is("oldest first", (await captures(page))[0], "web-T0");
  is("... the address remembers it", new URL(page.url()).hash, "#sort=oldest");
  await page.reload();
  is("... and brings it back", (await captures(page))[0], "web-T0");
  await page.selectOption("#sort", "");
  is("back to days and hosts", await captures(page), all);
}

async function main() {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
  const page = await context.newPage();
  const errors = [], requests = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("dialog", (dialog) => errors.push(dialog.message()));
  page.on("request", (request) => requests.push(request.url()));

  await page.goto(url, { waitUntil: "load" });
  is("newest first, unknown hosts last", await captures(page), all);
  const images = ".picture img";
  for (const image of await page.$$(images)) {
    await image.scrollIntoViewIfNeeded();
  }
  await page.waitForFunction((s) => [...document.querySelectorAll(s)].every((i) => i.complete), images);
  is("every thumbnail is drawn, whatever its name",
    await page.$$eval(images, (all) => all.filter((i) => !i.naturalWidth).map((i) => i.src)), []);
  is("threads are not loaded before they are asked for",
    requests.filter((r) => r.includes("-threads/")), []);
  is("no script ran but the page's own", await page.evaluate(() => window.broken), undefined);

  await useFilter(page);
  await useSort(page);
  await page.click(".threads summary");
  is("threads open by hand", await threads(page), ["java-8/lbm-1", "java-8/lbm-2", "java-8/other"]);

  const light = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  is("dark mode is dark", parseInt(dark.slice(4), 10) < 60 && parseInt(light.slice(4), 10) > 200, true);
  for (const width of [320, 420, 800]) {
    await page.setViewportSize({ width, height: 700 });
    is(`no sideways scrolling at ${width} px`,
      await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  }
  is("no error on the console", errors, []);
  is("nothing is loaded from elsewhere",
    requests.filter((r) => !r.startsWith("file://") && r !== "data:,"), []);

  const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await plain.goto(url);
  is("without scripts: no controls", await plain.locator(".controls").isVisible(), false);
  is("... but every capture", await plain.locator(".capture:visible").count(), all.length);
  await browser.close();
}

main().catch((error) => {
  console.log(`not ok - ${error.message.split("\n")[0]}`);
  process.exit(1);
});
