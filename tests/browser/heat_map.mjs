// Maps in Chromium: how large they are, which columns are shown, what is selected where.  Prints
// TAP; argument: the directory that heat_map.test.sh made.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { examples, page as pageOf, picture } from "./heat_fixture.mjs";

const { is, start, open: openPicture, urlOf, press, shown } = createRequire(import.meta.url)("./pictures.js");
const S = 1e9, ROW = 2e7;
let page;

const box = (number = 0) => page.$$eval("canvas.cells", (all, n) => {
  const { x, y, width, height } = all[n].getBoundingClientRect();
  return [x, y, width, height];
}, number);

// The middle of a cell, on the screen; row 0 is at the bottom.
async function cell(column, row, { columns = 60, rows = 50, map = 0 } = {}) {
  const [x, y, w, h] = await box(map);
  return [x + (column + 0.5) / columns * w, y + h - (row + 0.5) / rows * h];
}
async function drag(from, to) {
  await page.mouse.move(...await cell(...from));
  await page.mouse.down();
  await page.mouse.move(...await cell(...to), { steps: 3 });
  await page.mouse.up();
}
const painted = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
async function open(...what) {
  await openPicture(...what);
  await painted();
}
// A picture of lines that only one test wants.
function draw(name, lines, options) {
  fs.writeFileSync(path.join(process.argv[2], `${name}.svg`), pageOf(picture(lines, options)));
}
const part = async (key) => new URLSearchParams((await page.evaluate(() => location.hash)).slice(1)).get(key);
const label = () => page.getAttribute(".heat-maps", "aria-label");
const axisTexts = () => page.$$eval(".axis text", (all) => all.map((e) => e.textContent));
const ranges = (name = "range") => page.$$eval("svg.marks", (all, name) => all.map((e) => e.querySelectorAll(`.${name}`).length), name);
const settled = () => page.waitForFunction(() => !document.querySelector(".settling"));
const pixel = (map, x, y) => page.$$eval("canvas.cells", (all, [n, x, y]) => {
  const canvas = all[n], copy = document.createElementNS("http://www.w3.org/1999/xhtml", "canvas"), context = copy.getContext("2d");
  const high = Math.round(12 * devicePixelRatio), wide = high; // more than hatching is apart
  context.drawImage(canvas, Math.floor(x * canvas.width), Math.floor(y * canvas.height), wide, high, 0, 0, wide, high);
  const { data } = context.getImageData(0, 0, wide, high), found = {};
  for (let i = 0; i < data.length; i += 4) {
    const rgb = Array.from(data.slice(i, i + 3)).join();
    found[rgb] = (found[rgb] || 0) + 1;
  }
  return Object.entries(found).sort((a, b) => b[1] - a[1]);
}, [map, x, y]);

// ---- room ----

async function useRoom() {
  await open("check");
  const [, top, wide, high] = await box();
  is("at first the map alone", [await shown(".heat-flame"), high > 400], [false, true]);
  is("... few columns are wide", [wide / 30 > 16, wide / 30 <= 200], [true, true]);
  await page.evaluate(() => addEventListener("pointerup", () => { // at once: it does not stay for long
    window.seen = [document.querySelector(".heat-flame").checkVisibility(), document.querySelector("canvas.cells").getBoundingClientRect().height];
  }, { once: true }));
  await page.mouse.click(...await cell(10, 5, { columns: 30 }));
  is("a click: the flame graph; the map stays until it is no double click", await page.evaluate(() => window.seen), [true, high]);
  await settled();
  await painted();
  const [, after, , lower] = await box();
  is("... then it gets lower, and does not move", [after, lower < high], [top, true]);
  await press("Escape");
  is("... and goes with the selection", [await shown(".heat-flame"), await part("noflame")], [false, null]);
  await press("f");
  is("f: the flame graph of all", [await shown(".heat-flame"), await part("noflame")], [true, "0"]);
  await open("second", "#noflame=0");
  for (const [width, height] of [[900, 600], [1366, 640], [1280, 800]]) {
    await page.setViewportSize({ width, height });
    await painted();
    is(`all of the map is there in ${width} x ${height}`, await page.$$eval(".axis text", (all) => {
      const maps = document.querySelector(".heat-maps").getBoundingClientRect();
      return all.filter((e) => e.getBoundingClientRect().bottom > maps.bottom + 1).map((e) => e.textContent);
    }), []);
  }
  await open("second", "#sel=r:1000000000:12000000000:300000000:420000000:1000000000&base=r:14000000000:25000000000:300000000:420000000:1000000000");
  await page.mouse.move(...await cell(20, 1));
  is("the chips stay on the screen, whatever is said beside them", await page.$$eval(".heat-foot .chip", (all) =>
    [all.length, all.every((e) => e.querySelector(".remove").getBoundingClientRect().right <= e.parentElement.getBoundingClientRect().right)]), [2, true]);
  await open("hour");
  const found = /1 column = (\d+) s/.exec((await axisTexts()).join("|"));
  is("the legend is of the columns that are drawn", (await page.textContent(".legend")).includes(`cell of ${found[1]} s `), true);
  await page.goto(urlOf("page.html"));
  await page.waitForSelector("svg[data-ready]", { state: "attached" });
  const width = () => page.$eval("#inline svg[data-ready]", (e) => e.getBoundingClientRect().width);
  is("in a page as wide as its place", await width(), 700);
  await page.$eval("#inline", (e) => { e.style.width = "820px"; });
  await page.waitForFunction(() => document.querySelector("#inline svg[data-ready]").getBoundingClientRect().width === 820);
  is("... and when that is another", await width(), 820);
}

// ---- what is shown ----

async function useWindow() {
  await open("second", "#from=17912000000&to=22912000000&period=1000000000&noflame=0");
  const { events, stacks } = picture(examples.second()).made, origin = events[0].ns / 1000000000n * 1000000000n;
  const count = events.filter((e) => !stacks[e.stack].idle && e.ns >= origin + BigInt(17 * S) && e.ns < origin + BigInt(23 * S)).length;
  is("zoomed: what is shown are the columns that are drawn", [(await label()).includes(`: ${count} samples, `),
    (await page.textContent(".heat-flame")).includes(`${count} samples`), (await page.textContent(".heat-flame")).includes("10:15:19 \u2013 10:15:25")],
  [true, true, true]);
  await open("second", "#from=20000000000&to=24000000000");
  is("zoomed in far: shorter periods", (await axisTexts()).find((text) => text.startsWith("1 column")), "1 column = 200 ms, 1 row = 20 ms");
  await open("second", "#sel=t:99999999999999:9999999999999999&base=r:1:9999999999999999:0:1000:99999999999999");
  is("a link to what is not there selects nothing", [await ranges(), await shown(".heat-flame"), await page.locator(".heat-foot .chip").count()], [[0], false, 0]);
  await open("second", "#sel=t:50000000000:9999999999999999");
  await page.focus(".heat-maps");
  await press("b");
  is("... and nothing beyond the end", await part("sel"), `t:${50 * S}:${60 * S}`);
}

// ---- selecting ----

async function useSelecting() {
  const hosts = { columns: 20 };
  await open("hosts");
  await drag([5, 0, { ...hosts, map: 0 }], [7, 49, { ...hosts, map: 0 }]);
  await page.keyboard.down("Control");
  await drag([5, 0, { ...hosts, map: 1 }], [7, 49, { ...hosts, map: 1 }]);
  await page.keyboard.up("Control");
  is("A in one map, B in the other", [await part("sel"), await part("base"), await ranges("range-a"), await ranges("range-b")],
    [`t:${5 * S}:${8 * S}@0`, `t:${5 * S}:${8 * S}@1`, [1, 0], [0, 1]]);
  await press("x");
  is("... exchanged", [await part("sel"), await part("base"), await ranges("range-a")], [`t:${5 * S}:${8 * S}@1`, `t:${5 * S}:${8 * S}@0`, [0, 1]]);
  await press("ArrowRight");
  is("... moved", await part("sel"), `t:${6 * S}:${9 * S}@1`);
  await open("cpus");
  is("maps of numbers stand by number", await page.$$eval(".heat-title", (all) => all.map((e) => e.textContent)), ["cpu0", "cpu1"]);
  await open("latency");
  await drag([10, 20], [20, 30]);
  is("latencies: dragging selects values too", [(await part("sel"))[0], await part("pick")], ["r", null]);
  await press("m");
  is("... or time", await part("pick"), "time");
  await open("use");
  await page.mouse.click(...await cell(15, 20, { columns: 30 }));
  is("how busy CPUs were: a click takes the nearest", [/^c:15000000000:/.test(await part("sel")), /\b0 samples/.test(await page.textContent(".heat-foot .chip"))],
    [true, false]);
  draw("ends", examples.second(59500));
  await open("ends", `#sel=t:${3 * S + 40 * ROW}:${3 * S + 41 * ROW}`);
  await page.focus(".heat-maps");
  await press("End");
  is("End: the last column that has such a row", await part("sel"), `t:${58 * S + 40 * ROW}:${58 * S + 41 * ROW}`);
  await open("second", "#speed=16");
  await page.focus(".heat-maps");
  await press(" ");
  await page.waitForFunction(() => /sel=t:(\d+)/.exec(decodeURIComponent(location.hash))?.[1] >= 3e9);
  await press(" ");
  const [at, end] = (await part("sel")).slice(2).split(":").map(Number);
  is("Space plays by whole columns", [at % S, end - at], [0, S]);
  await open("second", `#sel=t:${ROW}:${2 * ROW}&speed=16`);
  await page.focus(".heat-maps");
  await press(" ");
  await page.waitForFunction(() => /sel=t:(\d+)/.exec(decodeURIComponent(location.hash))[1] >= 3e9);
  await press(" ");
  is("... a cell by them, too", (await part("sel")).slice(2).split(":").map((n) => n % S), [ROW, 2 * ROW]);
}

// ---- hatching ----

async function useHatching() {
  await open("stall");
  const [most, , ...rest] = await pixel(0, 25.3 / 30, 1 - 20 / 50);
  await open("check");
  const ramp = picture(examples.stall()).settings.ramps, known = new Set(ramp.flatMap(([, , light]) => light).map((rgb) =>
    [1, 3, 5].map((i) => parseInt(rgb.slice(i, i + 2), 16)).join()));
  is("what was half unseen has its own colour below the hatching", [known.has(most[0]), most[1] > rest.reduce((sum, [, n]) => sum + n, 0)], [true, true]);
  draw("short", examples.latency(59997), { y: "value", logarithmic: true, low: 100000, high: 100000000 });
  await open("short");
  is("3 ms of a second that nobody saw are no gap", (await pixel(0, 59.2 / 60, 0.02)).length, 1);
  await open("hosts");
  is("... all of it is", (await pixel(0, 1.2 / 20, 0.5)).length > 1, true);
}

start([async (first) => { page = first; }, useRoom, useWindow, useSelecting, useHatching]);
