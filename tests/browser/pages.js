// Pages of a browser that are used again and again: a new one, with a process of its own, costs more than opening a chart.
// Those that differ in size and colours only are one page, emptied.
"use strict";

const EMPTY = "about:blank";

// make(OPTIONS): a new page, by options of playwright's newContext.
module.exports = (make) => {
  const idle = [];

  return {
    async take({ viewport, colorScheme = "light", ...options }) {
      const kind = JSON.stringify(options);
      const found = idle.findIndex((page) => page.kind === kind);

      if (found < 0)
        return Object.assign(await make({ viewport, colorScheme, ...options }), { kind });
      const [page] = idle.splice(found, 1);
      await page.setViewportSize(viewport);
      await page.emulateMedia({ media: null, colorScheme });
      return page;
    },
    // What the page's last user has opened, stored, granted and pointed at is forgotten.
    async giveBack(page) {
      await page.evaluate(() => {
        try {
          localStorage.clear();
        } catch { /* a page without an origin has none */ }
      });
      await page.goto(EMPTY);
      await page.mouse.move(0, 0);
      await page.context().clearPermissions();
      idle.push(page);
    },
  };
};
