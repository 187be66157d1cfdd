// Links, colours, labels and boxes; also, data that C wrote is read back unchanged.
"use strict";

const fs = require("fs");
const path = require("path");
const { is, all, differs, stacks, profile, contents, random } = require("./model_lib");
const { profile: P, transform: T, layout: L, colour: C, address: A, module: M } = pyrograph;
const seeds = Array.from({ length: 100 }, (unused, i) => i + 1);

// ---- links ----

const VIEW = { zoom: ["main", "a;b", "x=1&y_[k]"], thread: "a/b-1;c", callersZoom: ["b", "a"], searches: [{ pattern: "a&b=c#%41 d+", ignoreCase: false }, { pattern: "std::", ignoreCase: true }],
  filters: [{ kind: "hide", pattern: "=x", exact: false, ignoreCase: false }, { kind: "only", pattern: "=x", exact: true, ignoreCase: false },
    { kind: "exclude", pattern: "q", exact: false, ignoreCase: true }, { kind: "drop", path: ["a", "b;c"], reversed: false },
    { kind: "drop", path: ["z"], reversed: true }],
  order: "width", theme: "dark", inverted: false, reversed: true, sandwich: "f<g>", colour: "module", variants: true, generated: true,
  recursion: "deep", diff: { show: "gone", by: "self" }, position: 0, span: [3, 9], table: true, safe: true, idle: true, opened: true, mine: true, quiet: true, unnamed: true, wall: "on" };

function links() {
  is("values, as render_text.c has them", [[5, 0, 0.001], [12345, 1, 0.01], [99970, 0, 0.001], [1234567, 0, 0.001], [0, 0, 0.001],
    [3, 0, 0.5], [1234050, 3, 1], [1, 0, 1], [11, 1, 1]].map(([value, decimals, factor]) =>
    pyrograph.number.valueText({ unit: "samples", decimals, factor }, value)), ["0.005 samples", "12.3 samples", "100 samples", "1,235 samples",
    "0 samples", "1.5 samples", "1,234.05 samples", "1 sample", "1.1 samples"]);
  is("lengths of time, as core_time.c has them", [0, 981, 999, 1000, 1001, 12300, 12345, 99995, 999949, 999950, 12344999, 144200000,
    999949999, 999950000, 1000500000, 9999499999, 9999500000, 23090858348, 99994999999, 99995000000, 999949999999, 999950000000,
    23090858348000].map((v) => pyrograph.number.valueText({ unit: "ns", decimals: 0, factor: 1 }, v)), ["0 ns", "981 ns", "999 ns",
    "1 µs", "1 µs", "12.3 µs", "12.3 µs", "100 µs", "1 ms", "1 ms", "12.3 ms", "144 ms", "1 s", "1 s", "1 s",
    "10 s", "10 s", "23.1 s", "100 s", "100 s", "1,000 s", "1,000 s", "23,091 s"]);
  is("... of other units", [[23090858348123, 3, 1], [9995, 1, 1], [9999, 1, 1], [10000, 1, 1], [23090858, 0, 1000], [500, 0, 0.5]].map(
    ([value, decimals, factor]) => pyrograph.number.valueText({ unit: "ns", decimals, factor }, value)), ["23.1 s", "999.5 ns", "999.9 ns",
    "1 µs", "23.1 s", "250 ns"]);
  is("sizes, as core_time.c has them", [0, 1023, 1024, 1025, 1536, 10289, 1048063, 1048064, 536837280, 1099511627776, 3298534883329].map(
    (v) => pyrograph.number.valueText({ unit: "bytes", decimals: 0, factor: 1 }, v)), ["0 bytes", "1,023 bytes", "1 KiB", "1 KiB",
    "1.5 KiB", "10 KiB", "1,023 KiB", "1 MiB", "512 MiB", "1 TiB", "3 TiB"]);
  const ns = { unit: "ns", decimals: 0, factor: 1 }, samples = { unit: "samples", decimals: 0, factor: 1 };
  is("... exact", [[ns, 23090858348], [ns, 981], [samples, 1234]].map(([unit, v]) => pyrograph.number.exactText(unit, v)),
    ["23.1 s (23,090,858,348 ns)", "981 ns", "1,234 samples"]);
  is("... where the unit is known", [[ns, 23090858348], [ns, 981], [samples, 1234]].map(([unit, v]) => pyrograph.number.bareText(unit, v)),
    ["23.1 s", "981", "1,234"]);
  is("a whole view, there and back", A.decodeView(A.encodeView(VIEW)), VIEW);
  is("every key of a view travels", Object.keys(VIEW).sort(), Object.keys(A.emptyView()).sort());
  is("can be read", A.encodeView({ ...A.emptyView(), zoom: ["main", "std::sort"], searches: [{ pattern: "^mem", ignoreCase: false }],
    filters: [{ kind: "hide", pattern: "main", exact: true }] }), "z=main;std::sort&s=%5Emem&hide==main");
  is("nothing changed: nothing said", A.encodeView(A.emptyView()), "");
  is("search and hash", A.decodeView("?s=a&#z=b;c").zoom, ["b", "c"]);
  is("today's links", A.decodeView("z=main;read&s=mem&i=1").searches, [{ pattern: "mem", ignoreCase: true }]);
  const hostile = ["__proto__=1", "constructor=1&toString=2", "o=up&t=red&c=%3Cscript%3E&r=x&d=all&by=none", "at=1e9&span=9-3&icicle=x",
    "hide=&drop=&s=", "%%%&=&&&==", "x".repeat(100), "z"];
  is("what is not understood is left out", hostile.map((text) => A.encodeView(A.decodeView(text))).join("|"), "|".repeat(hostile.length - 1));
  is("broken percent signs are text", A.decodeView("s=100%&z=%zz").zoom, ["%zz"]);
  is("half a character", A.encodeView({ ...A.emptyView(), searches: [{ pattern: "\ud800" }] }), "s=%EF%BF%BD");
  is("not without end", A.decodeView("s=a&".repeat(1000)).searches.length, 32);
}

// The coordinates that flamegraph.pl would give the frames of a tree with so many levels.
function oldLinks() {
  const list = [[["main", "read", "x"], [30]], [["main", "write"], [50]], [["other"], [20]]];
  const { names, tree } = profile(list), link = (f, levels = 4) => `?x=${(10 + tree.start[f] / tree.total[0] * 1180).toFixed(1)}&y=${
    36 + (levels - 1 - tree.depth[f]) * 16 + 1}`;
  for (let f = 0; f < tree.count; f++)
    is(`old link to ${names[tree.name[f]]}`, A.frameOfOld(tree, link(f)), f);
  is("with a subtitle, another width and font", A.frameOfOld(tree, `?s=x&x=${(10 + 0.3 * 780).toFixed(1)}&y=${30 + 20 + 1 + 20}`,
    { width: 800, fontSize: 10, frameHeight: 20, subtitle: true }), 4);
  is("upside down", A.frameOfOld(tree, "x=10.0&y=53", { inverted: true }), 1);
  is("beside: the nearest", A.frameOfOld(tree, link(4).replace(/x=[\d.]+/, "x=370")), 4);
  is("above the tree: the highest there is", A.frameOfOld(tree, "x=10&y=5"), 3);
  is("no old link", [A.frameOfOld(tree, "z=main"), A.oldFrame("x=&y=3", {})], [-1, null]);
}

// ---- colours ----

function colours() {
  const list = [[["java/util/Map.get_[j]", "k_[k]"], [5]], [["std::a", "i_[i]", "p_[0]"], [4]], [["libc.so`read", "w_[w]", "..."], [9], 7], [["main", "-"], [2]]];
  const { names, tree, settings } = profile(list), bad = [];
  const diff = { ...settings, mode: "diff", threshold: 0.001 };
  const delta = { value: Float64Array.from({ length: tree.count }, (u, i) => i / tree.count * (i % 2 ? 1 : -1)),
    kind: Uint8Array.from({ length: tree.count }, (u, i) => i % 5), largest: 100 };
  delta.change = delta.value.map((v) => v * 100);
  const metric = { layers: [{ name: "x" }, { name: "y" }], metric: { colour: "x/y", low: 0, high: 2 } };
  const layered = profile([[["a"], [3, 2]], [["b"], [0, 7]], [["c"], [9, 1]]], metric);
  for (const dark of [false, true]) {
    for (const safe of [false, true]) {
      for (const deltaColours of ["red-blue", "orange-blue"]) {
        for (const mode of ["kind", "module", "depth", "self", "diff", "metric"]) {
          const how = mode === "metric" ? { tree: layered.tree, names: layered.names, settings: { ...layered.settings, ...metric } }
            : { tree, names, settings: { ...diff, deltaColours, negate: safe } };
          const scheme = C.scheme({ mode, dark, safe, delta, colours: [], ...how });
          for (let f = 0; f < how.tree.count; f++)
            bad.push(...[scheme.box(f), scheme.crumb(f)].filter((c) => !(C.contrast(c, scheme.text) >= 4.5)).map((c) => `${mode} ${c}`));
          bad.push(...scheme.legend.filter(([c, text]) => !(C.contrast(c, "#000000") >= 4.5) || typeof text !== "string").map((l) => `${mode} ${l}`));
        }
      }
    }
  }
  is("black on every colour: contrast of 4.5 at least", bad, []);
  is("contrast by WCAG", [C.contrast("#000000", "#ffffff"), C.contrast("#777777", "#ffffff").toFixed(2)], [21, "4.48"]);
  is("readable", [C.readable("#202020"), C.readable("#e0e0e0")], ["#ffffff", "#000000"]);
  is("searches of different colours", [new Set(C.searchColours({})).size, C.searchColours({ searchColour: "#123456" })[0],
    C.searchColours({}).every((c) => C.contrast(c, "#000000") >= 4.5)], [6, "#123456", true]);
  const scheme = C.scheme({ mode: "kind", tree, names, colours: [], settings });
  is("legend: kinds that are there", scheme.legend.map((l) => l[1]).join(" "), "kernel JIT inlined interpreted waker C++ native folded separator");
  is("modules", C.scheme({ mode: "module", tree, names, colours: [], settings }).legend.map((l) => l[1]).join(" "), "native kernel");
  const diffs = { change: [0, 100, -50, 3, -9], kind: [0, 1, 2, 3, 4], largest: 100 };
  const hue = (settings2) => C.scheme({ mode: "diff", tree, names, colours: [], settings: settings2, delta: diffs });
  is("differences, as C has them", [0, 1, 2, 3, 4].map((f) => hue({}).box(f)), ["#ececec", "#ff5a5a", "#a1a1ff", "#ffb52e", "#3fbfae"]);
  is("in steps where they are narrow", [1, 2].map((f) => hue({}).crumb(f)), ["#ff6e6e", "#a1a1ff"]);
  is("in the settings' colours", hue({ deltaHues: { grew: ["#000000", "#ff0000"], shrank: ["#000000", "#0000ff"], new: "#111111", gone: "#222222",
    same: "#333333" } }).box(2), "#00007f");
  is("by width", [0, 1, 2].map((f) => C.scheme({ mode: "name", tree, names, colours: [], settings: { diffusion: true } }).box(f)),
    ["#ff6464", "#ffafaf", "#ffafaf"]);
  const graded = C.scheme({ mode: "metric", tree: layered.tree, names: layered.names, colours: [],
    settings: { ...layered.settings, metric: { colour: "x/y", low: 1, high: 9, stops: ["#000000", "#808080", "#ffffff"], none: "#010101" } } });
  is("a ratio: its colours and legend", [graded.box(1), graded.box(3), graded.crumb(3), graded.legend.map((l) => l[1]).join()],
    ["#101010", "#ffffff", "#ffffff", "1,5,9"]);
  is("modes", C.modes({ mode: "diff" }).map((m) => m.mode).join(" "), "name kind module depth self diff");
  is("a difference without one is by name", C.scheme({ mode: "diff", tree, names, colours: ["#010203"], settings: {}, delta: null }).box(0), "#010203");
  const many = profile(Array.from({ length: 30 }, (u, i) => [[`ns${i}::f`], [i + 1]]));
  const modules = C.scheme({ mode: "module", tree: many.tree, names: many.names, colours: [], settings: many.settings }).legend;
  is("the largest modules, each its own colour, then the others", [modules.length, new Set(modules.map((l) => l[0])).size, modules[0][1],
    modules[11][1]], [12, 12, "ns29", "other"]);
}

function modules() {
  const rows = { "libc.so.6`read": ["libc.so.6", "native"], "[vdso]": ["vdso", "native"], "java/util/HashMap.get_[j]": ["java/util", "JIT"],
    "com.example.App::handle": ["com.example", "Java"], "com.example.App$Inner.handle": ["com.example", "Java"],
    "com/example/App::run_[j]": ["com/example", "JIT"], "runtime.mallocgc.func1": ["runtime", "native"], "Lcom/example/App.x": ["com/example", "Java"],
    "<std::io::Stdin as Read>::x": ["std", "C++"], "java_start": ["native", "native"], "[vdso]_[k]": ["vdso", "kernel"],
    "github.com/gorilla/mux.(*R).Serve": ["github.com/gorilla/mux", "native"], "runtime.mallocgc": ["runtime", "native"],
    "std::vector<int>::push_back": ["std", "C++"], "<alloc::vec::Vec<T> as Drop>::drop": ["alloc", "C++"], "foo.part.0": ["native", "native"],
    "foo.constprop.0.isra.1": ["native", "native"], "liblzma.so.5.4.1+0x8a40_[w]": ["liblzma.so.5.4.1", "waker"], "my server+0x1f": ["my server", "native"], "vfs_write+0x1f_[k]": ["kernel", "kernel"],
    "+0x1f": ["native", "native"], "lib.so+0x": ["lib", "native"], "[lib.so]+0x8a": ["native", "native"],
    "read_[k]": ["kernel", "kernel"], "void ns::f<int>(int)": ["native", "C++"],
    "java-8513/dw-20": ["java-8513", "native"], "net/http.(*conn).serve": ["net/http", "native"], "py::save:/srv/desk.py": ["py", "JIT"], "operator<<": ["native", "native"], "": ["native", "native"], "...": ["native", "folded"],
    "--": ["native", "separator"], "App$1.<init>": ["native", "Java"], "byte[]": ["native", "Java"], "XPut.cold": ["native", "native"],
    "Main.func1": ["native", "native"], "::": ["native", "C++"], "a::b_[i]": ["a", "inlined"], "[": ["native", "native"], "up_[w]": ["native", "waker"] };
  is("modules and kinds of names", Object.keys(rows).map((name) => [name, M.moduleOf(name), M.kindOf(name)]),
    Object.keys(rows).map((name) => [name, ...rows[name]]));
}

function known() {
  const K = pyrograph.known, mine = ["main", "com.example.App.run_[j]", "Shop::sort", "deflate", "[myprog]", "java", "--", "app::serve_[w]", "main.main"];
  const others = ["vfs_read_[k]", "wake_[k]_[w]", "java.util.HashMap.get_[j]", "jdk.internal.misc.Unsafe.park", "sun.nio.ch.poll", "std::sort<int>",
    "<core::iter::Map as Iterator>::next", "runtime.mallocgc", "__libc_start_main", "memcpy", "malloc", "read", "pthread_cond_wait@@GLIBC_2.3.2",
    "libc.so.6+0x8a40", "liblzma.so.5.4.1+0x10", "[libjvm.so]", "[unknown]", "[vdso]", "JavaThread::run", "G1CollectedHeap::do_collection", "Interpreter",
    "clone3", "_start", "ld-linux-x86-64.so.2", "0x7f001234", "libjvm.so`JVM_Sleep"];
  is("what is my code", [mine.filter((name) => !K.isMine(name)), others.filter(K.isMine)], [[], []]);
  const inProfile = (names) => names.filter(K.mineOf(names));
  is("my code in Java", inProfile(["java.lang.Thread.run_[j]", "com.example.Desk.rebuild_[j]", "ObjArrayAllocator::initialize", "C2Compiler::compile_method",
    "PhaseChaitin::Split", "Compilation::compile_method", "g1_post_barrier_slow_[j]", "LoadNode::Ideal", "PSPromotionManager::drain_stacks", "Shop::sort", "JavaThread::run"]), ["com.example.Desk.rebuild_[j]", "Shop::sort"]);
  is("... in Python", inProfile(["python3.12", "py::save:/srv/desk.py", "py_trampoline_evaluator", "_PyEval_EvalFrameDefault", "list_sort_impl",
    "cfunction_vectorcall_FASTCALL", "sqlite3VdbeExec", "connection_exec_stmt", "py::run:/usr/lib/python3.12/threading.py", "py::<module>:<frozen runpy>",
    "py::get:/srv/venv/lib/python3.12/site-packages/requests/api.py", "[libpython3.12.so.1.0]", "take_gil", "_sre_SRE_Pattern_sub_impl_[i]", "binarysort_[i]", "pymalloc_alloc_[i]"]), ["python3.12", "py::save:/srv/desk.py"]);
  is("... in JavaScript", inProfile(["JS:handle /srv/app.js:7_[j]", "JS:emit node:events:508_[j]", "node::Start", "Builtins_JSEntry", "OnUvRead", "uv__io_poll",
    "non-virtual thunk to node::Callback", "JS:parse /srv/node_modules/qs/parse.js:1_[0]", "node+0x1f", "Builtin:ArrayMap",
    "ASN1_item_d2i", "[jit]", "icu_78::Normalizer::get"]), ["JS:handle /srv/app.js:7_[j]"]);
  is("... in Go", inProfile(["runtime.goexit.abi0", "main.rebuild", "github.com/x/desk.(*Desk).Save", "net/http.(*conn).serve", "os.(*File).Write",
    "internal/poll.(*FD).Write", "syscall.RawSyscall6", "runtime/internal/syscall.Syscall6", "sort.Slice", "fmt.Fprintf"]),
  ["main.rebuild", "github.com/x/desk.(*Desk).Save"]);
  is("names of others are anybody's where these do not run", inProfile(["sort.Slice", "list_sort", "Monitor::check", "core::run", "io.Copy"]).length, 5);
  const measuring = ["bpf_prog_61203f4_sched_[k]", "__perf_event_overflow_[k]", "perf_event_output_forward_[k]", "uprobe_notify_resume_[k]", "handle_swbp_[k]",
    "pyrograph", "pyrograph-4711", "pyrograph-colle-4711/walker", "x86_pmu_enable_[k]", "pyrograph-?/x"];
  const working = ["perf", "bpf", "perform", "pyrographer", "my_uprobe", "sys_bpf_[k]", "perf_counter", "pyrograph-rende", "pyrograph-", "pyrograph-x-", "uprobe.x_[k]"];
  is("what measures", [measuring.filter((name) => !K.isMeasuring(name)), working.filter(K.isMeasuring)], [[], []]);
  const { names, tree } = profile([[["t", "clone3", "start_thread", "run"], [5]], [["t", "clone3", "start_thread"], [1]], [["t", "clone3", "odd"], [2]],
    [["main", "x"], [3]], [["main", "clone3"], [1]]]);
  const rows = K.beginnings(tree, names);
  is("beginnings", [Array.from(tree.name, (n, i) => [names[n], rows.row[i], rows.hidden[i]]), Array.from(rows.last.values(), (l) => l.count)],
    [[["all", 0, 0], ["main", 1, 0], ["clone3", 2, 0], ["x", 2, 0], ["t", 1, 0], ["clone3", 2, 0], ["odd", 3, 0], ["start_thread", 2, 1],
      ["run", 3, 0]], [2]]);
  all("every frame that is drawn is found where it is drawn", seeds, (seed) => {
    const swap = ["clone3", "start_thread", "main"], list = stacks(seed).map(([frames, v]) => [frames.map((f) => swap[f.charCodeAt(0) % 7] || f), v]);
    const made = profile(list.filter(([f], i) => list.findIndex(([g]) => g.join() === f.join()) === i)), fold = K.beginnings(made.tree, made.names);
    const plan = L.layout(made.tree, 0, 800, 0, 30000, () => "#aaaaaa", "", fold);
    const lost = plan.boxes.find((b) => L.frameAt(made.tree, made.tree.start[b.frame], b.row, fold) !== b.frame);
    return lost ? JSON.stringify(lost) : "";
  });
}

// ---- labels and boxes ----

function labels() {
  const font = L.measured((c) => c === "W" ? 20 : 10, 12), fit = (name, room, cut, least = 3) => L.fitText(font, name, room, least, cut);
  is("all of it", fit("abcdef", 60), "abcdef");
  is("cut right, left, in the middle", ["right", "left", "middle"].map((cut) => fit("abcdefgh", 75, cut)), ["abcde..", "..defgh", "abc..gh"]);
  is("wide characters", [fit("WWWW", 75), fit("WWWW", 80)], ["", "WWWW"]);
  is("too little room", [fit("abcdef", 45), fit("abcdef", 45, "left", 2), fit("abc", -5)], ["", "..ef", ""]);
  is("whole characters", fit("\u{1f600}\u{1f600}\u{1f600}\u{1f600}\u{1f600}\u{1f600}", 55), "\u{1f600}\u{1f600}\u{1f600}..");
  is("width", L.textWidth(font, "aWb"), 40);
  const long = "x".repeat(1e6), before = Date.now();
  is("a million characters", ["right", "left", "middle"].map((cut) => fit(long, 70, cut)), ["xxxxx..", "..xxxxx", "xxx..xx"]);
  is("and no time: what measures each part of it takes hours", Date.now() - before < 20000, true);
  let asked = 0;
  const counting = L.measured(() => ++asked && 10, 12);
  L.textWidth(counting, "abcabcabc");
  is("each character is measured once", asked, 3);
}

function boxes() {
  all("boxes stand on their parents", seeds, (seed) => {
    const { names, tree } = profile(stacks(seed)), frame = random(seed)(tree.count);
    const plan = L.layout(tree, frame, 800, 0.1, 3000, () => "#aaaaaa", "#e600e6");
    const of = new Map(plan.boxes.map((b) => [b.frame, b]));
    for (const b of plan.boxes) {
      const below = of.get(tree.parent[b.frame]);
      if (b.frame !== frame && (!below || b.x < below.x || b.x + b.w > below.x + below.w + 1e-9 || b.row !== below.row + 1))
        return `${names[tree.name[b.frame]]} ${JSON.stringify([b, below])}`;
    }
    return plan.boxes[0].w === 800 ? "" : "root";
  });
  const wide = profile(Array.from({ length: 5000 }, (u, i) => [[`f${i}`], [1]])).tree;
  const colour = (frame) => frame === 77 ? "#e600e6" : frame === 99 ? "#00ff00" : "#aaaaaa";
  const plan = L.layout(wide, 0, 1000, 0.001, 3000, colour, new Set(["#e600e6", "#00ff00"]));
  is("a few elements", plan.boxes.length + plan.crumbs.length < 3100, true);
  is("marked ones are never mixed", ["#e600e6", "#00ff00"].map((c) => plan.crumbs.filter((r) => r.colour === c).map((r) => r.frame)), [[77], [99]]);
  is("rows", [L.rowsOf(plan, 0, 1).boxes.length, L.rowsOf(plan, 0, 1).crumbs.length, L.rowsOf(plan, 1, 2).boxes.length], [1, 0, plan.boxes.length - 1]);
}

function places() {
  all("the frame at a place", seeds, (seed) => {
    const { tree } = profile(stacks(seed)), next = random(seed + 7);
    for (let k = 0; k < 40; k++) {
      const value = next(tree.total[0]), depth = next(6);
      const wanted = Array.from(tree.depth).findIndex((d, f) => d === depth && tree.start[f] <= value && value < tree.start[f] + tree.total[f]);
      if (L.frameAt(tree, value, depth) !== wanted)
        return `${value} at ${depth}: ${L.frameAt(tree, value, depth)}, not ${wanted}`;
    }
  });
  const tower = profile(Array.from({ length: 40 }, (u, i) => [Array.from({ length: 6 }, (v, k) => `f${i}_${k}`), [1]])).tree;
  const plan = L.layout(tower, 0, 4000, 0.1, 100, () => "#aaaaaa");
  is("a tower: boxes in the lower rows, crumbs above", [plan.boxes.length, Math.max(...plan.boxes.map((b) => b.row)), plan.rows,
    Math.min(...plan.crumbs.map((c) => c.row))], [81, 2, 7, 3]);
}

function named() {
  const { names, tree } = profile([[["a"], [1]], [["b"], [3]]]), colours = names.flatMap((n, i) => [`#0000${i}0`, `#0000${i}1`]);
  const make = (mode, more) => C.scheme({ mode, tree, names, colours, settings: { whole: true, rootColour: "#dcdcdc", ...more } });
  const scheme = make("name", { legend: [["#112233", "rule"]] });
  is("colours by name are C's; the root has its own", [0, 1, 2].map((f) => [scheme.box(f), scheme.crumb(f)]),
    [["#dcdcdc", "#000001"], ["#000010", "#000011"], ["#000020", "#000021"]]);
  is("and so is the legend of rules", [scheme.legend, make("name", { mode: "diff", legend: [["#112233", "grew"]] }).legend], [[["#112233", "rule"]], []]);
  is("a function as root has its own name's", C.scheme({ mode: "name", tree: T.callees(tree, names, 2), names, colours,
    settings: { whole: true } }).box(0), "#000020");
  const self = make("self");
  is("a gradient's legend", [self.legend.map((l) => l[1]), self.legend[0][0], self.legend[2][0] === self.box(2)],
    [["0 %", "18.8 %", "75 %"], "#f3efe2", true]);
  is("a menu's words", [C.modes({})[0].label, C.modes({ legend: [] })[0].label, C.modes({ mode: "diff", legend: [] })[0].label],
    ["Name", "As drawn", "Name"]);
}

// ---- what C wrote ----

function fromC(dir) {
  const svg = fs.readFileSync(path.join(dir, "model.svg"), "utf8");
  const plain = (text) => text.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&quot;/g, '"').replace(/&#39;/g, "'").replace(/&amp;/g, "&");
  const joined = (kind) => Array.from(svg.matchAll(new RegExp(`<metadata class="${kind}">([^<]*)</metadata>`, "g")), (m) => plain(m[1])).join("");
  const settings = JSON.parse(plain(/<metadata id="flame-settings">([^<]*)</.exec(svg)[1]));
  const names = P.decodeNames(joined("flame-names"), settings.names), tree = P.decodeTree(joined("flame-tree"), settings);
  const wanted = fs.readFileSync(path.join(dir, "model.folded"), "utf8").trimEnd().split("\n").sort();
  is("the stacks of a picture that C made", T.foldedLines(tree, names, 0, "").trimEnd().split("\n").sort(), wanted);
  is("the order of its frames", contents(T.order(tree, names, "name"), names).length && differs(Array.from(T.order(tree, names, "name").name),
    Array.from(tree.name)), "");
  is("its colours", P.decodeColours(joined("flame-colours"), settings.names).every((c) => /^#[0-9a-f]{6}$/.test(c)), true);
}

module.exports = (dir) => [links, oldLinks, colours, modules, known, labels, boxes, places, named, fromC].forEach((run) => run(dir));
