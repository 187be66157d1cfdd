// Opens flame graphs from file:// in Chromium and uses them as people do.
// Prints TAP; argument: the directory that flame.test.sh made.
"use strict";

const { is, becomes, quick, start, open, details, matched, hash, shown, frames, frame, fill, place, hover, click, search } =
  require("./pictures");

let page;

async function useMouse() {
  await open("plain");
  const before = await frames();
  is("fills the window", before[0], ["all", 10, 1380, ""]);
  is("every frame is there", before.length, 14);
  await hover("serve");
  is("hover: counts and shares", await details(),
    "Function: serve (46 samples, 59 %), self 0 samples, 0 %");
  await hover("parse");
  is("... self", await details(), "Function: parse (15 samples, 19.2 %), self 3 samples, 3.85 %");
  is("... an outline", await shown(".outline"), true);
  await page.mouse.move(700, 600);
  is("... gone outside", [await details(), await shown(".outline")], ["14 frames, 7 deep", false]);
  is("no reset button before a zoom", await shown(".reset"), false);

  await click("serve");
  is("click zooms", await frame("serve"), ["serve", 10, 1380, ""]);
  is("... callers are faded", (await frames()).filter((f) => f[3] === "parent").map((f) => f[0]),
    ["main", "all"]);
  is("... others are gone", await frame("idle"), undefined);
  is("... narrow frames got their names",
    await page.locator("#frames text", { hasText: /^a_?[a-z_]*\.\.[a-z_]*x$/ }).count(), 1);
  await hover("write");
  is("... share of the zoomed frame", await details(),
    "Function: write (35 samples, 44.9 % of all, 76.1 % of the zoomed frame), self 4 samples, 5.13 %");
  is("... the link has the path", await hash(), "#z=main;serve");
  await click("main");
  is("a caller can be clicked", [(await frame("main"))[2], await hash()], [1380, "#z=main"]);
  await page.goBack();
  is("Back undoes a zoom", [(await frame("serve"))[2], await hash()], [1380, "#z=main;serve"]);
  await page.click(".reset");
  is("Reset zoom", await frames(), before);
  await click("write.part.0");
  await page.keyboard.press("Escape");
  is("Esc resets too", [await frames(), await hash()], [before, ""]);
}

async function useSearch() {
  await open("plain");
  const colour = await fill("write");
  await search("write");
  // write 35 (with vfs_write and ext4_file_write_iter on it) + write.part.0 9, of 78
  is("matched share counts no sample twice", await matched(), "Matched: 56.4 %");
  is("... is marked", [await fill("write"), await fill("vfs_write")], ["#e600e6", "#e600e6"]);
  is("... others are not", await fill("main") !== "#e600e6", true);
  is("... the link has it", await hash(), "#s=write");
  await page.keyboard.press("Escape");
  is("Esc clears the search", [await matched(), await fill("write"), await hash()], ["", colour, ""]);

  await page.keyboard.press("/");
  await page.keyboard.type("^(vfs_|PARSE)", { delay: 5 });
  await becomes("typing searches", matched, "Matched: 55.1 %");
  await page.keyboard.press("Control+i");
  is("ignore case", await matched(), "Matched: 59 %");
  is("... shows in the button", await page.getAttribute(".case", "aria-pressed"), "true");
  await page.click(".case");
  is("... and off", await matched(), "Matched: 55.1 %");

  await search("_\\[k\\]$");
  is("annotations can be searched for", await matched(), "Matched: 55.1 %");
  await search("write$");
  is("... but need not be written", await matched(), "Matched: 44.9 %");
  await click("serve");
  is("zoomed: both shares", await matched(), "Matched: 44.9 % of all, 76.1 % of the zoomed frame");
  await page.click(".clear");
  is("reset search keeps the zoom", [await matched(), await hash()], ["", "#z=main;serve"]);

  await search("(");
  is("no regular expression: said in the picture", await matched(), "Not a regular expression: (");
  await search("nothing like this");
  is("no match", await matched(), "Matched: 0 % of all, 0 % of the zoomed frame");
  await page.click(".reset");
  is("reset zoom keeps the search", await matched(), "Matched: 0 %");
  await page.keyboard.press("Control+f");
  await page.keyboard.type("idle");
  await page.keyboard.press("Enter");
  is("Ctrl-F starts a new search", await matched(), "Matched: 21.8 %");
}

async function useKeys() {
  await open("plain");
  for (const key of ["ArrowUp", "ArrowUp", "ArrowLeft"]) {
    await page.keyboard.press(key);
  }
  is("arrows walk: up to the widest, to a sibling", await details(),
    "Function: parse (15 samples, 19.2 %), self 3 samples, 3.85 %");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  is("Enter zooms", await hash(), "#z=main;serve");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  is("... to a caller", await hash(), "#z=main");
}

async function useLinks() {
  await open("plain", "#z=main;serve;handle_request&s=VFS&i=1");
  is("a link brings zoom and search", [(await frame("handle_request"))[2], await matched()],
    [1380, "Matched: 55.1 % of all, 70.5 % of the zoomed frame"]);
  await open("later", "#z=main;serve;handle_request;write.part.0;memcpy&s=write");
  is("... to another recording: as far as the path goes", (await frame("handle_request"))[2], 1380);
  await open("plain", "?s=idle");
  is("an old link with ?s=", await matched(), "Matched: 21.8 %");
  await open("plain", "#z=%ff;%&s=%E0%A4%A");
  is("a broken link does no harm", (await frames()).length, 14);
  await open("plain", "#s=a%26b%23");
  is("& and # in a link", await page.$eval(".tools input", (input) => input.value), "a&b#");
}

async function useShapes() {
  await open("icicle");
  is("--width stays", await frame("all"), ["all", 10, 880, ""]);
  const top = async (name) => (await place(name))[1];
  is("icicle: the root is on top", await top("all") < await top("main"), true);
  await click("parse");
  is("... zooms", (await frame("parse"))[2], 880);
  await open("shared");
  await click("parse");
  is("a shared script does the same", (await frame("parse"))[2], 1380);
  await page.setViewportSize({ width: 800, height: 500 });
  await page.waitForFunction(() => document.documentElement.getAttribute("width") === "800");
  is("follows the window's width", (await frame("parse"))[2], 780);
  await page.setViewportSize({ width: 1400, height: 800 });
}

async function useHostileNames() {
  await open("hostile");
  const names = (await frames()).map((f) => f[0]);
  is("markup in names is text", names.includes("<script>alert(1)</script>") &&
    names.includes("\"><img src=x onerror=alert(1)>") && names.includes("</title></svg>"), true);
  is("... nothing became an element", await page.locator("img, #frames script, a").count(), 0);
  await click("../../etc/x");
  await search("img|<|�");
  is("... after a redraw as well", await matched(), "Matched: 79.2 % of all, 100 % of the zoomed frame");
  is("... and in the link", await hash(), "#z=../../etc/x&s=img|<|�");
}

async function useBigProfile() {
  await quick("flame graphs: 50,003 frames open", async () => {
    const before = Date.now();
    await open("big");
    return Date.now() - before;
  });
  const total = await page.evaluate(() =>
    JSON.parse(document.querySelector("#flame-settings").textContent).frames);
  is("all frames are in the file", total, 50003);
  is("few are drawn", (await frames()).length < 3000, true);
  is("... not the narrow ones", await frame("caller_123"), undefined);

  await page.evaluate(() => { location.hash = "z=main;caller_123"; });
  await page.waitForFunction(() => document.querySelector("#details .details").textContent.startsWith("Zoomed"));
  is("zoom shows them", (await frames()).filter((f) => /^callee_\d\d_of_123$/.test(f[0])).length, 99);
  is("... at their full width", (await frame("callee_50_of_123"))[2], 14);
  await page.keyboard.press("Escape");
  const places = [await place("main"), await place("busy")];
  await quick("... zoom", () => page.evaluate((all) => Math.max(...all.map(([clientX, clientY]) => {
    const before = performance.now();
    document.documentElement.dispatchEvent(new MouseEvent("click", { clientX, clientY, bubbles: true }));
    document.documentElement.getBoundingClientRect(); // layout included
    return performance.now() - before;
  })), places));
  await page.keyboard.press("0");
  await search("_of_");
  is("search finds what is too narrow", await matched(), "Matched: 4.72 %");
  await search("caller_");
  is("... and marks what is drawn in bulk", await page.locator("#frames path.crumbs[fill='#e600e6']").count(), 1);
}

async function useTallProfile() {
  await open("tall");
  const top = (selector) => page.$eval(selector, (e) => Math.round(e.getBoundingClientRect().top));
  is("a tall picture shows its root first", [(await place("all"))[1] < 800, await page.$eval(".scroll", (e) => e.scrollTop > 1000)],
    [true, true]);
  is("... heading and controls stay in the window", [await top("#heading") < 10, await top(".tools")], [true, 8]);
  is("... the details too", await top("#details .details") > 760, true);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  is("... zoom leaves the root where it is", (await place("all"))[1] < 800, true);
  const [x, y] = await place("all");
  await page.mouse.click(x, y + 24); // the details: no frame
  is("... a click on the details does nothing", await hash(), "#z=f1;f2");
}

async function usePrint() {
  await open("plain");
  await page.emulateMedia({ media: "print" });
  is("controls are not printed", await shown(".tools"), false);
  await page.emulateMedia({ media: "screen" });
}

start([async (first) => { page = first; }, useMouse, useSearch, useKeys, useLinks, useShapes, useHostileNames,
  useBigProfile, useTallProfile, usePrint]);
