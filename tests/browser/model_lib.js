// For tests of the model (render/browser/flame/*.js without the DOM): loads the model, makes random profiles, and
// describes a tree in a form that can be compared.
"use strict";

const fs = require("fs");
const path = require("path");
const vm = require("vm");

const SCRIPTS = ["common/number", "common/profile", "common/search", "core/symbols/names/runtimes", "flame/known", "flame/unnamed", "flame/merge", "flame/reverse", "flame/layers",
  "flame/difference",
  "flame/transform", "flame/apply", "flame/layout", "flame/module", "common/contrast", "flame/colour", "common/link_text", "flame/address"];
const DIGIT = 63;

vm.runInThisContext(SCRIPTS.map((name) => fs.readFileSync(
  path.join(__dirname, name.startsWith("core/") ? "../.." : "../../render/browser", `${name}.js`), "utf8")).join("\n"));

function is(what, got, wanted) {
  const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)].map(String);
  const cut = (text) => text.length > 1000 ? `${text.slice(0, 1000)}...` : text;
  console.log(a === b ? `ok - ${what}` : `not ok - ${what}\n#   got:    ${cut(a)}\n#   wanted: ${cut(b)}`);
}

// Prints a single line for many cases: check() returns what is wrong, or nothing.
function all(what, cases, check) {
  let wrong;
  let at = 0;
  for (; at < cases.length && !wrong; at++)
    wrong = check(cases[at], at);
  console.log(wrong ? `not ok - ${what}\n#   case ${at - 1}: ${wrong}` : `ok - ${what}`);
}

const differs = (got, wanted) => JSON.stringify(got) === JSON.stringify(wanted) ? ""
  : `got ${JSON.stringify(got).slice(0, 600)}\n#   wanted ${JSON.stringify(wanted).slice(0, 600)}`;

// ---- random profiles ----

function random(seed) {
  let x = seed * 2654435761 % 4294967296 || 1;
  return (n) => {
    x ^= x << 13; x ^= x >>> 17; x ^= x << 5;
    return (x >>> 0) % n;
  };
}

const NAMES = ["a", "b", "c", "d_[k]", "e_[j]", "e_[i]", "e", "f_[0]", "f_[j]", "g.part.0", "std::h"];

// [[names, values by layer], ...], each stack once.
function stacks(seed, layers = 1) {
  const next = random(seed), found = new Map();
  for (let n = 1 + next(60); n > 0; n--) {
    const names = Array.from({ length: 1 + next(9) }, () => NAMES[next(NAMES.length)]);
    const values = Array.from({ length: layers }, () => layers > 1 && next(3) === 0 ? 0 : 1 + next(50));
    if (values.some((v) => v))
      found.set(names.join(";"), [names, values]);
  }
  return Array.from(found.values());
}

// ---- encode.h, by the book ----

function digits(n) {
  return n < 32 ? String.fromCharCode(DIGIT + n)
    : String.fromCharCode(DIGIT + 32 + n % 32) + digits(Math.floor(n / 32));
}

function trie(list) {
  const root = { name: "all", children: [], values: null, place: 0, folded: 0 };
  for (const [names, values, folded] of list) {
    let node = root;
    for (const name of names) {
      let child = node.children.find((c) => c.name === name);
      if (!child)
        node.children.push(child = { name, children: [], values: null, place: node.children.length, folded: 0 });
      node = child;
    }
    node.values = values;
    node.folded = folded || 0;
  }
  return root;
}

function valuesText(values, settings) {
  if (!settings.layers)
    return digits(values[0]);
  const used = values.map((v, k) => [k, v]).filter((e) => e[1]);
  const scale = (v, k) => settings.scales ? Math.floor(v * settings.scales[k][0] / settings.scales[k][1]) : v;
  const width = settings.combine === "max" ? digits(Math.max(...values.map(scale))) : "";
  let before = -1;
  return width + digits(used.length) + used.map(([k, v]) => {
    const text = digits(k - before - 1) + digits(v);
    before = k;
    return text;
  }).join("");
}

// { names, tree, settings } made of stacks; more is added to the settings.
function profile(list, more = {}) {
  const names = ["all", ...new Set(list.flatMap((s) => s[0]).filter((n) => n !== "..."))];
  const rank = pyrograph.merge.ranks([...names, "..."]);
  const number = new Map([...names, "..."].map((name, i) => [name, i]).reverse());
  const settings = { names: names.length, frames: 0, whole: true, ...more };
  let text = "", depth = -1;
  (function add(node, level) {
    const name = node.folded ? names.length : number.get(node.name);
    text += digits(2 * (depth + 1 - level) + (node.values ? 1 : 0)) + digits(name);
    text += node.folded ? digits(node.folded) : "";
    text += settings.arrival ? digits(node.place) : "";
    text += node.values ? valuesText(node.values, settings) : "";
    text += settings.frames++ % 7 === 6 ? "\n" : "";
    depth = level;
    node.children.sort((a, b) => rank[number.get(a.name)] - rank[number.get(b.name)]).forEach((c) => add(c, level + 1));
  })(trie(list), 0);
  return { names: [...names, "..."], tree: pyrograph.profile.decodeTree(text, settings), settings };
}

// ---- what is in a tree ----

// The first violation of profile.js's rules, or "".
function broken(tree, names, sorted = true) {
  const rank = pyrograph.merge.ranks(names);
  for (let i = 0; i < tree.count; i++) {
    let sum = 0, before = -1, next = tree.start[i];
    for (let c = i + 1; c < tree.end[i]; c = tree.end[c]) {
      if (tree.parent[c] !== i || tree.depth[c] !== tree.depth[i] + 1 || tree.end[c] <= c)
        return `frame ${c}: parent, depth or end`;
      next += tree.gap ? tree.gap[c] : 0;
      if (tree.start[c] !== next)
        return `frame ${c} begins at ${tree.start[c]}, not ${next}`;
      if (sorted && before >= 0 && rank[tree.name[c]] <= rank[tree.name[before]])
        return `frame ${c}: order, or twice`;
      if (!(tree.total[c] > 0))
        return `frame ${c} has no value`;
      sum += tree.total[c];
      next += tree.total[c];
      before = c;
    }
    if (sum + tree.self[i] !== tree.total[i] || next > tree.start[i] + tree.total[i])
      return `frame ${i}: self ${tree.self[i]} and children ${sum} are not ${tree.total[i]}`;
  }
  return tree.end[0] === tree.count ? "" : "end of the root";
}

const sortedPairs = (map) => Array.from(map).filter((e) => e[1]).sort((a, b) => a[0] < b[0] ? -1 : 1);

// [["a;b", self], ...] of a tree, sorted.
function contents(tree, names, self = tree.self) {
  const map = new Map();
  for (let i = 0; i < tree.count; i++) {
    const key = pyrograph.transform.stackOf(tree, names, i).join(";");
    map.set(key, (map.get(key) || 0) + self[i]);
  }
  return sortedPairs(map);
}

// The same for stacks, each of which is changed first; change returns its names, or null to drop it.
function expected(list, change = (names) => names, layer = 0) {
  const map = new Map();
  for (const [names, values] of list) {
    const changed = change(names);
    if (changed)
      map.set(changed.join(";"), (map.get(changed.join(";")) || 0) + values[layer]);
  }
  return sortedPairs(map);
}

module.exports = { is, all, differs, random, digits, stacks, profile, broken, contents, expected, NAMES };
