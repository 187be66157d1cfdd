// Charts that refer to a script beside them: they are live from file:// and under a strict policy, with an empty
// console; without the script, the picture says what is missing; a saved chart contains the script.
// Prints TAP; arguments: the directory that scripts.test.sh made, the server's address.
"use strict";

const fs = require("fs");
const path = require("path");
const { pathToFileURL } = require("url");
const isRefused = require("./refused");
const launch = require("./launch");
const pagesOf = require("./pages");
const { is } = require("./pictures");

const [directory, server] = process.argv.slice(2);
const charts = fs.readdirSync(directory).filter((name) => name.endsWith(".svg")).sort();
let browser;
const from = (place) => (name) => pathToFileURL(path.join(place, name)).href;

// Playwright's own waiting needs eval(), which the page's policy forbids.
async function until(page, what, value) {
  for (const end = Date.now() + 60000; Date.now() < end;) {
    const found = await page.evaluate(what, value);
    if (found) {
      return found;
    }
    await new Promise((done) => { setTimeout(done, 10); });
  }
  throw new Error(`waited for ${what}`);
}
const isLive = () => document.documentElement.hasAttribute("data-ready");
const isStyled = () => getComputedStyle(document.querySelector(".pyrograph .sheet")).display === "flex";
const matches = () => [...document.querySelectorAll(".search .count")].some((e) => e.textContent);

const pages = pagesOf(async (options) => {
  const page = await (await browser.newContext(options)).newPage();
  page.on("console", (message) => isRefused(message) || page.seen.push(message.text()));
  page.on("pageerror", (error) => page.seen.push(String(error)));
  return page;
});

async function open(url) {
  const page = await pages.take({ viewport: { width: 1200, height: 800 } });
  page.seen = [];
  await page.goto(url);
  return page;
}

async function choose(page, label) {
  await page.keyboard.press("v");
  await until(page, (text) => {
    const item = [...document.querySelectorAll(".menu [role^=menuitem]")].find((e) => e.textContent.includes(text));
    item?.click();
    return item;
  }, label);
}

async function save(page, how) {
  const [saved] = await Promise.all([page.waitForEvent("download"), how()]);
  return fs.readFileSync(await saved.path());
}

async function use(what, urlOf) {
  for (const name of charts) {
    const page = await open(urlOf(name));
    await until(page, isLive);
    is(`${name}, ${what}: has its style`, await page.evaluate(isStyled), true);
    is("... says nothing of a missing script", await page.evaluate(() => document.querySelector("#missing")), null);
    await page.keyboard.press(name === "flame.svg" || name === "heat.svg" ? "/" : "f");
    await page.keyboard.type("[a-z]+");
    is("... finds a regular expression", await until(page, matches), true);
    await page.keyboard.press("Escape");
    await page.evaluate(() => document.activeElement?.blur());
    const png = await save(page, () => page.keyboard.press("P"));
    is("... is saved as PNG", png.subarray(1, 4).toString(), "PNG");
    const live = await save(page, () => choose(page, "live chart"));
    is("... the console is empty", page.seen, []);
    await pages.giveBack(page);

    const copy = path.join(directory, "saved.svg.tmp.svg");
    fs.writeFileSync(copy, live);
    const again = await open(pathToFileURL(copy).href);
    await until(again, isLive);
    is("... saved with its script: is live", await again.evaluate(isStyled), true);
    const twice = await save(again, () => choose(again, "live chart"));
    is("... and can be saved again, the same", twice.equals(live), true);
    is("... the console is empty", again.seen, []);
    await pages.giveBack(again);
    fs.unlinkSync(copy);
  }
}

// A chart that was moved out of its directory; and a chart in a page, with the pointer in the corner, where some
// browsers have it at first.
async function useAlone() {
  const alone = path.join(directory, "alone");
  fs.mkdirSync(alone);
  for (const name of charts) {
    fs.copyFileSync(path.join(directory, name), path.join(alone, name));
    const around = path.join(alone, `${name}.html`);
    fs.writeFileSync(around, `<!DOCTYPE html><iframe src="${name}" style="margin:50px;width:1000px;height:600px">`);
    const page = await open(pathToFileURL(around).href);
    const chart = await (await page.$("iframe")).contentFrame();
    const shown = () => getComputedStyle(document.querySelector("#missing")).display !== "none";
    await chart.evaluate(() => document.documentElement.setCurrentTime(60));
    is(`${name} without its script says nothing to those who only look`, await chart.evaluate(shown), false);
    await page.mouse.move(300, 200);
    const says = await until(chart, () => {
      const missing = document.querySelector("#missing");
      return getComputedStyle(missing).display !== "none" && missing.textContent.trim();
    });
    is("... and says so to those who point at it", /^Not interactive: scripts\/[a-z]+-[0-9a-f]{16}\.js is missing\./.test(says), true);
    is("... and shows the picture", await chart.evaluate(() => document.querySelectorAll("svg > g:not(#background) *").length > 9), true);
    await pages.giveBack(page);
  }
}

async function main() {
  browser = await launch();
  await use("from file://", from(directory));
  if (server) {
    await use("from a server with a strict policy", (name) => `${server}/strict/${name}`);
  }
  await useAlone();
  await browser.close();
}

main().catch((error) => {
  console.log(`not ok - ${error.message.split("\n")[0]}`);
  process.exit(1);
});
