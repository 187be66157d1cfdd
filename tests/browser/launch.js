// Starts the browser of the tests without a process for a GPU, which is missing, and without a new frame object for
// each document of the same site, which would take longer than the document itself.
"use strict";

const { chromium } = require("playwright-core");

const PATIENCE_MS = 60000;

const launch = (flags) => chromium.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--in-process-gpu", "--disable-background-networking", "--no-first-run",
    "--disable-component-update", "--disable-sync", "--enable-features=RenderDocument:level/crashed-frame", ...flags],
  timeout: PATIENCE_MS,
});

// launch(FLAG ...).  On a busy machine, Chromium may crash before it has a page.  It is then started again, which
// tests/run.sh counts.
module.exports = async (...flags) => {
  for (let attempt = 1; ; attempt++) {
    try {
      const browser = await launch(flags);

      if (attempt > 1)
        console.error(`# tries: ${attempt} to start the browser`);
      return browser;
    } catch (error) {
      if (attempt === 3 || !/has been closed/.test(error.message))
        throw error;
    }
  }
};
