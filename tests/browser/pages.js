// Pages of a browser that are reused, because a new page has its own process, which costs more than opening a chart.
// Pages that differ only in size and colour scheme are one page, which is emptied between uses.
"use strict";

const EMPTY = "about:blank";

// make(OPTIONS): makes a new page, with options of playwright's newContext.
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
    // Forget everything that the page's last user has opened, stored, granted and pointed at.
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
