// Writes what Chromium's DevTools find in traces, DIR/*.json, beside each, *.found: "THREAD: frame;frame;... value" for each
// stack, "arrow: THREAD at us > THREAD at us" for each arrow that they bind to slices, and what they would not show.
//
//     devtools.mjs DIR             by the engine of their Performance panel, @paulirish/trace_engine
//     devtools.mjs DIR CHROMIUM    in the panel itself, of this browser, by playwright-core
//
// Both in a directory that has the packages.  A value is the argument of a slice, or where a thread's slices have none, the
// time that its callees leave, in ns.  Status 77: this browser's panel does not tell what it has.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const { resolve } = createRequire(path.resolve("package.json"));
const [directory, browser_path] = process.argv.slice(2);
const NOT_TOLD = 77;

// Also runs in the page, and so uses nothing that is outside of it.
function found(trace_events, data) {
  const lines = new Map();
  const arrows = [];
  const name_of = ({ pid, tid }) => data.Renderer.processes.get(pid)?.threads.get(tid)?.name;
  const some = (nodes, test) => [...nodes].some((node) => test(node) || some(node.children, test));
  let shown = 0;

  function walk(node, above, thread, by_width) {
    const args = node.entry.args || {};
    const stack = args.stack ? [args.stack] : [...above, node.entry.name];
    const value = by_width ? Math.round(node.selfTime * 1000) : args.value;
    const line = `${thread}: ${stack.join(";")}`;
    if (value && node.entry.cat !== "wakeup") {
      lines.set(line, (lines.get(line) || 0) + value);
    }
    shown++;
    node.children.forEach((child) => walk(child, stack, thread, by_width));
  }

  for (const process of data.Renderer.processes.values()) {
    for (const thread of process.threads.values()) {
      const by_width = !some(thread.tree.roots, (node) => node.entry.args && "value" in node.entry.args);
      thread.tree.roots.forEach((root) => walk(root, [], thread.name, by_width));
    }
  }
  for (const [from, to] of data.Flows.flows) {
    arrows.push(`arrow: ${name_of(from)} at ${from.ts} > ${name_of(to)} at ${to.ts}`);
  }
  const slices = trace_events.filter(({ ph }) => ph === "X");
  if (shown < slices.length) {
    arrows.push(`${slices.length - shown} of ${slices.length} slices are not shown`);
  }
  if (data.Meta.traceBounds.min > Math.min(...slices.map(({ ts }) => ts))) {
    arrows.push("the beginning is cut off");
  }
  return [...lines].map(([line, value]) => `${line} ${value}`).concat(arrows).join("\n");
}

async function engine() {
  globalThis.DOMRect = class {}; // which it expects to have, ...
  URL.parse ??= (text, base) => (URL.canParse(text, base) ? new URL(text, base) : null); // ... and Debian's node 18 has not
  const { TraceModel } = await import(pathToFileURL(resolve("@paulirish/trace_engine")));
  const find = async (file) => {
    const model = TraceModel.Model.createWithAllHandlers();
    const { traceEvents } = JSON.parse(fs.readFileSync(file, "utf8"));
    await model.parse(traceEvents);
    return found(traceEvents, model.parsedTrace().data);
  };
  return { find, end: () => {} };
}

// The panel takes one trace after the other, and shows the last.
async function find_in_panel(page, file) {
  await page.locator("input[type=file]").first().setInputFiles(file);
  return page.evaluate(`(async (found) => {
    const panel = (await import("./panels/timeline/timeline.js")).TimelinePanel.TimelinePanel.instance();
    if (!panel.getParsedTraceForLayoutTests || !panel.getTraceEngineRawTraceEventsForLayoutTests) {
      return null;
    }
    for (;;) {
      const events = panel.hasActiveTrace() && panel.getTraceEngineRawTraceEventsForLayoutTests();
      if (events && events !== globalThis.events_before) {
        globalThis.events_before = events;
        return found(events, panel.getParsedTraceForLayoutTests());
      }
      await new Promise((done) => requestAnimationFrame(done));
    }
  })(${found})`);
}

async function panel() {
  const { chromium } = (await import(pathToFileURL(resolve("playwright-core")))).default;
  const browser = await chromium.launch({ executablePath: browser_path, args: ["--no-sandbox", "--headless=new"],
    ignoreDefaultArgs: ["--headless", "--headless=old"] });
  const page = await browser.newPage();
  await page.goto("devtools://devtools/bundled/devtools_app.html?panel=timeline");
  return { find: (file) => find_in_panel(page, file), end: () => browser.close() };
}

const { find, end } = await (browser_path ? panel() : engine());
for (const name of fs.readdirSync(directory).filter((entry) => entry.endsWith(".json"))) {
  const file = path.join(directory, name);
  try {
    const text = await find(file);
    if (text === null) {
      process.exitCode = NOT_TOLD;
      break;
    }
    fs.writeFileSync(file.replace(/json$/, "found"), `${text}\n`);
  } catch (error) {
    console.error(`${name}: ${error.stack}`);
    process.exitCode = 1;
  }
}
await end();
