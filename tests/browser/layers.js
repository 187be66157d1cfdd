// Turns a flame graph without layers into ones with several layers, as encode.h describes them.  Arguments: FILE.svg,
// and a directory for diff.svg, animate.svg, metrics.svg, multiples.svg and folded.svg.
"use strict";

const fs = require("fs");
const path = require("path");

const [, , file, directory] = process.argv;
const plain = fs.readFileSync(file, "utf8");

const STACKS = [ // frames, then a value for each layer
  ["idle", 170, 150], ["main;parse;read", 120, 60], ["main;parse;read_new", 0, 45],
  ["main;parse;read_old", 40, 0], ["main;serve;hash", 90, 92], ["main;serve;write", 210, 330],
];

const digits = (n) => n < 32 ? String.fromCharCode(63 + n) : String.fromCharCode(95 + n % 32) + digits(Math.floor(n / 32));

function valuesText(values, settings) {
  const width = settings.combine === "max" ? digits(Math.max(...values)) : "";
  let next = 0;
  const used = values.map((value, k) => [k, value]).filter(([, value]) => value);

  return width + digits(used.length) + used.map(([k, value]) => {
    const text = digits(k - next) + digits(value);
    next = k + 1;
    return text;
  }).join("");
}

// stacks in drawing order; folded: how many frames the last frame of a stack replaces
function encoded(stacks, settings, folded = {}) {
  const names = ["all", ...new Set(stacks.flatMap(([stack]) => stack.split(";")).filter((n) => n !== "..."))];
  let before = [], tree = digits(0) + digits(0), frames = 1;

  for (const [stack, ...values] of stacks) {
    const frame = stack.split(";");
    let same = 0;
    while (before[same] === frame[same])
      same++;
    for (let i = same; i < frame.length; i++) {
      const last = i === frame.length - 1, up = i === same ? before.length - same : 0;
      tree += digits(2 * up + (last ? 1 : 0)) + digits(frame[i] === "..." ? names.length : names.indexOf(frame[i]));
      tree += frame[i] === "..." ? digits(folded[stack]) : "";
      tree += !last ? "" : settings.layers ? valuesText(values, settings) : digits(values[0]);
      frames++;
    }
    before = frame;
  }
  return { names, tree, frames };
}

function picture(name, stacks, more, folded) {
  const { names, tree, frames } = encoded(stacks, more, folded);
  const part = (className, text) => [new RegExp(`(class="${className}">)[^]*?(</metadata>)`), `$1${text}$2`];
  const settings = JSON.parse(/id="flame-settings">([^]*?)<\/metadata>/.exec(plain)[1]);
  const json = JSON.stringify({ ...settings, names: names.length, frames, rows: 4, ...more });
  let svg = plain.replace(/(id="flame-settings">)[^]*?(<\/metadata>)/, `$1${json}$2`);

  for (const [pattern, text] of [part("flame-names", names.map((n) => `?${n}\n`).join("")),
    part("flame-colours", "}cQ?}cQ?".repeat(names.length)), part("flame-tree", tree)])
    svg = svg.replace(pattern, text);
  fs.writeFileSync(path.join(directory, `${name}.svg`), svg);
}

const two = { layers: [{ name: "base", total: 630 }, { name: "new", total: 677 }], combine: "max", scales: [[1, 1], [1, 1]],
  delta: "total", threshold: 0.001, deltaColours: "red-blue" };

picture("diff", STACKS, { ...two, mode: "diff" });
picture("diffshare", STACKS, { ...two, scales: [[677, 630], [1, 1]], mode: "diff" });
picture("same", [["idle", 170, 150], ["main", 120, 60]], { ...two, mode: "diff" });
picture("multiples", STACKS, { ...two, mode: "multiples" });
picture("animate", STACKS, { mode: "animate", combine: "sum", layers: [{ name: "a", total: 630 }, { name: "b", total: 677 }],
  animate: { start_ns: "1475682078014325678", step_ns: "1000000000" } });
picture("metrics", STACKS, { mode: "metrics", combine: "first", layers: [{ name: "cycles", total: 630 },
  { name: "instructions", total: 677 }], metric: { width: "cycles", colour: "instructions/cycles", low: 0.5, high: 1.5 } });
picture("folded", [["main;busy", 900], ["main;...", 100]], { folded: 1234 }, { "main;...": 1234 });
