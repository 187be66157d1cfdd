// Flame charts: x remains time after every change.  The reference is the list of lines: at each moment, the drawn
// frames are the stack of the line that covers this moment.
"use strict";

const { is, all, differs, random, digits, broken, NAMES } = require("./model_lib");
const { profile: P, transform: T, layout: L, search: S } = pyrograph;
const seeds = Array.from({ length: 100 }, (unused, i) => i + 1);

// [[stack, value], ...] in order of time; neighbours often share frames.
function timeline(seed) {
  const next = random(seed), lines = [];
  let stack = [];
  for (let n = 1 + next(50); n > 0; n--) {
    stack = stack.slice(0, next(stack.length + 1));
    for (let more = next(3) + (stack.length ? 0 : 1); more > 0 && stack.length < 8; more--)
      stack.push(NAMES[next(NAMES.length)]);
    lines.push([stack.slice(), 1 + next(5)]);
  }
  return lines;
}

// ---- encode.h, by the book ----

function frames(lines) {
  const frame = (name, gap) => ({ name, gap, own: 0, children: [] });
  const root = frame("all", 0);
  let before = [];
  for (const [stack, value] of lines) {
    const shared = stack.findIndex((name, i) => name !== before[i]), at = shared < 0 ? stack.length : shared;
    let node = root;
    stack.forEach((name, i) => {
      if (i >= at) {
        node.children.push(frame(name, node.own));
        node.own = 0;
      }
      node = node.children[node.children.length - 1];
    });
    node.own += value;
    before = stack;
  }
  return root;
}

function encoded(lines) {
  const names = ["all", ...new Set(lines.flatMap((line) => line[0]))];
  const settings = { names: names.length, frames: 0, whole: true, chart: true };
  let text = "", depth = -1;
  (function add(node, level) {
    if (node.gap) {
      text += digits(2 * (depth + 1 - level) + 1) + digits(names.length + 1) + digits(node.gap);
      depth = level - 1;
    }
    text += digits(2 * (depth + 1 - level) + (node.own ? 1 : 0)) + digits(names.indexOf(node.name));
    text += node.own ? digits(node.own) : "";
    text += settings.frames++ % 5 === 4 ? "\n" : "";
    depth = level;
    node.children.forEach((child) => add(child, level + 1));
  })(frames(lines), 0);
  return { names: [...names, "..."], tree: P.decodeTree(text, settings) };
}

// ---- moments ----

// The frames at a moment, root first.
function stackAt(tree, names, moment) {
  const stack = [];
  for (let f, depth = 1; (f = L.frameAt(tree, moment, depth)) > 0; depth++)
    stack.push(names[tree.name[f]]);
  return stack;
}

// The first difference from the lines, or "".
function wrong(tree, names, lines) {
  let at = 0;
  for (const [stack, value] of lines) {
    for (const moment of [at, at + value - 1]) {
      const bad = differs(stackAt(tree, names, moment), stack);
      if (bad)
        return `at ${moment}: ${bad}`;
    }
    at += value;
  }
  return differs(tree.total[0], at) || broken(tree, names, false);
}

// For random charts: change(tree, names) must give the same as changing the lines.
function kept(what, change, changed) {
  all(what, seeds, (seed) => {
    const lines = timeline(seed), { names, tree } = encoded(lines);
    return wrong(change(tree, names), names, changed(lines));
  });
}

const without = (lines, is) => lines.map(([stack, value]) => [stack.filter((name) => !is(name)), value]);
const match = (names, pattern) => S.matcher(names, pattern).match;

function moments() {
  kept("a chart", (tree) => tree, (lines) => lines);
  kept("... frames are hidden", (tree, names) => T.hide(tree, names, match(names, "^[ab]$")),
    (lines) => without(lines, (name) => /^[ab]$/.test(name)));
  kept("... all others", (tree, names) => T.only(tree, names, match(names, "^[ac]$")),
    (lines) => without(lines, (name) => !/^[ac]$/.test(name)));
  kept("... stacks are left out", (tree, names) => T.exclude(tree, match(names, "^c$")),
    (lines) => lines.filter(([stack]) => !stack.includes("c")));
  kept("... all others", (tree, names) => T.include(tree, match(names, "^c$")),
    (lines) => lines.filter(([stack]) => stack.includes("c")));
  kept("... recursion", (tree, names) => T.foldRecursion(tree, names, "direct"),
    (lines) => lines.map(([stack, value]) => [stack.filter((name, i) => name !== stack[i - 1]), value]));
  kept("... and hidden, and left out", (tree, names) => T.exclude(T.hide(T.foldRecursion(tree, names, "direct"), names,
    match(names, "^b$")), match(names, "^c$")), (lines) => without(lines.map(([stack, value]) =>
    [stack.filter((name, i) => name !== stack[i - 1]), value]), (name) => name === "b").filter(([stack]) => !stack.includes("c")));
  all("... one function", seeds, (seed) => {
    const lines = timeline(seed), { names, tree } = encoded(lines), a = names.indexOf("a");
    const made = a < 0 ? null : T.callees(tree, names, a);
    return made && wrong(made, names, lines.filter(([stack]) => stack.includes("a"))
      .map(([stack, value]) => [stack.slice(stack.indexOf("a") + 1), value]));
  });
  for (const [what, change] of [["deep recursion", (tree, names) => T.foldRecursion(tree, names, "deep")],
    ["from the leaves", (tree, names) => T.reverse(tree, names, { least: 0 })], ["by name", (tree, names) => T.order(tree, names, "name")],
    ["by width", (tree, names) => T.order(tree, names, "width")]])
    all(`there is no time: ${what}`, seeds, (seed) => {
      const lines = timeline(seed), { names, tree } = encoded(lines), made = change(tree, names);
      return broken(made, names, false) || differs(made.gap, null) || differs(made.total[0], tree.total[0]);
    });
}

function small() {
  const { names, tree } = encoded([[["a"], 1], [["a", "b"], 1], [["a"], 1]]);
  is("a frame's own time has its moments: a [0, 3], b [1, 2]", [Array.from(tree.start), Array.from(tree.total), Array.from(tree.self)],
    [[0, 0, 1], [3, 3, 1], [0, 2, 1]]);
  is("the frame there", [0, 1, 2].map((moment) => L.frameAt(tree, moment, 2)), [-1, 2, -1]);
  const plan = L.layout(tree, 0, 300, 0.1, 3000, () => "#aaaaaa", "#e600e6");
  is("boxes", plan.boxes.map((b) => [b.x, b.w]), [[0, 300], [0, 300], [100, 100]]);
  is("zoomed", L.layout(tree, 2, 300, 0.1, 3000, () => "#aaaaaa", "#e600e6").boxes.map((b) => [b.x, b.w]), [[0, 300]]);
  is("folded lines in time", T.foldedLines(tree, names, 0, ""), "a 1\na;b 1\na 1\n");
  const apart = encoded([[["a", "b"], 1], [["a"], 2], [["a", "b"], 4]]);
  is("calls that are apart stay two", [apart.tree.count, T.hide(apart.tree, apart.names, match(apart.names, "^c$")).count], [4, 4]);
}

function lines() {
  all("folded lines are those of the input, in time", seeds, (seed) => {
    const wanted = timeline(seed), { names, tree } = encoded(wanted);
    const text = T.foldedLines(tree, names, 0, "").trimEnd().split("\n").map((line) => line.split(" "));
    const joined = [];
    for (const [stack, value] of wanted) {
      const last = joined[joined.length - 1];
      if (last && last[0] === stack.join(";"))
        last[1] += value;
      else
        joined.push([stack.join(";"), value]);
    }
    return differs(text.map(([stack, value]) => [stack, Number(value)]), joined);
  });
}

module.exports = () => [small, moments, lines].forEach((run) => run());
