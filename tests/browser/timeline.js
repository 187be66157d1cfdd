// Timelines in a browser: zoom, tips, find, legend, links.
// Prints TAP; argument: the directory that timeline.test.sh made.
"use strict";

const { is, becomes, rest, quick, start, newPage, ready, open, urlOf, hash, texts, press, shown, details, unpressed } = require("./pictures");

let page;

const rows = () => page.$$eval("#timeline-rows .row", (all) => all.map((row) => row.getAttribute("aria-label")));
const row = async (name) => (await rows()).find((label) => label.startsWith(`${name}: `));
const tip = async () => {
  await page.waitForSelector(".tip:not([hidden])");
  return (await texts(".tip > div, .tip tr")).map((text) => text.trim()).join(" | ");
};
const window_ = () => page.textContent(".window");
const bar = () => page.$eval("#timeline-rows .track", (e) => {
  const box = e.getBoundingClientRect();
  return [box.x, box.y, box.width, box.height];
});

// A point in the window: a fraction of its width, and a row's number.
async function at(part, number) {
  const [x, y, w] = await bar();
  return [x + part * w, y + 20 * number + 9];
}
const hover = async (part, number) => page.mouse.move(...await at(part, number));
async function drag(from, to, number = 1) {
  await hover(from, number);
  await page.mouse.down();
  await hover((from + to) / 2, number);
  await hover(to, number);
  await page.mouse.up();
}
// How much of the bar's width the marks of a row cover, whatever their height.
const width = (name) => page.$$eval("#timeline-rows .row", (all, wanted) => {
  const one = all.find((e) => e.getAttribute("aria-label").startsWith(`${wanted}: `));
  const [, , w] = [0, 0, Number(one.querySelector(".track").getAttribute("width"))];
  return Math.round(Array.from(one.querySelectorAll(".marks path")).reduce((sum, path) =>
    sum + Array.from(path.getAttribute("d").matchAll(/h([\d.]+)v/g)).reduce((s, m) => s + Number(m[1]), 0), 0) / w * 100);
}, name);
const settled = () => rest(200);

async function useView() {
  await open("time");
  is("rows, busiest first", await rows(), ["poller-99: over 99.9 % \u00b7 0 moves", "spin-a-4711: 75 % \u00b7 0 moves",
    "java-8513/dw-20 - GET /: 50 % \u00b7 6 moves", "late-8: 2.5 % \u00b7 1 move", "net-7: 1.89 % \u00b7 19 moves"]);
  is("as long as they ran", [await width("poller-99"), await width("spin-a-4711"), await width("java-8513/dw-20 - GET /")], [100, 75, 50]);
  is("all of the time", await window_(), "10:15:02.000 \u2013 10:15:04.000 UTC, 2 s");
  is("as wide as the window", await page.$eval(".graph", (e) => e.getBoundingClientRect().width), 1400);
  await hover(0.25, 1);
  is("a tip: thread, CPU, when", await tip(), "spin-a-4711 | CPU 0 | package 0, core 0, node 0 | from 10:15:02.000000000 UTC, for 1.5 s");
  await hover(0.875, 1);
  is("... where nothing is", await tip(), "spin-a-4711 | nothing from 10:15:03.500000000 UTC, for 500 ms");
  await hover(0.8, 4);
  is("... of a short one", (await tip()).replace(/ from .*/, ""), "net-7 | CPU 2 | package 1, core 1, node 1, interrupts 24:eth0-rx-0 |");
}

async function useZoom() {
  await open("time");
  await drag(0.755, 0.765, 4);
  await settled();
  is("dragging zooms", /^10:15:03\.5[01]\d* \u2013 10:15:03\.5[23]\d* UTC, (19|20|21)/.test(await window_()), true);
  is("... to all there is", (await row("spin-a-4711")).startsWith("spin-a-4711: 0 %"), true);
  is("... and the link says it", /^#from=17953425035[01]\d+/.test(await hash()), true);
  const link = await hash(), there = await window_();
  await page.reload();
  await ready();
  is("... and brings it back", [await hash(), await window_()], [link, there]);
  await press("0");
  is("0: all of it", await window_(), "10:15:02.000 \u2013 10:15:04.000 UTC, 2 s");
  await press("Backspace");
  await becomes("Backspace: the part before", window_, there);
  await press("Escape", "+");
  is("+: half of it", (await window_()).endsWith(", 1 s"), true);
  await press("ArrowRight");
  is("right: later", await window_(), "10:15:02.750 \u2013 10:15:03.750 UTC, 1 s");
  await press("ArrowRight", "ArrowRight");
  is("... to the end", await window_(), "10:15:03.000 \u2013 10:15:04.000 UTC, 1 s");
  await press("-");
  is("-: twice of it", (await window_()).endsWith(", 2 s"), true);
  await hover(0.5, 1);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -100);
  await page.keyboard.up("Control");
  await settled();
  is("the wheel zooms around the pointer", /^10:15:02\.(199|200|201) \u2013 10:15:03\.(799|800|801) UTC, 1.6 s$/.test(await window_()), true);
  for (let n = 0; n < 60; n++)
    await press("+");
  is("down to 100 ns", (await window_()).endsWith(", 100 ns"), true);
  await page.click(".controls button:text-is('All')");
  is("a button: all of it", (await window_()).endsWith(", 2 s"), true);
}

async function useRows() {
  await open("time");
  await press("/");
  await page.keyboard.type("^(net|late)");
  await becomes("filter: rows that match", async () => (await rows()).map((label) => label.split(":")[0]), ["late-8", "net-7"]);
  is("... and of how many", (await details()).startsWith("2 of 5 threads"), true);
  await page.keyboard.type("(");
  await becomes("a wrong pattern is marked", () => page.getAttribute(".search.of-filter", "class"), "search of-filter invalid");
  is("... and told in words", await page.textContent(".matched"), "Not a regular expression: ^(net|late)(");
  await press("Escape");
  is("Escape: all of them", (await rows()).length, 5);
  await page.click(".legend-item[data-kind='1']");
  is("the legend points a CPU out", await page.$$eval(".marks path:not(.faded)", (all) => new Set(all.map((e) => e.getAttribute("fill"))).size), 1);
  await settled();
  is("... the link says it", await hash(), "#lit=CPU 1");
  await press("Escape");
  is("... Escape takes it back", await page.$$eval(".marks .faded", (all) => all.length), 0);
  await drag(0.95, 0.99, 1);
  await press("s");
  await settled();
  is("s: who ran in this part first", (await rows()).slice(0, 2).map((label) => label.split(":")[0]), ["poller-99", "late-8"]);
  is("... the link says it", (await hash()).endsWith("&sort=here"), true);
  await press("s");
  is("... and back", (await rows())[1].split(":")[0], "spin-a-4711");
  await open("cpu");
  is("by CPU: idle time in the notes", await rows(), ["CPU 0: 77.6 % busy \u00b7 3 threads", "CPU 1: 35 % busy \u00b7 2 threads",
    "CPU 2: 16.8 % busy \u00b7 2 threads", "CPU 3*\u00b0: over 99.9 % busy \u00b7 1 thread"]);
  is("... by node and package", (await texts("#timeline-names text")), ["node 0, package 0", "node 1, package 1"]);
  await hover(0.97, 1);
  is("... idle is called so", (await tip()).includes("CPU 1 | idle from "), true);
}

async function useHostile() {
  await open("hostile");
  is("hostile names stay text", (await rows())[2], "<script>alert(\"a\")</script>&]]>: under 0.01 % \u00b7 0 moves");
  is("... and do not turn the line", (await rows()).some((label) => label.includes("\ufffdevil")), true);
  for (let n = 0; n < 8; n++)
    await hover(n / 9, n);
}

async function useBig() {
  const timed = async (run) => {
    const from = Date.now();
    await run();
    return Date.now() - from;
  };
  await quick("timelines: 200,000 spans are there", () => timed(() => open("big")));
  await quick("... zoom", () => timed(() => press("+")));
  await press("+", "+", "+", "+");
  const few = (await rows()).length;
  await press("0");
  await hover(0.5, 0);
  is("a tip of several", /^busy-1 \| \d+ spans from [\d:.]+, [\d.]+ µs of [\d.]+ µs \|.* CPU \d *[\d.]+ µs/.test(await tip()), true);
  is("only what can be seen is drawn", few < 150, true);
  const [first] = await rows();
  await page.evaluate(() => document.querySelector(".scroll").scrollTop = 4000);
  await settled();
  is("... the rest when it comes", !(await rows()).includes(first), true);
  is("tools and axis stay in sight", await page.evaluate(() => [".tools", ".timeline-axis text"].every((selector) => {
    const box = document.querySelector(selector).getBoundingClientRect();
    return box.top >= -1 && box.bottom < 180;
  })), true);
}

async function useBack() {
  await open("time");
  await drag(0.25, 0.5);
  await settled();
  const first = await window_();
  await press("+");
  await settled();
  await page.goBack();
  await settled();
  await becomes("Back: the part before", window_, first);
  await page.goBack();
  await settled();
  await becomes("... and all of it", async () => (await window_()).endsWith(", 2 s"), true);
  await page.goForward();
  await becomes("Forward: the part again", window_, first);
  await settled();
  await press("s", "/");
  await page.keyboard.type("spin");
  await settled();
  await page.goBack();
  await settled();
  await becomes("what is no part of the time is no page", async () => (await window_()).startsWith("10:15:02.000 \u2013 10:15:04.000"), true);
}

// Keys faster than the browser goes back.
async function useQuickly() {
  const keys = (...all) => page.evaluate((all) => all.map((key) => {
    document.querySelector("svg").dispatchEvent(new KeyboardEvent("keydown", { key: key, bubbles: true }));
    return document.querySelector(".window").textContent.replace(/.*, /, "");
  }), all);

  await open("time");
  await press("+", "0");
  await settled();
  is("keys find the view undone before the browser has gone back", await keys("Escape", "Escape", "+", "Escape", "+"),
    ["1 s", "2 s", "1 s", "2 s", "1 s"]);
  await settled();
  is("... and are steps", /^#from=\d+/.test(await hash()), true);
  const link = await hash();
  await page.reload();
  await ready();
  await press("+");
  await settled();
  await page.reload();
  await ready();
  is("... after a reload, too", await keys("Escape", "+", "Escape"), ["1 s", "500 ms", "1 s"]);
  await settled();
  is("... the link is that of the view", await hash(), link);
  await page.goBack();
  await settled();
  await becomes("... and Back undoes the step before", async () => (await window_()).endsWith(", 2 s"), true);
}

async function useIdle() {
  await open("idle");
  is("the idle task is no thread", await rows(), ["java-7/worker-2: 30 % \u00b7 1 move", "java-7/worker-1: 20.1 % \u00b7 1 move",
    "java-7: 10 % \u00b7 0 moves"]);
  is("... without their process", await texts("#timeline-rows .row > text.ink"), ["worker-2", "worker-1", "java-7"]);
  await press("+");
  is("... nor counted in a part", (await rows())[0], "java-7/worker-2: 50 % \u00b7 1 move");
  await open("idle-cpu");
  await page.mouse.move(...await at(0.2, 0));
  is("idle time has a tip", await tip(), "CPU 0 | idle | from 10:15:02.100000000 UTC, for 300 ms");
  is("... and no mark", await page.$$eval(".marks path", (all) => all.length), 4);
  await press("/");
  await page.keyboard.type("worker-1");
  await becomes("threads sought among CPUs", () => page.textContent(".empty"), "No CPU has that name. For threads, search, or click on the legend.");
}

async function useWaits() {
  await open("waits");
  is("shares of waiting and running", (await rows())[0], "java-7/matcher: 65 % waiting \u00b7 35 % running");
  is("parts say who was waited for", (await texts(".marks text")).filter((text) => text === "for reporter").length, 2);
  await hover(0.1, 0);
  is("... tips as well", await tip(), "java-7/matcher | ready, waiting for a CPU, for java-7/reporter | from 10:15:02.000000000 UTC, for 300 ms");
  await press("s");
  is("busy first: by running", (await rows()).map((label) => label.split(":")[0]), ["java-7/reporter", "java-7/matcher", "java-7"]);
  await press(".", ".");
  is("spans one by one", (await tip()).startsWith("java-7/reporter | time slice used up, for java-7/matcher | "), true);
  await press(",");
  is("... and back", (await tip()).startsWith("java-7/reporter | running | "), true);
}

// Nothing may be cut.
async function useNarrow() {
  for (const [width, height] of [[390, 844], [700, 900]]) {
    page = await newPage({ viewport: { width, height }, isMobile: width < 400, hasTouch: width < 400 });
    for (const name of ["waits", "cpu", "hostile"]) {
      await open(name);
      is(`${name}, ${width} px: texts are inside`, await page.$$eval("#heading > *, .legend-item, .window, .timeline-axis text",
        (all, w) => all.filter((e) => e.getBoundingClientRect().right > w + 1 && e.textContent.includes(" ")).map((e) => e.textContent), width), []);
      is("... as large as elsewhere", await page.$eval("#heading .title", (e) => e.getBoundingClientRect().height > 15), true);
      is("... with room for the time", (await bar())[2] > width * 0.5, true);
    }
  }
}

async function usePaper() {
  page = await newPage({ colorScheme: "dark" });
  await open("time");
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  is("on paper: light, without controls", [await page.getAttribute(".pyrograph", "data-theme"), await shown(".tools"), await shown(".controls")],
    ["light", false, false]);
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  is("... the screen dark again", await page.getAttribute(".pyrograph", "data-theme"), "dark");
}

// What a reader keeps of it.
async function useKeep() {
  await open("time");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await drag(0.25, 0.5);
  await press("F");
  await page.waitForSelector(".toast:not([hidden])");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const lines = copied.trimEnd().split("\n");
  is("folded lines have the header", lines[0].startsWith("# pyrograph: host=db1 event=sched "), true);
  is("... and the part's spans, cut to it", lines.filter((line) => line.includes("spin-a-4711")).map((line) => Math.round(Number(line.split(" ")[2]) / 1e7)), [50]);
}

// Sums are shown as charts of bars, of CPUs and threads.
async function useSums() {
  await open("sums");
  const names = () => page.$$eval("#bars-rows .row", (all) => all.map((e) => e.getAttribute("aria-label").split(":")[0]));
  is("sums by thread", await names(), ["poller-99", "spin-a-4711", "java-8513/dw-20 - GET /", "late-8", "net-7"]);
  is("... the legend tells of CPUs", await page.getAttribute(".legend-item[data-key=':CPU 3']", "title").then((text) => text.split("\n")[1]),
    "package 1, core 1, node 1, isolated, nohz_full, interrupts 25:eth0-rx-1");
  await page.click(".legend-item[data-key=':CPU 2']");
  is("what is pressed is seen below the mouse", await unpressed(), []);
  is("... sorted by a CPU", (await names()).slice(0, 2), ["java-8513/dw-20 - GET /", "net-7"]);
  await open("sums-cpu");
  is("sums by CPU", await names(), ["CPU 0", "CPU 1", "CPU 2", "CPU 3"]);
  is("... with idle time", await page.locator(".legend-item[data-key=':idle']").count(), 1);
}

async function useElsewhere() {
  page = await newPage({ colorScheme: "dark" });
  await open("time");
  is("dark in a dark window", await page.getAttribute(".pyrograph", "data-theme"), "dark");
  page = await newPage({ viewport: { width: 1400, height: 900 } });
  await page.goto(urlOf("page.html"));
  await page.waitForFunction(() => document.querySelectorAll("svg[data-ready]").length === 2);
  is("two in a page", await page.$$eval("svg .timeline .row", (all) => all.length), 9);
  await open("shared");
  is("with a script of its own", (await rows()).length, 5);
}

start([async (first) => { page = first; }, useView, useZoom, useRows, useHostile, useBig, useSums, useBack, useQuickly, useIdle, useWaits, useElsewhere, useNarrow, useKeep, usePaper]);
