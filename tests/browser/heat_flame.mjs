// The flame graph of what is selected in a heat map, in Chromium.  Prints TAP; arguments: a
// directory with the pictures of heat_flame.test.sh, pyrograph-render.
import fs from "node:fs";
import path from "node:path";
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { examples, picture } from "./heat_fixture.mjs";

const { is, start, newPage, open, hash } = createRequire(import.meta.url)("./pictures.js");
const [, , tmp, render] = process.argv;
const SHOWN = ".embedded:not([hidden])";
const lines = examples.stall(), { made, settings } = picture(lines);
let page;

// ---- what is on the page ----

// A link: selection and baseline in seconds from the beginning on, and more of it.
const range = ([from, to]) => `t:${Math.round(from * 1e9)}:${Math.round(to * 1e9)}`;

async function select(selection, baseline = null, more = "") {
  const before = await page.evaluate(() => location.hash);
  const link = [selection && `sel=${range(selection)}`, baseline && `base=${range(baseline)}`, more].filter(Boolean).join("&");
  if (`#${link}` === before)
    return;
  await page.evaluate((text) => new Promise((done) => {
    addEventListener("hashchange", () => requestAnimationFrame(() => requestAnimationFrame(done)), { once: true });
    location.hash = text;
  }), link);
}

const text = (selector) => page.textContent(`${SHOWN} ${selector}`);
const labels = () => page.$$eval(`${SHOWN} [id$=-frames] rect`, (all) => all.map((e) => e.getAttribute("aria-label")));
const labelOf = async (name) => (await labels()).find((label) => label.startsWith(`${name} (`));
const place = (name) => page.$$eval(`${SHOWN} [id$=-frames] rect`, (all, wanted) => {
  const box = all.find((e) => e.getAttribute("aria-label").startsWith(`${wanted} (`)).getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}, name);
const click = async (name, options) => page.mouse.click(...await place(name), options);
const linkPart = async (key) => new URLSearchParams((await page.evaluate(() => location.hash)).slice(1)).getAll(key);
const heading = () => page.$$eval(`${SHOWN} .heading > h2, ${SHOWN} .notes > div`, (all) => all.map((e) => e.textContent));
const value = (selector) => page.$eval(selector, (e) => e.value);

// ---- what there should be ----

const seconds = (e) => Number(e.ns - BigInt(settings.origin)) / 1e9;

// Counts of the frames that are named, of what is not idle.
function countsOf([from, to], ...names) {
  const list = made.events.filter((e) => seconds(e) >= from && seconds(e) < to && !made.stacks[e.stack].idle)
    .map((e) => made.stacks[e.stack].text.split(";"));
  return names.map((name) => name === "all" ? list.length : list.filter((frames) => frames.includes(name)).length);
}

async function countsShown(...names) {
  const all = await labels();
  return names.map((name) => all.filter((label) => label.startsWith(`${name} (`))
    .reduce((sum, label) => sum + Number(/\(([\d,]+) /.exec(label)[1].replace(/,/g, "")), 0));
}

function foldedLines([from, to]) {
  const sums = new Map();
  for (const e of made.events) {
    if (seconds(e) >= from && seconds(e) < to && !made.stacks[e.stack].idle) {
      const key = made.stacks[e.stack].text.split(";").filter((f, i) => i < 1 || i > 2).join(";");
      sums.set(key, (sums.get(key) || 0) + e.value);
    }
  }
  return Array.from(sums, ([key, n]) => `${key} ${n}\n`).join("");
}

// ---- uses ----

async function useRanges() {
  const names = ["all", "mysqld", "execute", "zoneadmd", "door_call"];
  await open("stall", `#sel=${range([1, 4])}`);
  is("a range: counts as of its lines", await countsShown(...names), countsOf([1, 4], "all", ...names.slice(1, 4), "door_call_[k]"));
  is("... its title, values, time", await heading(), ["10:15:03 \u2013 10:15:06",
    `${countsOf([1, 4], "all")[0]} samples, 10.4 % of all in 3 s \u00b7 2026-11-22 UTC`]);
  is("... threads and CPUs are not in it, as in a flame graph beside it", (await labels()).filter((label) => /^cpu|worker/.test(label)), []);
  await select([20, 21]);
  is("another range", await countsShown(...names), countsOf([20, 21], "all", ...names.slice(1, 4), "door_call_[k]"));
  await select([12, 13.5]);
  is("... what was not seen in it is said", (await heading())[2], "40 % of it was not seen (up to 118 events lost)");
  await select([12.4, 12.5]);
  is("... nothing", [await text(".empty"), await labels()], ["No stacks are left.", []]);
  await select(null, null, "noflame=0");
  is("no selection: all that can be seen", [(await heading())[0], await countsShown("all")],
    ["10:15:02 \u2013 10:15:32 (all that is shown)", countsOf([0, 30], "all")]);
}

async function useFrames() {
  await open("stall", `#sel=${range([1, 4])}`);
  await click("execute");
  const frame = ["mysqld", "start_thread", "handle_one", "do_command", "execute"];
  is("a click zooms", await text(".details"), `Zoomed: ${await labelOf("execute")}`);
  is("... the heat map knows the frame", await linkPart("frame"), frame);
  is("... and the link the view", await linkPart("flame"), [`z=${frame.join(";")}`]);
  await select([5, 7], null, (await hash()).slice(1).replace(/sel=[^&]*&?/, "").replace(/^&|&$/g, "").split("&").map(encodeURI).join("&"));
  is("the zoom stays with another range", [(await text(".details")).startsWith("Zoomed: execute ("), await linkPart("frame")], [true, frame]);
  await page.goBack();
  is("... as with Back", [(await text(".details")).startsWith("Zoomed: execute ("), (await heading())[0]],
    [true, "10:15:03 \u2013 10:15:06"]);
  await select([20.3, 20.6], null, `flame=${encodeURIComponent(`z=${frame.join(";")}`)}&${frame.map((f) => `frame=${encodeURIComponent(f)}`).join("&")}`);
  is("... where it is not: it is said", [await text(".chips"), (await labels()).length],
    [`Not in this profile: ${frame.join(" \u203a ")}`, 4]);
  await select([20, 21], null, `flame=${encodeURIComponent(`z=${frame.join(";")}`)}&${frame.map((f) => `frame=${encodeURIComponent(f)}`).join("&")}`);
  is("... and comes back", (await text(".details")).startsWith("Zoomed: execute ("), true);
  await click("all");
  is("a click on the root: no frame", [await linkPart("frame"), await linkPart("flame")], [[], []]);
  await page.keyboard.press("Backspace");
  await page.waitForFunction(() => location.hash.includes("frame="));
  is("Backspace undoes it", (await linkPart("frame")).length, 5);
  await page.keyboard.press("0");
  await click("execute", { button: "right" });
  await page.locator(".menu:not([hidden]) button", { hasText: "Callers and callees" }).click();
  is("callers and callees", [await page.$$eval(`${SHOWN} .panel-title`, (all) => all.map((e) => e.textContent)), await linkPart("frame")],
    [["Callees", "Callers"], ["execute"]]);
}

async function useRoots() {
  await open("stall", `#sel=${range([1, 4])}`);
  const roots = async (...names) => {
    for (const name of names) {
      await page.click(`${SHOWN} .tools .view`);
      await page.locator(".menu:not([hidden]) button", { hasText: new RegExp(`^${name}$`) }).click();
    }
    return (await labels()).map((label) => label.replace(/ \(.*/, ""));
  };
  const n = async (prefix) => (await labels()).filter((label) => label.startsWith(prefix)).length;
  await roots("cpu");
  is("frames of CPUs", [await n("cpu0 ("), await n("cpu1 ("), await linkPart("roots")], [1, 1, ["comm,cpu"]]);
  is("... without programs", [(await roots("comm")).slice(0, 2), await n("start_thread (")], [["all", "cpu0"], 2]);
  is("... without any", [(await roots("cpu")).slice(0, 3), await n("start_thread (")], [["all", "start_thread", "handle_one"], 1]);
  is("... the counts stay", await countsShown("all", "execute"), countsOf([1, 4], "all", "execute"));
  await roots("comm", "thread");
  is("... of threads as well", [await n("mysqld-500/worker-"), await linkPart("roots")], [4, ["comm,thread"]]);
  await roots("thread");
  is("... as it was: not in the link", [await n("mysqld-500/worker-"), await n("mysqld ("), await linkPart("roots")], [0, 1, []]);
}

async function useSearch() {
  await open("stall", `#sel=${range([1, 4])}`);
  await page.fill(`${SHOWN} .tools input`, "execute");
  await page.dispatchEvent(`${SHOWN} .tools input`, "change");
  const share = (countsOf([1, 4], "execute")[0] / countsOf([1, 4], "all")[0] * 100).toFixed(1).replace(/\.0$/, "");
  is("a search in the flame graph", await text(".matched"), `Matched: ${share} %`);
  is("... is the heat map's as well", await linkPart("s"), ["execute"]);
  await select([20, 21], null, "s=door");
  is("... and the other way round", [await value(`${SHOWN} .tools input`), (await text(".matched")).startsWith("Matched: ")], ["door", true]);
  await page.focus(`${SHOWN} .tools input`);
  await page.keyboard.press("Escape");
  is("Esc clears both", [await value(`${SHOWN} .tools input`), await linkPart("s")], ["", []]);
  const box = `${SHOWN} .tools input`, chips = () => page.$$eval(`${SHOWN} .of-search .chip-text`, (all) => all.map((e) => e.textContent));
  await page.fill(box, "parse");
  await page.press(box, "Alt+Enter");
  await page.fill(box, "read");
  await page.dispatchEvent(box, "change");
  is("a search that is kept is the flame graph's own", [await chips(), await linkPart("s"), await linkPart("flame")], [["parse"], ["read"], ["s=parse"]]);
  await select([20, 21], [1, 4], "s=read&flame=s%3Dparse");
  is("... also in a differential", [await chips(), await value(box)], [["parse"], "read"]);
  await select([20, 21], null, "flame=s%3Dparse");
  is("... and without another", [await chips(), await value(box)], [["parse"], ""]);
  await select([20, 21], null, "s=door");
  is("... until the link has none", [await chips(), await value(box)], [[], "door"]);
}

async function useTwo() {
  const base = [1, 4], fresh = [20, 21];
  await open("stall", `#sel=${range(fresh)}&base=${range(base)}`);
  is("two ranges: a differential", await page.$$eval(`${SHOWN} .layers .segment button`, (all) => all.map((e) => e.textContent)),
    ["Both", "Base", "New", "Gone", "Added", "total", "self"]);
  is("... which", (await heading())[0], "10:15:22 \u2013 10:15:23 compared with 10:15:03 \u2013 10:15:06");
  for (const [name, at] of [["before", base], ["after", fresh]])
    fs.writeFileSync(path.join(tmp, `${name}.folded`), foldedLines(at));
  execFileSync(render, ["flame", "-q", "-o", path.join(tmp, "diff.svg"), "--diff", path.join(tmp, "before.folded"), path.join(tmp, "after.folded")]);
  const ours = (await labels()).map((label) => label.replace(/10:15:03 \u2013 10:15:06/, "base").replace(/10:15:22 \u2013 10:15:23/, "new"));
  await click("zoneadmd");
  is("... zoomed", (await text(".details")).startsWith("Zoomed: zoneadmd ("), true);
  await page.keyboard.press("0");
  await page.locator(`${SHOWN} .layers button`, { hasText: "Gone" }).click();
  const gone = await labels();
  await page.locator(`${SHOWN} .layers button`, { hasText: "Added" }).click();
  const added = (await labels()).map((label) => label.replace(/ \(.*/, ""));
  const link = await linkPart("flame");
  await select(fresh);
  is("one again: a plain one", await page.$$eval(`${SHOWN} .layers .segment`, (all) => all.length), 0);
  await open("diff");
  const theirs = await page.$$eval("#frames rect", (all) => all.map((e) => e.getAttribute("aria-label").replace(/[^\s(]*before.folded/, "base")
    .replace(/[^\s(]*after.folded/, "new")));
  is("... the numbers of render flame --diff", ours.sort(), theirs.sort());
  is("... elided: what has gone, what is new", [gone, added, link], [[], ["all", "zoneadmd", "main", "door_call"], ["d=added&by=total"]]);
}

async function useHosts() {
  await open("hosts", "#noflame=0");
  is("several maps: all of them", [(await heading()).slice(0, 1), (await heading())[2]],
    [["10:15:02 \u2013 10:15:22 (all that is shown)"], "10 % of it was not seen"]);
  await select([3, 5], null, "map=0");
  is("... a range is of one", [(await heading())[0], (await heading())[2], (await labels()).some((label) => label.startsWith("db1 ("))],
    ["web2 \u00b7 10:15:05 \u2013 10:15:07", "50 % of it was not seen", false]);
  await select([3, 5], null, "map=1");
  is("... of the other, of which all was seen", [await heading().then((all) => [all[0], all.length]), (await labels()).some((label) => label.startsWith("web2 ("))],
    [["db1 \u00b7 10:15:05 \u2013 10:15:07", 2], false]);
  const counts = [];
  for (const map of [0, 1]) {
    await open("hosts", `#sel=${range([3, 5])}@${map}`);
    counts.push(/\(([\d,]+) /.exec(await labelOf("all"))[1]);
  }
  await open("hosts", `#sel=${range([3, 5])}@0&base=${range([3, 5])}@1`);
  is("A and B each of their own map", [counts[0] !== counts[1], (await labelOf("all")).match(/[\d,]+ samples/g).slice(0, 2)],
    [true, [1, 0].map((i) => `${counts[i]} samples`)]);
  is("... the title and the sides say which", [(await heading())[0], (await labelOf("all")).match(/db1|web2/g), (await heading())[2].slice(0, 5)],
    ["web2 \u00b7 10:15:05 \u2013 10:15:07 compared with db1 \u00b7 10:15:05 \u2013 10:15:07", ["db1", "web2"], "web2 "]);
  is("... the hosts are no frames: they would be all that differs", (await labels()).filter((label) => /^(db1|web2) \(/.test(label)), []);
  await page.click(`${SHOWN} .tools .view`);
  await page.locator(".menu:not([hidden]) button", { hasText: /^host$/ }).click();
  is("... but for who wants them", [(await labels()).filter((label) => /^(db1|web2) \(/.test(label)).length, await linkPart("roots")], [2, ["host,comm"]]);
}

const cell = async (x, y, options) => {
  const box = await page.locator("canvas.cells").first().boundingBox();
  await page.mouse.click(box.x + x * box.width, box.y + (1 - y) * box.height, options);
};

// Every step of either half is an entry of the browser's history, however soon the next one follows.
async function useSteps() {
  const link = async () => (await hash()).replace(/panel=1&?/, "").replace(/[#&]$/, ""); // the panel stays as it is
  await open("stall");
  const seen = [await link()];
  for (const act of [() => cell(0.1, 0.3), () => page.waitForSelector(".pyrograph.heat:not(.settling)").then(() => page.keyboard.press("c")), () => page.keyboard.press("y"), () => click("start_thread"),
    () => page.keyboard.press("Escape"), () => page.keyboard.press("Shift+R")]) {
    await act();
    seen.push(await link());
  }
  is("each step changes the link", seen.map((one, i) => one !== seen[i - 1]), [true, true, true, true, true, false, true]);
  is("... and is an entry", await page.evaluate(() => history.state.pyrograph), 5);
  for (const one of seen.filter((other, i) => other !== seen[i - 1]).reverse().slice(1)) {
    await page.goBack();
    is("... to go back to", await link(), one);
  }
  await cell(0.1, 0.3);
  await cell(0.2, 0.6, { modifiers: ["Shift"] });
  const range = await linkPart("sel");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  is("arrows move it on", (await linkPart("sel"))[0] !== range[0], true);
  await page.goBack();
  is("... which is one step", await linkPart("sel"), range);
}

// Browsers stop listening to a page that changes its address all the time.
async function useMany() {
  await open("stall");
  const depth = () => page.evaluate(() => [history.state.pyrograph, location.hash]);
  await page.evaluate(() => {
    const now = performance.now();
    performance.now = () => now; // however long a busy machine takes for them
    for (let i = 0; i < 161; i++)
      document.querySelector(".heat-maps").dispatchEvent(new KeyboardEvent("keydown", { key: "y", bubbles: true, cancelable: true }));
  });
  is("so many steps at once: some wait", await depth(), [150, ""]);
  await page.keyboard.press("Backspace");
  await page.evaluate(() => { const now = performance.now(); performance.now = () => now + 20000; });
  await page.waitForFunction(() => history.state.pyrograph > 150);
  is("... none is lost but what was undone", await depth(), [160, ""]);
  await page.goBack();
  is("... each is an entry", await depth(), [159, "#idle=1"]);
}

// No time of the day, values of ns, no events.
async function useOthers() {
  await open("relative", `#sel=${range([1, 3])}`);
  is("no wall clock is known", [(await heading())[0], (await heading())[1].replace(/^[\d,]+/, "n")],
    ["00:00:01 \u2013 00:00:03", "n samples, 6.91 % of all in 2 s"]);
  await open("latency", "#sel=r:0:60000000000:1000000:50000000:1000000000");
  is("a range of values", (await heading())[0], "10:15:02 \u2013 10:16:02, 1 ms \u2013 50 ms");
  await open("second", "#sel=r:0:60000000000:0:40000000:1000000000");
  is("rows of each second", [(await heading())[0], (await labels())[1].replace(/ \(.*/, "")], ["10:15:02 \u2013 10:16:02, of each 1 s: 0 \u2013 40 ms", "cron"]);
  await open("empty", "#noflame=0");
  is("no events at all", await text(".empty"), "No stacks are left.");
  await open("one", `#sel=${range([1, 3])}`);
  await page.keyboard.press("f");
  is("one stack: no flame graph, nor a key for it", [await page.locator(".heat-flame").isVisible(), await linkPart("noflame"), await page.locator(".heat-foot .chip").count() > 0],
    [false, [], true]);
  await open("hostile", `#sel=${range([1, 3])}`);
  is("names are no markup", [(await labels()).some((label) => label.startsWith("<img src=x")), await page.evaluate(() => window.broken)], [true, undefined]);
}

async function useKeys() {
  await open("stall", `#sel=${range([1, 4])}`);
  const said = async () => [await page.locator(`${SHOWN} .whose-keys`).isVisible(), await page.evaluate(() => document.activeElement?.getAttribute("class") ?? null)];
  is("the keys are the heat map's", (await said())[0], false);
  await click("execute");
  is("a click on a frame: the flame graph's, which is said", await said(), [true, "graph"]);
  await page.keyboard.press("Escape");
  is("... Esc gives them back", await said(), [false, await page.getAttribute(".heat-maps", "class")]);
  await page.keyboard.press("c");
  is("... to the heat map's cells", [await linkPart("coloring"), (await linkPart("frame")).length], [["rank"], 5]);
  await page.keyboard.press("Enter");
  is("... Enter takes them there again", await said(), [true, "graph"]);
  await page.focus(`${SHOWN} .tools input`);
  await page.keyboard.type("x");
  await page.keyboard.press("Escape");
  is("... Esc in its box clears that, and gives them back", [await value(`${SHOWN} .tools input`), (await said())[0]], ["", false]);
}

// As low as the bar makes it, and on paper, the root is what is seen first.
async function useLow() {
  await open("stall", `#sel=${range([1, 4])}&base=${range([5, 9])}`);
  const bar = await page.locator(".heat-bar").boundingBox(), inView = () => page.waitForFunction((shown) => {
    const box = document.querySelector(`${shown} [data-frame="0"]`).getBoundingClientRect(), place = document.querySelector(".heat-flame").getBoundingClientRect();
    return box.top >= place.top && box.bottom <= place.bottom;
  }, SHOWN).then(() => true, () => false);
  await page.mouse.move(bar.x + 300, bar.y + 3);
  await page.mouse.down();
  await page.mouse.move(bar.x + 300, 790, { steps: 4 });
  await page.mouse.up();
  is("the bar far down: the root can be seen", await inView(), true);
  await page.mouse.dblclick(bar.x + 300, (await page.locator(".heat-bar").boundingBox()).y + 3);
  await page.focus(`${SHOWN} .graph`);
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  const first = await page.$$eval(`${SHOWN} [id$=-frames] rect`, (all) => all.reduce((top, e) => e.getBoundingClientRect().y < top.getBoundingClientRect().y ? e : top).dataset.frame);
  is("on paper the root comes first", first, "0");
  is("... no ring, no crosses, no hints", [await page.$eval(`${SHOWN} .scroll`, (e) => getComputedStyle(e).outlineStyle), await page.$eval(SHOWN, (e) => getComputedStyle(e, "::after").display),
    await page.locator(".chip .remove:visible, .whose-keys:visible, .heat-bar:visible").count()], ["none", "none", 0]);
  is("... on one page, if that can be read", await page.$eval("svg.live", (e) => e.classList.contains("one-tall")), true);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await page.emulateMedia({ media: "screen" });
  is("... and back: it stands on its root", await inView(), true);
}

// What fingers cannot do with keys is in the menu of a cell.
async function useTouch() {
  page = await newPage({ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });
  await open("stall", `#sel=${range([1, 4])}`);
  is("on a phone: hints for fingers", await page.textContent("#details"), "Long press to extend or compare");
  await page.dispatchEvent(".heat-maps", "keydown", { key: "ContextMenu", bubbles: true });
  await page.locator(".menu:not([hidden]) button", { hasText: "as B" }).click();
  is("... keep it as B", await linkPart("base"), [range([1, 4])]);
  await select([5, 9], [1, 4]);
  await page.dispatchEvent(".heat-maps", "keydown", { key: "ContextMenu", bubbles: true });
  await page.locator(".menu:not([hidden]) button", { hasText: "A and B" }).click();
  is("... exchange them", [await linkPart("sel"), await linkPart("base")], [[range([1, 4])], [range([5, 9])]]);
  page = await newPage();
}

// The tree without the frames of CPUs is there before anybody asks for it.
async function useIdle() {
  await open("stall");
  await page.evaluate(() => new Promise((done) => requestIdleCallback(done)));
  await page.evaluate(() => { const { tree } = pyrograph.heat, { set } = tree; window.made = 0; tree.set = (...all) => { window.made++; return set(...all); }; });
  await select([1, 4]);
  is("the first range finds its tree ready", [(await countsShown("all"))[0] > 0, await page.evaluate(() => window.made)], [true, 0]);
}

async function useThemes() {
  await open("stall", `#sel=${range([1, 4])}&t=dark&roots=comm,thread`);
  is("it is as dark as the heat map", await page.$eval(SHOWN, (e) => [e.dataset.theme, getComputedStyle(e).backgroundColor]), ["dark", "rgb(23, 25, 29)"]);
  await select([1, 4], null, "t=light&roots=comm,thread");
  is("... and as light", await page.$eval(SHOWN, (e) => [e.dataset.theme, getComputedStyle(e).backgroundColor]), ["light", "rgb(255, 255, 255)"]);
  is("no id is there twice", await page.evaluate(() => Array.from(document.querySelectorAll("[id]"), (e) => e.id)
    .filter((id, i, all) => all.indexOf(id) !== i)), []);
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  is("on paper: all rows", (await labels()).length > 30 && await page.locator(`${SHOWN} .tools`).isVisible() === false, true);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await page.emulateMedia({ media: "screen" });
  is("... and back", await page.locator(`${SHOWN} .tools`).isVisible(), true);
}

// The colours, the roots and the order of an off-CPU flame graph.
async function useWaits() {
  const seen = (place) => page.evaluate((inside) => [Array.from(document.querySelectorAll(`${inside} [id$=frames] rect`), (e) =>
    [e.getAttribute("aria-label").replace(/ns.*|[ ]*\(.*/, ""), e.getAttribute("fill") || e.style.fill]),
  Array.from(document.querySelectorAll(`${inside} .legend .entry, ${inside} .legend span`), (e) => e.textContent)], place);
  await open("beside");
  const wanted = await seen("");
  const chip = () => page.$$eval(".of-idle", (all) => all.map((e) => e.textContent)), counted = () => page.locator(".heat > .sheet > .heading .notes > div:visible", { hasText: "Idle" }).count();
  await open("few");
  is("few columns have the whole width, and no label is cut", await page.evaluate(() => [
    document.querySelector("canvas.cells").getBoundingClientRect().width > innerWidth * 0.6,
    Array.from(document.querySelectorAll(".axis text"), (e) => e.getBoundingClientRect().left).some((left) => left < 0)]), [true, false]);
  await open("waits");
  is("waits: sleep is hidden, and told once", [await chip(), await counted()], [["Idle hidden: 20 ms"], 0]);
  await page.click(".of-idle button");
  is("... a click shows it", [await chip(), await linkPart("idle")], [["Idle shown: 20 ms"], ["1"]]);
  await open("waits", `#sel=${range([0, 10])}&idle=1`);
  is("... the flame graph of all is the one beside the map", await seen(SHOWN), wanted);
  is("... which has frames, and kinds of wait", [wanted[0].length > 12, JSON.stringify(wanted[1]).includes("woken by")], [true, true]);
}

// From the link to what is painted: said; what is held to a limit stands in the benchmarks.
async function useHour() {
  await open("hour");
  for (const [name, link] of [["the first time", [0, 600]], ["another range", [600, 1500]], ["nearly all", [10, 3590]], ["a tenth of a second", [100, 100.1]]]) {
    const ms = await page.evaluate((target) => new Promise((done) => {
      const from = performance.now();
      addEventListener("hashchange", () => {
        document.documentElement.getBoundingClientRect();
        const until = performance.now();
        requestAnimationFrame(() => requestAnimationFrame(() => done([until - from, performance.now() - from])));
      }, { once: true });
      location.hash = target;
    }), `sel=${range(link)}`);
    is(`an hour, ${name}: drawn`, await page.locator(`${SHOWN} .panel`).first().isVisible(), true);
    console.log(`# ${Math.round(ms[0])} ms to the flame graph, ${Math.round(ms[1])} ms until it was painted; ${(await text(".details"))}`);
  }
}

start([async (first) => { page = first; }, useRanges, useFrames, useRoots, useSearch, useTwo, useHosts, useSteps, useMany, useOthers, useKeys, useLow, useTouch, useIdle, useThemes, useWaits, useHour]);
