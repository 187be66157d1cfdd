// Uses what stands around a heat map as people do: keys, toolbar, legend, distribution, saving.
// Prints TAP; arguments: a directory, pyrograph-render.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import pictures from "./pictures.js";
import { examples } from "./heat_fixture.mjs";

const { is, becomes, start, newPage, shown, texts, press } = pictures;
const [, , tmp, render] = process.argv;
let page;

// The panel is open, if nothing else is said, and its part of the link is not looked at.
const withPanel = (link) => link + (link.length > 1 ? "&" : "") + "panel=1";
const open = (name, link = "#") => pictures.open(name, withPanel(link));
const hash = async () => (await pictures.hash()).replace(/panel=1&?/, "").replace(/[#&]$/, "");

// ---- pictures ----

function draw(name, lines, ...options) {
  const input = path.join(tmp, `${name}.timed`);
  fs.writeFileSync(input, lines);
  execFileSync(render, ["heat", "-q", "-o", path.join(tmp, `${name}.svg`), ...options, input]);
}

const START = 1795342502;
const at = (ms) => `@${START + Math.floor(ms / 1000)}.${String(ms % 1000).padStart(3, "0")}000000`;
const header = (seconds, more = "") => `# pyrograph: host=db1 event=cpu-clock from=${new Date(START * 1000).toISOString().replace("Z", "000000Z")} ` +
  `to=${new Date((START + seconds) * 1000).toISOString().replace("Z", "000000Z")} cpus=0-1 rate=10Hz root=thread,cpu ${more}unit=samples\n`;

// Ten seconds, ten samples a second: a on the first half of each second, b on the second one; c twice in
// the third second, where a then is missing; idle on CPU 1.
const plain = header(10) + `# gap: start=${START + 5}.5 end=${START + 6}.5 cpu=1 lost=7 why=throttled\n` +
  Array.from({ length: 100 }, (_, i) => i * 100).map((ms) => {
    const thread = ms === 2100 || ms === 2200 ? "c" : ms % 1000 < 500 ? "a" : "b";
    return `${at(ms)} ${thread};cpu0;main;${thread === "b" ? "write;flush" : "read"} 1\n` +
      (ms >= 5500 && ms < 6500 ? "" : `${at(ms + 1)} swapper-0/swapper/1;cpu1;do_idle_[k];default_idle_[k] 1\n`);
  }).join("");
const hostile = "<img src=x onerror=alert(1)>", bidi = "\u202egnp.exe\u202c", long = "x".repeat(100000), proto = "__proto__";

// ---- what is there ----

const rows = () => page.$$eval(".keys-list .row", (all) => all.map((row) => [row.getAttribute("title").slice(0, 40),
  ...Array.from(row.querySelectorAll(".c-total, .c-self"), (e) => e.textContent)]));
const marked = () => page.$$eval('.keys-list .row[aria-selected="true"]', (all) => all.map((row) => row.title));
const swatch = (name) => page.$$eval(".keys-list .row", (all, wanted) => getComputedStyle(all.find((row) => row.title === wanted)
  .querySelector(".dot")).backgroundColor, name);
const key = (name) => page.$$eval(".keys-list .row", (all, wanted) => all.find((row) => row.title === wanted).click(), name);
const colourBy = (name) => page.selectOption('select[aria-label="Coloured by"]', name);
const mode = (name) => page.click(`.keys-modes button:text-is("${name}")`);
const legend = () => page.$$eval(".legend .legend-item", (all) => all.map((e) => e.textContent.trim()));
const figures = () => page.$eval(".figures", (e) => Object.fromEntries(Array.from(e.querySelectorAll("dt"), (dt) =>
  [dt.textContent, dt.nextElementSibling.textContent])));
const table = (label) => page.$$eval(".distribution table", (all, wanted) => Array.from(all.find((e) =>
  e.getAttribute("aria-label") === wanted).querySelectorAll("tbody tr"), (tr) => Array.from(tr.children, (td) => td.textContent)), label);
const chips = () => texts(".chip:not(.of-idle)");
const pressed = (selector) => page.getAttribute(selector, "aria-pressed");
const count = () => page.textContent(".search .count");

// Colours of the cells that are there, as a sorted list without repeats.
const colours = () => page.$eval("canvas.cells", (canvas) => {
  const context = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
  context.drawImage(canvas, 0, 0);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height), found = new Map();
  for (let i = 0; i < data.length; i += 4) {
    const name = `${data[i]},${data[i + 1]},${data[i + 2]}`;
    found.set(name, (found.get(name) || 0) + 1);
  }
  return Array.from(found.keys()).sort();
});
const isGrey = (text) => new Set(text.split(",")).size === 1;

// The link of a selection, as heat_select writes it.
async function select(from, to, more = "") {
  const text = await page.evaluate(([a, b]) => pyrograph.heat.select.encode({ kind: "time", from: a, to: b }), [from, to]);
  await go(`#sel=${encodeURIComponent(text)}${more}`);
}
async function go(link) {
  await page.evaluate((text) => new Promise((done) => {
    window.addEventListener("hashchange", () => setTimeout(done, 0), { once: true });
    location.hash = text;
  }), withPanel(link || "#"));
}
async function saved(keys) {
  const [download] = await Promise.all([page.waitForEvent("download"), press(keys)]);
  const file = path.join(tmp, `saved-${download.suggestedFilename()}`);
  await download.saveAs(file);
  return { name: download.suggestedFilename(), bytes: fs.readFileSync(file) };
}
const folded = (text) => text.split("\n").filter((line) => line && !line.startsWith("#")).map((line) => line.replace(/^@\S+ /, ""));
const sums = (lines) => {
  const all = new Map();
  for (const line of lines) {
    const blank = line.lastIndexOf(" ");
    all.set(line.slice(0, blank), (all.get(line.slice(0, blank)) || 0) + Number(line.slice(blank + 1)));
  }
  return Array.from(all, ([stack, n]) => `${stack} ${n}`).sort();
};

// ---- keys ----

async function useKeys() {
  draw("plain", plain);
  await open("plain");
  is("no dimension: no list", await shown(".keys-list"), false);
  is("what there is to colour by", await page.$$eval('select[aria-label="Coloured by"] option', (all) => all.map((e) => e.value)),
    ["", "thread", "cpu", "regexp"]);
  await colourBy("thread");
  is("keys by falling counts, idle ones count nothing", await rows(), [["b", "50"], ["a", "48"], ["c", "2"], ["swapper-0/swapper/1", "\u2013"]]);
  is("the first ones are marked at once", [(await marked()).sort(), await hash()], [["a", "b", "c"], "#by=thread&k=b&k=a&k=c"]);
  const hues = [await swatch("a"), await swatch("c")];
  await page.click(".keys-modes .link");
  is("... in the link", await hash(), "#by=thread");
  await key("c");
  is("a click marks a key", [await marked(), await hash()], [["c"], "#by=thread&k=c"]);
  is("... in the hue of its place: the third", [await swatch("c"), hues[1]], ["rgb(24, 159, 242)", "rgb(24, 159, 242)"]);
  const all = await colours();
  is("... cells of it as well, the others are grey", [all.filter((c) => !isGrey(c)).length > 0, all.filter(isGrey).length > 0], [true, true]);
  await key("a");
  is("several at a time, each keeps its hue", [(await marked()).sort(), await swatch("a"), await swatch("c"), hues[0]],
    [["a", "c"], "rgb(53, 242, 24)", "rgb(24, 159, 242)", "rgb(53, 242, 24)"]);
  is("legend: the hues", (await legend()).slice(0, 3), ["c", "a", "all others"]);
  await mode("Isolate");
  is("isolate: only they are there", [await chips(), (await legend()).slice(0, 2), (await legend()).includes("all others"), (await colours()).filter((c) =>
    isGrey(c) && c !== "255,255,255" && !/^(2[0-9][0-9]),/.test(c)).length], [["Onlyc, a"], ["c", "a"], false, 0]);
  is("... the others are still in the list", (await rows()).length, 4);
  await mode("Exclude");
  is("exclude: without them, in the colours of counts", [await chips(), (await hash()).includes("mode=exclude")], [["Withoutc, a"], true]);
  await page.click(".chip .remove");
  is("the chip undoes it", [await chips(), await pressed('.keys-modes [data-mode="highlight"]')], [[], "true"]);
  await mode("All");
  is("all: each in a hue of its own, the same as before", [await marked(), (await legend()).slice(0, 4), await swatch("a"), await swatch("c")],
    [[], ["b", "a", "c", "swapper-0/swapper/1"], ...hues]);
  await page.click(".keys-modes .link");
  is("clear", [await marked(), await hash()], [[], "#by=thread"]);
  await page.goBack();
  await page.waitForFunction(() => location.hash.includes("mode=all"));
  is("Back undoes a step", await pressed('.keys-modes [data-mode="all"]'), "true");
}

async function useKeysByKeys() {
  await open("plain", "#by=thread");
  await page.focus(".keys-list");
  await press("ArrowDown", "ArrowDown", "Enter");
  is("arrows and Enter mark a key", await marked(), ["a"]);
  is("... which readers of screens hear", await page.$eval(".keys-list", (e) => document.getElementById(
    e.getAttribute("aria-activedescendant")).getAttribute("aria-label")), "a: 48 samples, 48 %");
  await press("i");
  is("i isolates", (await hash()).includes("mode=isolate"), true);
  await press("i");
  is("... and again: all", (await hash()).includes("mode"), false);
  await press("e");
  is("e excludes", (await hash()).includes("mode=exclude"), true);
  await press("h");
  await page.fill('.heat-keys input[type="text"]', "^[bc]");
  is("the filter of the list", [(await rows()).map((row) => row[0]), await page.textContent(".table-count")], [["b", "c"], "2 of 4"]);
  await page.fill('.heat-keys input[type="text"]', "(");
  is("... a bad one", [(await rows()).length, await page.$eval('.heat-keys input[type="text"]', (e) => e.classList.contains("invalid"))], [0, true]);
  await page.fill('.heat-keys input[type="text"]', "");
  await page.click(".head-name");
  is("sorted by name", (await rows()).map((row) => row[0]), ["a", "b", "c", "swapper-0/swapper/1"]);
  await press("k");
  is("k closes the panel", [await shown(".heat-body > .aside"), await pressed(".tools .keys")], [false, "false"]);
  await press("k");
  await press("n");
  is("n: the next dimension, its first keys marked", await hash(), "#by=cpu&k=cpu0");
}

async function useSelected() {
  await open("plain", "#by=thread");
  await select(2e9, 3e9, "&by=thread");
  is("with a selection: what is in it beside", await rows(), [["b", "50", "5"], ["a", "48", "3"], ["c", "2", "2"], ["swapper-0/swapper/1", "\u2013", "\u2013"]]);
  await page.click(".head-selected");
  is("... to sort by", (await rows()).map((row) => row[0]), ["b", "a", "c", "swapper-0/swapper/1"]);
}

async function usePatterns() {
  await open("plain", "#by=regexp");
  is("patterns: a box to type them in", await shown(".heat-keys textarea"), true);
  await page.fill(".heat-keys textarea", "writing=;write\nthe rest=^[ac];");
  await page.dispatchEvent(".heat-keys textarea", "change");
  is("... the first that fits is the key", (await rows()).map((row) => row.slice(0, 2)), [["the rest", "50"], ["writing", "50"]]);
  is("... each has a hue", (await marked()).sort(), ["the rest", "writing"]);
  is("... in the link", await hash(), "#by=regexp&k=writing&k=the%20rest&re=writing=;write&re=the%20rest=^[ac];".replace(/%20/g, " "));
  const link = await page.evaluate(() => location.hash);
  await page.fill(".heat-keys textarea", "writing=(");
  await page.dispatchEvent(".heat-keys textarea", "change");
  is("... a bad one is said, and nothing changes", [await page.textContent(".heat-keys .wrong"), (await rows()).length],
    ["Not a regular expression: (", 2]);
  await page.fill(".heat-keys textarea", "slow=^(\\w+;?)*$\nany=.");
  await page.dispatchEvent(".heat-keys textarea", "change");
  await page.waitForFunction(() => document.querySelector('.keys-list .row[title="slow"]'));
  is("... one that may take for ever is tried elsewhere first", (await rows()).map((row) => row.slice(0, 2)), [["slow", "100"], ["any", "\u2013"]]);
  draw("slow", header(1) + `${at(0)} ${"a".repeat(40)}!;cpu0;x 1\n`);
  await open("slow", "#by=regexp&re=slow=^(a|aa)%2B$");
  await page.waitForFunction(() => document.querySelector(".heat-keys .wrong").textContent);
  is("... and given up", await page.textContent(".heat-keys .wrong"), "Too slow, stopped after a second: ^(a|aa)+$");
  is("... what is there is told by threads", await page.$eval(".distribution select", (e) => e.value), "thread");
  await open("plain", link);
  is("... and comes back by it", (await rows()).map((row) => row[0]), ["the rest", "writing"]);
}

async function useManyKeys() {
  const made = [header(100)];
  for (let i = 0; i < 20000; i++)
    made.push(`${at(i * 5 % 100000)} pool-${i % 5000}/t;cpu0;main 1\n`);
  draw("many", made.join(""));
  await open("many");
  await colourBy("thread");
  const [elements, all] = await page.$eval(".keys-list", (e) => [e.querySelectorAll(".row").length, e.querySelector(".table-rows").style.height]);
  is("thousands of keys: only the rows in the window are there", [elements < 80, all], [true, "110000px"]);
  is("... four are marked at first", (await hash()).split("&k=").length, 5);
  await page.evaluate(() => { document.querySelector(".keys-list").scrollTop = 50000; });
  await page.waitForFunction(() => document.querySelector('.keys-list .row[data-row="2273"]'));
  is("... others when they come into it", await shown('.keys-list .row[data-row="2273"]'), true);
  const ms = await page.evaluate(() => {
    const before = performance.now();
    document.querySelector('.keys-list .row[data-row="2273"]').click();
    return performance.now() - before;
  });
  console.log(`# marking one of 5,000 keys: ${Math.round(ms)} ms`);
  await mode("All");
  is("... all: the first ones have hues", (await legend())[12], "and 12 more");
}

async function useHostile() {
  draw("hostile", header(2) + [hostile, bidi, long, proto, "constructor", "&amp:\"'"].map((name, i) =>
    `${at(i * 300)} ${name};cpu0;${name} ${i + 1}\n`).join(""), "--title", hostile);
  await open("hostile");
  await colourBy("thread");
  await page.click(".keys-modes .link");
  is("hostile names are text", (await rows()).map((row) => row[0].slice(0, 20)).sort(), [hostile, bidi.replace(/[\u202a-\u202e]/g, "\ufffd"), long, proto,
    "constructor", "&amp:\"'"].map((name) => name.slice(0, 20)).sort());
  await mode("All");
  is("... in the legend too", (await legend()).includes(hostile), true);
  await key(proto);
  await key(hostile);
  await mode("Isolate");
  is("... and in a chip", await chips(), [`Only${proto}, ${hostile}`]);
}

// ---- toolbar ----

const period = () => page.$eval(".heat-controls .period", (e) => e.value);

async function useToolbar() {
  await open("plain");
  await page.selectOption('select[aria-label="Period"]', "10000000000");
  is("a longer period", [await hash(), (await page.textContent(".legend .quiet")).includes("10 s")], ["#period=10000000000", true]);
  await page.selectOption('select[aria-label="Period"]', "other");
  await page.fill(".heat-controls .period", "1.013s");
  await press("Enter");
  is("any period", [await hash(), await period()], ["#period=1013000000", "1.013s"]);
  await page.focus(".heat-controls .period");
  await press("ArrowUp");
  is("... arrows: a thousandth", [await hash(), await period()], ["#period=1014000000", "1.014 s"]);
  await press("Shift+ArrowDown");
  is("... Shift: a hundredth", await period(), "1.004 s");
  await press("Alt+ArrowUp");
  is("... Alt: a ten-thousandth", await period(), "1.0041 s");
  await page.fill(".heat-controls .period", "soon");
  await press("Enter");
  is("... nonsense is refused", [await hash(), await page.getAttribute(".heat-controls .period", "aria-invalid")], ["#period=1004100000", "true"]);
  await press("Escape");
  is("... Esc: what it was", await period(), "1.0041 s");
  await page.selectOption('select[aria-label="Period"]', "");
  is("as drawn again", [await hash(), await shown(".heat-controls .period")], ["", false]);
  is("periods as people write them", await page.evaluate(() => ["250ms", "1.013s", "90", ".5 s", "5min", "1h", "1d", "20us", "0", "1e9", "-1s", "", "ns", "1 parsec", "5 M"]
    .map((text) => pyrograph.heat.period.parse(text))), [250e6, 1013e6, 90e9, 500e6, 300e9, 3600e9, 86400e9, 20000, null, null, null, null, null, null, 300e9]);
  is("... and back", await page.evaluate(() => [1e9, 1013e6, 60e9, 300e9, 5400e9, 86400e9, 250e6, 1500, 20e3].map(pyrograph.heat.period.text)),
    ["1 s", "1.013 s", "1 min", "5 min", "90 min", "1 d", "250 ms", "1.5 \u00b5s", "20 \u00b5s"]);

  await page.selectOption('select[aria-label="Rows"]', "20");
  is("rows", [await hash(), (await page.textContent(".legend .quiet"))], ["#rows=20", "samples in a cell of 1 s \u00d7 50 ms"]);
  await page.click('.segment button:text-is("Rank")');
  is("rank", await hash(), "#rows=20&coloring=rank");
  await press("c");
  is("c: the next colouring", await hash(), "#rows=20&coloring=log");
  await press("r");
  is("r: another scale", (await hash()).includes("ramp=viridis"), true);
  await press("R");
  is("R: as drawn", await hash(), "");
  await page.click('.segment button:text-is("Rows")');
  is("dragging selects rows", await hash(), "#pick=rows");
  await page.click('.segment button:text-is("Time")');
  await press("y");
  is("idle counts", [await hash(), (await figures()).samples], ["#idle=1", "190"]);
  await press("y");
  await press("d");
  is("d: dark", [await page.getAttribute(".pyrograph", "data-theme"), await hash()], ["dark", "#t=dark"]);
  await press("d", "t");
  is("t: another time zone", (await hash()).includes("zone=UTC"), true);
}

async function useSearch() {
  await open("plain");
  await press("/");
  await page.keyboard.type("wri.e", { delay: 5 });
  await becomes("search: how many events have it, of what is shown", async () => [await count(), /(^#|&)s=wri\.e/.test(await hash())], ["50 samples, 50 %", true]);
  await press("Control+i");
  is("... ignoring case", /(^#|&)si=wri\.e/.test(await hash()), true);
  await page.fill(".search input", "(");
  await page.waitForFunction(() => document.querySelector(".search").classList.contains("invalid"));
  is("... a bad one is said", await count(), "Not a regular expression: (");
  await press("Escape");
  is("Esc clears it", [await count(), await hash()], ["", ""]);
}

async function useMenu() {
  await open("plain");
  await press("v");
  const items = await texts(".menu button .menu-label");
  is("the menu has it all", ["10 s", "Other \u2026", "Rank: by rank among all cells", "UTC", "Dark", "Save the view as SVG"]
    .filter((label) => !items.includes(label)), []);
  await page.click('.menu button:has-text("1 min")');
  is("... a period", await hash(), "#period=60000000000");
  await press("?");
  is("help knows the keys", (await page.textContent(".help-box")).includes("Only the marked keys"), true);
  await press("Escape");
}

// ---- rows and rate ----

async function useBeats() {
  const said = [];
  for (const [rate, rows] of [[99, 50], [99, 33], [99, 75], [100, 50], [49, 50], [997, 50], [1000, 30], [10, 50]]) {
    draw("beats", plain.replace("rate=10Hz", `rate=${rate}Hz`), "--rows", String(rows));
    const drawn = JSON.parse(/<metadata id="heat">([^<]*)/.exec(fs.readFileSync(path.join(tmp, "beats.svg"), "utf8"))[1]
      .replace(/&quot;/g, '"').replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&")).warning || "";
    await open("beats");
    const shown_ = await page.$eval(".beats", (e) => e.hidden ? "" : e.textContent), rest = / ?(?:; (?:fewer )?--rows [^.]*|\. (?:Without|Hardly any): .*?)\.?$/;
    const numbers = (text) => ((/--rows ([\d, or]+)/.exec(text) || ["", ""])[1].match(/\d+/g) || []).map((n) => `${n} rows`);
    const named = await texts(".beats button"), same = !numbers(drawn).length || String(named) === String(numbers(drawn));
    if (shown_.includes("--") || shown_.includes("-F") || (/stripes/.test(shown_) && !named.length))
      said.push(`an option of a command line, or no number: ${shown_}`);
    said.push(same && shown_.replace(rest, "") === drawn.replace(rest, "").replace("with -F", "with another rate, as") ? "" : `${rate} Hz in ${rows} rows: "${shown_}", drawn "${drawn}"`);
    if (rate === 99 && rows === 50) {
      is("rows that beat against the rate: said once", (await texts(".notes .note")).filter((text) => text.includes("stripes")).length, 1);
      is("... in a saved picture too", (await saved("Shift+S")).bytes.toString().split("make stripes").length, 2);
      await page.click('.beats button:text-is("33 rows")');
      is("... a click takes others", [await hash(), await texts(".beats")], ["#rows=33", []]);
    }
  }
  is("... as C says it", said.filter(Boolean), []);
}

// ---- legend ----

async function useLegend() {
  draw("counts", header(4) + [[0, 1], [1000, 1], [2000, 1], [3000, 2], [3500, 5]].flatMap(([ms, n]) =>
    Array.from({ length: n }, () => `${at(ms)} a;cpu0;x 1\n`)).join(""));
  await open("counts");
  is("legend: each count, none as well", (await legend()).slice(0, 6), ["0", "1", "2", "3", "4", "5"]);
  is("... how many cells have it", await page.$$eval(".legend-item.step", (all) => all.map((e) => e.title)),
    ["35 cells", "3 cells", "1 cell", "0 cells", "0 cells", "1 cell"]);
  const before = await page.$eval(".legend-item:nth-child(2) .dot", (e) => getComputedStyle(e).backgroundColor);
  await page.click('.segment button:text-is("Rank")');
  is("... other colours by rank", await page.$eval(".legend-item:nth-child(2) .dot", (e) => getComputedStyle(e).backgroundColor) !== before, true);
  await open("plain");
  is("legend: what was not seen", (await legend()).filter((text) => text.startsWith("not seen")), ["not seen1 s of CPU time, 5 %"]);
  draw("latency", examples.latency(10000), "--y", "value", "--max", "100ms", "--rows", "40");
  await open("latency");
  is("legend of latencies: logarithmic", (await page.textContent(".legend")).endsWith(" \u00b7 logarithmic colours"), true);
  is("... no percentiles", [(await legend()).filter((text) => text.startsWith("p")), (await page.$$(".lines .line")).length], [[], 0]);
  await page.click('.segment button:text-is("Linear")');
  is("... linear colours are not spoken of", /colours/.test(await page.textContent(".legend")), false);
  await page.click('.segment button:text-is("Log")');
  await page.keyboard.press("p");
  is("P draws percentiles", (await page.evaluate(() => location.hash)).split("&")[0], "#lines=1");
  is("legend: percentiles", (await legend()).filter((text) => text.startsWith("p")), ["p50", "p99"]);
  is("... told apart as they are drawn", [await page.$$eval(".legend .dot.line", (all) => all.map((e) => e.className.replace("dot line ", ""))),
    await page.$$eval(".lines .line", (all) => all.map((e) => getComputedStyle(e).strokeDasharray !== "none"))], [["line-solid", "line-dashed"], [false, true]]);
  const steps = (await legend()).filter((text) => /^\d/.test(text)).map((text) => text.split("\u2013").map((n) => Number(n.replace(/,/g, ""))));
  is("legend: ranges that follow each other", steps.slice(1).every(([from], i) => from === (i ? steps[i][steps[i].length - 1] + 1 : 1)), true);
  const values = [1000, 9000, 2000, 9000, 1000].map((v, i) => `${at(i * 1000 + 500)} a ${v}\n`).join("");
  draw("clipped", header(5).replace("rate=10Hz ", "").replace("unit=samples", "unit=us") + values, "--y", "value", "--max", "5ms", "--percentiles", "99", "--span", "1s");
  await open("clipped");
  is("a percentile beyond the rows is not drawn at their end", (await page.getAttribute(".lines .line", "d")).split("M").length - 1, 3);
  is("values in us are lengths of time", (await page.$$eval(".axis text", (all) => all.map((e) => e.textContent))).includes("5 ms"), true);

  draw("use", plain, "--y", "utilization", "--by", "cpu");
  await open("use");
  is("CPUs are coloured as such, or by host", await page.$$eval('select[aria-label="Coloured by"] option', (all) => all.map((e) => e.value)), ["", "cpu"]);
  is("... and none is left out", await page.$$eval(".keys-modes [data-mode]", (all) => all.map((e) => e.dataset.mode)), ["highlight", "all"]);
  is("... not by a link either", await go("#by=thread&k=a").then(() => shown(".keys-list")), false);

  draw("spans", examples.latency(5000));
  await open("spans");
  await page.click('.segment button:text-is("Values")');
  is("cells add up values: as lengths of time", [await hash(), (await legend()).filter((text) => /^\u2264 \S+ (ms|\u00b5s)$/.test(text)).length > 4,
    await page.textContent(".legend .quiet")], ["#weigh=values", true, "sums of times in a cell of 1 s \u00d7 20 ms"]);
  await press("w");
  is("... or have the longest: no shares of a sum", [await hash(), await page.textContent(".legend .quiet"),
    (await legend()).filter((text) => /^\u2264 \S+ (ms|\u00b5s)$/.test(text)).length > 4],
  ["#weigh=longest", "the longest in a cell of 1 s \u00d7 20 ms", true]);
  await press("w");
  is("... the whole of each span", [await hash(), await page.textContent(".legend .quiet")], ["#weigh=painted", "time in a cell of 1 s \u00d7 20 ms"]);
}

// ---- distribution ----

async function useDistribution() {
  await open("plain");
  is("what is shown", await figures(), { time: "2026-11-22 10:15:02 \u2013 10:15:12 UTC", length: "10 s", samples: "100",
    idle: "90 samples; busy 52.6 %", expected: "190 samples at 10 Hz on 2 CPUs", "not seen": "1 s of CPU time, 5 %" });
  is("... by thread", await table("By thread"), [["b", "50", "50 %"], ["a", "48", "48 %"], ["c", "2", "2 %"]]);
  await select(2e9, 3e9);
  is("of a selection: counts", await figures(), { time: "2026-11-22 10:15:04 \u2013 10:15:05 UTC", length: "1 s",
    samples: "10, 10 % of all", idle: "10 samples; busy 50 %", expected: "20 samples at 10 Hz on 2 CPUs" });
  is("... keys", await table("By thread"), [["b", "5", "50 %"], ["a", "3", "30 %"], ["c", "2", "20 %"]]);
  is("... stacks", await table("Stacks"), [["\u2026;write;flush", "5", "50 %"], ["\u2026;main;read", "3", "30 %"], ["\u2026;main;read", "2", "20 %"]]);
  is("... chip", (await chips()).map((text) => text.slice(0, 9)), ["A10:15:04"]);
  await select(5e9, 7e9);
  is("... a gap in it", (await figures())["not seen"], "1 s of CPU time, 25 %");
  await page.selectOption('select[aria-label="Distribution by"]', "cpu");
  is("... by another dimension", await table("By CPU"), [["cpu0", "20", "100 %"]]);
  await page.evaluate(() => {
    window.copies = [];
    navigator.clipboard.writeText = async (text) => { window.copies.push(text); };
  });
  await page.click('.aside-top button:has-text("Copy")');
  await page.waitForFunction(() => window.copies.length);
  is("... copied", (await page.evaluate(() => window.copies[0])).split("\n").slice(1, 4).map((line) => line.split("\t")[0]), ["time", "length", "samples"]);
  await page.click(".distribution table[aria-label='By CPU'] button");
  is("a click on a key colours by it", (await hash()).includes("by=cpu&k=cpu0"), true);
}

// ---- saving ----

async function useSaving() {
  await open("plain");
  const all = await saved("Shift+T");
  is("all as timed lines", [all.name, sums(folded(all.bytes.toString()))], ["subsecond-offset-heat-map-cpu-activity-within-each-second.timed.folded", sums(folded(plain))]);
  is("... with header and gaps", all.bytes.toString().split("\n").slice(0, 2).map((line) => line.replace(/ from=.*/, "")), [
    "# pyrograph: host=db1 event=cpu-clock", "# gap: start=1795342507.500000000 end=1795342508.500000000 cpu=1 lost=7 why=throttled"]);
  is("... in order", all.bytes.toString().split("\n").filter((line) => line.startsWith("@")).map((line) => Number(line.slice(1, 19)))
    .every((t, i, times) => !i || t >= times[i - 1]), true);
  is("... as \"render folded\" gives them", all.bytes.toString().split("\n").filter((line) => line.startsWith("@")).sort(),
    execFileSync(render, ["folded", path.join(tmp, "plain.svg")]).toString().split("\n").filter((line) => line.startsWith("@")).sort());
  draw("again", all.bytes.toString());
  const metadata = (name) => /<metadata class="heat-events">([^<]*)/.exec(fs.readFileSync(path.join(tmp, `${name}.svg`), "utf8"))[1];
  is("... of which the same picture is made again", metadata("again"), metadata("plain"));
  await select(2e9, 3e9);
  const part = (await saved("Shift+T")).bytes.toString(), wanted = plain.split("\n").filter((line) => line.startsWith(`@${START + 2}.`));
  is("a selection as timed lines", sums(folded(part)), sums(folded(wanted.join("\n"))));
  is("... from and to are its own", [/from=(\S+)/.exec(part)[1], /to=(\S+)/.exec(part)[1]],
    ["2026-11-22T10:15:04.000000000Z", "2026-11-22T10:15:05.000000000Z"]);
  const lines = (await saved("Shift+F")).bytes.toString();
  is("... as folded lines, without idle ones, sorted as collapse does", folded(lines), sums(folded(wanted.join("\n")).filter((line) => !line.startsWith("swapper"))));
  is("... with their header", lines.split("\n")[0].includes(" unit=samples"), true);
  await go("");
  const svg = (await saved("Shift+S")).bytes.toString();
  is("the picture: cells as one image, no script", [(svg.match(/<image/g) || []).length, svg.includes("<script"), svg.includes("class="),
    (svg.match(/foreignObject/) || []).length], [1, false, false, 0]);
  const png = (await saved("Shift+P")).bytes;
  is("... as PNG", png.subarray(1, 4).toString(), "PNG");
  fs.writeFileSync(path.join(tmp, "static.svg"), svg);
  await page.goto(pictures.urlOf("static.svg"));
  is("... opens by itself", await page.$eval("image", (e) => e.getBoundingClientRect().width > 50), true);
}

// Of one of several maps, of values, of CPUs.
async function useParts() {
  draw("hosts", examples.hosts(10000), "--per", "host");
  await open("hosts", "#by=host");
  const whole = Object.fromEntries(await rows());
  await go("#by=host&sel=t:0:10000000000&map=1");
  is("a selection in one of several maps: what is in that one", (await rows()).map((row) => row[2]), ["\u2013", whole.db1]);
  is("... its CPUs alone are expected", (await figures()).expected.replace(/^.* samples/, ""), " at 99 Hz on 2 CPUs");
  is("... as lines", folded((await saved("Shift+T")).bytes.toString()).every((line) => line.startsWith("db1;")), true);

  await open("latency");
  const band = await page.evaluate(() => pyrograph.heat.select.encode({ kind: "rows", from: 0, to: 1e10, low: 2e7, high: 5e7, period: 1e9 }));
  await go(`#sel=${band}`);
  const lines = folded((await saved("Shift+T")).bytes.toString()).map((line) => Number(line.slice(line.lastIndexOf(" ") + 1)));
  is("selected values as lines", [lines.length > 0 && lines.every((v) => v >= 2e7 && v < 5e7), String(lines.length)],
    [true, (await figures()).spans.replace(/,.*/, "")]);
  is("... said as such", (await figures()).values, "20 \u2013 50 ms");

  draw("use", plain, "--y", "utilization", "--rows", "10");
  await open("use");
  is("utilization: cells count CPUs", (await page.textContent(".legend .quiet")), "CPUs in a cell of 1 s");
  const cpus = await page.evaluate(() => pyrograph.heat.select.encode({ kind: "cpu", from: 0, to: 1e10, low: 5000, high: 10000, period: 1e9 }));
  await go(`#sel=${cpus}`);
  is("... a selection of busy CPUs", (await figures()).samples, "100");
  is("... as lines: those of these CPUs", [folded((await saved("Shift+T")).bytes.toString()).filter((line) => line.includes(";cpu1;")).length,
    sums(folded((await saved("Shift+F")).bytes.toString()))], [0, sums(folded(plain).filter((line) => !line.includes(";cpu1;")))]);
}

// What is saved, told and counted is the same everywhere.
async function useSameNumbers() {
  await open("plain");
  await select(0, 4e9, "&by=thread&k=a&mode=isolate");
  const timed = folded((await saved("Shift+T")).bytes.toString()), lines = folded((await saved("Shift+F")).bytes.toString());
  is("isolated: saved as folded lines is what the flame graph shows", [lines.every((line) => line.startsWith("a;")), sums(lines).map((line) =>
    Number(line.split(" ").pop()))], [true, [18]]);
  is("... timed lines are everything in that time", [timed.some((line) => line.startsWith("b;")), timed.some((line) => line.startsWith("swapper"))], [true, true]);
  await select(0, 4e9, "&idle=1");
  is("... idle ones where they count", folded((await saved("Shift+F")).bytes.toString()).some((line) => line.startsWith("swapper")), true);

  draw("quiet", plain.split("\n").filter((line) => !line.startsWith("# gap") && !line.includes("swapper")).join("\n"));
  await open("quiet");
  is("a CPU that is not sampled while it is idle is not busy", [(await figures()).idle, (await figures()).expected], [undefined, "200 samples at 10 Hz on 2 CPUs"]);
  draw("half", plain.split("\n").filter((line) => !line.startsWith("# gap") && !(line.includes("swapper") && !/^@\d+\.[0-4]/.test(line))).join("\n"));
  await open("half");
  is("... part of the time", (await figures()).idle, "45 samples; busy 50 %");
  draw("command", plain.replace("cpus=0-1", 'cpus=0-1 command="pyrograph-collect cpu -F 10 -- make -a"'));
  await open("command");
  is("of one command nobody knows how many samples to expect", [(await figures()).expected, (await figures()).idle], [undefined, "90 samples"]);
  draw("all", plain.replace("cpus=0-1", 'cpus=0-1 command="pyrograph-collect cpu -F 10 -a -d 10"'));
  await open("all");
  is("... of all of the machine it is known", (await figures()).expected, "190 samples at 10 Hz on 2 CPUs");

  await open("plain", "#from=0&to=2000000000");
  await go("#from=0&to=2000000000&sel=t:0:5000000000");
  is("zoomed in: shares are of all", (await figures()).samples, "50, 50 % of all");
  is("... as the flame graph says", (await page.textContent(".heat-flame .note")).startsWith("50 samples, 50 % of all in 5 s"), true);

  await open("plain", "#zone=UTC");
  const line = (await texts(".notes .note"))[0];
  draw("zoned", plain, "--tz", "Asia/Kolkata");
  await open("zoned", "#zone=UTC");
  is("another time zone: in the line below the title too", [(await texts(".notes .note"))[0], line.includes("10:15:02")], [line, true]);
  await open("zoned");
  is("... as drawn", (await texts(".notes .note"))[0].includes("15:45:02"), true);

  await open("latency");
  await page.keyboard.press("p");
  // Points at a cell of the middle column that is not empty.
  async function point() {
    const [x, y, w, h] = await page.$eval("canvas.cells", (e) => { const b = e.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; });
    for (let part = 0.98; part > 0; part -= 0.02) {
      await page.mouse.move(x + w / 2, y + h * part);
      await page.waitForSelector(".tip tr");
      if (await page.$(".tip .tip-keys"))
        return;
    }
  }
  await point();
  const tip = (await texts(".tip tr")).filter((text) => /^p\d/.test(text)).map((text) => text.split("column"));
  is("a tip tells the percentiles of the column", [tip.map(([name]) => name), tip.every(([, text]) => /^[\d.]+ (ms|\u00b5s|s)$/.test(text))], [["p50 of the ", "p99 of the "], true]);
  const band = await page.evaluate(() => pyrograph.heat.select.encode({ kind: "time", from: 0, to: 1e9 }));
  await go(`#sel=${band}`);
  const values = folded((await saved("Shift+T")).bytes.toString()).map((text) => Number(text.split(" ").pop())).sort((a, b) => a - b);
  const p99 = values[Math.ceil(values.length * 0.99) - 1];
  is("... the panel those of the selection", (await figures()).p99, await page.evaluate((ns) => pyrograph.number.durationText(ns), p99));
  await point();
  const parts = await texts(".tip .tip-keys td");
  is("parts of a cell are told in the unit of the whole", [parts.length > 0, parts.filter((text) => text && !/^[\d,]+ spans?$/.test(text))], [true, []]);
}

async function usePanel() {
  await pictures.open("plain");
  is("at first the map alone", [await shown(".heat-body > .aside"), await pictures.hash()], [false, ""]);
  const wide = () => page.$eval("canvas.cells", (e) => e.getBoundingClientRect().width), before = await wide();
  await press("n");
  is("colouring by a dimension opens the panel", [await shown(".keys-list"), (await pictures.hash()).includes("panel=1"), await wide() <= before], [true, true, true]);
  await press("k");
  is("... k closes it", [await shown(".heat-body > .aside"), (await pictures.hash()).includes("panel"), await wide()], [false, false, before]);
  await pictures.open("plain", "#panel=1");
  is("... a link opens it", await shown(".heat-body > .aside"), true);
  await select(0, 2e9);
  await press("v");
  is("the menu compares without a keyboard", (await texts(".menu .menu-label")).filter((text) => /as B/.test(text)).length, 1);
  await press("Escape");
  draw("stacks", header(1) + Array.from({ length: 90 }, (_, i) => `${at(i * 10)} t${i};cpu0;main;f${i} 1\n`).join(""));
  await open("stacks");
  await select(0, 1e9);
  await page.evaluate(() => {
    window.copies = [];
    navigator.clipboard.writeText = async (text) => { window.copies.push(text); };
  });
  await press("Shift+D");
  await page.waitForFunction(() => window.copies.length);
  const copied = (await page.evaluate(() => window.copies[0])).split("\n");
  is("copied: the first stacks, and how many more there are", [copied.filter((text) => text.includes(";")).length, copied.filter((text) => text.startsWith("... and"))],
    [10, ["... and 40 more", "... and 80 more"]]);
  is("a share that is not nothing is not 0 %", await page.evaluate(() => [pyrograph.number.percentText(14, 322164), pyrograph.number.percentText(0, 9), pyrograph.number.percentText(1, 20000)]),
    ["under 0.01 %", "0 %", "0.01 %"]);
}

// ---- for everybody ----

async function useEverywhere() {
  await open("plain", "#by=thread");
  const nameless = await page.$$eval(".heat button, .heat input, .heat select, .heat textarea, .heat [role=listbox]", (all) => all.filter((e) =>
    e.checkVisibility() && !(e.getAttribute("aria-label") || e.textContent.trim() || e.closest("label"))).map((e) => e.outerHTML));
  is("everything has a name", nameless, []);
  const seen = [];
  for (let i = 0; i < 9; i++) {
    await press("Tab");
    seen.push(await page.evaluate(() => document.activeElement.getAttribute("aria-label") || document.activeElement.textContent));
  }
  is("Tab goes from the search on", seen.slice(0, 4), ["Search frames, a regular expression", "Zoom in", "Keys and distribution", "View"]);
  page = await newPage({ viewport: { width: 400, height: 700 }, hasTouch: true });
  await pictures.open("plain");
  is("on a phone: no controls, no panel, all in the menu", [await shown(".heat-controls"), await shown(".heat-body > .aside"), await shown(".heat > .sheet > .heading .view")],
    [false, false, true]);
  await page.tap(".tools .keys");
  is("... the panel when asked for", await shown(".heat-body > .aside"), true);
  await page.tap(".tools .view");
  await page.tap('.menu button:has-text("Other")');
  is("... other periods too", await shown(".heat-controls .period"), true);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
  is("... nothing stands out of it", wide, true);
}

start([async (first) => { page = first; }, useKeys, useKeysByKeys, useSelected, usePatterns, useManyKeys, useHostile, useToolbar, useSearch, useMenu, useBeats,
  useLegend, useDistribution, useSaving, useParts, useSameNumbers, usePanel, useEverywhere]);
