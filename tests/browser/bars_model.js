// The model of charts of bars (render/browser/bars/*.js without the DOM), in node.  Prints TAP.
"use strict";

const fs = require("fs");
const path = require("path");
const vm = require("vm");

vm.runInThisContext(["common/number", "common/profile", "common/search", "common/link_text", "common/contrast",
  "bars/model", "bars/text", "bars/address", "bars/layout"].map((name) =>
  fs.readFileSync(path.join(__dirname, "../../render/browser", `${name}.js`), "utf8")).join("\n"));

const { model: M, text: T, address: A, layout: L } = pyrograph.bars;

function is(what, got, wanted) {
  const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)].map(String);
  console.log(a === b ? `ok - ${what}` : `not ok - ${what}\n#   got:    ${a.slice(0, 1000)}\n#   wanted: ${b.slice(0, 1000)}`);
}

const KINDS = [["running", "running"], ["preempted", "runnable"], ["woken", "runnable"], ["sleeping", "sleeping"]]
  .map(([name, group]) => ({ name, group, rgb: "#123456", safe: "#654321" }));

// rows: [[name, [[kind, by or null, time, count, longest], ...]], ...]
function picture(rows, more = {}) {
  const names = [], number = (name) => names.includes(name) ? names.indexOf(name) : names.push(name) - 1;
  const data = { kind: "states", unit: "ns", columns: ["time", "count", "longest"], window: 10e9, kinds: KINDS, names,
    rows: rows.map(([name]) => ({ name: number(name), members: 1 })), segments: [] };
  rows.forEach(([, segments], row) => segments.forEach(([kind, by, ...values]) =>
    data.segments.push(row, kind, by === null ? -1 : number(by), ...values)));
  return { ...data, ...more };
}

const SPIN = picture([
  ["a-1/a", [[0, null, 5e9, 100, 9e6], [1, "b-2/b", 4e9, 90, 8e6], [2, "w-9/w-1", 1e9, 9, 7e6]]],
  ["b-2/b", [[0, null, 4e9, 100, 9e6], [1, "a-1/a", 5e9, 90, 8e6], [1, "w-9/w-2", 1e9, 9, 7e6]]],
  ["w-9/w-1", [[0, null, 1e9, 9, 5e8], [3, null, 8e9, 8, 2e9], [2, "b-2/b", 1e9, 3, 6e8]]],
  ["w-9/w-2", [[3, null, 9e9, 7, 3e9], [1, "w-9/w-1", 2e8, 4, 1e8]]],
]);
const spin = M.decode(SPIN);
const names = (model, rows) => rows.map((row) => T.rowName(model.rows[row]));
const sorted = (key, down = true, more = {}) => names(spin, M.rowsOf(spin, { key, down, ...more }));

is("a row's values: sums, and the longest of the longest", spin.rows.map((row) => row.values),
  [[10e9, 199, 9e6], [10e9, 199, 9e6], [10e9, 20, 2e9], [9.2e9, 11, 3e9]]);
is("a thread called as its process is shown once", [T.name("spin-a-4711/spin-a"), T.name("java-8/dw-20"), T.name("x"), T.name("/x"),
  T.name("a-1/b"), T.name("a-1x/a"), T.name("kworker/1:2-77/kworker/1:2"), T.name("safe_‮fdp.exe")], ["spin-a-4711", "java-8/dw-20", "x", "/x", "a-1/b", "a-1x/a", "kworker/1:2-77", "safe_�fdp.exe"]);
is("... as render_bars.c has them", ["spin-4711/spin-4711", "spin-4711/spin-4712", "spin-4711/4711", "a-b-1/a-b", "a-/a", "/", "", "-1/"].map(M.shown),
  ["spin-4711", "spin-4711/spin-4712", "spin-4711/4711", "a-b-1", "a-/a", "/", "", "-1/"]);
is("as drawn", sorted("drawn", false), ["a-1", "b-2", "w-9/w-1", "w-9/w-2"]);
is("by all waits together", sorted("*runnable"), ["b-2", "a-1", "w-9/w-1", "w-9/w-2"]);
is("by one state", sorted(":sleeping"), ["w-9/w-2", "w-9/w-1", "a-1", "b-2"]);
is("... least first", sorted(":sleeping", false), ["a-1", "b-2", "w-9/w-1", "w-9/w-2"]);
is("... by count", sorted(":woken", true, { column: 1 }), ["a-1", "w-9/w-1", "b-2", "w-9/w-2"]);
is("by total", sorted("total", false), ["w-9/w-2", "a-1", "b-2", "w-9/w-1"]);
is("by name", sorted("name", true), ["w-9/w-2", "w-9/w-1", "b-2", "a-1"]);
is("names: digits count as numbers", ["w10", "w9", "w", "w!", "wa", "w010", "v", "w9a", "9", "10"].sort(M.compareNames),
  ["9", "10", "v", "w", "w!", "w9", "w9a", "w010", "w10", "wa"]);
is("those that a contender took the CPU from", sorted("drawn", false, { by: "b-2/b" }), ["a-1", "w-9/w-1"]);
is("those that match", sorted("drawn", false, { match: [0, 1, 0, 1] }), ["b-2", "w-9/w-2"]);
is("in a bar: by kind, then the most", M.ordered(spin, spin.rows[1].segments, 0).map((s) => [s.kind, s.by]),
  [[0, null], [1, "a-1/a"], [1, "w-9/w-2"]]);

// ---- crowds ----

const CROWD = M.decode(picture([["v-1/v", [[0, null, 1e8, 1, 1e8], [2, "[others]", 3e8, 9, 9e6], [2, "[idle]", 1, 1, 1],
  ...[9, 8, 7, 6, 5, 4, 3].map((ms, i) => [1 + i % 2, `u-${i}/u`, ms * 1e6, ms, 2e6 + i]), [1, "u-1/u", 5e6, 5, 9e6]]],
["u-0/u", [[1, "v-1/v", 99e7, 1, 1], [2, "u-0/w", 1e7, 1, 1]]]]));
const crowd = M.ordered(CROWD, CROWD.rows[0].segments, 0);
is("of many contenders the first have parts of their own, as C has them", crowd.map((s) => [s.kind, T.byText(s), s.values[0] / 1e6]),
  [[0, "", 100], [2, "threads not told apart", 300], [1, "u-1", 5], [2, "u-1", 8], [1, "u-0", 9], [1, "u-2", 7], [2, "u-3", 6],
    [2, "an idle CPU", 1e-6], [1, "2 more threads", 8], [2, "u-5", 4]]);
is("... nothing is lost", M.amount(CROWD, crowd), CROWD.rows[0].values);
is("... all of them on request", [M.ordered(CROWD, CROWD.rows[0].segments, 0, true).length, M.ordered(CROWD, CROWD.rows[0].segments, 0, true)
  .some((s) => s.parts)], [11, false]);
is("... what is said of a part of several", T.describe(CROWD, CROWD.rows[0], crowd[8]),
  "v-1: preempted for 2 more threads, 8 ms, 1.79 % of its row, 0.08 % of the window, 8 times, longest 2 ms");
is("whom it waited for: who is worth it; in its own process, the name in that", [0, 1].map((row) => T.noteText(CROWD, row)),
  ["347 ms: 86 % threads not told apart", "1 s: 99 % v-1"]);
is("... of who had little, only the first", [T.near("u-0/w", "u-0/u"), T.near("u-0/u", "u-0/w"), T.near("u-0/w", "v-1/v")], ["w", "u-0", "u-0/w"]);
is("sums by kind", M.byKind(spin, [0, 1, 2, 3]).map((v) => v[0]), [10e9, 10.2e9, 2e9, 17e9]);

const contenders = M.contenders(spin, [0, 1, 2, 3]);
is("who took how much from whom", contenders.map((c) => [T.name(c.name), c.values, c.victims.map((v) => [v.row, v.values[0]])]), [
  ["a-1", [5e9, 90, 8e6], [[1, 5e9]]], ["b-2", [5e9, 93, 6e8], [[0, 4e9], [2, 1e9]]],
  ["w-9/w-1", [1.2e9, 13, 1e8], [[0, 1e9], [3, 2e8]]], ["w-9/w-2", [1e9, 9, 7e6], [[1, 1e9]]]]);
is("... sorted by victims", M.sortContenders(contenders, "victims", true, spin).map((c) => T.name(c.name)), ["b-2", "w-9/w-1", "a-1", "w-9/w-2"]);
is("... by the longest", M.sortContenders(contenders, "longest", true, spin).map((c) => T.name(c.name)), ["b-2", "w-9/w-1", "a-1", "w-9/w-2"]);

const pools = M.pooled(spin);
is("pools: names with a number at the end, where there are several", names(pools, [0, 1, 2]), ["a-1", "b-2", "w-9/w-* ×2"]);
is("... their values", pools.rows[2].values, [19.2e9, 31, 3e9]);
is("... one contender", M.contenders(pools, [0, 1, 2]).map((c) => [T.name(c.name), c.values[0]]), [["a-1", 5e9], ["b-2", 5e9], ["w-9/w-*", 2.2e9]]);
is("... nothing is lost", pools.rows.reduce((sum, row) => sum + row.values[0], 0), spin.rows.reduce((sum, row) => sum + row.values[0], 0));
is("a name with a star of its own is no pool", names(M.pooled(M.decode(picture([["w-*", [[0, null, 1, 1, 1]]], ["w-1", [[0, null, 1, 1, 1]]]]))), [0, 1]), ["w-*", "w-1"]);
is("a name of digits alone is no pool", M.pooled(M.decode(picture([["1", [[0, null, 1, 1, 1]]], ["2", [[0, null, 1, 1, 1]]]]))).rows.length, 2);

const cpus = M.pooled(M.decode(picture([["CPU 0", [[0, null, 5, 2, 3], [1, null, 2, 1, 2], [2, null, 1, 1, 1]]], ["CPU 1", [[1, null, 4, 2, 4]]]],
  { roots: "cpu,thread", kinds: ["p-1/w-1", "p-1/w-2", "q-2/q"].map((name) => ({ name, group: name, rgb: "#123456", safe: "#123456" })) })));
is("... of CPUs it is their threads", [names(cpus, [0, 1]), cpus.kinds.map((kind) => kind.name), cpus.rows.map((row) => row.segments.map((s) =>
  [s.kind, s.values]))], [["CPU 0", "CPU 1"], ["p-1/w-*", "q-2/q"], [[[0, [7, 3, 3]], [1, [1, 1, 1]]], [[0, [4, 2, 4]]]]]);

// ---- words ----

is("times", [0, 1, 999, 1000, 12345, 1234567, 999999999, 1234000000, 4321e9].map((v) => T.value(spin, v)),
  ["0 ns", "1 ns", "999 ns", "1 µs", "12.3 µs", "1.23 ms", "1 s", "1.23 s", "4,321 s"]);
is("... of any column", [0, 999, 1000, 12345, 999499, 1000000, 4898000000, 4321e9, 59.95e9].map((v) => T.column(spin, 0, v)),
  ["0 ns", "999 ns", "1 µs", "12.3 µs", "999 µs", "1 ms", "4.9 s", "4,321 s", "60 s"]);
is("... fractions of a ns", T.value({ unit: "ns", decimals: 3 }, 1500), "1.5 ns");
is("other units", [T.value({ unit: "samples", decimals: 0 }, 1), T.value({ unit: "samples", decimals: 0 }, 12345)], ["1 sample", "12,345 samples"]);
is("counts", [T.column(spin, 1, 1), T.column(spin, 1, 1203)], ["1 time", "1,203 times"]);
is("a segment in a line", T.describe(spin, spin.rows[0], spin.rows[0].segments[1]),
  "a-1: preempted for b-2, 4 s, 40 % of its row, 40 % of the window, 90 times, longest 8 ms");
is("a row in a line", T.describe(pools, pools.rows[2], null),
  "w-9/w-* ×2: 19.2 s, 96 % of the window, of all 2, 31 times, longest 3 s");
is("an axis has one unit", [0, 2.5e9, 1e10].map((v) => T.axis(spin, 0, v, 1e10)), ["0", "2.5 s", "10 s"]);
is("... counts", T.axis(spin, 1, 5000, 1e4), "5,000");

const nasty = M.decode(picture([["=cmd|x", [[0, null, 1, 1, 1], [1, "-1+1", 2, 1, 1]]], ["a,\"b\"", [[0, null, 3, 1, 1]]]]));
is("CSV: quoted, and no formulas", T.csv(T.rowsTable(nasty, [0, 1])),
  "thread,members,total [ns],running [ns],preempted [ns],woken [ns],sleeping [ns]\n'=cmd|x,1,3,1,2,0,0\n\"a,\"\"b\"\"\",1,3,3,0,0,0\n");
is("... contenders", T.csv(T.contendersTable(nasty, M.contenders(nasty, [0, 1]))),
  "contender,took from,time [ns],count,longest [ns]\n'-1+1,'=cmd|x,2,1,1\n");
is("text: blanks for tabs", T.tsv([["a\tb\nc", 5]]), "a b c\t5\n");

// ---- links ----

const view = { ...A.emptyView(), sort: ":woken", down: false, filter: { pattern: "^a&b#;", ignoreCase: true },
  search: { pattern: "ü", ignoreCase: false }, column: "count", scale: "row", pools: true, every: true, by: "x-1/=y", row: "\ud800", table: true,
  theme: "dark", safe: true };
is("a link brings the view", A.decode("#" + A.encode(view)), { ...view, row: "\ufffd" });
is("... off as well", A.decode("#table=0&cb=0"), { ...A.emptyView(), table: false, safe: false });
is("nothing changed: no link", A.encode(A.emptyView()), "");
is("what is not understood is left out", A.decode("#constructor=1&__proto__=2&sc=x&scale=huge&t=pink&=&%&z"), A.emptyView());
is("broken escapes do no harm", A.decode("#z=%E0%A4%A").row, "%E0%A4%A");

const graded = M.decode({ ...SPIN, kinds: KINDS.map((kind) => ({ ...kind, graded: kind.group === "runnable" })),
  steps: [0, 1e6, 5e8, 1e9].map((from, i) => ({ from, text: `${i}`, rgb: "#000000", safe: "#ffffff" })) });
is("by the longest wait, whatever else took longer", names(graded, M.rowsOf(graded, { key: "longest", down: true, column: 0 })),
  ["w-9/w-1", "w-9/w-2", "a-1", "b-2"]);
is("the step of a longest time begins at it, or before", [0, 999999, 1e6, 999999999, 1e9, 5e12].map((ns) => M.stepOf(graded, [1, 1, ns]).text),
  ["0", "0", "1", "2", "3", "3"]);
is("charts without steps have none", [spin.steps, spin.fullGroup], [[], ""]);
is("colours by the longest are part of the link", A.encode({ ...A.emptyView(), longest: true }), "longest=1");

// ---- where things are ----

const scaleOf = (scale, column = 0) => L.scale(spin, [2, 3], { scale, column });
is("scales: the window, the widest, each row", [scaleOf("window").top, scaleOf("widest").top, scaleOf("row").whole(3), scaleOf("window", 1).top],
  [10e9, 10e9, 9.2e9, 20]);
const noise = M.decode({ ...SPIN, window: 0, full: 3e9 });
const ofNoise = (scale, column = 0) => L.scale(noise, [0, 2], { scale, column });
is("a full bar of what may have much more: a row that has more is as wide", [ofNoise("window").top, ofNoise("window").whole(2),
  ofNoise("widest").top, ofNoise("window", 1).top], [3e9, 10e9, 10e9, 199]);
const wide = L.scale(pools, [0, 1, 2], { scale: "window", column: 0 });
is("a pool that is longer than the window is as wide", [wide.top, wide.whole(0), wide.whole(2)], [10e9, 10e9, 19.2e9]);
is("round ticks", [L.ticks(10e9, 5), L.ticks(7, 10), L.ticks(1, 3)], [[0, 2e9, 4e9, 6e9, 8e9, 10e9], [0, 1, 2, 3, 4, 5, 6, 7], [0, 0.5, 1]]);
const segments = M.ordered(spin, spin.rows[1].segments, 0), bar = L.bar(segments, 0, 10e9, 100);
is("a bar: widths by value", bar.map((b) => [b.x, b.w]), [[0, 40], [40, 50], [90, 10]]);
const many = Array.from({ length: 1000 }, (unused, i) => ({ x: i / 10, w: 0.1 }));
const runs = L.runs(many, (box) => box.x < 50 ? "#1" : "#2");
is("narrow neighbours become one, and no width is lost", [runs.length < 30, runs.reduce((sum, run) => sum + run.w, 0).toFixed(6)], [true, "100.000000"]);
