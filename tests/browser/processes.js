// Processes in a browser: rows, words at the pointer, colours, search, sums by command, links, folded lines.
// Prints TAP; argument: the directory that processes.test.sh made.
"use strict";

const fs = require("fs");
const path = require("path");
const { is, quick, start, newPage, open, texts, press, hash } = require("./pictures");

let page;

const rows = () => page.$$eval("#processes-rows .row", (all) => all.map((row) => row.getAttribute("aria-label")));
const tip = async () => {
  await page.waitForSelector(".tip:not([hidden])");
  return (await texts(".tip > div, .tip tr")).map((text) => text.trim()).join(" | ");
};
// Move the mouse over a place of a row's bar, given as fractions of its width and height.
async function hover(name, x, y = 0.5) {
  const box = await page.locator(`#processes-rows .row[aria-label^="${name}"] .track`).boundingBox();
  await page.mouse.move(box.x + x * box.width - 1, box.y + y * box.height);
  await page.mouse.move(box.x + x * box.width, box.y + y * box.height);
}
const fills = (name) => page.$$eval(`#processes-rows .row[aria-label^="${name}"] .marks path`, (all) =>
  all.map((e) => e.getAttribute("fill")));

async function useRows() {
  await open("made");
  is("a tree of rows, several of one name together", (await rows()).slice(0, 6), ["bash 900: 400 ms CPU",
    "make 1000: 90.5 ms CPU", "cc × 4: 14 ms CPU", "cc1 × 4: 4.17 s CPU", "as × 2: 340 ms CPU", "sleep 1012: 1 ms CPU"]);
  await hover("java 1013", 0.45);
  is("a process: arguments, times, end, cost, parent", (await tip()).replace(/ \| 10:15:[^|]*/, ""),
    "java 1013 | java -jar größe.jar --x=1:2| endexit 0, awaited by its parent | CPU5.9 s, 197 % of a CPU | " +
    "most memory512 MiB | parentmake 1000 | critical path3 s");
  await hover("cc1 × 4", 0.25, 0.2);
  is("... in a row of several, the one that is there", (await tip()).startsWith("cc1 1010 | cc1 -quiet d.c"), true);
  is("... ended by a signal", (await tip()).includes("endsignal SEGV+core"), true);
  await hover("as × 2", 0.1121);
  is("an exec that failed", (await tip()).includes("could not execute this: ENOENT"), true);
  await page.keyboard.press("i");
  is("processes that were there all the time, idle", (await rows()).some((row) => row.startsWith("sshd 700")), true);
}

async function useViews() {
  await open("made");
  const before = await fills("sleep");
  await page.click(".segment button:has-text('Exit')");
  is("colours by exit status", [(await fills("sleep"))[0] !== before[0], (await fills("sleep"))[0]], [true, "#8e44ad"]);
  is("... in the legend", (await texts(".legend-item"))[1].trim(), "another exit status");
  is("... in the link", await hash(), "#c=exit");
  await press("t");
  is("sums by command", (await texts(".totals tbody tr:first-child > *")), ["java", "1", "3 s", "5.9 s", "512 MiB", ""]);
  await page.click(".totals thead button:has-text('Failed')");
  is("... by another column", (await texts(".totals tbody tr:first-child > *")).at(-1), "1");
  await page.click(".totals .link:has-text('cc1')");
  is("... whose names are highlighted", await hash(), "#s=^cc1$&c=exit&table=1");
  is("... and counted", await page.textContent(".matched"), "Matched: 4 programs");
  await open("made", "#from=1795256104000000000&to=1795256105000000000&table=1&s=a%5C.s");
  is("a link to a part of the time", (await page.textContent(".window")).startsWith("10:15:04.000 – 10:15:05.000 UTC"), true);
  is("... has its sums", (await texts(".totals tbody th")).sort().join(), "as,bash,cc,cc1,make,sshd");
  is("... and finds arguments", await page.textContent(".matched"), "Matched: 2 programs");
}

async function useLines(directory) {
  await open("made");
  await press("i");
  const wanted = fs.readFileSync(path.join(directory, "made.folded"), "utf-8").split("\n").slice(1).sort().join("\n");
  await page.evaluate(() => { navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }; });
  await press("F");
  await page.waitForFunction(() => window.copied);
  is("the folded lines of what is shown", (await page.evaluate(() => window.copied)).split("\n").slice(1).sort().join("\n"), wanted);
}

async function useHostile() {
  await open("hostile");
  is("markup in names is text", (await rows()).some((row) => row.startsWith("</metadata><script>alert(1)</script> 1")), true);
}

async function useMany() {
  await quick("50,000 processes open", async () => {
    page = await newPage();
    const begin = Date.now();

    await open("many");
    return Date.now() - begin;
  });
}

const directory = process.argv[2];

start([
  async (first) => { page = first; await useRows(); },
  useViews,
  () => useLines(directory),
  useHostile,
  useMany,
]);
