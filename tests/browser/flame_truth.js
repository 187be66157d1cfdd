// Flame graphs in a browser: numbers say what they are of, and what is done is done to the
// frame that was meant.
// Prints TAP; argument: the directory that flame.test.sh made.
"use strict";

const { is, rest, start, ready, open, details, matched, hash, shown, texts, frames, names, frame, hover, click, press, place,
  search } = require("./pictures");

let page;

const valueIn = (selector) => page.$eval(selector, (e) => e.value);
const chips = () => texts(".chip");
const until = (check, arg) => page.waitForFunction(check, arg);
const widthsOf = async (name) => (await frames()).filter((f) => f[0] === name).map((f) => f[2]);
const nth = (name, k) => page.$$eval("#frames rect", (all, [wanted, at]) => {
  const box = all.filter((rect) => rect.getAttribute("aria-label").startsWith(`${wanted} (`))[at].getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}, [name, k]);

async function useChart() {
  await open("siblings");
  is("a chart: siblings of one name", (await widthsOf("a")).length, 3);
  await page.mouse.click(...await nth("a", 2), {});
  is("... zoomed to the third", [await hash(), (await details()).slice(0, 20)], ["#z=main;a~3", "Zoomed: a (4 samples"]);
  await page.reload();
  await ready();
  is("... a link means it, too", (await details()).slice(0, 20), "Zoomed: a (4 samples");
  await press("Escape");
  await until(() => !location.hash);
  await page.mouse.move(...await nth("a", 1));
  await press("Delete");
  is("hide the second", [await hash(), (await texts("#frames rect")).length, await page.$$eval("#frames rect", (all) =>
    all.map((e) => e.getAttribute("aria-label")).filter((t) => t.startsWith("a ")))],
  ["#drop=main;a~2", (await texts("#frames rect")).length, ["a (5 samples, 38.5 %)", "a (4 samples, 30.8 %)"]]);
  is("... the chip has its name", (await chips())[0], "Cut offa");
  await press("Escape", "o");
  await until(() => [...document.querySelectorAll("#frames rect")].map((e) => e.getAttribute("aria-label"))
    .find((label) => label.startsWith("a (")).startsWith("a (9 samples"));
  await page.mouse.click(...await nth("a", 0));
  is("... in another order, too", [(await hash()).includes("z=main;a~2"), (await details()).slice(0, 20)], [true, "Zoomed: a (9 samples"]);
  await open("siblings");
  await click("c~2");
  is("a name that looks like a number of siblings", [await hash(), (await details()).slice(0, 19)], ["#z=main;c~2~1", "Zoomed: c~2 (1 samp"]);
  is("... one sample", (await details()).includes("1 sample,"), true);
}

async function useSandwichShares() {
  await open("plain", "#f=vfs_write_[k]");
  await search("serve");
  is("search in a sandwich: callers count", await matched(), "Matched: 39.7 % of all, 100 % of the function");
  await page.press(".search input", "Enter");
  is("... and are walked to", [await page.textContent(".count"), (await details()).split(" ")[1]], ["1 of 1", "serve"]);
  await search("ext4");
  const share = await matched();
  is("... callees as well", /^Matched: [\d.]+ % of all, [\d.]+ % of the function$/.test(share), true);
  await page.press(".search input", "Enter");
  is("... walked to in the other panel", (await details()).split(" ")[1], "ext4_file_write_iter");
  await open("plain", "#exclude==idle&f=serve");
  await hover("serve");
  is("filter and sandwich: of what the filter left", (await details()).slice(0, 72),
    "Function: serve (46 samples, 75.4 % of all, 100 % of the function), self");
  await open("plain", "#f=serve&table=1");
  is("the table says what its shares are of", [await page.textContent(".table-about"),
    await page.$eval(".row:has-text('handle_request') .c-total", (e) => e.textContent)],
  ["Shares of all; callees of the function", "56.4 %"]);
  await press("r");
  is("R leaves the sandwich", [await hash(), await texts(".panel-title")], ["#leaf=1&table=1", []]);
}

async function useTableShares() {
  await open("plain", "#z=main;serve&table=1");
  is("zoomed: the table's shares are of all", [await page.textContent(".table-about"),
    await page.$eval(".row:has-text('handle_request') .c-total", (e) => e.textContent)],
  ["Shares of all; functions in the zoomed frame", "56.4 %"]);
  await page.fill(".table-top input", "(");
  is("an error in its filter: said", (await page.textContent(".aside .wrong")), "Not a regular expression: (");
  await page.press(".table-top input", "Escape");
  is("Esc clears the filter only", [await valueIn(".table-top input"), await hash(), await shown(".aside")],
    ["", "#z=main;serve&table=1", true]);
  await open("java", "#table=1");
  await page.click(".row:has-text('walk')");
  is("a row of several frames: their sum, and the widest", (await details()).replace(/^[^(]*\(/, "("),
    "(9 samples, 100 % of all), self 9 samples, 100 %; the widest of them 5 samples, 55.6 %");
}

async function useSteps() {
  await open("plain");
  await click("serve");
  await search("write");
  await page.click(".pin");
  await search("read");
  await page.click(".functions");
  await page.locator(".graph").first().focus();
  await press("Escape");
  await until(() => !location.hash.includes("z="));
  is("undoing a zoom keeps searches and table", [await hash(), await chips(), await valueIn(".search input")],
    ["#s=write&s=read&table=1", ["write56.4 %"], "read"]);
  await page.goForward();
  await until(() => location.hash.includes("z="));
  is("... so does Forward", await hash(), "#z=main;serve&s=write&s=read&table=1");
  await page.evaluate(() => { location.hash = "s=idle"; });
  await until(() => document.querySelector(".search input").value === "idle");
  await page.goBack();
  await until(() => document.querySelector(".search input").value === "read");
  is("... a link of before is all that it was", [await hash(), await chips()], ["#z=main;serve&s=write&s=read&table=1", ["write56.4 %"]]);
  await page.click(".chip-text");
  is("editing a chip keeps what is in the box", [await valueIn(".search input"), (await chips()).length,
    await hash()], ["write", 1, "#z=main;serve&s=read&s=write&table=1"]);
}

async function useEnter() {
  await open("plain");
  await page.fill(".search input", "idle");
  await page.press(".search input", "Enter");
  is("Enter, typed fast: the first match", await page.textContent(".count"), "1 of 1");
  await open("plain");
  await page.fill(".search input", "idle");
  await rest(250);
  await page.press(".search input", "Enter");
  is("... typed slowly: the same", await page.textContent(".count"), "1 of 1");
  await click("serve");
  await press("l");
  await until(() => /link/.test(document.querySelector(".toast").textContent));
  is("L copies the link", (await page.evaluate(() => navigator.clipboard.readText())).endsWith("plain.svg#z=main;serve&s=idle"), true);
}

async function useSlowPatterns() {
  await open("slow");
  await search("(a+)+;$");
  await page.mouse.click(...await place("b")); // the page lives
  is("a pattern that takes for ever: the page lives", await hash(), "#z=main;b&s=(a+)+;$");
  await until(() => /Too slow/.test(document.querySelector(".matched").textContent));
  is("... it is stopped and said", await matched(), "Too slow, stopped after a second: (a+)+;$");
  await search("(b|c)+");
  await until(() => /%/.test(document.querySelector(".matched").textContent));
  is("... others work", await matched(), "Matched: 66.7 % of all, 100 % of the zoomed frame");
  await open("slow", "#exclude=(a%2B)%2B;$&hide=(b|c)%2B");
  await until(() => /Too slow/.test((document.querySelector(".chips .wrong") || {}).textContent));
  await until(() => document.querySelectorAll("#frames rect").length === 3);
  is("... in a filter, too", await names(), ["all", "main", "a".repeat(33)]);
}

async function useMissing() {
  await open("plain", "#z=main;nothere");
  is("a link to what is not there: said", [await texts(".chips .wrong"), (await frame("main"))[2]],
    [["Not in this profile: nothere"], 1380]);
  await open("plain", "#drop=main;nothere");
  is("... a filter as well", await texts(".chips .wrong"), ["Not in this profile: main › nothere"]);
  await open("plain", "#hide==nothere");
  is("... and a name", await texts(".chips .wrong"), ["Not in this profile: nothere"]);
  await open("plain", "#exclude==idle");
  is("the foot counts what is left", await details(), "13 frames, 7 deep");
  await open("java");
  await press("u");
  is("fold recursion: chips differ", await chips(), ["Recursionfolded where direct"]);
  await press("u");
  is("... deep", await chips(), ["Recursionfolded at any depth"]);
  await open("links");
  await click("idle", { button: "right" });
  is("--nameattr: ftp is a link", (await texts(".menu-label")).includes("Open ftp://example.org/idle"), true);
  await press("Escape");
}

async function useLayers() {
  await open("diff");
  await hover("write");
  is("a differential: both sides in the foot", await details(), "Function: write (base 210 samples, 33.3 %; new 330 samples, 48.7 %; " +
    "+120 samples, +57.1 %), self base 210 samples, 33.3 %; new 330 samples, 48.7 %; +120 samples, +57.1 %");
  is("... and for readers of screens", await page.getAttribute("#frames rect >> nth=5", "aria-label"),
    "read_new (base 0 samples, 0 %; new 45 samples, 6.65 %; +45 samples, new)");
  await search("write");
  is("... a search has a share of each", [await matched(), await page.textContent(".count")],
    ["Matched: base 33.3 %; new 48.7 %", "33.3 % / 48.7 %"]);
  await open("diffshare");
  await hover("parse");
  is("... shares: in points", (await details()).slice(0, 82),
    "Function: parse (base 160 samples, 25.4 %; new 105 samples, 15.5 %; −9.89 points, ");
  await open("same", "#d=added&table=1");
  is("nothing was added: nothing is counted", [await texts(".empty"), await details(), await texts(".row")],
    [["No stacks are left."], "No frames, of 3", []]);
  await open("metrics");
  await hover("write");
  is("two metrics: in the foot", await details(), "Function: write (210 samples, 33.3 %; 330 instructions, 48.7 %; " +
    "instructions/cycles 1.571), self 210 samples, 33.3 %");
  await open("animate", "#z=main;parse;read_new");
  await press(".");
  is("an animation: what a window has not is said", await page.textContent(".window"),
    "15:41:18.014 – 15:41:19.014 (1 of 2) · 630 samples · not here: read_new");
  await open("folded");
  await search("busy");
  is("folded frames: at least", [await matched(), await page.textContent(".count")], ["Matched: at least 90 %", "≥ 90 %"]);
  await hover("busy");
  is("... the note stays", await texts(".folding"), ['1,234 more, too narrow, are folded into "..."']);
}

async function usePanels() {
  await open("multiples", "#z=main;parse;read_old");
  is("panels: what one of them has not is said", await texts(".panel-title"), ["base", "new · not here: read_old"]);
  await open("multiples", "#table=1");
  await search("write");
  is("panels: a share of each profile", await matched(), "Matched: base 33.3 %; new 48.7 %");
  const self = () => page.$eval(".row:has-text('write') .c-self", (e) => e.textContent);
  is("... the table is of the first", [await page.textContent(".table-about"), await self()], ["Shares of all of base", "33.3 %"]);
  await page.selectOption(".table-top select", "1");
  is("... or of another", [await page.textContent(".table-about"), await self()], ["Shares of all of new", "48.7 %"]);
  await page.press(".search input", "Enter");
  await page.press(".search input", "Enter");
  is("... matches of all", await page.textContent(".count"), "2 of 2");
  await page.locator(".panel:not([hidden]) rect[aria-label^='write (']").nth(1).click({ button: "right" });
  await page.click('.menu button:has(.menu-label:text-is("Callers and callees"))');
  is("a sandwich is of one profile, and says so", [await chips(), await hash(), await texts(".panel-title")],
    [["Callers and callees ofwrite in new"], "#s=write&f=write&at=1&table=1", ["Callees", "Callers"]]);
  await press("Escape");
  await until(() => !location.hash.includes("at="));
  is("... undone", await texts(".panel-title"), ["base", "new"]);
}

async function useTimes() {
  const tip = async (name) => {
    await hover(name);
    await page.waitForSelector(".tip:not([hidden])");
    return texts(".tip th, .tip td");
  };
  await open("times");
  await hover("lock");
  is("lengths of time", await details(), "Function: lock (144 ms, 0.62 %), self 144 ms, 0.62 %");
  is("... in the box", (await tip("read")).filter(Boolean), ["of all", "total", "23.1 s", "99.4 %", "self", "23.1 s", "99.4 %"]);
  is("... of the caller itself", (await tip("wait")).includes("12.3 µs"), true);
  await press("t");
  is("... the table has them exactly", await page.getAttribute(".row .c-self", "title"), "23.1 s (23,090,858,348 ns)");
  await open("times-diff");
  is("... of two profiles", (await tip("read")).slice(-8), ["total", "20.1 s, over 99.9 %", "23.1 s, 99.4 %", "+3 s, +14.9 %",
    "self", "20.1 s, over 99.9 %", "23.1 s, 99.4 %", "+3 s, +14.9 %"]);
  is("... in the line", (await details()).replace(/\/\S+folded/g, "x").slice(0, 66), "Function: read (x 20.1 s, over 99.9 %; x 23.1 s, 99.4 %; +3 s, +14");
  await open("times-windows");
  await press(".");
  is("... of a window", (await texts(".window"))[0].split(" \u00b7 ")[1], "23.2 s");
  await press(".", ".");
  is("... of another", (await texts(".window"))[0].split(" \u00b7 ")[1], "20.1 s");
}

start([async (first) => { page = first; await page.context().grantPermissions(["clipboard-read", "clipboard-write"]); }, useChart, useSandwichShares,
  useTableShares, useSteps, useEnter, useSlowPatterns, useMissing, useLayers, usePanels, useTimes]);
