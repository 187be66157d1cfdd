// Heat maps in Chromium: cells, pointer, fingers, keys, zoom, links, embedding.  Prints TAP;
// argument: the directory that heat.test.sh made.
import { createRequire } from "node:module";
import { examples, picture } from "./heat_fixture.mjs";

const { is, becomes, rest, start, newPage, open: openPicture, urlOf, hash, press, shown } = createRequire(import.meta.url)("./pictures.js");
const COLUMNS = 60, ROWS = 50;
const { made, settings } = picture(examples.second());
const [, , LIGHT, DARK] = settings.ramps.find(([name]) => name === settings.ramp);
let page;

// ---- what is on the page ----

const box = (number = 0) => page.$$eval("canvas.cells", (all, n) => {
  const { x, y, width, height } = all[n].getBoundingClientRect();
  return [x, y, width, height];
}, number);

// The middle of a cell, on the screen; row 0 is at the bottom.
async function cell(column, row, { columns = COLUMNS, rows = ROWS, map = 0 } = {}) {
  const [x, y, w, h] = await box(map);
  return [x + (column + 0.5) / columns * w, y + h - (row + 0.5) / rows * h];
}
const move = async (...where) => page.mouse.move(...await cell(...where));
async function click(column, row, { key, ...options } = {}) {
  if (key)
    await page.keyboard.down(key);
  await page.mouse.click(...await cell(column, row), options);
  if (key)
    await page.keyboard.up(key);
}
async function drag(from, to, keys = []) {
  for (const key of keys)
    await page.keyboard.down(key);
  await move(...from);
  await page.mouse.down();
  await move(Math.round((from[0] + to[0]) / 2), to[1]);
  await move(...to);
  await page.mouse.up();
  for (const key of keys)
    await page.keyboard.up(key);
}
const painted = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
async function open(...what) {
  await openPicture(...what);
  await painted();
}
const part = async (key) => new URLSearchParams((await page.evaluate(() => location.hash)).slice(1)).get(key);
const line = () => page.textContent("#details .details");
const spoken = () => page.textContent("#details .offscreen");
const tip = () => page.$$eval(".tip:not([hidden]) .tip-name, .tip:not([hidden]) .tip-note, .tip:not([hidden]) tr", (all) =>
  all.map((e) => Array.from(e.localName === "tr" ? e.children : [e], (child) => child.textContent).filter(Boolean).join(" ")));
const marks = (name) => page.$$eval(`.marks .${name}`, (all) => all.length);
const axisTexts = () => page.$$eval(".axis text", (all) => all.map((e) => e.textContent));
const times = async () => (await axisTexts()).filter((text) => /^\d\d:\d\d/.test(text));

// Colours of the canvas in the middle of a column, from part top to part bottom of its height: "#rrggbb".
const strip = (map, x, top, bottom) => page.$$eval("canvas.cells", (all, [n, x, top, bottom]) => {
  const canvas = all[n], copy = document.createElementNS("http://www.w3.org/1999/xhtml", "canvas"), found = new Set();
  const [y, end] = [Math.floor(top * canvas.height), Math.max(Math.floor(top * canvas.height) + 1, Math.floor(bottom * canvas.height))];
  copy.width = 1;
  copy.height = end - y;
  const context = copy.getContext("2d", { willReadFrequently: true });
  context.drawImage(canvas, Math.floor(x * canvas.width), y, 1, end - y, 0, 0, 1, end - y);
  const { data } = context.getImageData(0, 0, 1, end - y);
  for (let i = 0; i < data.length; i += 4)
    found.add(`#${Array.from(data.slice(i, i + 3), (v) => v.toString(16).padStart(2, "0")).join("")}`);
  return Array.from(found);
}, [map, x, top, bottom]);
const colour = async (column, row, { columns = COLUMNS, rows = ROWS, map = 0 } = {}) =>
  (await strip(map, (column + 0.5) / columns, 1 - (row + 0.5) / rows, 1 - (row + 0.5) / rows))[0];
// How many there are in rows from .. to - 1 of a column.
const colours = async (column, from, to, { columns, rows = ROWS, map = 0 }) =>
  (await strip(map, (column + 0.5) / columns, 1 - to / rows, 1 - from / rows)).length;

// ---- what there should be ----

const ns = (event) => Number(event.ns - BigInt(settings.origin));
const isIdle = (event) => made.stacks[event.stack].idle;
const busyIn = (from, to) => made.events.filter((e) => !isIdle(e) && ns(e) >= from && ns(e) < to).length;
const inCell = (column, row, idle = false) => made.events.filter((e) => isIdle(e) === idle && Math.floor(ns(e) / 1e9) === column &&
  Math.floor(ns(e) % 1e9 / 2e7) === row).length;
const S = 1e9, ROW = 2e7;
const samples = (n) => `${n.toLocaleString("en")} ${n === 1 ? "sample" : "samples"}`;

// ---- tests ----

async function useView() {
  await open("second");
  is("cells: what wakes on each full second is a dark line at the bottom", [await colour(0, 0), await colour(30, 1), await colour(59, 0)],
    [LIGHT[8], LIGHT[8], LIGHT[8]]);
  const empty = [];
  for (let n = 0; empty.length < 3; n++) {
    if (!inCell(n % COLUMNS, 7 + n % 40))
      empty.push(await colour(n % COLUMNS, 7 + n % 40));
  }
  is("... and white where nothing was", empty, [LIGHT[0], LIGHT[0], LIGHT[0]]);
  is("axes: times of the day, offsets, how large cells are", [(await times())[0], (await axisTexts()).includes("0 ms"),
    (await axisTexts()).includes("1000 ms"), (await axisTexts()).includes("1 column = 1 s, 1 row = 20 ms"),
    (await axisTexts()).includes("2026-11-22 UTC")], ["10:15:05", true, true, true, true]);
  const collide = () => page.$$eval(".axis text", (all) => {
    const boxes = all.map((e) => e.getBoundingClientRect());
    return all.filter((e, i) => boxes.some((b, k) => k < i && b.left < boxes[i].right && b.right > boxes[i].left &&
      b.top < boxes[i].bottom - 2 && b.bottom - 2 > boxes[i].top)).map((e) => e.textContent);
  });
  is("... whose labels do not collide", await collide(), []);
  await page.setViewportSize({ width: 420, height: 700 });
  await painted();
  is("... on a narrow page either", [await collide(), (await times()).length > 1], [[], true]);
  await page.setViewportSize({ width: 1400, height: 800 });
  await painted();
  is("canvases have the pixels of the screen", await page.$eval("canvas.cells", (c) => [c.width / c.clientWidth, c.height / c.clientHeight]
    .every((n) => Math.abs(n - window.devicePixelRatio) < 0.01)), true);
  is("readers of screens are told what it is", [await page.getAttribute(".heat-maps", "role"),
    /^Subsecond-offset heat map: [\d,]+ samples, .*1 column = 1 s/.test(await page.getAttribute(".heat-maps", "aria-label"))],
  ["application", true]);
  await open("inverted");
  is("inverted: offset 0 on top", [await colour(0, ROWS - 1), await colour(30, ROWS - 2)], [LIGHT[8], LIGHT[8]]);
}

async function useHover() {
  await open("second");
  await move(10, 0);
  await page.waitForSelector(".tip:not([hidden])");
  const n = inCell(10, 0), all = busyIn(0, 60 * S);
  is("hover: offsets, wall-clock time, count and share, who", (await tip()).slice(0, 4), ["0 \u2013 20 ms",
    "2026-11-22 10:15:12.000 \u2013 10:15:12.020 UTC", `here ${samples(n)}`, `of all ${Math.floor((n * 20000 + all) / (2 * all)) / 100} %`]);
  is("... keys", (await tip()).slice(-1)[0], `cron ${samples(n)}`);
  is("... and the line below the same", await line(), `2026-11-22 10:15:12.000 \u2013 10:15:12.020 UTC \u00b7 0 \u2013 20 ms \u00b7 ${samples(n)} (${
    Math.floor((n * 20000 + all) / (2 * all)) / 100} %)`);
  is("... and the cell outlined", await marks("pointed"), 1);
  let idle = 0;
  while (inCell(20, 10 + idle) || !inCell(20, 10 + idle, true))
    idle++;
  await move(20, 10 + idle);
  await painted();
  is("... idle samples are told", (await tip()).includes(`idle ${samples(inCell(20, 10 + idle, true))}`), true);
  await page.mouse.move(5, 5);
  is("gone with the pointer", [await page.locator(".tip:not([hidden])").count(), await marks("pointed")], [0, 0]);
  await open("stall");
  const stall = { columns: 30 };
  await page.mouse.move(...await cell(12, 25, stall));
  await page.waitForSelector(".tip:not([hidden])");
  is("what was not seen says so", (await tip()).slice(-1)[0], "not seen 100 %");
  is("... and is hatched, not white", await colours(12, 20, 40, stall) > 1, true);
  is("... which cells that were seen are not", await colours(12, 1, 10, stall), 1);
}

// A click stands for itself, and the map has the height that it left.
async function clicked() {
  await rest(600);
  await page.waitForFunction(() => !document.querySelector(".settling"));
  await painted();
}

async function useSelect() {
  await open("second");
  await click(10, 0);
  is("click: a cell", [await part("sel"), await marks("range")], ["t:10000000000:10020000000", 1]);
  await clicked(); // else it is a double click
  await click(10, 0);
  await painted();
  is("... again: let go", [await part("sel"), await marks("range")], [null, 0]);
  await clicked(); // else it is a double click
  await click(10, 25);
  await click(12, 5, { key: "Shift" });
  is("Shift+click: all the time up to there", await part("sel"), `t:${10 * S + 25 * ROW}:${12 * S + 6 * ROW}`);
  is("... its outline wraps columns", (await page.getAttribute(".marks .range", "d")).split("M").length > 5, true);
  await click(8, 3, { key: "Shift" });
  is("... or back from there", await part("sel"), `t:${8 * S + 3 * ROW}:${10 * S + 26 * ROW}`);
  await drag([20, 40], [22, 10]);
  is("drag: from the earlier to the later", await part("sel"), `t:${20 * S + 40 * ROW}:${22 * S + 11 * ROW}`);
  is("... the chip says how much", (await page.textContent(".chips")).includes(samples(busyIn(20 * S + 40 * ROW, 22 * S + 11 * ROW))), true);
  await drag([30, 3], [28, 30]);
  is("drag to the left", await part("sel"), `t:${28 * S + 30 * ROW}:${30 * S + 4 * ROW}`);
  await drag([20, 0], [29, 1], ["Alt"]);
  is("Alt+drag: rows of each column", await part("sel"), `r:${20 * S}:${30 * S}:0:${2 * ROW}:${S}`);
  await press("m");
  await drag([0, 0], [59, 0]);
  is("m, drag: every second, 0 to 20 ms", [await part("sel"), await part("pick")], [`r:0:${60 * S}:0:${ROW}:${S}`, "rows"]);
  await drag([10, 10], [12, 12], ["Alt"]);
  is("... where Alt means time", (await part("sel"))[0], "t");
  await press("m");
  await drag([40, 40], [41, 10], ["Control"]);
  is("Ctrl+drag: what it is compared with", [await part("base"), await marks("range-b"), await marks("range-a")],
    [`t:${40 * S + 40 * ROW}:${41 * S + 11 * ROW}`, 1, 1]);
  await press("x");
  is("x: A and B exchanged", await part("sel"), `t:${40 * S + 40 * ROW}:${41 * S + 11 * ROW}`);
  await press("Escape");
  is("Escape: no comparison", [await part("base"), await part("sel") !== null], [null, true]);
  await press("b");
  is("b: the selection is B as well", await part("base"), await part("sel"));
  await press("Escape", "Escape");
  is("... Escape: no selection", [await part("base"), await part("sel")], [null, null]);
  await page.goBack();
  await painted();
  is("Back: it is there again", (await part("sel")) !== null, true);
}

async function useMenu() {
  await open("second");
  await click(10, 4, { button: "right" });
  is("right click: a menu", await page.getAttribute(".menu:not([hidden])", "aria-label"), "Cell");
  await page.click(".menu >> text=Select its row");
  is("... a row of all columns", await part("sel"), `r:0:${60 * S}:${4 * ROW}:${5 * ROW}:${S}`);
  await click(10, 4, { button: "right" });
  await page.click(".menu >> text=Select its column");
  is("... a column", await part("sel"), `t:${10 * S}:${11 * S}`);
  await click(30, 4, { button: "right" });
  await page.click(".menu >> text=Compare the selection");
  is("... compared with a cell", await part("base"), `t:${30 * S + 4 * ROW}:${30 * S + 5 * ROW}`);
  await page.focus(".heat-maps");
  await press("Shift+F10");
  is("Shift+F10: by keys", await page.locator(".menu:not([hidden])").count(), 1);
  await press("Escape");
  is("... Escape closes it, no more", [await page.locator(".menu:not([hidden])").count(), await part("base") !== null], [0, true]);
}

async function useZoom() {
  await open("second");
  const under = async () => { // the time under the pointer: from the line below
    const [, h, m, s] = /(\d\d):(\d\d):([\d.]+)/.exec(await line());
    return Number(h) * 3600 + Number(m) * 60 + Number(s);
  };
  await move(40, 20);
  const before = await under();
  for (let n = 0; n < 3; n++) {
    await page.mouse.wheel(0, -200);
    await painted();
  }
  const link = await hash();
  is("wheel: zoomed in", /^#from=\d+&to=\d+$/.test(link), true);
  await page.mouse.move((await cell(40, 20))[0] + 0.5, (await cell(40, 20))[1]);
  const [from, to] = [Number(await part("from")), Number(await part("to"))];
  is("... around the pointer", [to - from < 40 * S, from < 40.5 * S && to > 40.5 * S], [true, true]);
  await page.mouse.wheel(0, 4000);
  await painted();
  for (let n = 0; n < 6; n++) {
    await page.mouse.wheel(0, 400);
    await painted();
  }
  is("... and out again: all", [await hash(), before > 0], ["", true]);
  await rest(1300); // what follows is another step
  const [x, y] = await cell(40, 20);
  await page.mouse.dblclick(x, y);
  is("double click: zoomed in, nothing selected", [Number(await part("to")) - Number(await part("from")), await part("sel")], [15 * S, null]);
  const there = await hash(), [bx, by, bw, bh] = await box();
  await page.mouse.move(bx + bw / 2, by + bh + 12);
  await page.mouse.down();
  await page.mouse.move(bx + bw / 2 - 100, by + bh + 12, { steps: 3 });
  await page.mouse.up();
  await painted();
  const moved = Number(await part("from")) - Number(new URLSearchParams(there.slice(1)).get("from"));
  is("dragging the axis moves on", Math.abs(moved - 100 / bw * 15 * S) < S, true);
  await press("0");
  is("0: all", await hash(), "");
  await page.goBack();
  await painted();
  is("Back: zoomed", await part("from") !== null, true);
  await press("0", "+", "+");
  is("+: half, and half again", Number(await part("to")) - Number(await part("from")), 15 * S);
  await press("-");
  is("-: twice", Number(await part("to")) - Number(await part("from")), 30 * S);
  await press("0");
  for (let n = 0; n < 20; n++)
    await press("+");
  is("no further than a few short columns", [Number(await part("to")) - Number(await part("from")),
    (await axisTexts()).find((text) => text.startsWith("1 column"))], [S / 2, "1 column = 50 ms, 1 row = 10 ms"]);
  await press("0");
  await drag([20, 0], [29, 49]);
  await press("z");
  is("z: to the selection", [Number(await part("from")), Number(await part("to"))], [20 * S - 1.25 * S, 30 * S + 1.25 * S]);
}

// Chromium complains of more than 200 changes of the address in a short time.
async function useBurst() {
  await open("second");
  await page.focus(".heat-maps");
  await press("ArrowRight");
  for (let n = 0; n < 130; n++)
    await press(n % 2 ? "ArrowLeft" : "ArrowRight", "ArrowUp", "ArrowDown");
  await press("End");
  await page.waitForFunction((wanted) => decodeURIComponent(location.hash) === wanted, `#sel=t:${59 * S}:${59 * S + ROW}`);
  is("the address follows at last", await part("sel"), `t:${59 * S}:${59 * S + ROW}`);
  await press("b");
  await page.waitForFunction(() => location.hash.includes("base=")); // it has to wait, too
  await page.goBack();
  await painted();
  is("... and is what Back leads to", [await part("sel"), await part("base")], [`t:${59 * S}:${59 * S + ROW}`, null]);
}

async function useKeys() {
  await open("second");
  await page.focus(".heat-maps");
  await press("ArrowRight");
  is("an arrow: the first cell with events", await part("sel"), `t:0:${ROW}`);
  await press("ArrowRight", "ArrowRight", "ArrowUp");
  is("arrows move it: columns, rows", await part("sel"), `t:${2 * S + ROW}:${2 * S + 2 * ROW}`);
  await page.waitForFunction(() => document.querySelector("#details .offscreen").textContent.includes("10:15:04.020"));
  is("... and it is said", (await spoken()).endsWith(samples(busyIn(2 * S + ROW, 2 * S + 2 * ROW))), true);
  await press("ArrowDown", "Shift+ArrowRight");
  is("Shift+arrows extend it", await part("sel"), `t:${2 * S}:${3 * S + ROW}`);
  await press("Shift+ArrowLeft", "End");
  is("End: the last column", await part("sel"), `t:${59 * S}:${59 * S + ROW}`);
  await press("Home");
  is("Home: the first", await part("sel"), `t:0:${ROW}`);
  await press("PageDown");
  is("PageDown: a tenth on", await part("sel"), `t:${6 * S}:${6 * S + ROW}`);
  await press("Home", "Enter");
  is("Enter: the flame graph has the keys", await page.evaluate(() => Boolean(document.activeElement.closest(".heat-flame"))), true);
  await press("Shift+Tab");
  for (let n = 0; n < 40 && !await page.evaluate(() => document.activeElement.matches(".heat-maps")); n++)
    await press("Shift+Tab");
  is("... and Shift+Tab leads back", await page.evaluate(() => document.activeElement.matches(".heat-maps")), true);
  const help = () => page.$$eval(".help-box", (all) => all.some((e) => e.checkVisibility()));
  await press("?");
  is("? help: names of keys and pointers", [await help(), (await page.textContent(".help-box")).includes("Alt+drag")],
    [true, true]);
  await press("Escape");
  is("... gone, the selection is not", [await help(), await part("sel") !== null], [false, true]);
  await press("f");
  is("f: no flame graph", [await shown(".heat-flame"), await part("noflame")], [false, "1"]);
  await press("f");
  await page.focus(".heat-bar");
  const high = () => page.$eval(".heat-flame", (e) => e.offsetHeight), was = await high();
  await press("ArrowUp");
  is("the bar moves by keys", await high() > was, true);
  const bar = await page.$eval(".heat-bar", (e) => { const b = e.getBoundingClientRect(); return [b.x + 200, b.y + 3]; });
  await page.mouse.move(...bar);
  await page.mouse.down();
  await page.mouse.move(bar[0], bar[1] + 80, { steps: 3 });
  await page.mouse.up();
  is("... and by the pointer", await high() < was, true);
}

async function usePlay() {
  await open("second", "#sel=t:0:2000000000&speed=16");
  await press(" ");
  await page.waitForFunction(() => /sel=t:(\d+)/.exec(decodeURIComponent(location.hash))[1] >= 8e9);
  await press(" ");
  const [at, end] = (await part("sel")).slice(2).split(":").map(Number);
  is("Space plays: by the selection's own length", [at % (2 * S), end - at], [0, 2 * S]);
  const stopped = await part("sel");
  await rest(300);
  is("... and stops", await part("sel"), stopped);
  await open("second", "#sel=t:56000000000:58000000000&speed=16");
  await press(" ");
  await page.waitForFunction(() => decodeURIComponent(location.hash).includes("sel=t:58000000000"));
  await rest(200);
  is("... at the end", await part("sel"), "t:58000000000:60000000000");
}

async function useLinks() {
  const link = "#from=10000000000&to=40000000000&coloring=rank&ramp=flamescope&idle=1&pick=rows&t=dark&sel=t:12000000000:13000000000&base=t:14000000000:15000000000";
  await open("second", link);
  const keys = async () => Array.from(new URLSearchParams((await page.evaluate(() => location.hash)).slice(1))).map(String).sort();
  const all = Array.from(new URLSearchParams(link.slice(1))).map(String).sort();
  await press("b");
  await page.goBack();
  await painted();
  is("a link says all of it", [await keys(), await page.getAttribute(".pyrograph", "data-theme")], [all, "dark"]);
  await page.reload();
  await page.waitForSelector("svg[data-ready]", { state: "attached" });
  is("... and brings it back", [await marks("range"), (await times())[0] >= "10:15:12", await page.getAttribute(".pyrograph", "data-theme")], [2, true, "dark"]);
  await open("second", "#sel=r:1:x&from=9&to=3&period=-5&rows=0&mode=none&%E0&k=%E0%A4%A&by=nothing&zone=Mars&map=77");
  is("nonsense does no harm", [await marks("range"), (await times()).length > 3], [0, true]);
  await page.evaluate(() => { location.hash = "#sel=t:1000000000:2000000000"; });
  await painted();
  is("another link typed", await marks("range"), 1);
}

async function useTouch() {
  page = await newPage({ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true, deviceScaleFactor: 3 });
  await open("second");
  is("a phone: sharp cells", await page.$eval("canvas.cells", (c) => Math.round(c.width / c.clientWidth)), 3);
  const session = await page.context().newCDPSession(page);
  const touch = (type, ...points) => session.send("Input.dispatchTouchEvent", { type: type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  const [x, y] = await cell(10, 0);
  await page.touchscreen.tap(x, y);
  await becomes("tap: a cell", () => part("sel"), `t:${10 * S}:${10 * S + ROW}`);
  // A moment after the tap, the map makes room for the flame graph; until then, cells may still move.
  await page.waitForFunction(() => !document.querySelector(".settling"));
  const [px, py] = await cell(30, 25);
  await touch("touchStart", [px, py]);
  await page.waitForSelector(".menu:not([hidden])");
  await touch("touchEnd");
  is("long press: the menu", await page.getAttribute(".menu", "aria-label"), "Cell");
  await press("Escape");
  await touch("touchStart", [px - 20, py]);
  await touch("touchStart", [px - 20, py], [px + 20, py]);
  for (const wide of [30, 50, 80]) {
    await touch("touchMove", [px - wide, py], [px + wide, py]);
    await painted();
  }
  await touch("touchEnd");
  const [from, to] = [Number(await part("from")), Number(await part("to"))];
  is("pinch: a quarter, around the fingers", [Math.abs((to - from) / S - 15) < 0.5, Math.abs((from + to) / 2 / S - 30.5) < 1.5,
    await part("sel")], [true, true, `t:${10 * S}:${10 * S + ROW}`]);
  page = await newPage();
}

async function useOthers() {
  await open("check");
  const check = { columns: 30 }, both = new Set();
  for (let row = 10; row < 40; row++)
    both.add(await colour(15, row, check));
  is("hues: the keys' and their mixture, nothing else", [both.has("#f2" + (await colour(15, 10, check)).slice(3)) || both.size >= 2, both.size <= 8], [true, true]);
  await open("hosts");
  is("small multiples: one map each, with what is wrong with its clock", await page.$$eval(".heat-title", (all) => all.map((e) => e.textContent)),
    ["web2 clock off by +12.5ms", "db1"]);
  const hosts = { columns: 20 };
  is("... before one began: hatched", await colours(1, 5, 40, hosts) > 1, true);
  await page.mouse.click(...await cell(8, 0, { ...hosts, map: 1 }));
  is("... selecting in one of them", [await part("map"), await part("sel"), await marks("range")], ["1", `t:${8 * S}:${8 * S + ROW}@1`, 1]);
  await open("latency");
  is("latencies: values at the axis, percentiles", [(await axisTexts()).includes("10 ms"), (await axisTexts()).includes("100 \u00b5s"), await marks("line")],
    [true, true, 2]);
  await page.mouse.click(...await cell(10, 20, { rows: 50 }));
  is("... a cell of values", (await part("sel"))[0], "r");
  page = await newPage({ colorScheme: "dark" });
  await open("second");
  is("a dark page: dark cells", [await colour(0, 0), await page.getAttribute(".pyrograph", "data-theme")], [DARK[8], "dark"]);
  page = await newPage();
  await open("hostile");
  const hostile = { columns: 5 };
  await page.mouse.move(...await cell(2, 10, hostile));
  await page.waitForSelector(".tip:not([hidden])");
  is("hostile names stay text", [(await tip()).join("|").includes("<img src=x"), await page.evaluate(() => window.broken)], [true, undefined]);
}

async function usePage() {
  await page.goto(urlOf("page.html"));
  await page.waitForFunction(() => document.querySelectorAll("svg[data-ready]").length === 2);
  is("two in a page, each with its own cells", await page.$$eval("#inline svg[data-ready]", (all) => all.map((e) => e.querySelectorAll("canvas.cells").length)), [1, 1]);
  await page.evaluate(() => scrollTo(0, 0));
  const first = await page.$eval("#inline canvas.cells", (e) => { const b = e.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; });
  await page.mouse.click(first[0] + 10.5 / 60 * first[2], first[1] + first[3] / 2);
  is("a click selects in one of them only", await page.$$eval("#inline svg[data-ready]", (all) => all.map((e) => e.querySelectorAll(".range").length)), [1, 0]);
  is("... and leaves the page's address alone", await hash(), "");
  await page.mouse.wheel(0, 100);
  await page.waitForFunction(() => scrollY > 0);
  is("the wheel scrolls the page", await page.$eval("#inline svg[data-ready]", (e) => e.querySelectorAll(".axis text").length > 5), true);
  const object = page.frames().find((frame) => frame.url().endsWith("second.svg"));
  await page.evaluate(() => document.querySelector("object").scrollIntoView()); // what is not seen is not drawn
  await object.waitForSelector("svg[data-ready]", { state: "attached" });
  is("in an object", await object.evaluate(() => document.querySelectorAll("canvas.cells").length), 1);
}

async function usePaper() {
  await open("second", "#t=dark");
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await painted();
  is("on paper: light, cells as they are", [await page.getAttribute(".pyrograph", "data-theme"), await colour(0, 0), await shown(".heat > .sheet > .heading > .tools")],
    ["light", LIGHT[8], false]);
  is("... all of the map", await page.$eval(".heat-maps", (e) => e.scrollHeight <= e.clientHeight && e.clientHeight > 400), true);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await painted();
  is("... and back", [await page.getAttribute(".pyrograph", "data-theme"), await colour(0, 0)], ["dark", DARK[8]]);
}

async function useHour() {
  const from = Date.now();
  await open("hour");
  const ready = Date.now() - from;
  const timed = async (run) => {
    const began = Date.now();
    await run();
    await painted();
    return Date.now() - began;
  };
  await page.mouse.move(...await cell(600, 25, { columns: 1200 }));
  const wheel = await timed(() => page.mouse.wheel(0, -200)), first = await timed(() => press("ArrowRight")),
    arrow = await timed(() => press("ArrowRight"));
  is("an hour of 700,000 samples: zooms, selects, has a flame graph", [await part("from") !== null, await part("sel") !== null,
    await shown(".heat-flame")], [true, true, true]);
  console.log(`# there after ${ready} ms; zoom ${wheel} ms, the first flame graph ${first} ms, the next ${arrow} ms`);
}

start([async (first) => { page = first; }, useView, useHover, useSelect, useMenu, useZoom, useBurst, useKeys, usePlay, useLinks, useTouch, useOthers, usePage,
  usePaper, useHour]);
