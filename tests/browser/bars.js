// Opens charts of bars from file:// in Chromium and uses them as people do.
// Prints TAP; argument: the directory that bars.test.sh made.
"use strict";

const fs = require("fs");
const { is, becomes, quick, start, newPage, open, urlOf, details, matched, hash, shown, texts, press, unpressed } = require("./pictures");

let page;

// Rows as drawn, by the text that screen readers hear, up to the colon.
const rows = () => page.$$eval("#bars-rows .row", (all) => all.map((row) => row.getAttribute("aria-label").split(": ")[0]));
const rowText = (name) => page.$$eval("#bars-rows .row", (all, wanted) => all.find((row) =>
  row.getAttribute("aria-label").startsWith(`${wanted}: `)).getAttribute("aria-label"), name);

// The bar of a row: [[left, width, fill, faded], ...], px from the bar's left edge.
const bar = (name) => page.$$eval("#bars-rows .row", (all, wanted) => {
  const row = all.find((one) => one.getAttribute("aria-label").startsWith(`${wanted}: `));
  const rects = Array.from(row.querySelectorAll("rect:not(.chosen)"));
  const x = (rect) => Number(rect.getAttribute("x"));
  return rects.map((rect) => [Math.round(x(rect) - x(rects[0])), Math.round(Number(rect.getAttribute("width"))),
    rect.getAttribute("fill"), rect.hasAttribute("opacity")]);
}, name);
const barWidth = async (name) => (await bar(name)).reduce((end, [x, w]) => Math.max(end, x + w), 0);

// The middle of the n-th rectangle of a row; for n = -1, of the row's name.
const place = (name, n) => page.$$eval("#bars-rows .row", (all, [wanted, nth]) => {
  const row = all.find((one) => one.getAttribute("aria-label").startsWith(`${wanted}: `));
  const box = (nth < 0 ? row.querySelector("text") : row.querySelectorAll("rect:not(.chosen)")[nth]).getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}, [name, n]);
const click = async (name, n, options) => page.mouse.click(...await place(name, n), options);
const hover = async (name, n) => page.mouse.move(...await place(name, n));
const legend = (text) => page.click(`.legend-item:has(.legend-text:text-is("${text}"))`);
const chips = () => texts(".chip");
const cells = (label) => page.$$eval(".aside table", (all, wanted) => Array.from(all.find((table) =>
  table.getAttribute("aria-label").startsWith(wanted)).querySelectorAll("tbody tr"), (row) =>
  Array.from(row.children, (cell) => cell.textContent.trim())), label);
const fill = async (selector, pattern) => {
  await page.fill(`${selector} input`, pattern);
  await page.dispatchEvent(`${selector} input`, "change");
};
const copied = async (key) => {
  await page.evaluate(() => {
    window.copies = [];
    navigator.clipboard.writeText = async (text) => { window.copies.push(text); };
  });
  await press(key);
  await page.waitForFunction(() => window.copies.length);
  return page.evaluate(() => window.copies[0]);
};

async function useMouse() {
  await open("spin");
  is("the rows are there, who waits most first", await rows(), ["spin-a-4711", "spin-b-4712", "java-8513/worker-2", "java-8513/worker-1"]);
  is("what a row says", await rowText("spin-a-4711"),
    "spin-a-4711: 10 s, waited 5 s for a CPU, 50 %, running 50 %, preempted for spin-b-4712 45 %, preempted for kworker/0:1-33 5 %");
  const [a, b] = [await barWidth("spin-a-4711"), await barWidth("java-8513/worker-2")];
  is("one scale for all: who lived half the window has half the bar", Math.abs(b / a - 0.5) < 0.01, true);
  await hover("spin-a-4711", 0);
  is("hover: thread, state, who had the CPU, time, shares, count, longest", await details(),
    "spin-a-4711: preempted for spin-b-4712, 4.5 s, 45 % of its row, 45 % of the window, 1,203 times, longest 8 ms");
  await page.waitForSelector(".tip", { state: "visible" });
  is("... in a box too", (await page.textContent(".tip")).includes("while spin-b-4712 had the CPU"), true);
  await hover("spin-a-4711", -1);
  is("... a name: the whole row", await details(), "spin-a-4711: 10 s, 100 % of the window, 2,443 times, longest 9 ms");
  await page.mouse.move(700, 700);
  is("... outside: how many there are", await details(), "All 4 threads");

  await click("java-8513/worker-2", 1);
  is("a click on a row: its details", await page.textContent(".aside h2"), "java-8513/worker-2");
  is("... its states", await cells("State of"), [["ready, waiting for a CPU", "1 s", "20 %", "10", "300 ms"],
    ["running", "2 s", "40 %", "10", "500 ms"], ["sleeping", "2 s", "40 %", "9", "900 ms"]]);
  is("... who took the CPU", await cells("Who took"), [["java-8513/worker-1", "1 s", "100 %", "10", "300 ms"]]);
  is("... in the link", await hash(), "#z=java-8513/worker-2");
  await page.click(".aside .close");
  is("... closed", [await texts(".aside h2"), await hash()], [["Who had the CPU"], ""]);

  await click("spin-a-4711", 0);
  is("a click on who had the CPU: who else waited for it", [await rows(), await chips()],
    [["spin-a-4711", "java-8513/worker-1"], ["Waited forspin-b-4712"]]);
  is("... other segments are faded", (await bar("spin-a-4711")).map((segment) => segment[3]), [false, true, true]);
  is("... what it took from whom", await cells("From whom spin-b-4712"), [["spin-a-4711", "4.5 s", "94.7 %", "1,203", "8 ms"],
    ["java-8513/worker-1", "250 ms", "5.26 %", "70", "4 ms"]]);
  await page.goBack();
  await page.waitForFunction(() => !location.hash);
  is("Back undoes it", [(await rows()).length, await chips()], [4, []]);
}

async function useLongNames() {
  await open("long");
  is("long names of a table: their ends, by which they differ", await page.$$eval(".aside th .link", (all) =>
    all.map((e) => [/-service-\d$/.test(e.textContent), e.scrollWidth > e.clientWidth])), [[true, false], [true, false]]);
  is("... whole in a tip", (await page.getAttribute(".aside th .link", "title")).includes("billing-4711/worker-of-the-settlement-service-"), true);
  is("the head of what a row waited for", await page.textContent(".by-figure"), "Waited, behind whom");
}

async function useSort() {
  await open("spin");
  await legend("sleeping");
  is("a click on the legend sorts by that state", [await rows(), await hash()],
    [["java-8513/worker-2", "spin-b-4712", "spin-a-4711", "java-8513/worker-1"], "#sort=:sleeping"]);
  is("... says so", await page.getAttribute(".legend-item[aria-pressed='true'] .legend-text >> xpath=..", "data-key"), ":sleeping");
  await legend("sleeping");
  is("... again: the other way round", (await rows()).slice(2), ["spin-b-4712", "java-8513/worker-2"]);
  is("... figures beside the bars", await page.$eval("#bars-rows .row", (row) => Array.from(row.querySelectorAll("text[text-anchor]"),
    (e) => e.textContent)), ["0 ns", "0 %"]);
  await page.click(".by-name");
  is("by name", await rows(), ["java-8513/worker-1", "java-8513/worker-2", "spin-a-4711", "spin-b-4712"]);
  await press("2");
  is("by total", (await rows())[3], "java-8513/worker-2");
  await press("1");
  is("by waiting", (await rows())[0], "spin-a-4711");
  is("... for whom is beside the bars", await page.$eval("#bars-rows .row", (row) => row.lastElementChild.textContent),
    "5 s: 90 % spin-b-4712, 10 % kworker/0:1-33");
  await press("Escape");
  await page.waitForFunction(() => location.hash === "#sort=total");
  is("Esc undoes the last step", (await rows())[3], "java-8513/worker-2");
  await press("0");
  is("0: as it was drawn", await hash(), "");
}

async function useFilter() {
  await open("spin");
  await press("/");
  await page.keyboard.type("^java.*[12]$", { delay: 5 });
  await becomes("/ and a regular expression: only rows that match", async () => [await rows(), await hash()],
    [["java-8513/worker-2", "java-8513/worker-1"], "#f=^java.*[12]$"]);
  is("... the sum is of them", await page.getAttribute(".bars-axis", "aria-label"),
    "2 of 4 threads: ready, waiting for a CPU 8.33 %, running 20 %, blocked-io 58.3 %, sleeping 13.3 %");
  await fill(".of-filter", "JAVA");
  is("... upper case is another", [await rows(), await shown(".empty")], [[], true]);
  await page.click(".of-filter .case");
  is("... unless it is ignored", (await rows()).length, 2);
  await fill(".of-filter", "(");
  is("no regular expression: said, and all rows stay", [(await rows()).length, await texts(".wrong[role=alert]")],
    [4, ["Not a regular expression: ("]]);
  await page.focus(".of-filter input");
  await press("Escape");
  is("Esc clears it", [await page.$eval(".of-filter input", (e) => e.value), await hash()], ["", ""]);

  await fill(".of-search", "kworker");
  is("search: what it finds stands out", (await bar("spin-a-4711")).map((segment) => segment[3]), [true, false, true]);
  is("... and is counted", await matched(), "Matched: 1 row, 1.43 % of the time");
  await fill(".of-search", "sleeping");
  is("... states too", await matched(), "Matched: 2 rows, 8.57 % of the time");
  await fill(".of-search", "worker-2");
  is("... names of rows", await page.$$eval("#bars-rows .found", (all) => all.map((e) => e.textContent)), ["java-8513/worker-2"]);
  await press("F3");
  is("F3 goes there", (await details()).split(":")[0], "java-8513/worker-2");
  await fill(".of-search", "(a+)+$");
  await becomes("a pattern that may be slow does no harm", matched, "Matched: 0 rows, 0 % of the time");
}

async function useScales() {
  await open("spin");
  const half = await barWidth("java-8513/worker-2"), whole = await barWidth("spin-a-4711");
  await page.click("button:text-is('Each 100 %')");
  is("each row 100%", Math.abs(await barWidth("java-8513/worker-2") - whole) < 2, true);
  is("... the axis has shares", (await ticks()).includes("100 %"), true);
  is("... in the link", await hash(), "#scale=row");
  await press("w");
  is("W: the window again", await barWidth("java-8513/worker-2"), half);
  await page.click(".controls >> text=Count");
  is("count: other widths, other axis", [(await bar("java-8513/worker-2"))[0][1] < 20,
    (await ticks()).some((text) => text === "1,000")], [true, true]);
  await press("c");
  is("C: time again", await barWidth("java-8513/worker-2"), half);
  await press("p");
  is("pools are folded, with members", await rows(), ["spin-a-4711", "java-8513/worker-* ×2", "spin-b-4712"]);
  is("... which is said", [await page.getAttribute(".bars-axis", "aria-label").then((text) => text.split(":")[0]), await hash()],
    ["All 3 rows of 4 threads", "#pools=1"]);
  await hover("java-8513/worker-* ×2", 0);
  is("... and who took the CPU from the pool", (await details()).split(", ").slice(0, 2).join(", "), "java-8513/worker-* ×2: ready, waiting for a CPU for java-8513/worker-*");
}

const ticks = () => page.$$eval(".bars-axis .quiet-text", (all) => all.map((e) => e.textContent));

async function useOptions() {
  await open("count");
  is("drawn by count: so it stays", [await page.getAttribute(".controls button:text-is('Count')", "aria-pressed"),
    (await ticks()).includes("1,000"), await hash()], ["true", true, ""]);
  await press("2");
  await press("c");
  is("... time is another", [(await ticks()).some((text) => / s$/.test(text)), await hash()], [true, "#sort=total&m=time"]);
  is("... of which no window is known", (await page.$eval("#bars-rows .row", (row) => Array.from(row.querySelectorAll(
    "text[text-anchor]"), (e) => e.textContent))), ["10 s", ""]);
  await open("plain");
  is("one value a line", [await rows(), await ticks().then((all) => all.pop()), await shown(".controls button:text-is('Time')")],
    [["b", "a"], "12 samples", false]);
  is("... of any unit", (await page.$$eval(".aside th", (all) => all.map((e) => e.textContent))).slice(0, 2), ["Thread", "Samples"]);
}

async function useTenancy() {
  await open("tenancy");
  is("tenancy: who ran most first, and where", [await rows(), await texts(".legend-text"), (await page.$eval("#bars-rows .row", (row) =>
    row.lastElementChild.textContent))], [["java-8513/dw-2", "java-8513/dw-1", "idler-9"], ["CPU 0", "CPU 1", "total"], "0 moves, 1 CPU"]);
  await hover("java-8513/dw-1", 0);
  is("... with migrations", await details(),
    "java-8513/dw-1: CPU 0, 1 s, 33.3 % of its row, 10 % of the window, 100 times, longest 9 ms, 3 migrations");
  is("... nobody contends", [await shown(".functions"), await shown(".aside")], [false, false]);
  await legend("CPU 0");
  is("... sorted by a CPU", (await rows())[0], "java-8513/dw-1");
  const [all, one] = [await barWidth("java-8513/dw-1"), (await open("tenancy", "#scale=widest"), await barWidth("java-8513/dw-2"))];
  is("... the widest row as the scale", one > 2 * all, true);
  await open("cpus");
  is("by CPU: rows are CPUs", [await rows(), await texts(".rows-head .by-name")], [["CPU 0", "CPU 1"], ["CPUs"]]);
  await press("p");
  is("... pools are of their threads", (await texts(".legend-text")).includes("java-8513/dw-*"), true);
  await click("CPU 1", -1);
  is("... in the details too", (await cells("Thread of")).map((row) => row[0])[0], "java-8513/dw-*");
}

async function useContenders() {
  await open("spin");
  is("contenders: who took how much, share, count, longest, from how many", await cells("Who had the CPU"), [
    ["spin-b-4712", "4.75 s", "64.6 %", "1,273", "8 ms", "2", "spin-a-4711 4.5 s, java-8513/worker-1 250 ms"],
    ["spin-a-4711", "1.1 s", "15 %", "900", "9 ms", "1", "spin-b-4712 1.1 s"],
    ["java-8513/worker-1", "1 s", "13.6 %", "10", "300 ms", "1", "java-8513/worker-2 1 s"],
    ["kworker/0:1-33", "500 ms", "6.8 %", "40", "7 ms", "1", "spin-a-4711 500 ms"]]);
  await page.click(".aside th button:text-is('Longest')");
  is("... sorted", (await cells("Who had the CPU")).map((row) => row[0]), ["java-8513/worker-1", "spin-a-4711", "spin-b-4712", "kworker/0:1-33"]);
  is("... said to readers of screens", await page.$$eval(".aside th[aria-sort='descending']", (all) => all.map((e) => e.textContent)), ["Longest"]);
  await page.click(".aside .link:text-is('kworker/0:1-33')");
  is("... a click: who waited for it", [await rows(), await hash()], [["spin-a-4711"], "#by=kworker/0:1-33"]);
  await page.click(".chip .remove");
  is("... all again", (await rows()).length, 4);
  await press("t");
  is("what is pressed is seen below the mouse", await unpressed(), []);
  is("... T: away", [await shown(".aside"), await hash()], [false, "#table=0"]);
  await press("t");
  is("... as CSV", (await copied("T")).split("\n").slice(0, 2),
    ["contender,took from,time [ns],count,longest [ns]", "spin-b-4712/spin-b,spin-a-4711/spin-a,4500000000,1203,8000000"]);
  is("rows as CSV", (await copied("C")).split("\n")[1].split(",").slice(0, 5),
    ["spin-a-4711/spin-a", "1", "10000000000", "5000000000", "0"]);
}

async function useKeys() {
  await open("spin");
  await press("ArrowDown", "ArrowDown");
  is("arrows walk the rows", (await details()).split(":")[0], "spin-b-4712");
  await press("ArrowRight");
  is("... and the parts of a bar", (await details()).split(",")[0], "spin-b-4712: time slice used up for spin-a-4711");
  is("... said to readers of screens", (await page.textContent("[aria-live]")).startsWith("spin-b-4712: time slice used up for spin-a-4711"), true);
  is("... which know the row", await page.$eval(".graph[role=listbox]", (e) => document.getElementById(
    e.getAttribute("aria-activedescendant")).getAttribute("aria-label").split(":")[0]), "spin-b-4712");
  await press("Enter");
  is("Enter: who else waited for it", await chips(), ["Waited forspin-a-4711"]);
  await press("Escape");
  await page.waitForFunction(() => !location.hash);
  await press("ArrowLeft", "Enter");
  is("... of a row: its details", await page.textContent(".aside h2"), "spin-b-4712");
  await press("x");
  is("X: who waited for this thread", await chips(), ["Waited forspin-b-4712"]);
  await press("R");
  is("R: all as it was", [await hash(), (await rows()).length, await shown(".aside")], ["", 4, true]);
  await press("?");
  is("help", [await shown(".help-box"), (await page.textContent(".help-box")).includes("Filter rows by name")], [true, true]);
  await press("Escape", "v");
  is("the view has a menu", (await texts(".menu button")).length > 10, true);
  await press("Escape");
  await click("spin-a-4711", 0, { button: "right" });
  await page.click(".menu button:has-text('Who else waited for spin-b-4712')");
  is("a menu of a row", await chips(), ["Waited forspin-b-4712"]);
}

async function useLinks() {
  await open("spin", "#sort=:running&f=spin&scale=row&by=spin-a-4711/spin-a&table=1&cb=1&t=dark");
  is("a link brings it all", [await rows(), await page.getAttribute(".pyrograph", "data-theme"), await shown(".aside"), await chips(),
    await page.$eval(".of-filter input", (e) => e.value)], [["spin-b-4712"], "dark", true, ["Waited forspin-a-4711"], "spin"]);
  is("... colours for colour-blind eyes", await page.evaluate(() => {
    const { kinds } = JSON.parse(document.querySelector("#bars").textContent);
    const fill = document.querySelector("#bars-rows .row rect:last-of-type").getAttribute("fill");
    return [fill === kinds.find((kind) => kind.name === "sleeping").safe, kinds.every((kind) => kind.safe)];
  }), [true, true]);
  await open("spin", "#sort=:nothing&z=gone&by=%ff&f=%5B");
  is("a broken link does no harm", await texts(".chip"), ["Nobody waited for%ff", "Not here:gone"]);
}

async function useHostileNames() {
  await open("hostile");
  const all = await rows();
  is("markup in names is text", all.includes('<script>alert(1)</script>-7/"><img src=x onerror=alert(1)>'), true);
  is("... names of objects are names", all.includes("__proto__"), true);
  await click('<script>alert(1)</script>-7/"><img src=x onerror=alert(1)>', -1);
  is("... nothing became an element", await page.locator("img, .pyrograph script, a, .pyrograph title").count(), 0);
  is("... in the link as well", (await hash()).startsWith("#z=<script>"), true);
  is("no formulas for spreadsheets", (await copied("C")).includes("\n'=1+cmd|calc-8/=1+cmd|calc,1,"), true);
}

async function useBig() {
  await quick("charts of bars: 500 rows of 30 parts open", async () => {
    const before = Date.now();
    await open("big");
    return Date.now() - before;
  });
  is("only rows in the window are elements", (await rows()).length < 120, true);
  await page.$eval(".scroll", (e) => { e.scrollTop = e.scrollHeight; });
  await page.waitForFunction(() => document.querySelector("#bars-rows").lastElementChild.getAttribute("aria-posinset") === "500");
  const top = (selector) => page.$eval(selector, (e) => Math.round(e.getBoundingClientRect().top));
  is("scrolled: heading, legend, axis stay", [await top("#heading") < 10, await top(".legend") > 0, await top(".bars-axis") > 0], [true, true, true]);
  is("... a row is at least 14 px high", await page.$$eval("#bars-rows .row rect", (all) => all[0].getBoundingClientRect().height >= 11), true);
  const redraw = () => page.evaluate(() => ["i", "1", "2", "3", "w", "w", "c", "b", "p", "p", "o"].map((key) => {
    const at = performance.now();
    window.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    document.documentElement.getBoundingClientRect(); // layout included
    return performance.now() - at;
  }));
  await redraw();
  is("rows of tables are made when they are looked at", await page.$$eval(".aside tbody tr", (all) => all.length) < 200, true);
  await quick("... are redrawn", async () => (await redraw()).sort((a, b) => a - b)[6]);
}

async function useSaved() {
  await open("spin", "#sort=:running&s=kworker");
  const [download] = await Promise.all([page.waitForEvent("download"), press("S")]);
  const svg = fs.readFileSync(await download.path(), "utf8");
  is("saved: all rows, legend, what was done", ["java-8513/worker-1", "preempted 14.3 %", "Sorted by running", "Search: kworker",
    "Who had the CPU while others waited for it", "kworker/0:1-33", ">Threads<"].map((text) => svg.includes(text)), new Array(7).fill(true));
  is("... no script, no style", /<script|<style|class=|foreignObject/.test(svg), false);
}

async function useEverywhere() {
  page = await newPage({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await open("spin");
  is("a phone: nothing stands out", await page.evaluate(() => document.documentElement.scrollWidth <= 390 &&
    document.querySelector(".graph").getBoundingClientRect().right <= 390), true);
  is("... rows for fingers", await page.$eval("#bars-rows .row rect", (e) => e.getBoundingClientRect().height > 20), true);
  const [x, y] = await place("spin-a-4711", 0);
  await page.touchscreen.tap(x, y);
  await becomes("... the first tap says what it is", async () => [(await details()).startsWith("spin-a-4711: preempted for spin-b"), await chips()], [true, []]);
  await page.touchscreen.tap(x, y);
  await becomes("... the second chooses it", chips, ["Waited forspin-b-4712"]);
  page = await newPage({ colorScheme: "dark" });
  await open("spin");
  is("dark where the system is", await page.getAttribute(".pyrograph", "data-theme"), "dark");
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  is("on paper: light, without controls", [await page.getAttribute(".pyrograph", "data-theme"), await shown(".tools"), await shown(".controls")],
    ["light", false, false]);
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
}

async function useCrowd() {
  page = await newPage();
  await open("crowd");
  const labels = (name) => page.$$eval("#bars-rows .row", (all, wanted) => Array.from(all.find((row) =>
    row.getAttribute("aria-label").startsWith(wanted)).querySelectorAll("text.black, text.white"), (e) => e.textContent), name);
  const make = await labels("make-900");

  is("who starves whom", (await labels("starve-24296/victim"))[0], "for bully, 2.81 s");
  is("those who took little share a part", make.some((text) => /6 more/.test(text)), true);
  const parts = (await bar("make-900")).length;
  await press("e");
  is("... E: all of them", [(await bar("make-900")).length > parts, await hash()], [true, "#every=1"]);
  is("... none is left together", (await labels("make-900")).some((text) => /more/.test(text)), false);
  await press("e");
  is("... again: together", [(await bar("make-900")).length, await hash()], [parts, ""]);
  await hover("make-900", parts - 2);
  is("what is said of them", await details(), "make-900: ready, waiting for a CPU for 6 more threads, 315 ms, 27.5 % of its row, 10.4 % of the window, " +
    "285 times, longest 4 ms");
  await page.waitForSelector(".tip", { state: "visible" });
  is("... their names in the box", (await page.textContent(".tip")).includes("sh-914 56 ms, sh-915 55 ms"), true);
  is("[others] has words", (await cells("Who had the CPU"))[1][0], "threads not told apart");
}

// Most rows belong to the same process.
async function useFamily() {
  await open("family");
  const drawn = () => page.$$eval("#bars-rows .row", (all) => all.map((row) => row.querySelector("text").textContent));
  is("threads of one process: without its name", await drawn(), ["journal", "matcher", "reporter", "make-77", "make-78"]);
  is("... labels too", await page.$$eval("#bars-rows .row:first-child text", (all) => all[1].textContent), "for worker-22, 2 s");
  is("... readers of screens hear all of it", (await rows())[0], "app-9/journal");
  is("... and in the tables", (await cells("Who had the CPU")).map((row) => [row[0], row[6]]), [["worker-22", "journal 2 s, matcher 2 s, reporter 2 s"],
    ["make-77", "journal 90 ms, matcher 90 ms, reporter 90 ms"]]);
  await press("p");
  is("the number of a process is none of a pool", (await drawn()).filter((name) => /^make/.test(name)), ["make-77", "make-78"]);
  await press("p", "c");
  is("count: the column is of it", await page.$eval("#bars-rows .row", (row) => row.lastElementChild.textContent), "540 times: 93 % worker-22, 7 % make-77");
  is("... the contenders as well", (await page.textContent(".aside")).includes("1,620 times in all"), true);
  await press("c");
  await page.click(".aside .link:text-is('make-77')");
  is("one scope: what was waited for it", [await page.$eval("#bars-rows .row", (row) => row.lastElementChild.textContent),
    await page.$eval(".bars-axis", (head) => head.lastElementChild.textContent), await page.textContent(".by-figure"),
    (await texts(".aside .quiet")).some((text) => text === "time 270 ms, from 3 threads"), (await page.textContent(".aside")).includes("6.27 s in all, 270 ms of it make-77")],
  ["90 ms, 4.31 % of its waiting", "270 ms, 4.31 % of their waiting", "waited for make-77", true, true]);
  is("... the headline says that it is of all", (await page.textContent(".notes .details")).startsWith("Of all threads: app-9/"), true);
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !location.hash);
  is("... no longer", (await page.textContent(".notes .details")).startsWith("app-9/"), true);
  await open("told");
  const told = () => page.$$eval(".notes .headline", (all) => all.map((e) => [e.textContent, getComputedStyle(e).fontWeight]));
  const headline = [["app-9 used 0.10 of 2 CPUs.", "400"],
    ["6 threads of app-9 waited for a lock, up to 149 ms, 3 times, every 5.16 s: caused by index-builder: Stall.rebuildIndex > Stall.addEntry, " +
    "via http-worker-1, http-worker-2, http-worker-3, http-worker-4", "700"], ["Look at the timeline.", "400"]];
  is("a report's headline: lines that flow, in bold who did it", await told(), headline);
  await press("p");
  is("... it stays as it is, whatever is shown", [await told(), (await page.textContent(".notes .details")).startsWith("Of all threads: app-9/")], [headline, true]);
  await open("family", "#by=gone");
  is("a link with a contender that is not there: all rows", [(await drawn()).length, await chips()], [5, ["Nobody waited forgone"]]);
  await open("family");
  const height = () => page.$eval(".bars", (e) => Math.round(e.getBoundingClientRect().top)), before = await height();
  const errors = [];
  for (const box of [".of-filter", ".of-search"]) {
    await fill(box, "(");
    errors.push(await texts(".wrong"), await height() - before);
    await fill(box, "");
  }
  is("filter and search tell what is wrong in one way, once, and nothing jumps", errors,
    [["Not a regular expression: ("], 0, ["Not a regular expression: ("], 0]);
  await page.focus(".scroll .graph");
  await press("ArrowDown", "ArrowDown");
  is("where the keys are is selected", await page.$$eval("#bars-rows [aria-selected='true']", (all) => all.length), 1);
}

// Nothing is drawn over something else.
async function useLowWindows() {
  for (const [width, height] of [[390, 844], [700, 900], [1200, 600]]) {
    page = await newPage({ viewport: { width, height } });
    await open("family", "#z=app-9/journal&by=app-9/worker-22&table=1");
    is(`${width} x ${height}: rows, tables and the line below stand apart`, await page.evaluate(() => {
      const [stage, aside, foot] = [".stage", ".aside", ".foot"].map((name) => document.querySelector(name).getBoundingClientRect());
      return [stage.bottom <= aside.top + 1, aside.bottom <= foot.top + 1, aside.height > 100];
    }), [true, true, true]);
    is("... an axis with more than 0, and whom they waited for", [(await ticks()).length > 1, width > 400 ||
      (await page.$eval("#bars-rows .row", (row) => row.querySelectorAll("text")[1].textContent)).startsWith("2 s")], [true, true]);
  }
  page = await newPage();
}

async function useReaders() {
  page = await newPage();
  await open("spin");
  const session = await page.context().newCDPSession(page);
  const nodes = (await session.send("Accessibility.getFullAXTree")).nodes.filter((node) => !node.ignored);
  const count = (role) => nodes.filter((node) => node.role.value === role).length;
  is("readers of screens find rows, tables, one main part", [count("option"), count("listbox"), count("table"), count("main")], [4, 1, 1, 1]);
  is("... the sum as a picture with words", nodes.filter((node) => ["image", "img"].includes(node.role.value)).map((node) => node.name.value)
    .some((name) => name.startsWith("All 4 threads: preempted 14.3 %")), true);
  is("... buttons that say what they do", nodes.filter((node) => node.role.value === "button" && !node.name.value).length, 0);
  await session.detach();
  await page.keyboard.press("Tab");
  is("Tab: a focus that can be seen", await page.evaluate(() => document.activeElement.matches(":focus-visible")), true);
}

async function usePages() {
  page = await newPage();
  await open("shared");
  is("a shared script does the same", (await rows()).length, 4);
  await page.goto(urlOf("page.html"));
  await page.waitForFunction(() => document.querySelectorAll("svg[data-ready]").length === 2);
  is("charts of two kinds in one page", [(await rows()).length, await page.locator("#frames rect").count() > 3], [4, true]);
  await page.click(".legend-item:has(.legend-text:text-is('sleeping'))");
  is("... each for itself, without an address", [(await rows())[0], await page.evaluate(() => location.hash)], ["java-8513/worker-2", ""]);
  await page.click("button:text-is('Each 100 %')");
  await page.keyboard.press("Escape");
  is("... undoing works too", (await rows())[0], "java-8513/worker-2");
}

// Disturbances of a CPU: shown beside what ran, and by the longest disturbance.
async function useNoise() {
  page = await newPage();
  await open("noise");
  is("noise: the sum is of noise alone", await page.getAttribute(".bars-axis", "aria-label"),
    "All noise: interrupt 0.93 %, call 0.25 %, softirq 66.4 %, timer 27.8 %, work 4.63 %");
  is("... what ran is cut, what has a little of it is seen", [await page.locator("#bars-rows .cut").count(),
    (await bar("cpu1;virtio_transport_send_pkt_work"))[0][1]], [2, 1]);
  is("... colours are those of kinds", (await bar("cpu1;rcu"))[0][2], "#a9d99b");
  await press("g");
  is("G: of the longest at once", [(await bar("cpu1;rcu"))[0][2], (await bar("cpu1;wb_workfn"))[0][2], (await bar("cpu1;solver-11545"))[0][2],
    await hash()], ["#a6dba0", "#fbcb5c", "#b0b0b0", "#longest=1"]);
  is("... which the legend says", (await texts(".legend-text")).slice(0, 5),
    ["longest at once: under 1 µs", "1 µs to 10 µs", "10 µs to 100 µs", "100 µs to 1 ms", "1 ms to 10 ms"]);
  is("... with what is grey", (await texts(".legend-text"))[5], "running");
  await press("4");
  is("4: the longest first, whatever ran longer", (await rows()).slice(0, 3), ["cpu1;wb_workfn", "cpu1;perf_swevent_hrtimer", "cpu1;rcu"]);
  await page.click("button:text-is('State')");
  is("... and back", [(await bar("cpu1;rcu"))[0][2], await hash()], ["#a9d99b", "#sort=longest"]);
  await legend("running");
  is("by what ran: the sum at the top is that, of all time", (await texts(".bars-axis .ink, .bars-axis .quiet-text")).slice(-2), ["4.4 s", "99.1 %"]);
  await fill(".of-filter", "rcu");
  is("the sum of some rows says so", (await page.getAttribute(".bars-axis", "aria-label")).split(":")[0], "noise of 2 of 15 sources");
}

start([async (first) => { page = first; }, useMouse, useSort, useLongNames, useFilter, useScales, useOptions, useTenancy, useContenders, useKeys, useLinks, useHostileNames,
  useBig, useSaved, useEverywhere, useCrowd, useFamily, useLowWindows, useReaders, usePages, useNoise]);
