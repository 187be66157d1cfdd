// heat_browser.js FILE.svg ranges|zoom: open a heat map in Chromium as a person does, and print as JSON how long these
// take: selecting ranges, until their flame graphs are painted; or zooming from the whole map into columns of one
// second, and back.
//
// Times are measured by the page itself, from the event of the mouse or key until the animation frame after the one
// with the new text: by then, it has been painted.  Only this is assumed of the page:
// svg[data-ready] once it can be used, cells in canvas.cells, labels in .axis text, one of which
// says how large a cell is; the flame graph in .heat-flame names its range in h2 and .notes; Esc clears, + and 0 zoom,
// and the address has the range, in ns, as sel=t:from:to.
"use strict";

const { start, open, timed, memory } = require("./tab.js");

const PARTS = [[0.1, 0.11], [0.3, 0.33], [0.5, 0.502], [0.62, 0.7], [0.8, 0.801], [0.2, 0.6], [0.9, 0.95], [0.4, 0.404],
  [0.01, 0.98], [0.7, 0.72]];
const ZOOMS_MAX = 30, WANTED = "1 column = 1 s,";

// This runs in the page: it takes the time from each event until the text of the axes, and that of the flame graph,
// have changed.
function instrument() {
  const { measured } = window;
  const text = (selector) => Array.from(document.querySelectorAll(selector), (e) => e.textContent).join("\n");
  const SAID = { axes: ".axis text", flame: ".heat-flame h2, .heat-flame .notes" };
  const frames = (check) => requestAnimationFrame(() => check() || frames(check));

  // said: the text whose change is waited for, from the next event on.
  measured.expect = (type, said) => {
    const before = said.map((name) => text(SAID[name])), times = {};
    measured.last = null;
    addEventListener(type, (event) => {
      frames(() => {
        said.forEach((name, i) => {
          if (!(name in times) && text(SAID[name]) !== before[i]) {
            times[name] = null;
            requestAnimationFrame(() => { times[name] = performance.now() - event.timeStamp; });
          }
        });
        const done = said.every((name) => times[name]);
        if (done) {
          measured.last = times;
        }
        return done;
      });
    }, { capture: true, once: true });
  };
}

const expect = (page, type, said) => page.evaluate((all) => window.measured.expect(...all), [type, said]);
const cells = (page) => page.$$eval(".axis text", (all) =>
  all.map((e) => e.textContent).find((text) => text.startsWith("1 column")));

async function select(page, [from, to]) {
  const box = await page.locator("canvas.cells").first().boundingBox();
  const at = (part) => [box.x + part * box.width, box.y + box.height / 2];
  const x = Math.max(at(to)[0], at(from)[0] + 5); // less is a click
  await page.mouse.move(...at(from));
  await page.mouse.down();
  await page.mouse.move(x, at(to)[1]);
  const { flame } = await timed(page, async () => {
    await expect(page, "pointerup", ["flame"]);
    await page.mouse.up();
  });
  const link = /[#&]sel=t:(\d+):(\d+)/.exec(await page.evaluate(() => decodeURIComponent(location.hash)));
  return { from: Number(link[1]), to: Number(link[2]), ms: flame };
}

async function press(page, key) {
  const times = await timed(page, async () => {
    await expect(page, "keydown", ["axes"]);
    await page.keyboard.press(key);
  });
  return { cells: await cells(page), ms: times.axes };
}

async function zoom(page) {
  const zooms = [];
  for (let i = 0; i < ZOOMS_MAX && !(await cells(page)).startsWith(WANTED); i++) {
    zooms.push(await press(page, "+"));
  }
  if (!(await cells(page)).startsWith(WANTED)) {
    throw new Error(`zooming did not lead to columns of a second: ${await cells(page)}`);
  }
  return { zooms, back: await press(page, "0") };
}

start(async (browser) => {
  const { page, ...result } = await open(browser, process.argv[2], instrument);

  result.opened = await memory(browser, page);
  result.cells = await cells(page);
  if (process.argv[3] === "zoom") {
    Object.assign(result, await zoom(page));
  } else {
    result.ranges = [];
    for (const part of PARTS) {
      result.ranges.push(await select(page, part));
    }
  }
  result.used = await memory(browser, page);
  return result;
});
