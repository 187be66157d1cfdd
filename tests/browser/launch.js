// Starts the browser of the tests: no process for the GPU that is not there, and no new frame of the browser's for each
// document of the same site, which takes longer than the document.
"use strict";

const { chromium } = require("playwright-core");

const PATIENCE_MS = 60000;

const launch = (flags) => chromium.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--in-process-gpu", "--disable-background-networking", "--no-first-run",
    "--disable-component-update", "--disable-sync", "--enable-features=RenderDocument:level/crashed-frame", ...flags],
  timeout: PATIENCE_MS,
});

// launch(FLAG ...).  Chromium may crash before it has a page, on a busy machine: then it is started again, which tests/run.sh counts.
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
