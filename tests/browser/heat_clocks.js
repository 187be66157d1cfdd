// Hosts whose clocks are off, in a heat map in Chromium: legend, hatched cells, tip.  Prints TAP; argument: the directory
// that heat_clocks.test.sh made.
"use strict";

const path = require("path");
const { is, start } = require("./pictures.js");

async function useClocks(page) {
  const cell = (column, row) => page.$eval("canvas.cells", (e, [c, r]) => {
    const { x, y, width, height } = e.getBoundingClientRect();
    return [x + (c + 0.5) / 10 * width, y + height - (r + 0.5) / 10 * height];
  }, [column, row]);
  const tip = async (column, row) => {
    await page.mouse.move(...await cell(column, row));
    await page.waitForFunction(() => /here/.test(document.querySelector(".tip").textContent));
    return page.textContent(".tip");
  };
  await page.goto(`file://${path.join(process.argv[2], "clocks.svg")}`);
  await page.waitForSelector("canvas.cells");
  const legend = await page.$$eval(".legend-item", (all) => all.map((e) => e.textContent).filter((text) => /clock/.test(text)));
  is("the legend tells of clocks that are off", legend, ["clock off by more than a rowdb2 \u00b1350 ms, db3 unsynchronized"]);
  is("a cell of their events does, too", /clock off *2 samples/.test(await tip(5, 5)), true);
  is("... another one does not", /clock off/.test(await tip(2, 2)), false);
  await page.screenshot({ path: path.join(process.argv[2], "clocks.png") });
}

start([useClocks]);
