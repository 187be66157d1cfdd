// Charts of several runs side by side have one view, which charts of strangers cannot disturb.  axe-core checks the
// pages. Prints TAP; arguments: the directory that compare.test.sh made, a differential of two of its flame graphs, the
// sum of three, the server's address.
"use strict";
/* global pyrograph */

const fs = require("fs");
const path = require("path");
const { pathToFileURL } = require("url");
const isRefused = require("./refused");
const launch = require("./launch");
const pagesOf = require("./pages");
const { is } = require("./pictures");

const [directory, diff, sum, server] = process.argv.slice(2);
const local = pathToFileURL(directory).href;
let browser;

// Playwright's own waiting needs eval(), which the page's policy forbids.
async function until(frame, what, value) {
  for (const end = Date.now() + 60000; Date.now() < end;) {
    const found = await frame.evaluate(what, value);
    if (found) {
      return found;
    }
    await new Promise((done) => { setTimeout(done, 10); });
  }
  throw new Error(`waited for ${what}`);
}
const isLive = () => document.documentElement.hasAttribute("data-ready");

const pages = pagesOf(async (options) => {
  const page = await (await browser.newContext(options)).newPage();
  page.on("console", (message) => isRefused(message) || page.seen.push(message.text()));
  page.on("pageerror", (error) => page.seen.push(String(error)));
  page.on("dialog", (dialog) => { page.seen.push(dialog.message()); dialog.dismiss(); });
  return page;
});

async function open(url, options = {}) {
  const page = await pages.take({ viewport: { width: 1400, height: 900 }, ...options });
  page.seen = [];
  await page.goto(url);
  return page;
}

// A click misses if the page moves at that moment, for example because a picture arrives; the check of the box would
// fail later.
async function tick(page, selector) {
  for (let tries = 3; ; tries--) {
    try {
      return await page.check(selector);
    } catch (error) {
      if (tries === 1 || !String(error).includes("did not change its state")) {
        throw error;
      }
    }
  }
}

async function pick(page, ...hosts) {
  for (const host of hosts) {
    await tick(page, `.runs tr:has-text("${host}") .pick`);
  }
  await page.click(".choice button");
}

async function frames(page, count) {
  await until(page, (n) => document.querySelectorAll("#compare iframe").length === n, count);
  const list = [];
  for (const element of await page.$$("#compare iframe")) {
    list.push(await element.contentFrame());
  }
  return list;
}

async function live(page, count) {
  const list = await frames(page, count);
  for (const frame of list) {
    await until(frame, isLive);
  }
  return list;
}

const pathOf = (frame) => frame.$$eval(".path button", (all) => all.map((e) => e.textContent).filter(Boolean).join(";"));

async function zoom(frame, name) {
  await frame.evaluate((wanted) => {
    const rect = [...document.querySelectorAll("#frames rect")].find((e) => e.getAttribute("aria-label")?.startsWith(`${wanted} (`));
    const box = rect.getBoundingClientRect();
    for (const type of ["pointerdown", "pointerup", "click"]) {
      rect.dispatchEvent(new PointerEvent(type, { bubbles: true, clientX: box.x + 5, clientY: box.y + 5, button: 0, isPrimary: true }));
    }
  }, name);
}

async function useFlames(base) {
  const page = await open(`${base}/index.html`);
  await pick(page, "db1", "db2", "db3");
  const [one, two, three] = await live(page, 3);
  await zoom(one, "parse");
  await until(two, () => location && document.querySelector(".path")?.textContent.includes("parse"));
  await until(three, () => document.querySelector(".path")?.textContent.includes("parse"));
  is("a zoom in one chart is one in all", [await pathOf(one) === await pathOf(two), await pathOf(two) === await pathOf(three)], [true, true]);
  await two.fill(".tools .search input", "rea");
  await until(one, (text) => document.querySelector(".tools .search input").value === text, "rea");
  is("... and so is a search", await three.evaluate(() => document.querySelector(".tools .search input").value), "rea");
  await page.uncheck("#compare header input");
  await one.fill(".tools .search input", "wri");
  await until(one, () => document.querySelector(".tools .search .count").textContent);
  is("... unless the reader does not want it", await two.evaluate(() => document.querySelector(".tools .search input").value), "rea");
  await tick(page, "#compare header input");
  const address = page.url();
  is("the console is empty", page.seen, []);
  await page.goto("about:blank");
  await page.goto(address);
  await live(page, 3);
  is("the address brings the comparison back", await page.textContent("#compare h2"), "3 runs side by side");
  is("... which kinds there are: those that more than one run has",
    await page.$$eval("#compare option", (all) => all.map((e) => e.textContent)), ["CPU", "CPU over time"]);
  await page.selectOption("#compare select", { label: "CPU over time" });
  const maps = await live(page, 3);
  const canvas = await maps[0].$(".heat-maps canvas"), box = await canvas.boundingBox();
  await page.mouse.move(box.x + 50, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 150, box.y + 90, { steps: 4 });
  await page.mouse.up();
  for (const map of maps.slice(1)) {
    await until(map, () => document.querySelector(".flame-place:not([hidden]) rect"));
  }
  is("one selection in all heat maps", new Set(await Promise.all(maps.map((map) => map.$eval(".heat-flame .notes, .heat-flame .title", (e) => e.textContent)))).size, 1);
  const shown = () => Promise.all(maps.map((map) => map.evaluate(() => {
    const box = document.querySelector(".heat-maps canvas").getBoundingClientRect();
    const ticks = [...document.querySelectorAll("text")].filter((e) => /^10:15:\d\d$/.test(e.textContent));
    return [ticks[0].textContent, ticks.at(-1).textContent, Math.round(ticks.at(-1).getBoundingClientRect().x - box.x)].join(" ");
  })));
  is("heat maps of different lengths", new Set(await shown()).size, 2);
  await page.click("#compare header button:has-text(\"One time axis\")");
  await until(maps[0], () => ![...document.querySelectorAll("text")].some((e) => /^10:15:[3-5]\d$/.test(e.textContent)));
  is("... on one time axis", new Set(await shown()).size, 1);
  await page.click("#compare h2");
  await page.keyboard.press("Escape");
  is("Escape leaves", [await page.isVisible("#compare"), await page.isVisible(".list")], [false, true]);
  is("the console is empty", page.seen, []);
  await pages.giveBack(page);
}

// The names of frames as screen readers hear them; the two profiles have different names there.
const heard = (page, place) => page.$$eval(`${place} rect[aria-label]`, (all) => all.map((e) =>
  e.getAttribute("aria-label").replace(/db\d \S+ \S+ |\/\S*\.folded /g, "")).sort());

// The difference of two charts must be the same as what "render flame --diff" draws.
async function useDifference() {
  const page = await open(`${local}/index.html`);
  await pick(page, "db1", "db2");
  const [one] = await live(page, 2);
  await page.click("#compare header button:has-text(\"Difference\")");
  await until(one, () => document.querySelector(".flame-place rect[aria-label]"));
  is("the difference is named after both runs", await one.textContent(".flame-place .title"), "db1 2026-11-21 10:15:02 \u2192 db2 2026-11-22 10:15:02");
  const wanted = await open(pathToFileURL(diff).href);
  await until(wanted, isLive);
  const got = await heard(one, ".flame-place");
  is("... and is that of render flame --diff", got, await heard(wanted, ".graph"));
  is("... of all frames", got.length, 7);
  await page.reload();
  const [again] = await live(page, 2);
  await until(again, () => document.querySelector(".flame-place rect[aria-label]"));
  is("... the address brings it back", [new URLSearchParams(new URL(page.url()).hash.slice(1)).get("as"), await heard(again, ".flame-place")], ["difference", got]);
  is("the console is empty", page.seen, []);
  // A stranger's chart cannot make ours draw the difference unasked, or from nonsense.
  const wrong = await again.evaluate(() => {
    const good = { names: ["all", "a"], colours: ["#000000", "#000000", "#000000", "#000000"], name: [0, 1], parent: [0, 0], self: [0, 1], decimals: 0 };
    const bad = [null, {}, { ...good, name: [0, 2] }, { ...good, parent: [0, 1] }, { ...good, self: [0, -1] }, { ...good, self: [0, NaN] },
      { ...good, names: ["all", {}] }, { ...good, colours: ["red"] }, { ...good, parent: [0] }, { ...good, decimals: 99 }, { ...good, name: [], parent: [], self: [] }];
    return [pyrograph.difference.isProfile(good), bad.filter((profile) => pyrograph.difference.isProfile(profile)).length];
  });
  is("what is not a profile is refused", wrong, [true, 0]);
  await pages.giveBack(page);
  await pages.giveBack(wanted);
}

// The sum of several charts must be the same as a flame graph of all their lines.
async function useSum() {
  const page = await open(`${local}/index.html`);
  await pick(page, "db1", "db2", "db3");
  const [one] = await live(page, 3);
  await page.click("#compare header button:has-text(\"Merge\")");
  await until(one, () => document.querySelector(".flame-place rect[aria-label]"));
  is("the sum of three is named after them", await one.textContent(".flame-place .title"),
    "3 runs merged: db1 2026-11-21 10:15:02, db2 2026-11-22 10:15:02, db3 2026-11-23 10:15:02");
  const wanted = await open(pathToFileURL(sum).href);
  await until(wanted, isLive);
  const got = await heard(one, ".flame-place");
  is("... is that of all lines", got, await heard(wanted, ".graph"));
  is("... of all frames", got.length, 8);
  is("the console is empty", page.seen, []);
  await pages.giveBack(page);
  await pages.giveBack(wanted);
}

async function useUnits() {
  const page = await open(`${local}/index.html`);
  await pick(page, "db1", "db4");
  const [one] = await live(page, 2);
  for (const button of ["Merge", "Difference"]) {
    await page.click(`#compare header button:has-text("${button}")`);
    await until(page.mainFrame(), () => document.querySelector("#compare [role=status]").textContent.includes("different units"));
    is(`${button}: samples and nanoseconds are not drawn together`, await one.$$eval(".flame-place", (all) => all.length), 0);
    await page.evaluate(() => { document.querySelector("#compare [role=status]").textContent = ""; });
  }
  is("the console is empty", page.seen, []);
  await pages.giveBack(page);
}

// A stranger's chart beside ours: its messages are accepted, but can only say what a link could say.
async function useStranger() {
  const page = await open(`${local}/index.html`);
  await pick(page, "db1", "stranger");
  const [one, stranger] = await frames(page, 2);
  await until(one, isLive);
  is("a stranger's chart with a script beside it reaches nothing", await until(stranger, () => document.documentElement.getAttribute("data-tried")), "tried ");
  await one.fill(".tools .search input", "parse");
  is("... it is told the view, nothing else", JSON.parse(await until(stranger, () => {
    const heard = document.documentElement.getAttribute("data-heard");
    return heard && heard.includes("parse") && heard;
  })), { pyrograph: "view", view: "s=parse" });
  is("... the page is as it was", await page.evaluate(() => [window.broken, ({}).broken, document.querySelectorAll("#compare iframe").length]), [null, null, 2].map((x) => x ?? undefined));
  is("... and so is the chart", await one.evaluate(() => [window.broken, document.querySelectorAll("b, img").length]), [undefined, 0]);
  is("... and the reader is not asked", page.seen.filter((text) => !/sandboxed|not allowed|CORS|origin/i.test(text)), []);
  await pages.giveBack(page);
}

// WCAG 2.1 A and AA.
async function useAxe() {
  const source = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
  const runPage = fs.readdirSync(path.join(directory, "index-files")).find((name) => /^run-.*html$/.test(name));
  const views = {
    "the list": ["index.html", async () => {}],
    "a chart beside the list": ["index.html", async (page) => page.click(".open")],
    "the comparison": ["index.html", async (page) => pick(page, "db1", "db2")],
    "the page of a run": [`index-files/${runPage}`, async () => {}],
  };
  for (const [what, [file, prepare]] of Object.entries(views)) {
    for (const options of [{}, { colorScheme: "dark" }, { viewport: { width: 390, height: 800 } }]) {
      const page = await open(`${local}/${file}`, { ...options, bypassCSP: true });
      await prepare(page);
      await page.evaluate(source);
      const found = await page.evaluate(() => window.axe.run(document, { iframes: false,
        runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] }));
      is(`axe-core: ${what}, ${Object.values(options).map((value) => value.width || value).join() || "light"}`,
        found.violations.map((violation) => [violation.id, violation.nodes.slice(0, 3).map((node) => node.html.slice(0, 150))]), []);
      await pages.giveBack(page);
    }
  }
}

async function main() {
  browser = await launch();
  await useFlames(local);
  if (server) {
    await useFlames(`${server}/framed`);
  }
  await useDifference();
  await useSum();
  await useUnits();
  await useStranger();
  await useAxe();
  await browser.close();
}

main().catch((error) => {
  console.log(`not ok - ${error.message.split("\n")[0]}`);
  process.exit(1);
});
