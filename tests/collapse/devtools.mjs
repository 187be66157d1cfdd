// Prints what the engine of Chromium's DevTools (their Performance panel) finds in a trace: "THREAD: frame;frame;... value" for
// each stack, "arrow: THREAD at us > THREAD at us" for each arrow that it binds to slices, and what it would not show.
//
//     devtools.mjs TRACE.json     in a directory that has the package @paulirish/trace_engine
//
// A value is the argument of a slice, or where a thread's slices have none, the time that its callees leave, in ns.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

globalThis.DOMRect = class {}; // which the engine expects to have
const engine = createRequire(path.resolve("package.json")).resolve("@paulirish/trace_engine");
const { TraceModel } = await import(pathToFileURL(engine));

const lines = new Map();
const name_of = ({ pid, tid }) => data.Renderer.processes.get(pid)?.threads.get(tid)?.name;
const add = (line, value) => lines.set(line, (lines.get(line) || 0) + value);
const some = (nodes, test) => [...nodes].some((node) => test(node) || some(node.children, test));

function walk(node, above, thread, by_width) {
  const args = node.entry.args || {};
  const stack = args.stack ? [args.stack] : [...above, node.entry.name];
  const value = by_width ? Math.round(node.selfTime * 1000) : args.value;
  if (value && node.entry.cat !== "wakeup") {
    add(`${thread}: ${stack.join(";")}`, value);
  }
  node.children.forEach((child) => walk(child, stack, thread, by_width));
}

const { traceEvents } = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const model = TraceModel.Model.createWithAllHandlers();
await model.parse(traceEvents);
const { data } = model.parsedTrace();
let shown = 0;
for (const process of data.Renderer.processes.values()) {
  for (const thread of process.threads.values()) {
    const by_width = !some(thread.tree.roots, (node) => node.entry.args && "value" in node.entry.args);
    some(thread.tree.roots, () => { shown++; });
    thread.tree.roots.forEach((root) => walk(root, [], thread.name, by_width));
  }
}
const slices = traceEvents.filter(({ ph }) => ph === "X");
console.log([...lines].map(([line, value]) => `${line} ${value}`).sort().join("\n"));
for (const [from, to] of data.Flows.flows) {
  console.log(`arrow: ${name_of(from)} at ${from.ts} > ${name_of(to)} at ${to.ts}`);
}
if (shown < slices.length) {
  console.log(`${slices.length - shown} of ${slices.length} slices are not shown`);
}
if (data.Meta.traceBounds.min > Math.min(...slices.map(({ ts }) => ts))) {
  console.log("the beginning is cut off");
}
