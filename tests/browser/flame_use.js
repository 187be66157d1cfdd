// Flame graphs in a browser, for everybody: small windows, paper, phones, keys alone, readers of
// screens, eyes that see colours differently.
// Prints TAP; argument: the directory that flame.test.sh made.
"use strict";

const fs = require("fs");
const zlib = require("zlib");
const { is, rest, start, newPage, ready, open, details, hash, shown, texts, names, frame, click, press } = require("./pictures");

let page;

const chips = () => texts(".chip");
const said = () => page.textContent("[aria-live]");
const settled = () => rest(50);
const tabTo = async (selector) => {
  for (let i = 0; i < 40; i++) {
    await press("Tab");
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector))
      return;
  }
};

// the px between each graph's lowest row and the lower edge of its window
const below = () => page.$$eval(".panel:not([hidden]) .scroll", (all) => all.map((scroll) =>
  Math.round(scroll.scrollHeight - scroll.clientHeight - scroll.scrollTop)));

async function useRoom() {
  await page.setViewportSize({ width: 1280, height: 500 });
  await open("tall", "#s=f299&s=f298");
  for (const height of [700, 650, 800, 500]) {
    await page.setViewportSize({ width: 1280, height });
    await settled();
    is(`the root stays where it is: ${height} px high`, await below(), [0]);
  }
  await page.$eval(".scroll", (e) => { e.scrollTop -= 400; });
  await settled();
  await page.setViewportSize({ width: 1280, height: 640 });
  await settled();
  is("... scrolled as well", await below(), [400]);
  await page.click(".chip .remove");
  await settled();
  is("... and when a chip goes", await below(), [400]);
  is("how much is above the window", await texts(".more"), [await page.$eval(".scroll", (e) =>
    `↑ ${Math.floor(e.scrollTop / 16)} more rows`)]);
  is("... the row that is cut fades", /gradient/.test(await page.$eval(".scroll", (e) => getComputedStyle(e).maskImage)), true);
  await page.click(".more");
  await settled();
  is("... a click goes there", (await below())[0] > 600, true);
  await open("multiples");
  await page.setViewportSize({ width: 640, height: 260 });
  await settled();
  await page.click(".panel:not([hidden]) >> nth=0 >> rect[aria-label^='serve (']");
  await settled();
  is("panels keep their roots too", await below(), [0, 0]);
  is("a low window: each graph has its rows, the page scrolls", await page.$$eval(".panel:not([hidden]) .scroll", (all) =>
    all.every((e) => e.clientHeight >= 4 * 16) && document.querySelector(".sheet").scrollHeight > 260), true);
  await page.setViewportSize({ width: 320, height: 240 });
  await open("diff");
  is("... the smallest", await page.$eval(".scroll", (e) => e.clientHeight >= 4 * 16), true);
  await open("tall", "#icicle=1");
  is("root on top: more is below", (await texts(".more"))[0].startsWith("↓ "), true);
  await page.setViewportSize({ width: 1400, height: 800 });
}

// [number of pages, width / height of the first page, whether something is painted at its right edge]
async function printed(options) {
  const pdf = await page.pdf({ printBackground: false, ...options });
  return { pages: pdf.toString("latin1").match(/\/Type\s*\/Page[^s]/g).length, pdf };
}

// The content streams of a PDF, as text.
function contents(pdf) {
  const text = [];
  for (let at = pdf.indexOf("stream"); at >= 0; at = pdf.indexOf("stream", at + 9)) {
    const from = pdf.indexOf("\n", at) + 1;
    try {
      text.push(zlib.inflateSync(pdf.subarray(from, pdf.indexOf("endstream", from)), { finishFlush: zlib.constants.Z_SYNC_FLUSH })
        .toString("latin1"));
    } catch (e) { /* a font */ }
  }
  return text.join("\n");
}

async function usePaper() {
  const dot = (key) => page.evaluate((wanted) => getComputedStyle(document.querySelector(".legend .dot"))[wanted], key);
  await open("plain", "#c=kind&z=main");
  for (const landscape of [false, true])
    is(`one page of paper, ${landscape ? "landscape" : "portrait"}`, (await printed({ format: "A4", landscape })).pages, 1);
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  is("as wide as paper, scaled to it", await page.evaluate(() => [document.documentElement.getAttribute("viewBox").split(" ")[2],
    document.querySelector(".graph").getAttribute("width")]), ["1000", "1000"]);
  is("... the whole of it", (await frame("main"))[2], 980);
  is("... without controls", [await shown(".tools"), await shown(".path > .back"), await shown(".more")], [false, false, false]);
  await page.emulateMedia({ colorScheme: "dark" });
  is("... in light colours", await page.$eval(".pyrograph", (e) => e.dataset.theme), "light");
  await page.emulateMedia({ colorScheme: "light" });
  is("... colours of the legend too", await dot("printColorAdjust"), "exact");
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  is("... and the window as before", [(await frame("main"))[2], await page.evaluate(() =>
    document.documentElement.getAttribute("viewBox"))], [1380, null]);
  const rgb = (await dot("backgroundColor")).match(/\d+/g).map((v) => (v / 255).toFixed(2).replace(/^0/, "").replace(/0+$/, ""));
  const { pdf } = await printed({ format: "A4" });
  is("... as ink, where backgrounds are not printed", contents(pdf).includes(rgb[0]), true);
}

async function usePath() {
  page = await newPage({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await open("tall", "#z=" + Array.from({ length: 40 }, (unused, i) => `f${i + 1}`).join(";"));
  for (const button of [".back", ".reset"]) {
    const box = await page.locator(`.path > ${button}`).boundingBox();
    is(`deep in it, ${button} is in the window`, box.x >= 0 && box.x + box.width <= 390, true);
  }
  is("next and previous match, on a phone", await shown(".foot .next"), false);
  await open("plain", "#s=write");
  await page.tap(".foot .next");
  is("... when there are any", [await shown(".foot .previous"), /^1 of \d/.test(await page.textContent(".count"))], [true, true]);
  await page.tap(".tools .view");
  const box = await page.locator(".menu").boundingBox();
  is("the menu leaves some of the graph", box.height < 700, true);
  page = await newPage({ viewport: { width: 1280, height: 600 } });
  await open("plain");
  await press("v");
  is("a low window: the whole menu in two columns", await page.$eval(".menu", (e) => [e.scrollHeight <= e.clientHeight,
    e.lastChild.getBoundingClientRect().bottom <= innerHeight]), [true, true]);
  page = await newPage();
}

async function useSafeColours() {
  for (const name of ["plain", "java", "diff", "animate"]) {
    await open(name);
    const before = await page.$$eval("#frames rect", (all) => all.map((e) => e.getAttribute("fill")));
    await press("b");
    const after = await page.$$eval("#frames rect", (all) => all.map((e) => e.getAttribute("fill")));
    is(`${name}: other colours for colour-blind eyes`, before.some((colour, i) => colour !== after[i]), true);
    is("... in the link", await hash(), "#cb=1");
    await page.reload();
    await ready();
    is("... which brings them back", await page.$$eval("#frames rect", (all) => all.map((e) => e.getAttribute("fill"))), after);
  }
  await open("diff", "#cb=1");
  is("differences: orange and blue", (await page.$$eval(".legend .dot", (all) => all.map((e) => e.style.background))).includes(
    "rgb(232, 138, 26)"), true);
  await open("metrics");
  await press("b");
  is("those that are safe say so", /safe as they are/.test(await page.textContent(".toast")), true);
}

// The contrast, as painted, of labels on frames that the zoom stands on.
const parentContrasts = () => page.evaluate(() => {
  const rgb = (text) => text[0] === "#" ? [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16)) : text.match(/[\d.]+/g).map(Number);
  const mix = (over, under, share) => over.slice(0, 3).map((v, i) => v * share + under[i] * (1 - share));
  const light = (c) => c.map((v) => v / 255).map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = rgb(getComputedStyle(document.querySelector(".pyrograph")).backgroundColor);
  return Array.from(document.querySelectorAll("#frames rect.parent"), (rect) => {
    const label = getComputedStyle(rect.nextElementSibling);
    const back = mix(rgb(getComputedStyle(rect).fill), ground, Number(getComputedStyle(rect).opacity));
    const front = mix(rgb(label.fill), back, Number(label.opacity));
    const [a, b] = [light(back), light(front)].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  });
});

async function useDark() {
  page = await newPage({ colorScheme: "dark" });
  for (const [name, link] of [["plain", "z=main;serve"], ["plain", "z=main;serve&s=main"], ["plain", "z=main;serve&c=depth"], ["yellow", "z=main;serve"],
    ["diff", "z=main;serve"], ["diff", "z=main;serve&cb=1"]]) {
    for (const theme of ["dark", "light"]) {
      await open(name, `#${link}&t=${theme}`);
      const all = await parentContrasts();
      is(`callers can be read: ${name} ${link} ${theme}`, [all.length >= 2, all.filter((c) => c < 4.5)], [true, []]);
    }
  }
  await open("diff");
  const light = await page.evaluate(() => Array.from(document.querySelectorAll(".legend .dot"), (dot) =>
    getComputedStyle(dot).backgroundColor.match(/\d+/g).reduce((sum, v) => sum + Number(v), 0)));
  is("dark: weak changes are near to the grey of none", [Math.abs(light[0] - light[6]) < 60, Math.abs(light[2] - light[6]) < 60], [true, true]);
  page = await newPage();
}

async function useKeysOnly() {
  await open("plain");
  await press("?");
  await press("t", "x", "0", "i");
  is("help is modal: keys mean nothing", [await hash(), await shown(".help-box"), await shown(".aside")], ["", true, false]);
  await press("Tab", "Tab", "Shift+Tab");
  is("... Tab stays in it", await page.evaluate(() => Boolean(document.activeElement.closest(".help-box"))), true);
  await press("?");
  is("... ? closes it", await shown(".help-box"), false);

  await press("v", "End", "Enter");
  is("End in a menu: the last item", await shown(".help-box"), true);
  await press("Escape", "v", "End", "Home", "Enter");
  is("... Home: the first", await hash(), "#icicle=1");
  await press("v", "i");
  is("... letters beside the items", [await hash(), await shown(".menu")], ["", false]);
  await click("write", { button: "right" });
  await press("x");
  is("... in the menu of a frame", await chips(), ["Withoutwrite"]);

  await open("tall");
  await press("PageUp");
  is("PageUp, before any click", (await below())[0] > 400, true);
  await press("Home");
  await page.waitForFunction(() => document.querySelector(".scroll").scrollTop === 0);
  await press("End");
  is("... Home and End", await below(), [0]);
  await press("PageUp", "PageDown");
  is("... PageDown", await below(), [0]);
}

async function useFocus() {
  const ring = (selector) => page.$eval(selector, (e) => getComputedStyle(e).outlineStyle !== "none" &&
    parseFloat(getComputedStyle(e).outlineWidth) >= 2);
  await open("plain", "#table=1");
  await tabTo(".search input");
  is("the search box shows the focus", await ring(".search"), true);
  await tabTo(".graph");
  is("... the graph", [await ring(".scroll"), await page.getAttribute(".focus", "visibility"), (await details()).split(" ")[1]],
    [true, "visible", "all"]);
  await tabTo(".table-scroll");
  is("... the table", await ring(".table-scroll"), true);
}

async function useReaders() {
  await open("plain", "#table=1");
  const session = await page.context().newCDPSession(page);
  const tree = async () => (await session.send("Accessibility.getFullAXTree")).nodes.filter((n) => !n.ignored);
  let nodes = await tree();
  const count = (role) => nodes.filter((n) => n.role.value === role).length;
  is("readers of screens find the frames", [count("treeitem"), count("graphics-symbol")], [14, 0]);
  is("... a heading, the main part, the table's rows", [count("heading"), count("main"), count("option") > 5], [1, 1, true]);
  await tabTo(".graph");
  await press("ArrowUp");
  nodes = await tree();
  const graph = nodes.find((n) => n.role.value === "tree");
  is("... where the keys are", graph.properties.some((p) => p.name === "activedescendant"), true);
  await page.click(".row:has-text('vfs_write')");
  is("... in the table too", await page.$eval(".table-scroll", (e) => document.getElementById(
    e.getAttribute("aria-activedescendant")).textContent.includes("vfs_write")), true);
  await session.detach();

  await open("plain");
  await press("ArrowUp", "ArrowUp", "Enter");
  is("a zoom is said", await said(), "Zoomed: serve (46 samples, 59 % of all, 100 % of the zoomed frame)");
  await press("0");
  is("... and its end", await said(), "All frames: 78 samples");
  await press("ArrowUp", "ArrowUp", "h");
  is("a filter is said", [await said(), (await names()).includes("write")],
    ["Hidden write. 78 samples, 13 frames are left", false]);
  await press("ArrowUp");
  is("... and the keys go on from what is left of the stack", (await details()).split(" ")[1], "vfs_write");
  await press("R");
  is("... all again", await said(), "No filters. 78 samples, 14 frames are left");
}

async function useCallers() {
  await open("plain", "#f=vfs_write_[k]");
  const zoomed = () => page.textContent(".panel:nth-child(2) .panel-title");
  const caller = (name) => page.click(`.panel:nth-child(2) rect[aria-label^='${name} (']`);
  await caller("handle_request");
  is("zoom among the callers: a path", await zoomed(), "Callers › vfs_write › write › handle_request");
  is("... in the link", await hash(), "#f=vfs_write_[k]&zc=write;handle_request");
  is("... and said", await said(), "Zoomed: handle_request (31 samples, 39.7 % of all, 100 % of the zoomed frame)");
  await page.click(".panel:nth-child(2) .panel-title button:has-text('write') >> nth=1");
  is("... each can be clicked", await zoomed(), "Callers › vfs_write › write");
  await press("Escape");
  await page.waitForFunction(() => location.hash.includes("handle"));
  is("... Esc undoes it", await zoomed(), "Callers › vfs_write › write › handle_request");
  await page.reload();
  await ready();
  is("... a link brings it", await zoomed(), "Callers › vfs_write › write › handle_request");
  await press("0");
  is("... 0: all callers", [await zoomed(), await hash()], ["Callers", "#f=vfs_write_[k]"]);
}

async function useSaved() {
  const save = async (key) => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press(key)]);
    return fs.readFileSync(await download.path(), "utf8");
  };
  await open("plain", "#f=vfs_write_[k]&s=write");
  const svg = await save("S");
  is("saved: what was done is said in words", [/>Callers and callees of vfs_write</.test(svg), /Matched: write, \d/.test(svg)], [true, true]);
  await open("diff");
  const saved = await save("S"), places = saved.match(/<rect [^>]*width="12"[^>]*\/>/g).map((rect) => / x="[\d.]+" y="[\d.]+"/.exec(rect)[0]);
  is("... the legend is that of the page", [(await texts(".legend-item")).filter((text) => text && !saved.includes(`>${text}<`)),
    places.length, new Set(places).size], [[], await page.locator(".legend .dot").count(), places.length]);
  await open("deep");
  await press("P");
  await page.waitForFunction(() => document.querySelector(".toast:not([hidden])"));
  is("5,000 rows are no PNG", /Too tall/.test(await page.textContent(".toast")), true);
}

async function useNames() {
  await open("turned");
  is("a name cannot turn its direction of writing", await names(), ["all", "safe_�fdp.exe", "x"]);
}

start([async (first) => { page = first; }, useRoom, usePaper, usePath, useSafeColours, useDark, useKeysOnly, useFocus, useReaders,
  useCallers, useSaved, useNames]);
