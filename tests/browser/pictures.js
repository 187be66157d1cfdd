// For tests of flame graphs: opens them from file:// in Chromium, and asks what they show.  The program's argument is
// the directory with the pictures.
"use strict";

const path = require("path");
const { pathToFileURL } = require("url");
const launch = require("./launch");
const pagesOf = require("./pages");
const askPlainly = require("./plain_page");

const PATIENCE_MS = 60000;
const errors = [];
let browser;
let page;

function is(what, got, wanted) {
  const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)];
  console.log(a === b ? `ok - ${what}` : `not ok - ${what}\n#   got:    ${a}\n#   wanted: ${b}`);
}

// The same for a value that comes later (from timers, workers, or the browser's history): wait for it.
async function becomes(what, get, wanted) {
  const until = Date.now() + PATIENCE_MS;
  let got = await get();
  while (JSON.stringify(got) !== JSON.stringify(wanted) && Date.now() < until) {
    await page.waitForTimeout(20);
    got = await get();
  }
  is(what, got, wanted);
}

// Wait until everything that the page's timers do within so many ms is done and drawn.  This uses a timer of the page,
// which on a busy machine is as late as the others.
const rest = (ms) => page.evaluate((time) => new Promise((done) => {
  setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), time);
}), ms);

// run() -> ms: print a figure, the best of three.  A slow page is slow each time, but other programs on the machine
// seldom slow down all three.
async function quick(what, run) {
  const times = [];
  for (let n = 0; n < 3; n++)
    times.push(await run());
  console.log(`# figure: ${what} in ${Math.min(...times).toFixed(0)} ms`);
}

// Open another window: a phone, a dark one ...; options are those of playwright's newContext.
async function newPage(options = {}) {
  if (page)
    await pages.giveBack(page);
  page = await pages.take({ viewport: { width: 1400, height: 800 }, ...options });
  return page;
}

const pages = pagesOf(async (options) => {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  const made = await context.newPage();
  askPlainly(made, PATIENCE_MS);
  made.on("console", (message) => errors.push(message.text()));
  made.on("pageerror", (error) => errors.push(String(error)));
  made.on("dialog", (dialog) => { errors.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  made.on("request", (request) => /^(file|about|data|blob):/.test(request.url()) || errors.push(request.url()));
  return made;
});

// Run all in order; the console must stay empty.
async function run(uses) {
  browser ||= await launch();
  await newPage();
  errors.length = 0;
  for (const use of uses) {
    await use(page);
  }
  is("the console stayed empty, nothing was loaded from elsewhere", errors, []);
}

// Several test files in one process (node -r FILE FILE) share one browser, one after the other.
let before = Promise.resolve();
let waiting = 0;

function start(uses) {
  waiting++;
  before = before.then(() => run(uses)).catch((error) => {
    console.log(`not ok - ${error.message.split("\n")[0]}\n${error.stack.replace(/^/gm, "#   ")}`);
    process.exitCode = 1;
  }).then(() => --waiting || browser?.close());
}

const urlOf = (name) => pathToFileURL(path.join(process.argv[2], name)).href;

// Wait until the chart of the page, or of a frame, is live.  Playwright's own waiting is avoided, because it adds a
// large script to each document.
const ready = (frame = page) => frame.evaluate((patience) => new Promise((done, fail) => {
  const look = () => document.querySelector("svg[data-ready]") && done();
  new MutationObserver(look).observe(document, { attributes: true, childList: true, subtree: true, attributeFilter: ["data-ready"] });
  setTimeout(() => fail(new Error("waited for svg[data-ready]")), patience);
  look();
}), PATIENCE_MS);

// A link to another place in the same chart would not load the chart anew, so the same file gets another address.
async function open(name, link = "") {
  let url = urlOf(`${name}.svg`);
  if (link.includes("#") && page.url().split("#")[0] === (url + link).split("#")[0])
    url = url.replace(/[^/]*$/, "/$&");
  await page.goto(url + link);
  await ready();
}

const details = () => page.textContent("#details .details");
const matched = () => page.textContent("#details .matched");
const hash = () => page.evaluate(() => decodeURIComponent(location.hash));
const shown = async (selector) => {
  const seen = await page.$$eval(selector, (all) => all.map((e) => e.checkVisibility({ visibilityProperty: true }) &&
    e.getBoundingClientRect().width > 0 && e.getBoundingClientRect().height > 0));
  if (seen.length > 1)
    throw new Error(`${selector} is ${seen.length} elements`);
  return seen.length === 1 && seen[0];
};
const texts = (selector) => page.$$eval(selector, (all) => all.filter((e) => e.checkVisibility()).map((e) => e.textContent));

// Frames as drawn: [name, left, width, class]; names are taken from the text that screen readers hear.
const frames = (panel = "#frames") => page.$$eval(`${panel} rect`, (all) => all.filter((rect) =>
  rect.getAttribute("aria-label")).map((rect) => {
  const number = (key) => Math.round(Number(rect.getAttribute(key)));
  return [rect.getAttribute("aria-label").replace(/ \((?:\S+ )?[\d,.]+ \S+, .*$/, ""), number("x"), number("width"),
    rect.getAttribute("class") || ""];
}));
const names = async (panel) => (await frames(panel)).map((f) => f[0]);
const frame = async (name) => (await frames()).find((f) => f[0] === name);
const fill = (name) => page.$$eval("#frames rect", (all, wanted) =>
  all.find((rect) => rect.getAttribute("aria-label").startsWith(`${wanted} (`)).getAttribute("fill"), name);

// The middle of a frame, on the screen.
const place = (name) => page.$$eval("#frames rect", (all, wanted) => {
  const box = all.find((rect) => rect.getAttribute("aria-label").startsWith(`${wanted} (`)).getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}, name);
const hover = async (name) => page.mouse.move(...await place(name));
const click = async (name, options) => page.mouse.click(...await place(name), options);

async function clickWith(key, name) {
  await page.keyboard.down(key);
  await click(name);
  await page.keyboard.up(key);
}

async function press(...keys) {
  for (const key of keys) {
    await page.keyboard.press(key);
  }
}

// As typed, without going to a match.
async function search(pattern) {
  await page.fill(".tools input", pattern);
  await page.dispatchEvent(".tools input", "change");
}

// The labels of buttons that are pressed, but do not look it while the mouse is over them.
async function unpressed() {
  const wrong = [];

  for (const button of await page.$$('button[aria-pressed="true"]')) {
    const look = () => button.evaluate((e) => getComputedStyle(e).backgroundColor + getComputedStyle(e).color);
    const name = await button.evaluate((e) => e.getAttribute("aria-label") || e.textContent);

    if (!await button.isVisible())
      continue;
    await page.mouse.move(0, 0);
    const before = await look();
    await button.hover();
    if (await look() !== before)
      wrong.push(name);
  }
  await page.mouse.move(0, 0);
  return wrong.concat(wrong.length || await page.$('button[aria-pressed="true"]') ? [] : ["none is pressed"]);
}

module.exports = { is, becomes, rest, quick, start, newPage, ready, open, urlOf, details, matched, hash, shown, texts, frames, names, frame, fill,
  place, hover, click, clickWith, press, search, unpressed };
