// Starts the browser of the tests: no process for the GPU that is not there, and no new frame of the browser's for each
// document of the same site, which takes longer than the document.
"use strict";

const { chromium } = require("playwright-core");

const PATIENCE_MS = 60000;

// launch(FLAG ...)
module.exports = (...flags) => chromium.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--in-process-gpu", "--disable-background-networking", "--no-first-run",
    "--disable-component-update", "--disable-sync", "--enable-features=RenderDocument:level/crashed-frame", ...flags],
  timeout: PATIENCE_MS,
});
