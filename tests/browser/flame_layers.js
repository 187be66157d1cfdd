// Flame graphs of several layers in a browser: differences, windows of time, two metrics,
// panels, and frames that stand for others that are folded into them.
// Prints TAP; argument: the directory that flame.test.sh made.
"use strict";

const { is, start, open, hash, texts, frames, names, fill, hover, click, press, search, unpressed } =
  require("./pictures");

let page;

const tip = async (name) => {
  await hover(name);
  await page.waitForSelector(".tip:not([hidden])");
  return texts(".tip th, .tip td");
};
const pressed = () => texts(".layers [aria-pressed='true']");

async function useDifference() {
  await open("diff");
  is("what is pressed is seen below the mouse", await unpressed(), []);
  is("both sides: nothing vanishes", await names(), ["all", "idle", "main", "parse", "read", "read_new", "read_old", "serve",
    "hash", "write"]);
  is("... the legend", (await texts(".legend-item")).filter(Boolean).length >= 4, true);
  is("... and the controls", await pressed(), ["Both", "total"]);
  is("the tip has both sides", (await tip("write")).slice(-12),
    ["", "base", "new", "change", "total", "210, 33.3 %", "330, 48.7 %", "+120 samples, +57.1 %", "self", "210, 33.3 %",
      "330, 48.7 %", "+120 samples, +57.1 %"]);
  is("... new code", (await tip("read_new")).slice(-5, -4), ["+45 samples, new"]);
  is("... code that is gone", (await tip("read_old")).slice(-5, -4), ["−40 samples, gone"]);
  await page.mouse.move(5, 790);
  const colour = await fill("parse");
  await page.click(".segment button:text-is('self')");
  is("change by self: callers of what changed are grey", [await fill("parse") !== colour, await hash()], [true, "#by=self"]);
  await page.click(".segment button:text-is('Gone')");
  is("only what is gone", [await names(), await hash()], [["all", "main", "parse", "read_old"], "#d=gone&by=self"]);
  await page.click(".segment button:text-is('Added')");
  is("only what is new", await names(), ["all", "main", "parse", "read_new"]);
  await press("1");
  is("1: both again", await pressed(), ["Both", "self"]);
  await press("1");
  is("... the base", [(await names()).includes("read_new"), (await frames())[0]], [false, ["all", 10, 1380, ""]]);
  await press("Escape");
  await page.waitForFunction(() => !location.hash.includes("d=base"));
  is("Esc undoes it", await pressed(), ["Both", "self"]);
}

async function useAnimation() {
  await open("animate");
  const at = () => page.textContent(".window");
  is("all windows at first", await at(), "all 2 windows · 1,307 samples");
  await press(".");
  is(". one window on, in wall-clock time", await at(), "15:41:18.014 – 15:41:19.014 (1 of 2) · 630 samples");
  is("... its frames only", (await names()).includes("read_new"), false);
  await press(".");
  is("... the next", [(await at()).endsWith("(2 of 2) · 677 samples"), (await names()).includes("read_old"), await hash()],
    [true, false, "#at=1"]);
  await press(",");
  is(", one back", (await at()).includes("(1 of 2)"), true);
  await press(" ");
  is("Space plays", await page.getAttribute(".layers .play", "aria-label"), "Pause");
  await page.waitForFunction(() => document.querySelector(".window").textContent.includes("(2 of 2)"));
  await press(" ");
  is("... and pauses", await page.getAttribute(".layers .play", "aria-label"), "Play");
  await page.$eval(".layers input", (e) => { e.value = 0; e.dispatchEvent(new Event("input")); });
  is("the seek bar", (await at()).includes("(1 of 2)"), true);
  await page.click(".layers button:text-is('All')");
  is("all again", (await at()).startsWith("all 2"), true);
}

async function useMetrics() {
  await open("metrics");
  is("two metrics: the legend", (await texts(".legend")).join("").includes("instructions/cycles"), true);
  is("... colours say the ratio", await fill("read") !== await fill("write"), true);
  is("... the tip has all events", (await tip("write")).slice(-12).filter(Boolean),
    ["cycles", "210", "33.3 %", "instructions", "330", "48.7 %", "instructions/cycles", "1.571"]);
}

async function usePanels() {
  await open("multiples");
  is("a panel for each", await texts(".panel-title"), ["base", "new"]);
  const panel = (k) => names(`.panel:not([hidden]) >> nth=${k} >> svg`);
  is("... with its own frames", [(await panel(0)).includes("read_new"), (await panel(1)).includes("read_new")], [false, true]);
  await page.click(".panel:not([hidden]) >> nth=1 >> rect[aria-label^='serve (']");
  is("they zoom together", [await hash(), (await panel(0)).includes("idle"), (await panel(1)).includes("idle")],
    ["#z=main;serve", false, false]);
  await search("write");
  await page.press(".tools input", "Enter");
  is("... matches are counted in all panels", await page.textContent(".count"), "2 of 2");
  await press("Escape", "t");
  await page.click(".row:has-text('hash')");
  is("... where the table shows it", await page.getAttribute(".panel:not([hidden]) .focus", "visibility"), "visible");
  await search("write");
  is("... and search together", await page.locator(".panel:not([hidden]) rect[fill='#e600e6'][role]").count(), 2);
}

async function useFolded() {
  await open("folded");
  await hover("...");
  await page.waitForSelector(".tip:not([hidden])");
  is("a frame for many says so", await texts(".tip-note"), ["stands for 1,234 frames too narrow to keep"]);
  await click("...");
  is("... and is no place to zoom to", await hash(), "");
}

start([async (first) => { page = first; }, useDifference, useAnimation, useMetrics, usePanels, useFolded]);
