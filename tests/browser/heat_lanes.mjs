// Lanes below heat maps in Chromium.  Prints TAP; argument: the directory that heat_lanes.test.sh made.
import fs from "node:fs";
import { createRequire } from "node:module";

const { is, becomes, start, open: openPicture, press } = createRequire(import.meta.url)("./pictures.js");
const S = 1e9, MS = 1e6;
let page;

const painted = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
async function open(...what) {
  await openPicture(...what);
  await painted();
}
const map = (number = 0) => page.$$eval("canvas.cells", (all, n) => {
  const { left, top, width, height } = all[n].getBoundingClientRect();
  return { left, top, width, height };
}, number);
const track = () => page.$eval(".heat-lanes .track", (e) => {
  const { left, top, width, height } = e.getBoundingClientRect();
  return { left, top, width, height };
});
const names = () => page.$$eval(".heat-lanes .row", (all) => all.map((e) => e.getAttribute("aria-label").split(": ")[0]));
const words = (name) => page.$$eval(".heat-lanes .row", (all, name) =>
  all.map((e) => e.getAttribute("aria-label")).find((text) => text.startsWith(name + ": ")).slice(name.length + 2), name);
// The times marked in the lanes: [[letter, from, to], ...] in ns from the map's start.
const marked = () => page.$$eval(".heat-lanes .selection", (all) => all.map((e) =>
  [e.classList[1].slice(-1), Number(e.dataset.from), Number(e.dataset.to)]));
// Where they are on the screen: [[left, right], ...].
const strips = () => page.$$eval(".heat-lanes .selection", (all) => all.map((e) => {
  const { left, right } = e.getBoundingClientRect();
  return [left, right];
}));
const part = async (key) => new URLSearchParams((await page.evaluate(() => location.hash)).slice(1)).get(key);
const outlines = (letter) => page.$$eval(`.plot .range-${letter}`, (all) => all.map((e) => {
  const { left, right } = e.getBoundingClientRect();
  return [left, right];
}));
const near = (a, b, by = 1.5) => Math.abs(a - b) <= by;

// Goes to a share of the lanes' width in the row of a lane.
async function at(share, name = "udp 0.0.0.0:5000 depth") {
  const { left, width } = await track(), i = (await names()).indexOf(name);
  const y = await page.$$eval(".heat-lanes .row .track", (all, n) => {
    all[n].scrollIntoView({ block: "nearest" });
    const box = all[n].getBoundingClientRect();
    return box.top + box.height / 2;
  }, i);
  await painted(); // scrolling hides tips
  return [left + share * width, y];
}
async function drag(from, to, key) {
  await page.mouse.move(...from);
  if (key)
    await page.keyboard.down(key);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: 4 });
  const during = [(await marked()).length, (await page.$$(".plot .range")).length];
  await page.mouse.up();
  if (key)
    await page.keyboard.up(key);
  await painted();
  return during;
}

async function useAxis() {
  for (const name of ["offset", "latency"]) {
    await open(name);
    const [a, b] = [await map(), await track()];
    is(`${name}: lanes are exactly below the columns`, [near(a.left, b.left, 0.6), near(a.width, b.width, 0.6), b.top > a.top + a.height], [true, true, true]);
    await page.setViewportSize({ width: 900, height: 700 });
    await painted();
    const [c, d] = [await map(), await track()];
    is("... and in another window", [near(c.left, d.left, 0.6), near(c.width, d.width, 0.6)], [true, true]);
    await page.setViewportSize({ width: 1400, height: 800 });
    await painted();
  }
  is("all lanes but limits", (await names()).sort(), ["csv naks", "memory free", "pressure cpu some", "tcp [::1]:80-[::1]:40000 depth",
    "udp 0.0.0.0:5000 datagrams", "udp 0.0.0.0:5000 depth", "udp 0.0.0.0:5000 drops"]);
  is("... with the greatest value, the limit, units", await words("udp 0.0.0.0:5000 depth"), "0 to 208 KiB, limit 208 KiB");
  await open("without");
  is("a map without lanes has none", await page.$eval(".heat-lanes", (e) => e.hidden || !e.checkVisibility()), true);
}

async function useMapSelects() {
  await open("latency");
  const { left, top, width, height } = await map(), x = (s) => left + s / 10 * width;
  const during = await drag([x(1.05), top + height - 5], [x(1.95), top + 5]);
  is("while the map is dragged on, both show it", during.map((n) => n > 0), [true, true]);
  const [[letter, from, to]] = await marked(), [[a, b]] = await strips();
  is("a selection in the map is one in the lanes: the same time", [letter, from, to], ["a", 1 * S, 2 * S]);
  is("... at the same place", [near(a, x(1)), near(b, x(2))], [true, true]);
  is("... and the lanes tell of it", await words("memory free"), "A: 1.86 GiB, axis from 1.68 GiB");
  is("... of what happened in it", await words("udp 0.0.0.0:5000 drops"), "A: 0 to 34 datagrams");
  is("... not of what was before", await words("tcp [::1]:80-[::1]:40000 depth"), "A: not known");
  await press("Escape");
  is("... and it goes with it", [await marked(), await words("memory free")], [[], "1.68 GiB to 2 GiB, axis from 1.68 GiB"]);
  await open("offset");
  const box = await map();
  await page.mouse.click(box.left + box.width * 0.15, box.top + box.height * 0.95);
  await painted();
  is("a cell of a map of offsets is 100 ms of one second", await marked(), [["a", 1 * S, 1.1 * S]]);
  await page.keyboard.down("Alt");
  await drag([box.left + box.width * 0.05, box.top + box.height * 0.95], [box.left + box.width * 0.45, box.top + box.height * 0.95]);
  await page.keyboard.up("Alt");
  const stripes = await page.$eval(".heat-lanes .selection", (e) => e.getAttribute("d").split("M").length - 1);
  is("the same rows of five seconds are five stripes", stripes, 5);
  await page.goBack();
  await becomes("Back undoes it in both", async () => [await marked(), (await outlines("a")).length], [[["a", 1 * S, 1.1 * S]], 1]);
}

async function useLanesSelect() {
  await open("latency");
  const { left, width } = await map(), x = (s) => left + s / 10 * width;
  const during = await drag(await at(0.1), await at(0.2));
  is("while a lane is dragged on, both show it", during.map((n) => n > 0), [true, true]);
  const [[letter, from, to]] = await marked(), [[a, b]] = await outlines("a");
  is("dragging in a lane selects that time", [letter, near(from, S, 20 * MS), near(to, 2 * S, 20 * MS)], ["a", true, true]);
  is("... in the map: its columns", [near(a, x(1), width / 90), near(b, x(2), width / 90)], [true, true]);
  is("... with a flame graph", await page.$eval(".heat-flame", (e) => !e.hidden), true);
  is("... and in the link", (await part("sel") || await page.evaluate(() => location.hash)).includes("t"), true);
  const hash = await page.evaluate(() => location.hash);
  await drag(await at(0.5), await at(0.6), "Control");
  is("with Ctrl: a second range", (await marked()).map(([one]) => one).sort(), ["a", "b"]);
  is("... in the map as well", (await outlines("b")).length, 1);
  is("... and in the words", /^A: .* {3}B: /.test(await words("memory free")), true);
  await open("latency", hash);
  is("the link opens the same selection", (await marked()).map(([one, f, t]) => [one, f === from, t === to]), [["a", true, true]]);

  await open("offset");
  await page.mouse.click(...await at(0.1005));
  await painted();
  is("a click selects the cell of that moment", await marked(), [["a", 1 * S, 1.1 * S]]);
  is("... in the map", (await outlines("a")).length, 1);
  await page.mouse.click(...await at(0.1005));
  await painted();
  is("... and again: ends that", [await marked(), (await outlines("a")).length], [[], 0]);
  await open("per");
  const maps = await page.$$("canvas.cells");
  const boxes = await Promise.all(maps.map((_, i) => map(i))), below = await track();
  is("several maps are below each other, and lanes below all of them", boxes.every((box) => near(box.left, below.left) && near(box.width, below.width)), true);
  is("... with lines at the ticks of the axis", await page.$eval(".heat-lanes .grid", (e) => e.getAttribute("d").split("M").length > 3), true);
  await drag(await at(0.2), await at(0.4));
  is("... and a selection is in one of them", (await outlines("a")).length, 1);
}

async function usePointing() {
  await open("latency");
  await page.mouse.move(...await at(0.10105));
  await becomes("resting on a lane: the values of all at that moment", () => page.$eval(".tip", (e) => !e.hidden && /10:15:03\.0/.test(e.textContent) &&
    e.textContent.includes("udp 0.0.0.0:5000 depth")), true);
  is("... with the line below", /^udp 0\.0\.0\.0:5000 depth: .* at 10:15:03\.0/.test(await page.$eval(".foot", (e) => e.textContent)), true);
  is("... and a line through map and lanes", [await page.$eval(".heat-lanes .moment", (e) => e.getAttribute("visibility")),
    (await page.$$(".plot .pointed")).length], ["visible", 1]);
  const box = await map();
  await page.mouse.move(box.left + box.width * 0.555, box.top + box.height / 2);
  await painted();
  const moment = await page.$eval(".heat-lanes .moment", (e) => e.getBoundingClientRect().left);
  is("a cell of the map is pointed out in the lanes", near(moment, box.left + box.width * 0.55, 2), true);
  await page.mouse.click(...await at(0.5), { button: "right" });
  is("a menu", await page.$$eval("[role=menuitem]", (all) => all.map((e) => e.textContent)), ["Select its greatest value", "Copy name", "Copy its value"]);
  await page.click("text=Select its greatest value");
  await painted();
  is("... selects its greatest value: 10 ms after 10:15:03", await marked(), [["a", 1 * S, 1.1 * S]]);
}

async function useZoom() {
  await open("latency");
  const [x, y] = await at(0.1);
  await page.mouse.move(x, y);
  await page.keyboard.down("Control");
  for (let i = 0; i < 6; i++) {
    await page.mouse.wheel(0, -200);
    await painted();
  }
  await page.keyboard.up("Control");
  await painted();
  const [a, b] = [await map(), await track()];
  is("the wheel zooms both", [near(a.left, b.left, 0.6), near(a.width, b.width, 0.6), (await part("from")) !== null], [true, true, true]);
  is("... and the words are of what can be seen", (await words("memory free")) !== "1.68 GiB to 2 GiB, axis from 1.68 GiB", true);
}

async function useMany() {
  await open("many");
  const rows = await page.$$(".heat-lanes .row");
  is("of 200 lanes, those that can be seen exist", rows.length < 40 && rows.length > 3, true);
  is("... and the others when they are scrolled to", await page.$eval(".heat-lanes", async (e) => {
    e.scrollTop = e.scrollHeight;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return e.scrollHeight >= 200 * 46 && e.textContent.includes("q199");
  }), true);
  is("the map keeps its room", (await map()).height >= 200, true);
}

async function useSaving() {
  await open("offset");
  await drag(await at(0.2), await at(0.4));
  const [download] = await Promise.all([page.waitForEvent("download"), press("Shift+S")]);
  const text = fs.readFileSync(await download.path(), "utf8");
  is("the saved view has the lanes", [text.includes("udp 0.0.0.0:5000 depth"), text.includes("csv naks")], [true, true]);
  is("... and what is selected, faintly", /<path d="M[^"]*" fill="[^"]*" fill-opacity="0.22"/.test(text.replace(/ data-(from|to)="[^"]*"/g, "")), true);
}

start([async (first) => {
  page = first;
}, useAxis, useMapSelects, useLanesSelect, usePointing, useZoom, useMany, useSaving]);
