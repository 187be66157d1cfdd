// Compares operations on trees with the same operations on lists of stacks.
"use strict";

const { is, all, differs, stacks, profile, broken, contents, expected, random, NAMES } = require("./model_lib");
const { profile: P, search: S, transform: T } = pyrograph;
const seeds = Array.from({ length: 150 }, (unused, i) => i + 1);
const base = P.baseName;

// What a name is matched by.
const re = /[be]/;
const matches = (name) => re.test(name);

function compare(tree, names, wanted, sorted = true) {
  return broken(tree, names, sorted) || differs(contents(tree, names), wanted);
}

// rows: [description, tree, stacks]
function transforms() {
  const match = (names) => S.matcher(names, "[be]", false).match;
  const direct = (names) => names.filter((name, i) => !i || name !== names[i - 1]);
  const deep = (names) => names.reduce((path, name) => {
    const at = path.indexOf(name);
    return at < 0 ? [...path, name] : path.slice(0, at + 1);
  }, []);
  const rows = [
    ["decoded", (t) => t, (s) => s],
    ["hide", (t, n) => T.hide(t, n, match(n)), (s) => s.filter((name) => !matches(name))],
    ["hide everything but", (t, n) => T.only(t, n, match(n)), (s) => s.filter(matches)],
    ["exclude", (t, n) => T.exclude(t, match(n)), (s) => s.some(matches) ? null : s],
    ["include", (t, n) => T.include(t, match(n)), (s) => s.some(matches) ? s : null],
    ["fold recursion", (t, n) => T.foldRecursion(t, n, "direct"), direct],
    ["fold deep recursion", (t, n) => T.foldRecursion(t, n, "deep"), deep],
    ["reverse", (t, n) => T.reverse(t, n, { least: 0 }), (s) => s.slice().reverse()],
    ["reverse what was hidden and folded", (t, n) => T.reverse(T.foldRecursion(T.hide(t, n, match(n)), n, "deep"),
      n, { least: 0 }), (s) => deep(s.filter((name) => !matches(name))).reverse()],
  ];
  for (const [what, make, change] of rows) {
    all(`${what}: exact on random profiles`, seeds, (seed) => {
      const list = stacks(seed), { names, tree } = profile(list), made = make(tree, names);
      return compare(made, names, expected(list, change)) ||
        (made.total[0] !== expected(list, change).reduce((sum, e) => sum + e[1], 0) ? "total" : "");
    });
  }
}

function dropping() {
  all("drop a subtree", seeds, (seed) => {
    const list = stacks(seed), { names, tree } = profile(list);
    const frame = random(seed)(tree.count - 1) + 1, path = T.stackOf(tree, names, frame);
    return compare(T.drop(tree, frame), names, expected(list, (s) =>
      path.every((name, i) => s[i] === name) ? null : s));
  });
  all("drop what ends in a path from the leaf", seeds, (seed) => {
    const list = stacks(seed), { names, tree } = profile(list);
    const path = list[0][0].slice().reverse().slice(0, 2);
    return compare(T.filter(tree, names, [{ kind: "drop", path, reversed: true }]).tree, names,
      expected(list, (s) => path.every((name, i) => s[s.length - 1 - i] === name) ? null : s));
  });
}

function variants() {
  all("variants merge", seeds, (seed) => {
    const list = stacks(seed), { names, tree } = profile(list);
    const merged = T.mergeVariants(tree, names, { annotations: true }), bases = names.map(base);
    return broken(merged, names, false) || differs(contents(merged, bases), expected(list, (s) => s.map(base)));
  });
  const { names, tree } = profile([[["m", "e_[j]", "x"], [5]], [["m", "e_[i]", "x"], [3]], [["m", "e_[0]"], [2]], [["m", "e_[0]", "y"], [1]]]);
  const merged = T.mergeVariants(tree, names, { annotations: true });
  is("siblings become one frame, by the widest variant's name", contents(merged, names),
    [["m;e_[j]", 2], ["m;e_[j];x", 8], ["m;e_[j];y", 1]]);
  is("counts by kind", Array.from(T.variantsOf(merged, names, 2)), [["compiled", 5], ["interpreted", 3], ["inlined", 3]]);
  is("counts by kind, through a later filter",
    Array.from(T.variantsOf(T.exclude(merged, S.matcher(names, "^y$").match), names, 2)),
    [["compiled", 5], ["interpreted", 3], ["inlined", 3]]);
  is("no counts without merging", T.variantsOf(tree, names, 2), null);
  const numbered = ["A$$Lambda$12/0x00007f01.run", "A$$Lambda$7/0x00007f02.run", "A$$Lambda/0x00007f03.run",
    "A$$Lambda$9.run", "GeneratedMethodAccessor12.invoke", "GeneratedMethodAccessor3.invoke",
    "$Proxy34.go", "$Proxy5.go", "LambdaForm$MH/0x00000801.x", "LambdaForm$MH.0x00000802.x"];
  const generated = profile(numbered.map((name) => [["m", name], [1]]));
  is("generated names merge", T.mergeVariants(generated.tree, generated.names, { generated: true }).count, 2 + 4);
  is("only when asked for", T.mergeVariants(generated.tree, generated.names, { annotations: true }).count, 2 + numbered.length);
  const shown = T.apply(generated.tree, generated.names, { ...pyrograph.address.emptyView(), generated: true });
  is("and have names without numbers, that are found", contents(shown.tree, shown.names),
    [["m;$Proxy.go", 2], ["m;A$$Lambda.run", 4], ["m;GeneratedMethodAccessor.invoke", 2], ["m;LambdaForm$MH.x", 2]]);
  const bare = ["libx.so.1+0x8a40", "libx.so.1+0x18fd0", "liby.so+0x10_[w]", "f", "[liby.so]_[w]", "App$$Lambda+0x00007f8a4c001000.run"];
  const files = profile(bare.map((name) => [["m", name], [1]])), byFile = { ...pyrograph.address.emptyView(), unnamed: true };
  const merged1 = T.apply(files.tree, files.names, byFile);
  is("functions without a name become their file", contents(merged1.tree, merged1.names),
    [["m;App$$Lambda+0x00007f8a4c001000.run", 1], ["m;[libx.so.1]", 2], ["m;[liby.so]_[w]", 2], ["m;f", 1]]);
  const kept = T.apply(files.tree, files.names, { ...pyrograph.address.emptyView(), generated: true });
  is("they are no generated classes", contents(kept.tree, kept.names),
    [["m;App$$Lambda.run", 1], ["m;[liby.so]_[w]", 1], ["m;f", 1], ["m;libx.so.1+0x18fd0", 1], ["m;libx.so.1+0x8a40", 1], ["m;liby.so+0x10_[w]", 1]]);
  const both = T.apply(files.tree, files.names, { ...byFile, generated: true });
  is("both", contents(both.tree, both.names), [["m;App$$Lambda.run", 1], ["m;[libx.so.1]", 2], ["m;[liby.so]_[w]", 2], ["m;f", 1]]);
  is("by number, too", T.apply(generated.tree, generated.names, { ...pyrograph.address.emptyView(), generated: true,
    sandwich: "A$$Lambda.run" }).tree.total[0], 4);
}

function charts() {
  const { names, tree } = profile([[["a", "x"], [1]], [["b"], [2]], [["c"], [4]]], { chart: true });
  tree.name[tree.count - 1] = tree.name[1]; // a b a, in time
  const said = (t) => Array.from(t.name, (n, i) => names[n] + t.total[i]).join(" ");
  is("a chart", said(tree), "all7 a1 x1 b2 a4");
  is("stays in time", said(T.hide(tree, names, S.matcher(names, "^x$").match)), "all7 a1 b2 a4");
  is("what has time between does not merge", said(T.hide(tree, names, S.matcher(names, "^b$").match)), "all7 a1 x1 a4");
  is("neighbours do", said(T.exclude(tree, S.matcher(names, "^b$").match)) + said(T.hide(T.exclude(tree,
    S.matcher(names, "^b$").match), names, S.matcher(names, "^x$").match)), "all5 a1 x1 a4" + "all5 a5");
  const frames = (t) => Array.from(t.name, (n, i) => i);
  is("a path means one of several siblings of a name", T.pathOf(tree, names, 4), ["a~2"]);
  for (const t of [tree, T.order(tree, names, "width"), T.order(T.order(tree, names, "width"), names, "name")])
    is("... to every frame and back", frames(t).map((f) => T.frameOfPath(t, names, T.pathOf(t, names, f)).frame), frames(t));
  is("... one of them is left out", said(T.filter(tree, names, [{ kind: "drop", path: ["a~2"] }]).tree), "all3 a1 x1 b2");
  is("... in any order the same", T.pathOf(T.order(tree, names, "width"), names, 1), ["a~2"]);
  is("... not more than there are", T.frameOfPath(tree, names, ["a~3"]), { frame: 0, whole: false });
  is("from the leaves there is no time", said(T.reverse(tree, names, { least: 0 })), "all7 a4 b2 x1 a1");
}

function deep() {
  const names = Array.from({ length: 50000 }, (unused, i) => "abc"[i % 3]), { tree, names: all3 } = deepProfile(names);
  is("50,000 levels: hide, fold, reverse, path", [T.hide(tree, all3, S.matcher(all3, "a").match).count,
    T.foldRecursion(tree, all3, "deep").count, T.reverse(tree, all3, { least: 0 }).count,
    T.frameOfPath(tree, all3, T.stackOf(tree, all3, tree.count - 1)).frame], [33334, 3, 50001, 50000]);
}

// One stack, without recursion.
function deepProfile(stack) {
  const names = ["all", "a", "b", "c", "..."], tree = P.emptyTree(stack.length + 1);
  stack.forEach((name, i) => {
    tree.name[i + 1] = names.indexOf(name);
    tree.parent[i + 1] = i;
    tree.depth[i + 1] = i + 1;
  });
  tree.end.fill(tree.count);
  tree.self[tree.count - 1] = 1;
  P.addUp(tree);
  return { tree, names };
}

function sandwich() {
  all("callees: outermost frames merged as root", seeds, (seed) => {
    const list = stacks(seed), { names, tree } = profile(list), made = T.callees(tree, names, names.indexOf("a"));
    const wanted = expected(list, (s) => s.includes("a") ? s.slice(s.indexOf("a") + 1) : null);
    return made ? names[made.name[0]] !== "a" ? "root" : compare(made, names, wanted) : differs([], wanted);
  });
  all("callers: what is below them, the nearest first", seeds, (seed) => {
    const list = stacks(seed), { names, tree } = profile(list), made = T.callers(tree, names, names.indexOf("a"));
    const wanted = expected(list, (s) => s.includes("a") ? s.slice(0, s.indexOf("a")).reverse() : null);
    return made ? compare(made, names, wanted) : differs([], wanted);
  });
  const { names, tree } = profile([[["m", "a"], [1]]]);
  const two = profile([[["m", "f_[j]", "x"], [2]], [["n", "f_[i]", "y"], [3]], [["n", "f_[k]"], [4]]]), f = two.names.indexOf("f_[j]");
  is("compiled and inlined, it is one function: its callees", contents(T.callees(two.tree, two.names, f), two.names).map(([s, v]) =>
    [s.replace(/.*;/, ""), v]), [["x", 2], ["y", 3]]);
  is("... its callers", contents(T.callers(two.tree, two.names, f), two.names).map(([, v]) => v), [2, 3]);
  is("... hidden", contents(T.filter(two.tree, two.names, [{ kind: "hide", pattern: "f_[j]", exact: true }]).tree, two.names),
    [["m;x", 2], ["n;f_[k]", 4], ["n;y", 3]]);
  is("... its row", Array.from(S.functions(two.tree, two.names).name, (n) => two.names[n]).filter((name) => /^f/.test(name)).sort(), ["f_[j]", "f_[k]"]);
  is("a function that is not there", [T.callees(tree, names, -1), T.callers(tree, names, -1)], [null, null]);
}

function lazyReverse() {
  all("reverse, partly: the same frames, to where they wait", seeds, (seed) => {
    const list = stacks(seed), { names, tree } = profile(list);
    const whole = T.reverse(tree, names, { least: 0 }), part = T.reverse(tree, names, { least: 0.1 });
    for (let i = 0; i < part.count; i++) {
      const path = T.stackOf(part, names, i), same = T.frameOfPath(whole, names, path);
      if (!same.whole || whole.total[same.frame] !== part.total[i])
        return `${path}: ${part.total[i]}`;
      const more = whole.end[same.frame] - same.frame > 1, here = part.end[i] - i > 1;
      if (part.unexpanded[i] !== Number(more && !here))
        return `${path}: mark ${part.unexpanded[i]}`;
      if (part.unexpanded[i] && part.total[i] >= 0.1 * part.total[0])
        return `${path} is wide but not expanded`;
    }
    return broken(part, names);
  });
  all("reverse, above a path: all of that subtree", seeds, (seed) => {
    const list = stacks(seed), { names, tree } = profile(list), whole = T.reverse(tree, names, { least: 0 });
    const frame = random(seed)(whole.count), path = T.stackOf(whole, names, frame);
    const part = T.reverse(tree, names, { least: 0, path: path.map((name) => names.indexOf(name)) });
    const there = T.frameOfPath(part, names, path);
    const inside = (t, f) => contents(t, names).filter(([key]) => !f || key === path.join(";") || key.startsWith(`${path.join(";")};`));
    return broken(part, names) || (there.whole ? "" : "path") || (part.total[0] === tree.total[0] ? "" : "total") ||
      differs(inside(part, frame), inside(whole, frame));
  });
  all("reverse, above a path that is not there", seeds.slice(0, 20), (seed) => {
    const { names, tree } = profile(stacks(seed));
    return differs(contents(T.reverse(tree, names, { least: 0, path: [names.indexOf("...")] }), names),
      contents(T.reverse(tree, names, { least: 0 }), names));
  });
}

function ordering() {
  all("order by width", seeds, (seed) => {
    const list = stacks(seed), { names, tree } = profile(list), made = T.order(tree, names, "width");
    for (let i = 1; i < made.count; i++) {
      const next = made.end[i];
      if (next < made.end[made.parent[i]] && made.total[next] > made.total[i])
        return `frame ${next}`;
    }
    return compare(made, names, expected(list), false) ||
      compare(T.order(made, names, "name"), names, expected(list));
  });
  const list = [[["m", "z"], [1]], [["m", "a", "y"], [9]], [["b"], [1]], [["m", "a", "x"], [1]]];
  const { names, tree } = profile(list, { arrival: true });
  const said = (t) => Array.from(t.name, (n) => names[n]).join(" ");
  is("of one width, by name", said(T.order(profile(["d", "b", "a", "c"].map((n) => [[n], [n === "c" ? 2 : 1]])).tree, ["all", "d", "b", "a", "c"], "width")),
    [0, 4, 3, 2, 1].map((n) => names[n]).join(" "));
  is("by name, as decoded", said(tree), "all b m a x y z");
  is("by arrival", said(T.order(tree, names, "arrival")), "all m z a y x b");
  is("by arrival after hiding", said(T.order(T.hide(tree, names, S.matcher(names, "^[am]$").match), names, "arrival")),
    "all z y x b"); // the order of siblings does not show that b came before x
}

// A merged frame counts as having come with its first part.
function mergedArrival() {
  const list = [[["p", "w"], [1]], [["p", "v"], [1]], [["q", "a"], [1]], [["q", "w"], [1]]];
  const { names, tree } = profile(list, { arrival: true });
  const made = T.order(T.hide(tree, names, S.matcher(names, "^[pq]$").match), names, "arrival");
  is("by arrival, merged", Array.from(made.name, (n) => names[n]).join(" "), "all w v a");
  const dropped = T.filter(tree, names, [{ kind: "drop", path: ["p", "v"] }, { kind: "drop", path: ["p", "zz"] }]).tree;
  is("drop by path, as far as it is there", contents(dropped, names), [["p;w", 1], ["q;a", 1], ["q;w", 1]]);
}

function functions() {
  const functionOf = (name) => name.replace(/_\[[ji01?]\]$/, "");
  all("functions: self, total once a stack, frames", seeds, (seed) => {
    const list = stacks(seed), { names, tree } = profile(list), table = S.functions(tree, names), wanted = {}, got = {};
    for (const name of new Set(NAMES.map(functionOf))) {
      const sum = (test) => list.filter(([s]) => test(s.map(functionOf))).reduce((n, [, v]) => n + v[0], 0);
      const prefixes = new Set(list.flatMap(([s]) => s.map((n, i) => [functionOf(n), s.slice(0, i + 1).join(";")])
        .filter((e) => e[0] === name).map((e) => e[1])));
      if (prefixes.size)
        wanted[name] = [sum((s) => s[s.length - 1] === name), sum((s) => s.includes(name)), prefixes.size];
    }
    for (let row = 0; row < table.count; row++) {
      const is = (n) => functionOf(names[n]) === functionOf(names[table.name[row]]);
      if (table.name[row])
        got[functionOf(names[table.name[row]])] = [table.self[row], table.total[row], table.frames[row]];
      const same = Array.from(tree.total).filter((v, f) => is(tree.name[f]));
      if (!is(tree.name[table.widest[row]]) || tree.total[table.widest[row]] !== Math.max(...same))
        return `widest of ${names[table.name[row]]}`;
      if (row && table.total[row] > table.total[row - 1])
        return "rows are not by total";
    }
    return differs(sortedKeys(got), sortedKeys(wanted));
  });
  all("functions: the same values merged from the leaves, as far as they are expanded, in any order", seeds, (seed) => {
    const list = stacks(seed), { names, tree } = profile(list), of = (made) => {
      const table = S.functions(made, names), sums = {};
      for (let row = 0; row < table.count; row++)
        sums[names[table.name[row]]] = [table.self[row], table.total[row]];
      return sums;
    };
    const wanted = of(tree), part = of(T.reverse(tree, names, { least: 0.1 })), pick = (names) => names.map((name) => [name, wanted[name]]);
    return differs(sortedKeys(of(T.order(T.reverse(tree, names, { least: 0 }), names, "width"))), sortedKeys(wanted)) ||
      differs(sortedKeys(part), pick(Object.keys(part).sort()));
  });
  const { names, tree } = profile([[["m", "b"], [3]], [["m", "a"], [2]]]);
  const turned = T.reverse(tree, names, { least: 0 }), zoomed = S.functions(turned, names, T.frameOfPath(turned, names, ["b"]).frame);
  is("... of a zoomed leaf: all is its own", Array.from(zoomed.name, (n, row) => [names[n], zoomed.self[row], zoomed.total[row]]),
    [["b", 3, 3], ["m", 0, 3]].sort((a, b) => names.indexOf(a[0]) - names.indexOf(b[0])));
  const table = S.functions(tree, names), rows = (key, down) => Array.from(S.sortRows(table, names, key, down),
    (row) => names[table.name[row]]).join(" ");
  is("rows by name", rows("name", false), "a all b m");
  is("rows by self", rows("self", true).slice(0, 3), "b a");
}

const sortedKeys = (object) => Object.keys(object).sort().map((key) => [key, object[key]]);

function searching() {
  all("matched: frames on each other count once", seeds, (seed) => {
    const list = stacks(seed), { names, tree } = profile(list), { match } = S.matcher(names, "[be]", false);
    const frame = random(seed)(tree.count), path = T.stackOf(tree, names, frame);
    const wanted = list.filter(([s]) => path.every((n, i) => s[i] === n) &&
      s.slice(Math.max(0, path.length - 1)).some(matches)).reduce((n, [, v]) => n + v[0], 0);
    return differs(S.matchedTotal(tree, frame, match), wanted);
  });
  const { names, tree } = profile([[["a", "b", "a"], [3]], [["a", "c"], [2]], [["b"], [1]]]);
  const { match } = S.matcher(names, "B", true);
  is("next, previous, round", [0, 2, 5].map((from) => [S.nextMatch(tree, from, 1, match), S.nextMatch(tree, from, -1, match)]),
    [[2, 5], [5, 5], [2, 2]]);
  is("3 of 17", S.matchPlace(tree, 5, match), { at: 2, of: 2 });
  is("only those that can be seen", S.nextMatch(tree, 2, 1, match, 0, 2), 2);
  is("within a zoom", [S.nextMatch(tree, 1, 1, match, 1), S.matchPlace(tree, 2, match, 1)], [2, { at: 1, of: 1 }]);
  const sums = (name, pattern) => S.matchedThrough(tree, names, names.indexOf(name), S.matcher(names, pattern).match);
  is("through a function: callers or callees", [sums("b", "^a$"), sums("b", "^b$"), sums("a", "c"), sums("c", "x")], [3, 4, 2, 0]);
  is("none", S.nextMatch(tree, 0, 1, S.matcherExact(names, "zz")), -1);
  is("no regular expression", S.matcher(names, "(", false), { match: null, error: "Not a regular expression: (" });
  is("with and without annotation", Array.from(S.matcher(["x_[k]", "x", "k"], "x$").match), [1, 1, 0]);
  is("several", Array.from(S.combined([Uint8Array.of(0, 1, 0), Uint8Array.of(1, 1, 0)])), [2, 1, 0]);
}

function views() {
  const list = [[["m", "a", "b"], [4]], [["m", "c", "b_[k]"], [2]], [["x"], [1]]];
  const { names, tree } = profile(list), empty = pyrograph.address.emptyView();
  const view = { ...empty, filters: [{ kind: "hide", pattern: "^[ac]$" }, { kind: "exclude", pattern: "x", exact: true }], variants: true };
  const made = T.apply(tree, names, view);
  is("a view with variants and filters", contents(made.tree, names), [["m;b", 6]]);
  is("the same view is the same tree", T.apply(tree, names, { ...view, zoom: ["m"], searches: [{ pattern: "q" }] }).tree === made.tree, true);
  is("a wrong filter does nothing and says so", [T.apply(tree, names, { ...empty, filters: [{ kind: "hide", pattern: "(" }] })]
    .map((r) => [r.tree === tree, r.error])[0], [true, "Not a regular expression: ("]);
  is("no change, the same tree", T.apply(tree, names, empty).tree === tree, true);
  const both = T.apply(tree, names, { ...empty, sandwich: "b" });
  is("a sandwich", [contents(both.tree, names), contents(both.callers, names)], [[["", 4]], [["a;m", 4]]]);
  is("the same sandwich is the same tree", T.apply(tree, names, { ...empty, sandwich: "b" }).tree === both.tree, true);
  is("a sandwich of what is not there", [T.apply(tree, names, { ...empty, sandwich: "zz" })].map((r) => [r.tree, r.callers])[0], [null, null]);
  is("merged from the leaves", contents(T.apply(tree, names, { ...empty, reversed: true }).tree, names),
    [["b;a;m", 4], ["b_[k];c;m", 2], ["x", 1]]);
  const nothing = T.exclude(tree, S.matcher(names, ".").match);
  is("nothing left", [nothing.count, nothing.total[0]], [1, 0]);
  is("and that can be drawn, reversed, ordered", [pyrograph.layout.layout(nothing, 0, 800, 0.1, 3000, () => "#000000").boxes.length,
    T.reverse(nothing, names, { least: 0.1 }).count, T.order(nothing, names, "width").count, S.functions(nothing, names).count], [1, 1, 1, 1]);
}

// A file that was cut or changed gives a tree that the code can still walk.
function garbage() {
  const inside = (tree) => {
    for (let i = 0; i < tree.count; i++) {
      if (tree.end[i] <= i || tree.end[i] > tree.end[tree.parent[i]] || (i && tree.parent[i] >= i))
        return `frame ${i}: ${tree.parent[i]} ${tree.end[i]}`;
    }
  };
  for (const settings of [{}, { arrival: true }, { layers: [{}, {}], combine: "max" }]) {
    all(`garbage, ${JSON.stringify(settings)}`, seeds, (seed) => {
      const next = random(seed), text = Array.from({ length: next(300) }, () => String.fromCharCode(63 + next(64))).join("");
      return inside(P.decodeTree(text, { names: 5, frames: 1 + next(80), ...settings }));
    });
  }
}

function text() {
  all("folded lines of a view are its stacks", seeds, (seed) => {
    const list = stacks(seed), { names, tree } = profile(list);
    const lines = T.foldedLines(tree, names, 0, "").trimEnd().split("\n").map((line) => [line.replace(/ \d+$/, ""), Number(/\d+$/.exec(line)[0])]);
    return differs(lines.sort((a, b) => a[0] < b[0] ? -1 : 1), expected(list));
  });
  const { names, tree } = profile([[["m", "a"], [12050]], [["m"], [7]], [["x"], [100]]], { decimals: 3 });
  is("of a frame, with a header and decimals", T.foldedLines(tree, names, 1, "# pyrograph: x"), "# pyrograph: x\nm 0.007\nm;a 12.05\n");
  is("of a function's callees", T.foldedLines(T.callees(tree, names, names.indexOf("m")), names, 0, ""), "m 0.007\nm;a 12.05\n");
  is("path, as far as there", [["m", "a"], ["m", "zz"], []].map((p) => T.frameOfPath(tree, names, p)),
    [{ frame: 2, whole: true }, { frame: 1, whole: false }, { frame: 0, whole: true }]);
  const threads = profile([[["x/w-1", "f"], [1]], [["w", "w-2"], [2]], [["w-3"], [3]]], { decimals: 0 });
  is("a thread by its name, after its process, or without its number", ["w-3", "w-1", "w-2", "f"].map((thread) =>
    threads.names[threads.tree.name[T.frameOfThread(threads.tree, threads.names, thread)]]), ["w-3", "x/w-1", "w", threads.names[threads.tree.name[0]]]);
  const odd = profile([[["a~2", "b"], [1]], [["a"], [2]]]);
  const step = (f) => T.pathOf(odd.tree, odd.names, f)[0], there = (p) => odd.names[odd.tree.name[T.frameOfPath(odd.tree, odd.names, [p]).frame]];
  is("a name like a number of siblings", [[1, 2, 3].map(step).sort(), ["a", "a~2~1", "a~2"].map(there)],
    [["a", "a~2~1", "a~2~1"], ["a", "a~2", "a~2"]]);
  is("a filter for what is nowhere says so", ["drop", "hide"].map((kind) => T.apply(tree, names, { filters: [{ kind, path: ["zz"], pattern: "zz",
    exact: true }] }).error), ["Not in this profile: zz", "Not in this profile: zz"]);
}

function folded() {
  const list = [[["m", "a", "..."], [4], 17], [["m", "b", "..."], [3], 5], [["m", "b"], [1]]];
  const { names, tree } = profile(list);
  const counts = (t) => Array.from(t.folded).map(([f, n]) => [T.stackOf(t, names, f).join(";"), n]).sort();
  is("frames that stand for others", counts(tree), [["m;a;...", 17], ["m;b;...", 5]]);
  is("merge", counts(T.hide(tree, names, S.matcher(names, "^[ab]$").match)), [["m;...", 22]]);
  is("merge from the leaf", counts(T.reverse(tree, names, { least: 0 })), [["...", 22]]);
}

module.exports = () => [transforms, dropping, variants, charts, deep, sandwich, lazyReverse, ordering, mergedArrival, functions, searching, views,
  garbage, text, folded].forEach((run) => run());
