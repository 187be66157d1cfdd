// The trees of ranges of a heat map, in node: against "render flame" of the same lines, and against
// a straightforward merge of them.  Prints TAP; arguments: pyrograph-render, a directory.
import fs from "node:fs";
import path from "node:path";
import { execFileSync } from "node:child_process";
import lib from "./model_lib.js";
import { examples, load, picture, random } from "./heat_fixture.mjs";

const [, , render, tmp] = process.argv;
const pyrograph = load(["heat/tree"]);
const { heat, profile, transform, layers, address } = pyrograph, { is } = lib;

// What C wrote into an SVG.
function drawn(name, lines, ...options) {
  const out = path.join(tmp, `${name}.svg`);
  fs.writeFileSync(path.join(tmp, `${name}.folded`), lines);
  execFileSync(render, ["flame", "-q", "--minwidth", "0", "-o", out, ...options, path.join(tmp, `${name}.folded`)]);
  const svg = fs.readFileSync(out, "utf8");
  const text = (what) => Array.from(svg.matchAll(new RegExp(`<metadata (?:class|id)="${what}">([^]*?)</metadata>`, "g")), (m) => m[1]).join("")
    .replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&quot;/g, "\"").replace(/&#39;/g, "'")
    .replace(/&amp;/g, "&");
  const settings = JSON.parse(text("flame-settings"));
  return { settings, names: profile.decodeNames(text("flame-names"), settings.names),
    tree: profile.decodeTree(text("flame-tree"), settings) };
}

// Each frame in order: [path, total, self, more].
const frames = (tree, names, more = () => []) => Array.from({ length: tree.count }, (_, i) =>
  [transform.stackOf(tree, names, i).join(";"), tree.total[i], tree.self[i], ...more(i)]);

// Frames in the order of their paths: the fixture's tree has an order of its own where nothing was merged.
const sorted = (list) => list.sort((a, b) => a[0] < b[0] ? -1 : 1);

function model(name, options = {}) {
  const lines = examples[name](), drawing = picture(lines, options), data = heat.data.decode(drawing.settings, drawing.text);
  return { name, settings: drawing.settings, data, made: drawing.made };
}

// By stack, of the events in from .. to; without idle ones.
function sumsOf(m, from, to, idle = false) {
  const sums = new Float64Array(m.data.stacks), origin = BigInt(m.settings.origin);
  for (const e of m.made.events) {
    const ns = Number(e.ns - origin);
    if (ns >= from && ns < to && (idle || !m.data.isIdle[e.stack]))
      sums[e.stack] += e.value;
  }
  return sums;
}

// The same as lines without the frames at places.
function linesOf(m, sums, places) {
  return Array.from(sums, (value, s) => value ? `${m.made.stacks[s].text.split(";").filter((f, i) => !places.includes(i)).join(";")} ${value}\n` : "").join("");
}

// Names as they are shown: what turns the direction of text is not.
const shown = (names) => names.map((name) => name.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd"));

const SECOND = 1e9;
const models = ["second", "stall", "hosts", "hostile"].map((name) => model(name));

for (const m of models) {
  const places = (...names) => names.map((name) => m.settings.dimensions.find((d) => d[0] === name)[1]);
  for (const [roots, gone] of [[null, ["cpu"]], [["comm", "thread", "cpu", "host"], []], [[], ["comm", "thread", "cpu"].concat(m.name === "hosts" ? ["host"] : [])]]) {
    const set = heat.tree.set(m.data, m.settings, roots);
    const sums = sumsOf(m, 1.2 * SECOND, 3.7 * SECOND), lines = linesOf(m, sums, places(...gone));
    const tree = heat.tree.one(set, sums), c = drawn(`${m.name}-${roots ? roots.length : "cpu"}`, lines);
    is(`${m.name}, roots ${roots ? roots.join() || "none" : "all but cpu"}: as render flame`, sorted(frames(tree, shown(m.data.names))), sorted(frames(c.tree, c.names)));
    is("... nothing behind it", [tree.base, tree.count > 1, tree.end[0]], [null, true, tree.count]);
  }
}

// Without events, as C writes it.
{
  const drawing = picture("# pyrograph: host=db1 from=2026-11-21T10:15:02Z to=2026-11-21T10:15:05Z root=comm,thread,cpu unit=samples\n");
  Object.assign(drawing.settings.flame, { names: 0, frames: 0 });
  Object.assign(drawing.text, { names: "", colours: "", tree: "" });
  const data = heat.data.decode(drawing.settings, drawing.text);
  for (const roots of [null, ["cpu"]]) {
    const set = heat.tree.set(data, drawing.settings, roots), none = new Float64Array(0);
    is("no events: a root of nothing", [heat.tree.one(set, none).total[0], heat.tree.two(set, none, none).tree.total[0],
      Array.from(heat.tree.stacks(set, address.emptyView(), ["a"], {})), heat.tree.lines(data, none, null)], [0, 0, [], ""]);
  }
}

// Random ranges: against lines put together by hand.
{
  const m = models[1], set = heat.tree.set(m.data, m.settings, null), next = random(7);
  let wrong = "";
  for (let k = 0; k < 200 && !wrong; k++) {
    const from = next(30000) * 1e6, to = from + next(5000) * 1e6, sums = sumsOf(m, from, to), wanted = new Map([["", 0]]);
    sums.forEach((value, s) => {
      const parts = m.made.stacks[s].text.split(";").filter((f, i) => i !== 2);
      for (let n = 0; value && n <= parts.length; n++) {
        const key = parts.slice(0, n).join(";");
        wanted.set(key, (wanted.get(key) || 0) + value);
      }
    });
    const tree = heat.tree.one(set, sums);
    const got = sorted(frames(tree, m.data.names).map((f) => f.slice(0, 2))), all = sorted(Array.from(wanted));
    wrong = JSON.stringify(got) === JSON.stringify(all) ? "" : `${from} to ${to}: ${JSON.stringify(got).slice(0, 400)} not ${JSON.stringify(all).slice(0, 400)}`;
  }
  is("200 ranges are what their lines are", wrong, "");
  is("... no event: a root of 0", frames(heat.tree.one(set, new Float64Array(m.data.stacks)), m.data.names), [["", 0, 0]]);
}

// Two ranges.
for (const [m, a, b] of [[models[1], [1, 4], [20, 21]], [models[0], [0, 10], [10, 17.3]], [models[2], [4, 5], [9, 20]], [models[1], [2, 3], [20.3, 20.6]]]) {
  const set = heat.tree.set(m.data, m.settings, null), at = m.settings.dimensions.find((d) => d[0] === "cpu")[1];
  const [base, fresh] = [a, b].map(([from, to]) => sumsOf(m, from * SECOND, to * SECOND));
  const { tree, settings } = heat.tree.two(set, base, fresh);
  const before = path.join(tmp, "before.folded");
  fs.writeFileSync(before, linesOf(m, base, [at]));
  const c = drawn("diff", linesOf(m, fresh, [at]), "--diff", before);
  const said = ({ scales, decimals, layers: list, mode, combine, delta, threshold }) =>
    [scales, decimals, list.map((l) => l.total), mode, combine, delta, threshold];
  is(`${m.name} ${a} against ${b}: settings as of --diff`, said(settings), said(c.settings));
  const both = (t, names) => {
    const delta = layers.delta(t, "total", 0.001, 1, [1], 1, layers.CHANCE_Z);
    return sorted(frames(t, names, (i) => [0, 1].map((k) => profile.layerTotal(t, k)[i]).concat(delta.kind[i], delta.value[i])));
  };
  is("... widths, values, differences", both(tree, m.data.names), both(c.tree, c.names));
  const gone = (t, names, show) => sorted(frames(layers.view(t, {}, { show }), names));
  is("... elided", [gone(tree, m.data.names, "gone"), gone(tree, m.data.names, "added")], [gone(c.tree, c.names, "gone"), gone(c.tree, c.names, "added")]);
}

// Back from a frame to stacks.
{
  const m = models[1], set = heat.tree.set(m.data, m.settings, null), texts = m.made.stacks.map((s) => s.text.split(";"));
  const found = (view, frame) => Array.from(heat.tree.stacks(set, { ...address.emptyView(), ...view }, frame, m.settings.flame));
  const having = (check) => texts.map((frames_) => check(frames_) ? 1 : 0);
  is("stacks of a frame", found({}, ["mysqld", "mysqld-500/worker-1", "start_thread", "handle_one", "do_command", "execute"]),
    having((f) => f[1] === "mysqld-500/worker-1" && f.includes("execute")));
  is("... on both CPUs", having((f) => f[1] === "mysqld-500/worker-1" && f[6] === "execute").filter(Boolean).length, 4);
  is("... callers and callees", found({ sandwich: "execute" }, ["execute"]), having((f) => f.includes("execute")));
  is("... within them", found({ sandwich: "execute" }, ["execute", "lookup"]), having((f) => f.join(";").includes("execute;lookup")));
  is("... merged from the leaves", found({ reversed: true }, ["lookup", "execute"]), having((f) => f[f.length - 1] === "lookup"));
  is("... of what is left by filters", found({ filters: [{ kind: "exclude", pattern: "lookup", exact: true, ignoreCase: false }] }, ["mysqld"]),
    having((f) => f[0] === "mysqld" && !f.includes("lookup")));
  is("... hidden frames", found({ filters: [{ kind: "hide", pattern: "worker", exact: false, ignoreCase: false }] }, ["mysqld", "start_thread"]),
    having((f) => f[0] === "mysqld"));
  is("... none is there", found({}, ["nowhere"]), having(() => false));
}

// Text.
{
  const m = models[1], sums = sumsOf(m, 0, 2 * SECOND), base = sumsOf(m, 20 * SECOND, 21 * SECOND);
  const by = (text) => text.trim().split("\n").sort();
  is("folded lines, whole", by(heat.tree.lines(m.data, sums, null)), by(linesOf(m, sums, [])));
  const wanted = Array.from(sums, (v, s) => v || base[s] ? `${m.made.stacks[s].text} ${base[s]} ${v}` : "").filter(Boolean).sort();
  is("... of two ranges", by(heat.tree.lines(m.data, sums, base)), wanted);
}
