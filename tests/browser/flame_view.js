// Flame graphs in a browser: menus, filters, sandwich, table, copies, themes, phones, pages.
// Prints TAP; argument: the directory that flame.test.sh made.
"use strict";

const fs = require("fs");
const { is, becomes, rest, start, newPage, ready, open, urlOf, details, matched, hash, shown, texts, frames, names, frame, fill, hover, click,
  clickWith, press, place, search } = require("./pictures");

let page;

const copied = () => page.evaluate(() => navigator.clipboard.readText());
const chips = () => texts(".chip");
const menuItem = (label) => page.click(`.menu button:has(.menu-label:text-is("${label}"))`);
const frameMenu = async (name, label) => {
  await click(name, { button: "right" });
  await menuItem(label);
};

async function useZoomSteps() {
  await open("plain");
  await click("serve");
  is("path of the zoomed frame", await texts(".path .steps > button"), ["all", "main", "serve"]);
  await page.click(".path button:has-text('main')");
  is("... each can be clicked", [await hash(), (await frame("main"))[2]], ["#z=main", 1380]);
  await page.click(".back");
  await page.waitForFunction(() => location.hash.includes("serve"));
  is("the back button undoes", await hash(), "#z=main;serve");
  await press("Backspace");
  await page.waitForFunction(() => !location.hash.includes("serve"));
  is("... Backspace too", [await hash(), await shown(".path")], ["", false]);
}

async function useTip() {
  await open("plain");
  await click("serve");
  await hover("write");
  await page.waitForSelector(".tip:not([hidden])");
  is("a tip: name, total and self, of all and of the zoomed frame", await texts(".tip-name, .tip th, .tip td"),
    ["write", "", "", "of all", "of zoomed", "total", "35 samples", "44.9 %", "76.1 %", "self", "4 samples", "5.13 %", "8.7 %"]);
  await press("0");
  await open("long");
  await hover("x".repeat(3000));
  await page.waitForSelector(".tip:not([hidden])");
  const box = await page.locator(".tip").boundingBox();
  is("a long name stays in the window", box.x >= 0 && box.x + box.width <= 1400 && box.y >= 0 && box.y + box.height <= 800, true);
  is("... and leaves the page as wide as it is", await page.evaluate(() => document.documentElement.scrollWidth), 1400);
  await page.mouse.move(5, 790);
  is("the tip goes", await shown(".tip"), false);

  // longer than a regular expression can be
  const huge = "x".repeat(100000);
  await open("huge");
  await click(huge);
  is("a click on a name of 100,000 letters zooms", (await hash()).length, huge.length + "#z=main;".length);
  await press("f");
  is("... f searches for it, and not for what is longer", await matched(), "Matched: 50 % of all, 100 % of the zoomed frame");
  await press("0");
  await open("huge", `#s=${"y".repeat(100000)}`);
  is("... a pattern as long is refused", (await matched()).slice(0, 38), "Too large for a regular expression: yy");
}

async function useSearches() {
  await open("plain");
  await search("read|write");
  is("how much matches, in the box", await page.textContent(".count"), "71.8 %");
  await page.press(".search input", "Enter");
  is("Enter goes to the first match", [await page.textContent(".count"), (await details()).split(" ")[1]], ["1 of 6", "read"]);
  await page.press(".search input", "Shift+Enter");
  is("Shift+Enter to the one before, going round", await page.textContent(".count"), "6 of 6");
  await page.press(".search input", "F3");
  is("F3 to the next", await page.textContent(".count"), "1 of 6");
  await page.press(".graph >> nth=0", "n");
  is("N as well", (await details()).split(" ")[1], "vfs_read");
  await page.click(".pin");
  await page.keyboard.type("memcpy");
  await page.waitForFunction(() => location.hash.endsWith("s=memcpy"));
  is("a second search: a chip for the first", await chips(), ["read|write71.8 %"]);
  const colours = [await fill("write"), await fill("memcpy")];
  is("... each has its colour", colours[0] !== colours[1] && colours[0] === "#e600e6", true);
  is("... the link has both", await hash(), "#s=read|write&s=memcpy");
  await page.reload();
  await ready();
  is("... and brings both back", [await chips(), await page.$eval(".search input", (e) => e.value), await fill("memcpy")],
    [["read|write71.8 %"], "memcpy", colours[1]]);
  await page.click(".chip .remove");
  is("... a chip goes with its x", [await chips(), await hash()], [[], "#s=memcpy"]);
  await search("(");
  is("an error stands in the box", await page.getAttribute(".search", "class"), "search of-search invalid");
}

async function useFilters() {
  await open("plain");
  await frameMenu("write", "Hide all of this name");
  is("hide a name: its callees move down", [(await names()).includes("write"), (await frame("vfs_write"))[2]], [false, 548]);
  is("... a chip says so", await chips(), ["Hiddenwrite"]);
  await frameMenu("parse", "Leave out stacks with it");
  is("leave out stacks", [(await names()).includes("parse"), await chips()], [false, ["Hiddenwrite", "Withoutparse"]]);
  await press("Escape");
  await page.waitForFunction(() => document.querySelectorAll(".chip").length === 1);
  is("Esc undoes one step", (await names()).includes("parse"), true);
  await click("serve", { modifiers: [] });
  await page.keyboard.press("0");
  await clickWith("Alt", "serve");
  is("Alt+click hides the subtree", [(await names()).includes("serve"), await chips()], [false, ["Hiddenwrite", "Cut offserve"]]);
  await page.reload();
  await ready();
  is("filters are in the link", await chips(), ["Hiddenwrite", "Cut offserve"]);
  await page.click(".chip .remove >> nth=0");
  is("a chip's x takes it back", await chips(), ["Cut offserve"]);
  await page.click(".reset-all");
  is("Reset all", [(await frames()).length, await hash()], [14, ""]);
  await hover("memcpy");
  await press("X");
  is("a key means the frame under the pointer: keep only stacks with it", await names(),
    ["all", "main", "serve", "handle_request", "write.part.0", "memcpy"]);
  await hover("memcpy");
  await press("x");
  is("nothing left: said so", [await texts(".empty"), await frames()], [["No stacks are left."], []]);
  await press("R");
  is("... and undone", (await frames()).length, 14);
}

async function useSandwich() {
  await open("plain");
  await frameMenu("handle_request", "Callers and callees");
  is("sandwich: two panels", await texts(".panel-title"), ["Callees", "Callers"]);
  is("... callees", (await names()).slice(0, 3), ["handle_request", "write", "vfs_write"]);
  is("... callers", await names(".panel:nth-child(2)"), ["handle_request", "serve", "main", "all"].slice(0, 3));
  is("... in the link", await hash(), "#f=handle_request");
  await hover("write");
  is("... shares are of all and of the function", await details(),
    "Function: write (35 samples, 44.9 % of all, 79.5 % of the function), self 4 samples, 5.13 %");
  await press("Escape");
  await page.waitForFunction(() => !location.hash.includes("f="));
  is("... undone", await texts(".panel-title"), []);
  await open("plain", "#f=no_such_function");
  is("a function that is not there: said so", [await texts(".chips .wrong"), (await frames()).length],
    [["Not here: no_such_function"], 14]);
}

async function useViewMenu() {
  await open("plain");
  await page.click(".tools .view");
  is("the view menu", (await texts(".menu-heading")), ["Order", "Colours", "Simplify", "Theme", "Keep"]);
  await press("ArrowDown", "Enter");
  const top = async (name) => (await place(name))[1];
  is("... by keys: flipped", [await top("all") < await top("main"), await hash()], [true, "#icicle=1"]);
  await press("i");
  is("I flips back", await top("all") > await top("main"), true);
  await press("o");
  is("O: widest first", [await hash(), (await frame("main"))[1]], ["#o=width", 10]);
  await press("o", "r");
  is("R: merged from the leaves", (await frames()).filter((f) => f[0] === "memcpy").length, 1);
  is("... a chip", await chips(), ["Mergedfrom the leaves"]);
  await press("r", "c");
  is("C: colours by kind, with a legend", [await hash(), (await texts(".legend-item")).includes("kernel")], ["#c=kind", true]);
  await page.click(".tools .view");
  await menuItem("Name");
  is("... and by name", [await hash(), await shown(".legend")], ["", false]);
  await press("?");
  is("? shows the keys", [await shown(".help-box"), (await texts(".help-row")).length > 30], [true, true]);
  await press("Escape");
  is("... Esc hides them", await shown(".help-box"), false);
  await press("v");
  await page.mouse.click(700, 600);
  is("a click elsewhere closes a menu", await shown(".menu"), false);
  await open("java");
  is("variants are two frames", (await frames()).filter((f) => f[0] === "run").length, 2);
  await press("m");
  is("M merges them", (await frames()).filter((f) => f[0] === "run").length, 1);
  await hover("run");
  await page.waitForSelector(".tip:not([hidden])");
  is("... the tip has their counts", await texts(".tip-note"), ["compiled 5, inlined 4"]);
  await press("u");
  is("U folds recursion", (await names()).filter((n) => n === "walk").length, 1);
}

async function useTable() {
  await open("plain");
  await press("t");
  const rows = () => texts(".row .c-name");
  is("T: functions by self", (await rows()).slice(0, 3), ["ext4_file_write_iter", "idle", "vfs_read"]);
  is("... the graph makes room", (await frame("all"))[2] < 1100, true);
  await page.click(".head-total");
  is("... by total", (await rows()).slice(0, 3), ["all", "main", "serve"].slice(0, 3));
  await page.click(".head-name");
  is("... by name", (await rows())[0], "a_function_with_a_name_that_is_far_too_long_for_its_box");
  await page.fill(".table-top input", "WRITE");
  is("... filtered", (await rows()).length, 4);
  await page.click(".row:has-text('vfs_write')");
  is("a click marks the function's frames", [(await details()).split(" ")[1], await fill("vfs_write")], ["vfs_write", "#00e5ff"]);
  await page.dblclick(".row:has-text('vfs_write')");
  is("a double click: callers and callees", await hash(), "#f=vfs_write_[k]&table=1");
  await open("big", "#table=1");
  is("few rows exist", [await page.textContent(".table-count"), await page.locator(".row").count() < 100], ["50,003", true]);
  await page.$eval(".table-scroll", (e) => { e.scrollTop = e.scrollHeight; });
  await page.waitForFunction(() => document.querySelector(".row:last-child").dataset.row === "50002");
  is("... the last one too, when it is wanted", await page.locator(".row").count() < 100, true);
}

async function useCopies() {
  await open("plain");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await frameMenu("vfs_write", "Copy name");
  await becomes("copy the name", copied, "vfs_write");
  await frameMenu("vfs_write", "Copy stack");
  await becomes("copy the stack", copied, "main;serve;handle_request;write;vfs_write_[k]");
  await click("parse");
  await press("F");
  await page.waitForFunction(() => /lines/.test(document.querySelector(".toast").textContent));
  is("copy the folded lines of the view", (await copied()).trim().split("\n").slice(1),
    ["main;parse 3", "main;parse;read;vfs_read_[k] 12"]);
  is("... with their header", (await copied()).split("\n")[0].startsWith("# pyrograph: host=db1 event=cpu-clock"), true);

  const save = async (key) => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press(key)]);
    return [download.suggestedFilename(), fs.readFileSync(await download.path())];
  };
  const [svgName, svg] = await save("S");
  is("save as SVG, named after the title", svgName, "flame-graph.svg");
  is("... without script, with the zoom", [/<script|foreignObject|on\w+=/.test(svg), /Zoomed: main › parse/.test(svg)], [false, true]);
  const [pngName, png] = await save("P");
  is("save as PNG", [pngName, png.subarray(1, 4).toString()], ["flame-graph.png", "PNG"]);
  await open("hostile");
  const [, hostile] = await save("S");
  fs.writeFileSync(`${process.argv[2]}/saved.svg`, hostile);
  await page.goto(urlOf("saved.svg"));
  is("hostile names, saved: valid XML, text only", await page.evaluate(() => [document.documentElement.localName,
    document.querySelectorAll("script, img, a").length]), ["svg", 0]);
}

async function useHostileView() {
  await open("hostile", "#table=1");
  for (const name of ["<script>alert(1)</script>", "../../etc/x"]) {
    await hover(name);
    await rest(350);
    await frameMenu(name, "Search for its name");
    await page.click(".pin");
    await frameMenu(name, "Callers and callees");
    await press("R");
    await frameMenu(name, "Hide all of this name");
    await click("all");
  }
  await press("?");
  is("hostile names in tips, menus, chips, table: text", await page.locator("img, .pyrograph script, a").count(), 0);
}

async function useTheme() {
  const light = await page.evaluate(() => getComputedStyle(document.querySelector(".pyrograph")).backgroundColor);
  page = await newPage({ colorScheme: "dark" });
  await open("plain", "#table=1&s=write&z=main");
  const contrasts = () => page.evaluate(() => {
    const rgb = (text) => text.match(/[\d.]+/g).map(Number);
    const light1 = (c) => rgb(c).slice(0, 3).map((v) => v / 255).map((v) => v <= 0.03928 ? v / 12.92
      : ((v + 0.055) / 1.055) ** 2.4).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const behind = (e) => {
      for (; e; e = e.parentElement) {
        const c = getComputedStyle(e).backgroundColor;
        if (rgb(c).length < 4 || rgb(c)[3] > 0.5)
          return c;
      }
      return "rgb(255,255,255)";
    };
    const bad = [];
    for (const e of document.querySelectorAll(".pyrograph *")) {
      if (!e.checkVisibility() || e.closest("svg.graph") || !Array.from(e.childNodes).some((n) => n.nodeType === 3 && n.data.trim()))
        continue;
      const [a, b] = [light1(getComputedStyle(e).color), light1(behind(e))].sort((x, y) => y - x);
      if ((a + 0.05) / (b + 0.05) < 4.5 && !e.closest(":disabled"))
        bad.push(`${e.className} ${e.textContent}: ${((a + 0.05) / (b + 0.05)).toFixed(2)}`);
    }
    return bad;
  });
  const dark = () => page.$eval(".pyrograph", (e) => [e.dataset.theme, getComputedStyle(e).backgroundColor]);
  is("dark where the system is", (await dark())[0], "dark");
  is("... a dark ground", [light === (await dark())[1], (await dark())[1]], [false, "rgb(23, 25, 29)"]);
  is("... every text can be read", await contrasts(), []);
  await press("d");
  is("D: light", [(await dark())[0], (await hash()).includes("t=light")], ["light", true]);
  is("... every text can be read", await contrasts(), []);
  await press("v");
  is("... in the menu as well", await contrasts(), []);
  await press("Escape", "?");
  is("... and in the help", await contrasts(), []);
  await open("night", "#t=dark");
  is("a dark ground of one's own is that of the dark theme", await dark(), ["dark", "rgb(18, 52, 86)"]);
  await press("d");
  is("... and not of the light one", await dark(), ["light", "rgb(255, 255, 255)"]);
  is("a title that C broke is one line again", await texts(".title, .notes .title"), ["A title of many words, for which there is no room"]);
}

async function usePhone() {
  page = await newPage({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await open("plain");
  is("a phone: as wide as the screen", await page.evaluate(() => [innerWidth, document.documentElement.getAttribute("width")]),
    [390, "390"]);
  const tap = async (name) => page.touchscreen.tap(...await place(name));
  await tap("serve");
  await becomes("a tap shows details", async () => [(await details()).slice(0, 36), await hash()], ["Function: serve (46 samples, 59 %), ", ""].map((t) => t.slice(0, 36)));
  await tap("serve");
  await page.waitForFunction(() => location.hash === "#z=main;serve");
  is("... the second one zooms", await hash(), "#z=main;serve");
  const [x, y] = await place("write");
  await page.$eval(".graph", (graph, [clientX, clientY]) => graph.dispatchEvent(new PointerEvent("pointerdown",
    { pointerType: "touch", clientX, clientY, bubbles: true })), [x, y]);
  await page.waitForSelector(".menu:not([hidden])");
  is("a long press: the menu", (await texts(".menu-heading"))[0], "write");
  await menuItem("Leave out stacks with it");
  is("... works", await chips(), ["Withoutwrite"]);
  await page.tap(".functions");
  const [graph, table] = [await page.locator(".stage").boundingBox(), await page.locator(".aside").boundingBox()];
  is("the table is below the graph", [graph.y + graph.height <= table.y + 1, table.width], [true, 390]);
  is("nothing stands out", await page.evaluate(() => document.documentElement.scrollWidth), 390);
}

async function useAria() {
  page = await newPage();
  await open("plain");
  const unnamed = await page.$$eval("button, input", (all) => all.filter((e) =>
    !(e.getAttribute("aria-label") || e.textContent.trim())).length);
  is("every control has a name", unnamed, 0);
  is("frames are a tree", [await page.getAttribute(".graph", "role"), await page.getAttribute("#frames rect", "role")], ["tree", "treeitem"]);
  await press("ArrowUp");
  is("what is walked to is said", await page.textContent("[aria-live]"), await details());
  is("... and has the focus", await page.$eval(".graph", (e) => document.getElementById(
    e.getAttribute("aria-activedescendant")).getAttribute("aria-label")), "main (61 samples, 78.2 %)");
  await open("plain");
  for (let i = 0; i < 12 && !(await page.evaluate(() => document.activeElement?.matches(".graph"))); i++) {
    await press("Tab");
  }
  is("Tab comes to the frames", (await details()).split(" ")[1], "all");
  await press("ArrowUp");
  await press("M");
  is("a key opens the menu", (await texts(".menu-heading")), ["main"]);
  await press("ArrowDown", "ArrowDown", "Enter");
  is("... walked by arrows", await hash(), "#f=main");
}

async function useLinksOfFrames() {
  await open("links");
  await hover("parse");
  await page.waitForSelector(".tip:not([hidden])");
  is("--nameattr: title and link in the tip", await texts(".tip-note"), ["The parser", "opens https://example.org/parse (menu)"]);
  await click("parse", { button: "right" });
  is("... in the menu", (await texts(".menu-label")).includes("Open https://example.org/parse"), true);
  await press("Escape");
  await click("serve", { button: "right" });
  is("a script is no link", (await texts(".menu-label")).filter((t) => /Open/.test(t)), []);
  await press("Escape");
}

async function useOldLinks() {
  await open("plain", "?x=400&y=100");
  is("a link of flamegraph.pl, by pixels: the nearest frame", (await hash()).startsWith("#z=main"), true);
  await open("plain", "?s=idle&x=&y=");
  is("... and its search", await matched(), "Matched: 21.8 %");
}

async function useLabels() {
  await open("left");
  const label = (end) => texts("#frames text").then((all) => all.filter((t) => end.test(t)));
  is("labels cut on their left, when the picture says so", (await label(/^\.\..*x$/)).length, 1);
  is("... lines around frames", await page.getAttribute("#frames rect", "stroke"), "#123456");
  is("labels fit into their frames", await page.$$eval("#frames text", (all) => all.filter((text) => {
    const rect = text.previousElementSibling;
    return text.getComputedTextLength() > Number(rect.getAttribute("width")) - 4;
  }).length), 0);
  await open("deep");
  is("5,000 deep: few rows exist", [(await names()).length < 200, (await names()).includes("all")], [true, true]);
  await page.$eval(".scroll", (e) => { e.scrollTop = 0; });
  await page.waitForFunction(() => document.querySelector("#frames rect[aria-label^='top (']"));
  is("... those in the window", (await names()).length < 200, true);
}

async function useChart() {
  const places = async () => (await frames()).map(([name, x, w]) => `${name} ${x} ${w}`);
  await open("chart"); // 20 ms on 1000 px: 50 px each
  is("a flame chart: frames at their moments", await places(), ["all 10 1000", "main 10 750", "parse 110 150", "parse 310 250",
    "read 310 100", "read 460 100", "idle 760 50", "main 810 200", "write 810 150"]);
  await click("main");
  is("... zoomed: 15 ms", (await places()).slice(1, 4), ["main 10 1000", "parse 143 200", "parse 410 333"]);
  await press("0");
  await click("idle");
  await frameMenu("idle", "Hide all of this name");
  is("... what is hidden leaves its time", (await places()).slice(-2), ["main 810 200", "write 810 150"]);
}

async function useEmbedded() {
  await page.goto(urlOf("page.html"));
  const object = page.frames().find((f) => f.url().endsWith("plain.svg"));
  await object.waitForSelector("svg[data-ready]", { state: "attached" });
  await page.waitForSelector("#inline svg[data-ready]", { state: "attached" });
  is("in a page: each picture for itself", await page.$$eval("#inline svg.live .tools", (all) => all.length), 2);
  is("... the page's width stays", await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  await page.click("#inline svg:nth-of-type(2) #frames rect[aria-label^='parse (']");
  is("... a zoom is in one of them", await page.$$eval("#inline svg.live .path", (all) => all.map((e) => !e.hidden)), [false, true]);
  is("... and not in the page's address", new URL(page.url()).hash, "");
  await page.press("#inline svg:nth-of-type(2) .graph", "Escape");
  is("... Esc undoes it there", await page.$$eval("#inline svg.live .path", (all) => all.map((e) => !e.hidden)), [false, false]);
  is("as an object it fills its place", await object.evaluate(() => document.documentElement.getAttribute("width")), "700");
  is("as an image it is what C drew", await page.$eval("img", (img) => img.complete && img.naturalWidth), 1200);
}

async function usePaper() {
  await open("tall", "#t=light");
  await page.waitForFunction(() => document.querySelector("svg.live > style:last-of-type").textContent);
  const pages = (await page.pdf({ width: "1400px", height: "900px" })).toString("latin1").match(/\/Type\s*\/Page[^s]/g).length;
  is("on paper all rows are there", pages >= 5, true);
  is("... and the window is as before", await page.evaluate(() => document.documentElement.getAttribute("height")), "800");
}

start([async (first) => { page = first; }, useZoomSteps, useTip, useSearches, useFilters, useSandwich, useViewMenu, useTable,
  useCopies, useHostileView, useTheme, usePhone, useAria, useLinksOfFrames, useOldLinks, useLabels, useChart, useEmbedded, usePaper]);
