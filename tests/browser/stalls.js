// Timelines of waits in a browser: stalls, stacks at the pointer, threads that are folded, search.
// Prints TAP; argument: the directory that stalls.test.sh made.
"use strict";

const { is, becomes, ready, rest, start, newPage, open, texts, press, hash } = require("./pictures");

let page;

const rows = () => page.$$eval("#timeline-rows .row", (all) => all.map((row) => row.getAttribute("aria-label").split(": ")[0]));
const window_ = () => page.textContent(".window");
const buttons = () => texts(".more-rows button");
const tip = async () => {
  await page.waitForSelector(".tip:not([hidden])");
  return (await texts(".tip > div")).map((text) => text.trim()).join(" | ");
};
// Over a part of a row's bar.
async function hover(part, number) {
  const box = await page.locator("#timeline-rows .track").nth(number).boundingBox();
  await page.mouse.move(box.x + part * box.width - 1, box.y + 8);
  await page.mouse.move(box.x + part * box.width, box.y + 8);
}
const GUILTY = "shop-10/<b>&quoted:_7";

async function useStacks() {
  await open("made");
  is("threads of the stall first", await rows(), [GUILTY, "shop-10/exec-1", "shop-10/exec-2", "shop-10/exec-3"]);
  await hover(0.15, 1);
  is("a blocked span: its stack, and who woke it", (await tip()).replace(/ \| from [^|]*/, ""),
    "shop-10/exec-1 | lock | held up by exec-2: serve| servemain | in pthread_mutex_lock > futex_wait");
  await hover(0.12, 0);
  is("a running one: the nearest sample", (await tip()).replace(/ \| from [^|]*/, ""),
    `${GUILTY} | running| sampled at 10:15:02.110000 | rebuild<index>&main`);
  await hover(0.17, 0);
  is("... of several", (await tip()).includes("sampled at 10:15:02.150000"), true);
  is("who had the lock is written into the wait", await page.$$eval("#timeline-rows .marks text", (all) =>
    all.map((e) => e.textContent).filter((text) => /exec-2/.test(text))), ["lock: exec-2"]);
  is("spans without words", await page.$$eval("#timeline-rows .marks text", (all) => all.map((e) => e.textContent).includes("sleep")), false);
}

async function useStalls() {
  await open("made");
  const mark = await page.locator(".stall").boundingBox();
  const words = `3 threads waited 150 ms; <b>&quoted:_7 ran rebuild<index>&`;
  is("a stall has its words", await texts(".timeline-axis text").then((all) => all.includes(words)), true);
  await page.mouse.move(mark.x + 5, mark.y + 2);
  await page.mouse.move(mark.x + 6, mark.y + 2);
  is("... and a tip", (await tip()).startsWith(words), true);
  await page.mouse.click(mark.x + 6, mark.y + 2);
  is("a click zooms to it", await window_(), "10:15:02.025 \u2013 10:15:02.325 UTC, 300 ms");
  await press("0", "g");
  is("g: the next stall", (await window_()).endsWith(", 300 ms"), true);
  is("marks stay within the bar", await page.$eval(".stall", (e) => {
    const track = document.querySelector("#timeline-rows .track");
    return Number(e.getAttribute("x")) >= Number(track.getAttribute("x"));
  }), true);
}

/* The stalls of the worst problem's cause stand out, in the strip and in its row. */
async function useLead() {
  await open("lead");
  const spans = await page.$$eval(".stall, .track", (all) => all.map((e) => [e.getAttribute("class"),
    Number(e.getAttribute("x")), Number(e.getAttribute("x")) + Number(e.getAttribute("width"))]));
  const marks = spans.filter(([name]) => name.startsWith("stall"));
  is("another thread's stall is grey", marks.map(([name]) => name), ["stall", "stall other"]);
  const frames = await page.$$eval(".stall-frame", (all) => all.map((e) => [e.parentNode.getAttribute("data-row"),
    Number(e.getAttribute("x")), Number(e.getAttribute("x")) + Number(e.getAttribute("width"))]));
  is("one frame, in the row of the cause", frames.map(([row]) => row), ["0"]);
  is("... below its mark", [1, 2].every((i) => Math.abs(frames[0][i] - marks[0][i]) < 2), true);
  is("the words of an event loop", (await texts(".timeline-axis text")).some((text) =>
    text.startsWith("event loop blocked 100 ms; java-1/loop waited")), true);
}

/* Spans that are known only as sums fill the time between the others. */
async function useGaps() {
  await open("busy");
  const track = await page.$eval(".track", (e) => [Number(e.getAttribute("x")), Number(e.getAttribute("width"))]);
  const [x, w, h] = await page.$eval("#timeline-rows path[data-kind='0']", (e) =>
    e.getAttribute("d").match(/M([0-9.]+) [0-9.]+h([0-9.]+)v([0-9.]+)/).slice(1).map(Number));
  is("a gap shows what short spans mostly were, as high as their share",
    [Math.round((x - track[0]) / track[1] * 100), Math.round(w / track[1] * 100), h], [25, 50, 14]);
  await hover(0.5, 0);
  is("... and says so", (await tip()).replace(/from .*?, /, ""),
    "a-1/web | short spans for 200 ms | All short spans of this thread:");
  is("... and what these were", await page.$eval(".tip", (e) => /running *150 ms *network *20 ms/.test(e.textContent)), true);
  await press("+", "+");
  is("... also in a part of the time", (await page.$$("#timeline-rows path[data-kind='0']")).length, 1);
}

/* A link to a moment shows what happened then: a stall, a wait, or a little time around it. */
async function useMoment() {
  const at = async (ns) => {
    await open("moment", `#at=${ns}`);
    return window_();
  };
  is("a link to a short stall: some milliseconds more", await at("1795342502350000000"),
    "10:15:02.3400 \u2013 10:15:02.3640 UTC, 24 ms");
  is("... to a long one: half as much before and after", await at("1795342502100300000"),
    "10:15:02.050 \u2013 10:15:02.250 UTC, 200 ms");
  is("... to a wait", await at("1795342502260000000"), "10:15:02.2505 \u2013 10:15:02.2895 UTC, 39 ms");
  is("... to nothing known", await at("1795342502220000000"), "10:15:02.170 \u2013 10:15:02.270 UTC, 100 ms");
}

async function useSearch() {
  await open("made");
  await press("f");
  await page.keyboard.type("^rebuild");
  await page.keyboard.press("Enter");
  await rest(200);
  const faded = (row) => page.$$eval("#timeline-rows .row", (all, n) => Array.from(all[n].querySelectorAll(".marks path")).map((e) =>
    e.classList.contains("faded")), row);
  is("search finds functions of samples", await faded(0), [false, true]);
  is("... and fades the rest", (await faded(2)).includes(false), false);
  is("... and counts", (await page.textContent(".pyrograph")).includes("1 function"), true);
}

// The frames of the flame graph: name and value.
const frames = () => page.$$eval(".row-flame [role='treeitem']", (all) => all.map((e) => e.getAttribute("aria-label").replace(/, [^,]*$/, "")));
const about = () => texts(".row-flame .embedded .title, .row-flame .embedded .notes > div");

async function useFlame() {
  await open("made");
  is("no flame graph at first", await frames(), []);
  await press("i");
  is("i: the flame graph of what is shown", await about(), ["4 threads", "2.09 s in 10:15:02.000 \u2013 10:15:02.990 UTC, 990 ms; waits for work and time hidden: 870 ms"]);
  const row = await page.locator("#timeline-rows .track").nth(1).boundingBox();
  await page.mouse.click(row.x + 20, row.y + 8);
  await becomes("a click on a row: its own", async () => (await about())[0], "shop-10/exec-1");
  is("... its states, functions and times", await frames(), ["all (990 ms", "[lock] (140 ms", "main (140 ms",
    "serve (140 ms", "pthread_mutex_lock (140 ms", "futex_wait (140 ms", "[ready, waiting for a CPU] (10 ms", "[running] (840 ms"]);
  is("... which the link has", await hash(), "#of=shop-10/exec-1");
  await page.mouse.move(row.x + row.width * 0.05, row.y + 8);
  await page.mouse.down();
  await page.mouse.move(row.x + row.width * 0.1, row.y + 8, { steps: 3 });
  await page.mouse.up();
  await becomes("a selected part: that of this time", async () => (await frames()).map((label) => label.replace(/(49|50)(\.\d+)? ms/, "50 ms")),
    ["all (50 ms", "[running] (50 ms"]);
  const link = await hash();
  await page.reload();
  await ready();
  is("... which a link brings back", [await hash(), (await about())[0]], [link, "shop-10/exec-1"]);
  await press("i");
  is("i: no flame graph", [await page.locator(".row-flame:visible").count(), (await hash()).includes("of=")], [0, false]);
}

async function useLabels() {
  await open("alike");
  await press("i");
  await becomes("labels of threads of the same kind differ", async () => (await texts(".row-flame text"))
    .filter((text) => /ticket.*\.\..*\d$/.test(text)).length, 8);
}

async function useMany() {
  await open("many");
  is("500 threads: 30 rows", (await rows()).length, 30);
  is("... the guilty one and those that waited for it first", (await rows()).slice(0, 3), ["java-1/guilty", "java-1/busy-0", "java-1/busy-1"]);
  is("... and the others on request", await buttons(), ["Show 31 more", "439 threads active under 0.1 % of the time (show)"]);
  await page.click(".more-rows button:nth-child(2)");
  is("a click shows them", [await hash(), await buttons()], ["#quiet=1", ["Show 31 more"]]);
  await page.click(".more-rows button");
  is("... and all others", [await page.textContent(".graph", { timeout: 1000 }).then((text) => text.length > 0), await buttons()], [true, []]);
  await open("many");
  await press("/");
  await page.keyboard.type("pool-77$");
  await page.keyboard.press("Enter");
  await rest(200);
  is("a filter finds threads that are folded", await rows(), ["java-1/pool-77"]);
}

async function useElsewhere() {
  page = await newPage({ viewport: { width: 390, height: 800 }, hasTouch: true, colorScheme: "dark" });
  await open("made");
  is("a phone: nothing beyond its width", await page.evaluate(() => document.documentElement.scrollWidth <= 390), true);
  is("... all rows", (await rows()).length, 4);
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  is("paper: no buttons", await page.locator(".more-rows:visible").count(), 0);
  page = await newPage();
  await open("made");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await press("F");
  await page.waitForSelector(".toast:not([hidden])");
  const lines = (await page.evaluate(() => navigator.clipboard.readText())).trimEnd().split("\n").filter((line) => !line.startsWith("#"));
  is("folded lines: with stacks, and the samples", [lines.length, lines.filter((line) => line.includes(";sampled;main")).length,
    lines.find((line) => line.includes("exec-1;[lock]")).split(" ")[1].split(";").slice(0, 5).join(";")],
  [17, 3, "shop-10/exec-1;[lock];main;serve;pthread_mutex_lock"]);
}

start([async (first) => { page = first; }, useStacks, useStalls, useLead, useGaps, useMoment, useSearch, useFlame, useLabels, useMany,
  useElsewhere]);
