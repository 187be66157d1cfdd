// How long the model takes; printed as comments, nothing is asserted.
//
//     node tests/browser/model_speed.js PICTURE.svg
"use strict";

const fs = require("fs");
require("./model_lib");
const { profile: P, search: S, transform: T, layers: LY, layout: L, colour: C } = pyrograph;

function load(file) {
  const svg = fs.readFileSync(file, "utf8");
  const plain = (text) => text.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&quot;/g, '"').replace(/&#39;/g, "'").replace(/&amp;/g, "&");
  const joined = (kind) => Array.from(svg.matchAll(new RegExp(`<metadata class="${kind}">([^<]*)</metadata>`, "g")), (m) => plain(m[1])).join("");
  return { settings: JSON.parse(plain(/<metadata id="flame-settings">([^<]*)</.exec(svg)[1])), names: joined("flame-names"), tree: joined("flame-tree") };
}

// The second time counts, because the first one includes compilation.
function time(what, run) {
  let result, ms;
  for (let k = 0; k < 2; k++) {
    const before = performance.now();
    result = run();
    ms = performance.now() - before;
  }
  const size = result && result.count ? `${result.count} frames` : "";
  console.log(`# ${what.padEnd(34)} ${ms.toFixed(0).padStart(5)} ms  ${size}`);
  return result;
}

// Add two layers of random values to a profile without layers.
function withLayers(tree) {
  const value = new Float64Array(2 * tree.count).map((v, i) => tree.self[i >> 1] * (i * 7919 % 13));
  return { ...tree, cache: new Map(), layers: { count: 2, at: Uint32Array.from({ length: tree.count + 1 }, (u, i) => 2 * i),
    layer: new Uint16Array(2 * tree.count).map((v, i) => i & 1), value }, scales: [[3, 2], [1, 1]] };
}

function run(file) {
  const text = load(file), { settings } = text, names = P.decodeNames(text.names, settings.names);
  const tree = time("decode", () => P.decodeTree(text.tree, settings));
  const { match } = S.matcher(names, "^hash_"), table = time("functions", () => S.functions(tree, names)), name = table.name[3];
  time("search: names", () => S.matcher(names, "hash.*find", true));
  time("search: matched share", () => S.matchedTotal(tree, 0, match));
  time("search: the next one, if there is none", () => S.nextMatch(tree, 5, 1, S.matcherExact(names, "\n")));
  time("search: 3 of 17", () => S.matchPlace(tree, tree.count >> 1, match));
  time("hide", () => T.hide(tree, names, match));
  time("hide everything but", () => T.only(tree, names, match));
  time("exclude", () => T.exclude(tree, match));
  time("include", () => T.include(tree, match));
  time("drop", () => T.drop(tree, tree.end[1]));
  time("variants", () => T.mergeVariants(tree, names, { annotations: true, generated: true }));
  time("fold recursion", () => T.foldRecursion(tree, names, "direct"));
  time("fold deep recursion", () => T.foldRecursion(tree, names, "deep"));
  time("order by width", () => T.order(tree, names, "width"));
  time("callees", () => T.callees(tree, names, name));
  time("callers", () => T.callers(tree, names, name, { least: 0.1 / 1200 }));
  const turned = time("reverse", () => T.reverse(tree, names, { least: 0.1 / 1200 }));
  time("reverse, zoomed", () => T.reverse(tree, names, { least: 0.1 / 1200, path: [turned.name[1]] }));
  time("folded lines", () => T.foldedLines(tree, names, 0, ""));
  const layered = withLayers(tree);
  time("difference", () => (layered.cache.clear(), LY.delta(layered, "total", 0.001)));
  time("view of one side", () => (layered.cache.clear(), LY.view(layered, settings, { show: "new" })));
  time("values of one frame", () => LY.valuesOf(layered, 1));
  for (const mode of ["kind", "module", "depth", "self"])
    time(`colours by ${mode}`, () => C.scheme({ mode, tree, names, colours: [], settings }));
  const { crumb } = C.scheme({ mode: "kind", tree, names, colours: [], settings });
  time("layout", () => L.layout(tree, 0, 1180, 0.1, 3000, crumb, "#e600e6"));
  time("frame at a place", () => L.frameAt(tree, tree.total[0] / 2, 9));
}

if (require.main === module)
  run(process.argv[2]);
module.exports = (dir) => run(`${dir}/large.svg`);
