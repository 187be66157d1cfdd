// Opens the page of pyrograph web in Chromium and uses it: from file://, without scripts, on a phone, on paper,
// and from a server with a strict Content-Security-Policy.
// Prints TAP; arguments: the directory that web.test.sh made, one of ten thousand charts, one to be printed,
// one of one run, the server's address.
"use strict";
/* global drawAgain, drawCalendar, runs, same, sameText, update */

const fs = require("fs");
const path = require("path");
const { pathToFileURL } = require("url");
const launch = require("./launch");
const pagesOf = require("./pages");

const [small, large, printed, one, server] = process.argv.slice(2);
const url = pathToFileURL(path.join(small, "index.html")).href;

function is(what, got, wanted) {
  const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)];
  console.log(a === b ? `ok - ${what}` : `not ok - ${what}\n#   got:    ${a}\n#   wanted: ${b}`);
}
// Print a time, but do not check it: make bench measures times, a test does not.
function figure(what, ms) {
  console.log(`# figure: ${what}: ${ms.toFixed(0)} ms`);
}

// The calendar appears shortly after the list, and moves the list.
async function click(page, what) {
  await page.evaluate(() => drawCalendar());
  await page.click(what);
}

// The times of the runs in the table: each run of the test has its own.
const shown = (page) => page.$$eval(".runs tbody tr", (rows) => rows.map((row) => row.querySelector("time").textContent.slice(5, 16)));
const hash = (page) => new URLSearchParams(new URL(page.url()).hash.slice(1));
const all = ["11-21 12:00", "11-21 12:00", "11-21 10:15", "11-21 09:00", "11-20 10:15"];

// Playwright's own waiting needs eval(), which the policy forbids, and cannot see into an SVG.
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
const drawn = () => [...document.querySelectorAll(".thumb img")].every((image) => image.complete && image.naturalWidth);

function watch(page) {
  const seen = { errors: [], requests: [] };
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && seen.errors.push(message.text()));
  page.on("pageerror", (error) => seen.errors.push(String(error)));
  page.on("dialog", (dialog) => { seen.errors.push(dialog.message()); dialog.dismiss(); });
  page.on("request", (request) => seen.requests.push(request.url()));
  return seen;
}

async function useSearch(page) {
  await page.keyboard.press("/");
  await page.keyboard.type("LBM  db1");
  is("/ and words: runs that have them all", await shown(page), ["11-21 09:00"]);
  is("... the count", await page.textContent("#shown"), "1 of 5 runs");
  is("... the address remembers it", hash(page).get("filter"), "LBM  db1");
  await page.fill("#filter", "throttled");
  is("losses can be found", await shown(page), ["11-21 09:00"]);
  await page.fill("#filter", "no such thing");
  is("no match is said", [await shown(page), await page.isVisible(".none")], [[], true]);
  await page.focus("#filter");
  await page.keyboard.press("Escape");
  is("Escape: everything again", await shown(page), all);
}

async function useFacets(page) {
  await page.selectOption("#host", "db1");
  is("a facet", await shown(page), ["11-21 10:15", "11-21 09:00"]);
  await page.selectOption("#kind", "states");
  is("... and another", await shown(page), ["11-21 09:00"]);
  await page.reload();
  is("... the address brings both back", await shown(page), ["11-21 09:00"]);
  await page.selectOption("#host", "");
  await page.selectOption("#kind", "");
  await page.waitForSelector(".calendar summary .text", { state: "attached", timeout: 5000 });
  is("the calendar explains marks that runs have", await page.locator(".calendar summary .text").allTextContents(), [" lost>0", " samples>10000"]);
  await page.selectOption("#verdict", "lost>0");
  is("a verdict is a facet", await shown(page), ["11-21 09:00"]);
  await page.selectOption("#verdict", "");
  await click(page, "th.lost button");
  is("a heading orders", (await shown(page))[0], "11-21 09:00");
  is("... the address remembers it", hash(page).get("sort"), "lost");
  await page.selectOption("#sort", "oldest");
  is("oldest first", (await shown(page))[0], "11-20 10:15");
  await page.selectOption("#sort", "");
}

async function useOwners(page) {
  const options = (name) => page.$$eval(`${name} option`, (list) => list.map((option) => option.textContent));
  is("facets of owners, those of all charts of a run", [await options("#pod"), await options("#unit")], [
    ["any pod", "<img src=x onerror=window.broken=1> (1)", "[others] (1)", "prod/shop-7f9c (1)", "prod/web-1 (1)"],
    ["any unit", "cron.service (1)", "nginx.service (1)"]]);
  is("... none where no chart has one", [await page.isVisible("#pod"), await page.isVisible("#container")], [true, false]);
  await page.selectOption("#pod", "prod/web-1");
  is("... they filter", await shown(page), ["11-20 10:15"]);
  await page.selectOption("#unit", "cron.service");
  is("... together", await shown(page), []);
  await page.selectOption("#pod", "<img src=x onerror=window.broken=1>");
  await page.reload();
  is("... the address brings them back", await shown(page), ["11-21 09:00"]);
  is("... a hostile name is text", await page.evaluate(() => [document.querySelectorAll("img[onerror]").length, window.broken]), [0, null]);
  await page.selectOption("#pod", "");
  await page.selectOption("#unit", "");
  await page.fill("#filter", "shop-7f9c");
  is("... the search finds them", await shown(page), ["11-21 09:00"]);
  await page.fill("#filter", "");
}

async function useCalendar(page) {
  await page.evaluate(() => drawCalendar()); // it comes a moment after the list
  const blocks = await page.$$eval(".block", (list) => list.map((block) => block.textContent));
  is("a block for each run, with every mark that it has", blocks.sort(), ["", "", "", "", "●▲"]);
  is("... in rows of hosts, under days", await page.$$eval(".calendar th", (heads) => heads.map((head) => head.textContent)),
    ["2026-11-20", "21", "unknown host", "db1", "web"]);
  await click(page, ".block >> text=●");
  is("a block opens its run", await page.textContent("#pane h2"), "CPU: whole machine");
  await page.keyboard.press("Escape");
}

async function useKeys(page) {
  await click(page, "h1");
  for (const key of ["j", "j", "ArrowDown", "k", "j", "j"]) {
    await page.keyboard.press(key);
  }
  await page.keyboard.press("Enter");
  is("keys: down four, open", [await page.textContent("#pane h2"), await page.isVisible("#pane iframe")], ["CPU: whole machine", true]);
  is("... its row is marked", await page.$$eval("tr.current time", (list) => list.map((time) => time.textContent)), ["2026-11-21 09:00:00"]);
  await page.keyboard.press("]");
  is("... the next chart", await page.textContent("#pane h2"), "Scheduler states: whole machine");
  is("... is in the address", hash(page).get("chart"), "db1-T1-states.svg");
  await page.reload();
  is("... which brings it back", await page.textContent("#pane h2"), "Scheduler states: whole machine");
  await page.selectOption("#pane select", { label: "java-8/lbm-2, 20 samples" });
  is("a thread", await page.textContent("#pane h2"), "java-8/lbm-2");
  await page.keyboard.press("Escape");
  is("Escape closes", await page.isVisible("#pane"), false);
}

// The test's hostile charts try to change the page, to leave it, and to open dialogs.
async function useSandbox(page, seen) {
  await click(page, ".open[href*=onerror]");
  const frame = await (await page.$("#pane iframe")).contentFrame();
  const tried = await until(frame, () => document.documentElement.getAttribute("data-tried"));
  is("a stranger's script runs, and reaches nothing", tried, "tried ");
  is("... the page is as it was", [await page.evaluate(() => window.broken), page.url().split("#")[0]], [undefined, url]);
  is("... nor asks the user", seen.errors.filter((text) => !/sandboxed/.test(text)), []);
  seen.errors.length = 0;
  await page.keyboard.press("Escape");
}

async function useFile(pages) {
  const page = await pages.take({ viewport: { width: 1200, height: 900 } });
  const seen = watch(page);
  await page.goto(url, { waitUntil: "load" });
  is("newest first", await shown(page), all);
  await until(page, drawn);
  is("thumbnails are drawn", await page.$$eval(".thumb img", (list) => list.filter((image) => image.naturalWidth).length), 5);
  const inside = seen.requests.map((r) => r.replace(/.*\/charts\//, "")); // the name of our own directory is random
  is("charts are not loaded before they are asked for", inside.filter((r) => /T1|web-T0/.test(r)), []);
  is("hostile names are text", await page.$$eval(".runs img[onerror], .runs b", (list) => list.length), 0);
  await useSearch(page);
  await useFacets(page);
  await useOwners(page);
  await useCalendar(page);
  await useKeys(page);
  is("no error on the console", seen.errors, []);
  await useSandbox(page, seen);
  is("nothing is loaded from elsewhere", seen.requests.filter((r) => !r.startsWith("file://") && r !== "data:,"), []);

  const light = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  is("dark mode is dark", parseInt(dark.slice(4), 10) < 60 && parseInt(light.slice(4), 10) > 200, true);
  await page.emulateMedia({ colorScheme: "light" });
  for (const width of [320, 390, 800]) {
    await page.setViewportSize({ width, height: 700 });
    is(`no sideways scrolling at ${width} px`, await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  }
  await page.setViewportSize({ width: 390, height: 700 });
  await click(page, "tbody tr:last-child .open");
  is("a phone: a chart has the whole screen", await page.$eval("#pane", (pane) => [pane.getBoundingClientRect().width, pane.getBoundingClientRect().height]), [390, 700]);
  await click(page, "#pane .close");
  await pages.giveBack(page);
}

// The text with which a run's row begins, and how much of it is cut off.
async function useRow(pages) {
  const page = await pages.take({ viewport: { width: 1280, height: 800 } });
  await page.goto(url);
  is("no column without a word", await page.$$eval(".runs thead th", (heads) => heads.map((head) => head.className)),
    ["when", "service", "host", "cpus", "samples", "lost", "verdict"]);
  is("who did it is in the row, whole", await page.$$eval(".runs .headline", (list) => [list.filter((p) =>
    p.textContent.includes("caused by index-builder: Stall.rebuildIndex > Stall.addEntry")).length, list.every((p) =>
    p.scrollHeight <= p.clientHeight)]), [1, true]);
  await page.evaluate((text) => { runs[0].headline = text; update(); }, `one\n${"4 threads waited for a lock; ".repeat(10)}\nthree`);
  for (const width of [390, 800, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    is(`... also a long one at ${width} px, which has most of the width`, await page.$eval(".runs .headline", (p) =>
      [p.scrollHeight <= p.clientHeight, p.clientWidth > p.closest("tr").clientWidth * 0.4]), [true, true]);
  }
  await click(page, "tbody tr:nth-child(3) .open");
  is("the names of charts are not broken", await page.$$eval("#pane nav button", (list) =>
    list.filter((tab) => tab.getBoundingClientRect().height > 36).map((tab) => tab.textContent)), []);
  const top = () => page.$eval("#pane iframe", (frame) => frame.getBoundingClientRect().top < innerHeight / 3);
  is("beside a chart, what the chart says is not said again", [await page.isVisible("#pane .headline"), await top()], [false, true]);
  await page.click("#pane .about summary");
  is("... unless one asks", [await page.isVisible("#pane .headline"), await page.isVisible("#pane .about")], [true, true]);
  await page.evaluate(() => drawAgain());
  is("... which the next chart remembers", await page.isVisible("#pane .headline"), true);
  await pages.giveBack(page);
}

// 300 runs: no text is cut off, and facts that all runs share get no column.
async function useWidth(pages) {
  const page = await pages.take({ viewport: { width: 1280, height: 800 } });
  await page.goto(pathToFileURL(path.join(printed, "index.html")).href);
  const cut = () => page.$$eval(".runs :is(th, td, td *, th *)", (list) => list.filter((e) =>
    e.scrollWidth > e.clientWidth + 1 && e.clientWidth && getComputedStyle(e).overflow !== "visible").map((e) => e.outerHTML));
  is("at 1280 px nothing is cut", [await cut(), await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)], [[], true]);
  await page.evaluate(() => { for (const run of runs) { run.host = "db1"; } });
  is("what is the same for all runs is said once", await page.evaluate(() => [same("host"), sameText(), same("longest")]), [true, "Host db1", false]);
  await pages.giveBack(page);
}

// Back closes what was opened, one step at a time.
async function useBack(pages) {
  const page = await pages.take({ viewport: { width: 1200, height: 900 } });
  await page.goto(`${url}#`);
  const title = () => page.evaluate(() => document.querySelector("#pane h2")?.textContent || "");
  const back = async (wanted) => {
    await page.evaluate(() => history.back());
    await until(page, (text) => (document.querySelector("#pane h2")?.textContent || "") === text, wanted);
  };
  await click(page, "tbody tr:nth-child(4) .open");
  await page.click("#pane nav button:nth-child(2)");
  is("a chart, and another one", await title(), "Scheduler states: whole machine");
  await click(page, "tbody tr:nth-child(5) .open");
  await back("Scheduler states: whole machine");
  await back("CPU: whole machine");
  is("Back goes through charts and runs", hash(page).get("run"), "db1-T1");
  await back("");
  is("... to the list", await page.isVisible("#pane"), false);
  await page.evaluate(() => history.forward());
  await until(page, () => document.querySelector("#pane h2")?.textContent);
  is("... and forward again", await title(), "CPU: whole machine");
  await pages.giveBack(page);
}

// If a directory has only one run, this run is open.
async function useOne(pages) {
  const page = await pages.take({ viewport: { width: 1200, height: 900 } });
  await page.goto(pathToFileURL(path.join(one, "index.html")).href);
  await until(page, () => document.body?.className === "run");
  is("with one run, its page opens", await page.textContent("h1"), "nginx");
  await page.click("nav a");
  await until(page, () => document.querySelector(".runs"));
  is("... and leads to the table of one", await page.$$eval(".runs tbody tr", (rows) => rows.length), 1);
  await pages.giveBack(page);
}

// The words of each page on paper.
async function usePaper(pages, directory) {
  const page = await pages.take({ viewport: { width: 1280, height: 720 } });
  await page.goto(pathToFileURL(path.join(directory, "index.html")).href);
  await page.pdf({ path: path.join(directory, "page.pdf.tmp"), format: "A4" });
  await pages.giveBack(page);
}

async function usePlain(browser) {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto(url);
  is("without scripts: a table of all runs", await page.locator(".plain tbody tr:visible").count(), all.length);
  is("... with links to every chart", await page.locator(".plain a[href$='.svg']").count(), 9);
  is("... who did it", (await page.locator(".plain .headline").allTextContents()).map((text) => text.split(",")[0]), ["6 threads of java-8 waited for a lock"]);
  is("... and their verdicts", await page.locator(".plain .mark").allTextContents(), ["● lost>0", "▲ samples>10000"]);
}

// The page's own policy, as a server may send it: literally, and with frames allowed.
async function useServer(pages) {
  const page = await pages.take({ viewport: { width: 1200, height: 900 } });
  const seen = watch(page);
  await page.goto(`${server}/framed/index.html`);
  is("a server with a strict policy: the runs", await shown(page), all);
  await page.fill("#filter", "db1");
  is("... search", await shown(page), ["11-21 10:15", "11-21 09:00"]);
  await click(page, "tbody tr:nth-child(2) .open");
  await until(page, () => document.querySelector("#pane iframe"));
  await until(page, () => localStorage.length);
  await until(page, drawn);
  is("... a chart is live in a frame, and the console is empty", seen.errors, []);
  await page.reload();
  is("... the next one at once", [await page.isVisible("#pane iframe"), await page.isVisible("#pane .still")], [true, false]);
  await page.goto(`${server}/strict/index.html`);
  is("without frames: the runs", await shown(page), all);
  await until(page, drawn);
  await click(page, "tbody tr:first-child .open");
  await until(page, () => document.querySelector("#pane .still img")?.naturalWidth);
  is("... a chart is shown as an image", await page.isVisible("#pane iframe"), false);
  is("... and the console is empty", seen.errors, []);
  await until(page, () => localStorage.getItem("pyrograph frames /strict/index.html"));
  await until(page, () => /forbids frames/.test(document.querySelector("#pane .still")?.textContent));
  is("... what the server forbids is not tried: the console is empty", seen.errors, []);
  await page.reload();
  is("... what the server forbids is not offered again", [await page.isVisible("#pane iframe"), await page.isVisible("#pane .still a")], [false, true]);
}

async function useMany(pages) {
  const page = await pages.take({ viewport: { width: 1200, height: 900 } });
  await page.goto(pathToFileURL(path.join(large, "index.html")).href, { waitUntil: "load" });
  figure("the page of 10,000 charts is interactive after",
    await page.evaluate(() => performance.getEntriesByType("navigation")[0].domInteractive));
  await page.evaluate(() => drawCalendar());
  const keys = await page.evaluate(() => {
    const measured = [];
    const input = document.getElementById("filter");
    for (const text of ["d", "db", "db1", "db1 n", "zzz", "o", "off", "c", ""]) {
      let least = Infinity;
      for (let i = 0; i < 3; i++) {
        const start = performance.now();
        input.value = text;
        input.dispatchEvent(new Event("input"));
        document.body.getBoundingClientRect();
        least = Math.min(least, performance.now() - start);
      }
      measured.push(least);
    }
    return Math.max(...measured);
  });
  figure("... the slowest keystroke of a search", keys);
  const rows = () => page.$$eval(".runs tbody tr", (list) => list.length);
  const before = await rows();
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await until(page, (n) => document.querySelectorAll(".runs tbody tr").length > n, before);
  is("... more rows come when they are looked for", before < 100 && await rows() > before, true);
  await pages.giveBack(page);
}

async function main() {
  const browser = await launch();
  const pages = pagesOf(async (options) => (await browser.newContext(options)).newPage());
  await useFile(pages);
  await useRow(pages);
  await useWidth(pages);
  await useBack(pages);
  await useOne(pages);
  await usePlain(browser);
  await usePaper(pages, small);
  await usePaper(pages, printed);
  if (fs.existsSync(path.join(large, "index.html"))) {
    await useMany(pages);
  }
  if (server) {
    await useServer(pages);
  }
  await browser.close();
}

main().catch((error) => {
  console.log(`not ok - ${error.message.split("\n")[0]}`);
  process.exit(1);
});
