// Profiles of several layers: decoding, totals through every transform, differences.
"use strict";

const { is, all, differs, stacks, profile, broken, contents, expected } = require("./model_lib");
const { profile: P, search: S, transform: T, layers: L } = pyrograph;
const seeds = Array.from({ length: 80 }, (unused, i) => i + 1);
const DIFF = { layers: [{ name: "base", total: 0 }, { name: "new", total: 0 }], combine: "max", scales: [[3, 2], [1, 1]], mode: "diff" };
const scaled = (v, k) => Math.floor(v * DIFF.scales[k][0] / DIFF.scales[k][1]);
const matches = (name) => /[be]/.test(name);

function decoding() {
  const with3 = (combine, more) => ({ layers: [{ name: "x" }, { name: "y" }, { name: "z" }], combine, ...more });
  const widths = (values, settings) => profile([[["m"], values]], settings).tree.self[1];
  is("sum", widths([1, 0, 40], with3("sum")), 41);
  is("max, scaled", widths([7, 3, 8], with3("max", { scales: [[3, 2], [1, 1], [1, 1]] })), 10);
  is("one of them", widths([7, 3, 8], with3("first", { metric: { width: "y" } })), 3);
  is("the first, if none is named", widths([7, 3, 8], with3("first")), 7);
  is("scaled values are not rounded", P.scaled(profile([[["m"], [4, 5]]],
    { layers: [{ name: "x" }, { name: "y" }], combine: "max", scales: [[10, 7], [1, 1]] }).tree, 0, 4), 40 / 7);
  all("layers, decoded", seeds, (seed) => {
    const list = stacks(seed, 3), { names, tree } = profile(list, with3("sum"));
    return broken(tree, names) || [0, 1, 2].map((k) => differs(contents(tree, names, P.layerSelf(tree, k)),
      expected(list, undefined, k))).join("");
  });
}

function throughTransforms() {
  const rows = [
    ["hide", (t, n) => T.hide(t, n, S.matcher(n, "[be]").match), (s) => s.filter((name) => !matches(name))],
    ["exclude", (t, n) => T.exclude(t, S.matcher(n, "[be]").match), (s) => s.some(matches) ? null : s],
    ["order", (t, n) => T.order(t, n, "width"), (s) => s],
    ["reverse", (t, n) => T.reverse(t, n, { least: 0 }), (s) => s.slice().reverse()],
    ["callees", (t, n) => T.callees(t, n, n.indexOf("a")), (s) => s.includes("a") ? s.slice(s.indexOf("a") + 1) : null],
    ["callers", (t, n) => T.callers(t, n, n.indexOf("a")), (s) => s.includes("a") ? s.slice(0, s.indexOf("a")).reverse() : null],
    ["hide, then reverse, then order", (t, n) => T.order(T.reverse(T.hide(t, n, S.matcher(n, "[be]").match), n, { least: 0 }), n, "width"),
      (s) => s.filter((name) => !matches(name)).reverse()],
  ];
  for (const [what, make, change] of rows) {
    all(`layers through ${what}`, seeds, (seed) => {
      const list = stacks(seed, 2).filter(([, v]) => v[0] && v[1]), { names, tree } = profile(list, DIFF);
      const made = list.length ? make(tree, names) : null;
      return made ? [0, 1].map((k) => differs(contents(made, names, P.layerSelf(made, k)), expected(list, change, k))).join("") : "";
    });
  }
  all("a layer's values are not lost where nothing is drawn", seeds, (seed) => {
    const list = stacks(seed, 2), { names, tree } = profile(list, { ...DIFF, combine: "first", metric: { width: "base" } });
    const made = T.exclude(tree, S.matcherExact(names, "zz"));
    return differs(P.layerTotal(made, 1)[0], list.reduce((n, [, v]) => n + v[1], 0));
  });
  all("values of one frame, all layers", seeds, (seed) => {
    const list = stacks(seed, 2), { names, tree } = profile(list, DIFF);
    for (const made of [tree, T.reverse(tree, names, { least: 0 }), T.callers(tree, names, names.indexOf("a")),
      L.view(tree, DIFF, { show: "new" })].filter(Boolean)) {
      for (let f = 0; f < made.count; f++) {
        const wrong = differs(L.valuesOf(made, f), [0, 1].map((k) => P.layerTotal(made, k)[f]));
        if (wrong)
          return `frame ${f}: ${wrong}`;
      }
    }
  });
}

function views() {
  const side = (k) => (list) => list.map(([s, v]) => [s, [v[k]]]);
  const under = (list, path, k) => list.some(([s, v]) => v[k] && path.every((name, i) => s[i] === name));
  const rows = [
    [{ show: "union" }, (list) => list.map(([s, v]) => [s, [Math.max(scaled(v[0], 0), scaled(v[1], 1))]])],
    [{ show: "base" }, side(0)], [{ show: "new" }, side(1)], [{ layer: 0 }, side(0)],
    [{ layers: [0, 1] }, (list) => list.map(([s, v]) => [s, [scaled(v[0], 0) + scaled(v[1], 1)]])],
    [{ show: "gone" }, (list) => side(0)(list.filter(([s]) => !under(list, s, 1)))],
    [{ show: "added" }, (list) => side(1)(list.filter(([s]) => !under(list, s, 0)))],
  ];
  for (const [what, change] of rows) {
    all(`view ${JSON.stringify(what)}`, seeds, (seed) => {
      const list = stacks(seed, 2), { names, tree } = profile(list, DIFF), made = L.view(tree, DIFF, what);
      return (made.count > 1 ? broken(made, names) : "") || differs(contents(made, names), expected(change(list)));
    });
  }
  all("differences are those of the whole profile in each view", seeds, (seed) => {
    const { tree } = profile(stacks(seed, 2), DIFF), made = L.view(tree, DIFF, { show: "base" });
    return Array.from(made.origin).map((frame, i) => differs(P.layerTotal(made, 1)[i], P.layerTotal(tree, 1)[frame])).join("");
  });
  all("a view of what was hidden", seeds, (seed) => {
    const list = stacks(seed, 2), { names, tree } = profile(list, DIFF), made = T.hide(tree, names, S.matcher(names, "[be]").match);
    const left = list.map(([s, v]) => [s.filter((name) => !matches(name)), v]).filter(([s]) => s.length);
    const rest = list.filter(([s]) => s.every(matches)).reduce((n, [, v]) => n + v[1], 0);
    return differs(contents(L.view(made, DIFF, { layer: 1 }), names), (rest ? [["", rest]] : []).concat(expected(left, undefined, 1)));
  });
  all("a range of what was hidden", seeds, (seed) => {
    const { names, tree } = profile(stacks(seed, 2), DIFF), hidden = (t) => T.hide(t, names, S.matcher(names, "[be]").match);
    const what = { layers: [1, 1] };
    return differs(contents(L.view(hidden(tree), DIFF, what), names), contents(hidden(L.view(tree, DIFF, what)), names));
  });
  is("what is wanted", [{}, { diff: { show: "union" } }, { diff: { show: "gone", by: "self" } }, { position: 0 }, { span: [1, 2] }]
    .map(L.wanted), [null, null, { show: "gone" }, { layer: 0 }, { layers: [1, 2] }]);
}

function differences() {
  const list = [[["m", "grew"], [20, 60]], [["m", "shrank"], [40, 30]], [["m", "fresh"], [0, 12]], [["m", "gone"], [30, 0]],
    [["m", "same"], [20, 30]], [["m", "noise"], [20, 31]], [["m", "grew", "x"], [0, 30]]];
  const { names, tree } = profile(list, DIFF); // base counts three halves
  const of = (by) => {
    const delta = L.delta(tree, by, 0.02), row = {};
    for (let i = 2; i < tree.count; i++)
      row[names[tree.name[i]]] = [Number(delta.value[i].toFixed(3)), Object.keys(L.KINDS)[delta.kind[i]]];
    return [row, delta.largest];
  };
  is("by total", of("total"), [{ fresh: [0.2, "NEW"], gone: [-0.75, "GONE"], grew: [1, "GREW"], x: [0.5, "NEW"], noise: [0, "SAME"],
    same: [0, "SAME"], shrank: [-0.5, "SHRANK"] }, 60]);
  is("by self", of("self"), [{ fresh: [0.267, "NEW"], gone: [-1, "GONE"], grew: [0.667, "GREW"], x: [0.667, "NEW"], noise: [0, "SAME"],
    same: [0, "SAME"], shrank: [-0.667, "SHRANK"] }, 45]);
  const grew = tree.name.findIndex((n) => names[n] === "grew");
  is("a pair", L.pair(tree, grew, "total"), { base: 20, new: 90, scaledBase: 30, scaledNew: 90 });
  is("a pair of which one is not there", L.pair(tree, 2, "total").base, 0);
  all("values in [-1, 1], no change: all 0", seeds, (seed) => {
    const { tree: t } = profile(stacks(seed, 2), DIFF), delta = L.delta(t, "total", 0);
    const same = profile(stacks(seed, 1).map(([s, v]) => [s, [v[0], v[0]]]), { ...DIFF, scales: undefined }).tree;
    return delta.value.some((v) => !(Math.abs(v) <= 1)) || L.delta(same, "total", 0).value.some((v) => v) ? "so it is not" : "";
  });
}

function events() {
  const settings = { layers: [{ name: "cycles" }, { name: "cpu/instructions/" }], combine: "first", mode: "metrics",
    metric: { width: "cycles", colour: "cpu/instructions//cycles", low: 0.5, high: 2 } };
  const { names, tree } = profile([[["m", "a"], [100, 150]], [["m", "b"], [50, 25]], [["m", "c"], [0, 5]]], settings);
  const ratios = (s) => Array.from(L.metric(tree, s).ratio, (r, i) => [names[tree.name[i]], String(r)]).slice(1);
  is("width by one event", [tree.total[0], contents(tree, names)], [150, [["m;a", 100], ["m;b", 50]]]);
  is("colour by a ratio", ratios(settings), [["m", "1.2"], ["a", "1.5"], ["b", "0.5"], ["c", "NaN"]]);
  is("colour by a share", ratios({ ...settings, metric: { colour: "cycles" } }).slice(1, 3).map((r) => r[1].slice(0, 5)), ["0.666", "0.333"]);
  is("unknown events", ratios({ ...settings, metric: { colour: "a/b" } })[0], ["m", "NaN"]);
  is("windows of an animation", L.windows({ layers: [{}, {}], animate: { start_ns: "1479723302014325678", step_ns: "10000000000" } }),
    [{ start: "2016-11-21T10:15:02.014325678Z", end: "2016-11-21T10:15:12.014325678Z" },
      { start: "2016-11-21T10:15:12.014325678Z", end: "2016-11-21T10:15:22.014325678Z" }]);
}

module.exports = () => [decoding, throughTransforms, views, differences, events].forEach((run) => run());
