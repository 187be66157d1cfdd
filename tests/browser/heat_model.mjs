// What the scripts of a heat map reckon, against the same in the plainest way with whole
// numbers of any size, and against what was worked out by hand.  Prints TAP.
import { all, differs, digits, encodeEvents, examples, is, load, picture, random } from "./heat_fixture.mjs";

const { data: D, grid: G, seen: S, scale: C, select: Q } = load().heat;
const open = (lines, options) => {
  const made = picture(lines, options);
  return { ...made, data: D.decode(made.settings, made.text) };
};
const list = (typed) => Array.from(typed, (v) => v + 0); // no -0
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

// ---- random heat maps ----

const THREADS = ["swapper-0/swapper/0", "a-1/a", "a-1/b", "c-2/c"], FRAMES = ["main", "read_[k]", "do_idle_[k]", "write"];
const pick = (next, from) => from[next(from.length)];

// Lines of some seconds, in no order, with equal times and borders of cells among them.
function lines(seed, { values = 1, spans = false, hosts = 1, count = 120 } = {}) {
  const next = random(seed), text = [], base = 1795342500 + next(100000);
  for (let h = 0; h < hosts; h++) {
    text.push(`# pyrograph: host=h${h} rate=${pick(next, [49, 99, 997])}Hz cpus=0-1 root=thread,cpu ${spans ? "spans=start " : ""}unit=${spans ? "ns" : "samples"}`);
    for (let n = next(count); n > 0; n--) {
      const ns = pick(next, [0, 999999999, 20000000 * next(50), 20000000 * next(50) - 1, next(1000000000), next(1000000000)]);
      const stack = `${pick(next, THREADS)};cpu${next(2)};${Array.from({ length: 1 + next(3) }, () => pick(next, FRAMES)).join(";")}`;
      text.push(`@${base + next(8)}.${String(Math.max(0, ns)).padStart(9, "0")} ${stack} ${values === 1 ? 1 : 1 + next(next(2) ? 20 : values)}`);
    }
  }
  return `${text.join("\n")}\n`;
}

const PERIODS = [1e9, 250000000, 333333333, 2e9, 1500000001, 60e9, 300e9, 3600e9, 86400e9, 7], ROWS = [50, 1, 3, 10, 49, 60, 97, 99, 100, 256];
const ZONES = [0, 3600e9, -5 * 3600e9, 19800e9];
const zone = (next) => ["x", "x", pick(next, ZONES)];

// Settings with a period that has so many columns that a test can look at all of them.
function options(next) {
  return { period: pick(next, PERIODS.slice(0, -1)), rows: pick(next, ROWS), perColumn: pick(next, [1, 1, 2, 7]), zone: zone(next),
    group: next(4) };
}

const big = (n) => BigInt(n);

// A cell by grid.h, of the first ns of the event's tick.
function cellOf(settings, axes, tick, zoneNs) {
  const [num, den] = settings.tick.map(big), t = big(settings.origin) + (big(tick) * num + den - 1n) / den + big(zoneNs);
  const period = big(axes.period), first = (big(settings.origin) + big(axes.start) + big(zoneNs)) / period;
  return { column: t / period < first ? -1 : Number((t / period - first) / big(axes.perColumn)), row: Number(t % period * big(axes.rows) / period) };
}

function plainGrid({ settings, made }, axes, zoneNs, wanted) {
  const cells = new Array(axes.columns * axes.rows).fill(0);
  for (const e of made.events) {
    const { column, row } = cellOf(settings, axes, e.tick, zoneNs);
    if (wanted(made.stacks[e.stack]) && column >= 0 && column < axes.columns)
      cells[column * axes.rows + row] = axes.weigh === "longest" ? Math.max(cells[column * axes.rows + row], e.value)
        : cells[column * axes.rows + row] + (axes.weigh === "values" ? e.value : 1);
  }
  return cells;
}

const seeds = Array.from({ length: 150 }, (_, i) => i + 1);

// ---- decoding ----

all("events and stacks are decoded", seeds, (seed) => {
  const next = random(seed), { data, made, settings } = open(lines(seed, { values: pick(next, [1, 1e9]), hosts: 1 + next(2) }), options(next));
  return differs([list(data.tick), list(data.stack), data.value ? list(data.value) : null],
    [made.events.map((e) => e.tick), made.events.map((e) => e.stack), settings.same === undefined ? made.events.map((e) => e.value) : null]) ||
    differs(made.stacks.map((s, i) => [D.stackText(data, i), data.isIdle[i], data.recordingOf[i]]), made.stacks.map((s) => [s.text, Number(s.idle), s.recording])) ||
    differs(list(data.eventsOf), made.stacks.map((s, i) => made.events.filter((e) => e.stack === i).length)) ||
    differs(list(data.valueOf), made.stacks.map((s, i) => sum(made.events.filter((e) => e.stack === i).map((e) => e.value))));
});
all("many events in one tick, of any group", [0, 1, 2, 3], (group) => {
  const counts = [1, 2, 3, 4, 7, 8, 9, 100, 1], ticks = counts.flatMap((n, i) => new Array(n).fill(i * i * 1000003)), settings = open(examples.second(1000)).settings;
  const text = encodeEvents(ticks, (i) => i % 3, (i) => i * 7e9, group);
  const one = { ...settings, group, events: ticks.length, stacks: 3, same: undefined, window: [0, 64e15] };
  const data = D.decode(one, { ...open(examples.second(1000)).text, stacks: "???", events: text });
  return differs([list(data.tick), list(data.stack), list(data.value)], [ticks, ticks.map((_, i) => i % 3), ticks.map((_, i) => i * 7e9)]);
});
{
  const { settings, text } = picture(examples.second(2000)), cut = D.decode(settings, { ...text, events: text.events.slice(0, 500) });
  is("a file that was cut: what there is of it", [cut.count > 10 && cut.count < settings.events, cut.tick.length === cut.count,
    sum(list(cut.eventsOf)) === cut.count], [true, true, true]);
  all("any bytes are decoded to something", seeds, (seed) => {
    const next = random(seed), bytes = Array.from({ length: 2000 }, () => String.fromCharCode(next(200))).join("");
    const data = D.decode(settings, { ...text, events: bytes, stacks: bytes.slice(0, seed) });
    return list(data.stack).some((s) => !(s < settings.stacks)) || data.count > settings.events ? "a stack, or too many" : "";
  });
  is("no event at all", (({ data }) => [data.count, data.stacks])(open("# pyrograph: from=2026-11-22T10:15:02Z to=2026-11-22T10:15:04Z unit=samples\n")), [0, 0]);
}

// ---- times ----

all("ticks and ns, exactly", seeds, (seed) => {
  const next = random(seed), num = pick(next, [1, 1000, 1e6, 62500, 1e9, 86400e9]), den = num === 1 ? 1 : pick(next, [1, 99, 1584, 97]);
  if (num < den)
    return "";
  const settings = { tick: [num, den] }, most = Math.floor(Math.min(8.6e13 * den / num, 2 ** 46));
  for (let n = 0; n < 50; n++) {
    const tick = Math.min(most, next(2 ** 31) * (n % 2 ? 1 : 30000)) - (n % 5 === 0 ? most : 0), ns = D.nsOf(settings, tick);
    const wanted = Number(tick >= 0 ? (big(tick) * big(num) + big(den) - 1n) / big(den) : big(tick) * big(num) / big(den));
    if (ns !== wanted || D.tickAt(settings, ns) !== tick || D.tickAt(settings, ns + 1) !== tick + 1)
      return `tick ${tick} of ${num}/${den}: ${ns}, not ${wanted}; ${D.tickAt(settings, ns)} ${D.tickAt(settings, ns + 1)}`;
  }
  return "";
});
{
  const at = (text) => open(`@${text} a;b 1\n`, { tick: [1, 1], zone: ["Asia/Kolkata", "UTC+05:30", 19800e9] }).settings;
  const settings = at("1795342502.014325678"), own = D.clock(settings, "own"), utc = D.clock(settings, "UTC");
  is("times of the day", [[14325678, 9], [14325678, 3], [1e9, 0], [60e9, -1], [999999999, 6]].map(([ns, n]) => utc.text(ns, n)),
    ["10:15:02.014325678", "10:15:02.014", "10:15:03", "10:16", "10:15:02.999999"]);
  is("... in the picture's zone", [own.full(14325678), own.label, own.offset, own.date(10 * 3600e9)],
    ["2026-11-22 15:45:02.014325678 UTC+05:30", "UTC+05:30", 19800e9, "2026-11-23"]);
  is("... in the browser's", [D.clock(settings, "local").full(0), D.clock(settings, "local").offset],
    ["2026-11-22 11:15:02.000000000 ", 3600e9].map((v, i) => i ? v : v + D.clock(settings, "local").label));
  const kernel = D.clock({ ...settings, origin: "3723000000000", relative: true, tick: [1000000, 1] }, "local");
  is("... without a wall clock", [kernel.full(3723005e6), kernel.label], ["01:02:03.005", "from the start on"]);
}

// ---- cells ----

all("offsets, as drawn", seeds, (seed) => {
  const next = random(seed), map = open(lines(seed), options(next)), { settings, data } = map;
  if (settings.columns > 20000)
    return "";
  const axes = G.axes(settings), grid = G.make(data, settings, axes, null), z = settings.zone[2];
  return differs([axes.columns, axes.start], [settings.columns, 0]) || differs(list(grid.cells), plainGrid(map, axes, z, (s) => !s.idle)) ||
    differs(list(grid.idle), plainGrid(map, axes, z, (s) => s.idle)) || differs([grid.total + grid.idleTotal, grid.largest],
    [data.count, Math.max(0, ...grid.cells)]);
});
all("... of any other period, rows, columns, zone, and part", seeds, (seed) => {
  const next = random(seed + 1000), map = open(lines(seed, { values: 1000 }), options(next)), { settings, data } = map;
  const [begin, to] = settings.window, from = begin + (next(2) ? next(Math.min(to - begin, 2e9)) : 0);
  const want = { period: pick(next, PERIODS.slice(0, -1)), rows: pick(next, ROWS), perColumn: pick(next, [1, 3]), zone: pick(next, ZONES), from, to: Math.max(from + 1, to - next(1e9)),
    weigh: pick(next, ["events", "values", "longest"]) };
  const axes = G.axes(settings, want), grid = G.make(data, settings, axes, { idle: true });
  const isTight = axes.start <= from && axes.start + axes.column > from && axes.end >= want.to && axes.end - axes.column < want.to;
  return isTight ? differs(list(grid.cells), plainGrid(map, axes, want.zone, () => true)) : `window ${axes.start} ${axes.end}`;
});
{
  const one = (time) => open(`# pyrograph: from=2026-11-22T11:59:59Z to=2026-11-22T12:00:03Z unit=samples\n${time.map((t) => `@${t} a 1\n`).join("")}`);
  const cells = (map) => list(G.make(map.data, map.settings, G.axes(map.settings), null).cells).flatMap((n, i) => n ? [[Math.floor(i / 50), i % 50, n]] : []);
  is("12:00:00.9999 and 12:00:01.0000 are top and bottom of neighbours", cells(one(["1795348800.9999", "1795348801.0000"])), [[1, 49, 1], [2, 0, 1]]);
  is("the last column's last row, the first one's first", cells(one(["1795348802.999999999", "1795348799.000000000"])), [[0, 0, 1], [3, 49, 1]]);
  is("cells and back", [G.cellAt(G.axes(one([]).settings), 1999999999), G.cellAt(G.axes(one([]).settings), 4e9), G.columnNs(G.axes(one([]).settings), 3)],
    [{ column: 1, row: 49 }, null, 3e9]);
  is("borders of rows", list(G.axes(one([]).settings, { rows: 3 }).borders), [0, 333333334, 666666667, 1e9]);
}
all("keys add up to the whole", seeds.slice(0, 40), (seed) => {
  const next = random(seed), { settings, data } = open(lines(seed, { hosts: 2, values: pick(next, [1, 50]) }), { rows: pick(next, ROWS), y: pick(next, ["offset", "value"]), low: 1, high: 30 });
  const thread = D.dimension(data, settings, "thread"), axes = G.axes(settings), whole = G.make(data, settings, axes, { recording: 1 });
  const grids = G.byKeys(data, settings, axes, { recording: 1 }, thread.keyOf, thread.keys.length);
  const alone = thread.keys.map((_, k) => G.make(data, settings, axes, { recording: 1, stacks: Uint8Array.from(thread.keyOf, (key) => key === k ? 1 : 0) }));
  return differs(list(whole.cells), list(whole.cells).map((_, i) => sum(grids.map((g) => g.cells[i])))) ||
    differs(grids.map((g) => [list(g.cells), g.total, g.largest, g.below, g.above]), alone.map((g) => [list(g.cells), g.total, g.largest, g.below, g.above]));
});

// ---- values ----

const valued = (values, more) => open(`# pyrograph: unit=ms\n${values.map((v, i) => `@1795348800.${String(i).padStart(9, "0")} a;b ${v}\n`).join("")}@1795348801.5 a;c 1\n`,
  { y: "value", ...more });
{
  const column = (map, want) => {
    const grid = G.make(map.data, map.settings, G.axes(map.settings, want), null);
    return [list(grid.cells.subarray(0, grid.axes.rows)), grid.below, grid.above];
  };
  is("a step that does not divide the range", sum(column(valued(Array.from({ length: 2050 }, (_, i) => i), { low: 0, high: 2049, rows: 50, step: 40 }))[0]), 2050);
  is("values below, above, at the borders", column(valued([0, 1, 9, 10, 10, 20, 29, 30, 31], { low: 1, high: 30, rows: 3, step: 10 })), [[4, 1, 2], 1, 1]);
  is("a range of fewer units than rows", column(valued([5, 6, 7], { low: 5, high: 7, rows: 5, step: 1 })), [[1, 1, 1, 0, 0], 1, 0]);
  is("logarithmic rows", [column(valued([1, 9, 10, 99, 100, 1000], { low: 1, high: 1000, rows: 3, logarithmic: true })),
    list(G.axes(valued([1], { low: 1, high: 1000, rows: 3, logarithmic: true }).settings).borders)], [[[2, 2, 2], 0, 0], [1, 10, 100, 1000]]);
  is("... of many decades have exact borders", list(G.axes(valued([1], { low: 1, high: 1e12, rows: 12, logarithmic: true }).settings).borders),
    Array.from({ length: 13 }, (_, i) => 10 ** i));
}
all("values: cells, and what is outside, add up", seeds, (seed) => {
  const next = random(seed), logarithmic = next(2) === 1, low = next(10) + 1, high = low + next(500), rows = pick(next, ROWS);
  const { settings, data, made } = open(lines(seed, { values: 1000 }), { y: "value", low, high, rows, logarithmic, step: logarithmic ? 1 : 1 + next(20) });
  const axes = G.axes(settings), grid = G.make(data, settings, axes, { idle: true }), cells = new Array(axes.columns * rows).fill(0);
  for (const e of made.events) {
    if (e.value < low || e.value > high)
      continue;
    const row = logarithmic ? axes.borders.findLastIndex((b, i) => i < rows && b <= e.value) : Math.min(rows - 1, Math.floor((e.value - low) / axes.step));
    cells[cellOf(settings, axes, e.tick, 0).column * rows + row]++;
  }
  return differs([list(grid.cells), grid.below, grid.above], [cells, made.events.filter((e) => e.value < low).length, made.events.filter((e) => e.value > high).length]) ||
    (grid.total + grid.below + grid.above === data.count ? "" : "the sum");
});
{
  const { settings, data } = valued(Array.from({ length: 999 }, (_, i) => i + 1), { high: 1000 }), at = (percent) => G.percentile(data, settings, G.axes(settings), null, percent)[0];
  is("percentiles of 1 .. 999", [0, 0.1, 0.2, 50, 99.9, 100].map(at), [1, 1, 2, 500, 999, 999]);
  const ten = open("@1.0 a 7\n@1.2 b 7\n@1.9 b 7\n", { weigh: "values", rows: 2 });
  is("values that are all the same are added up", (({ cells, total, largest }) => [list(cells), total, largest])(G.make(ten.data, ten.settings, G.axes(ten.settings), null)), [[14, 7], 21, 14]);
  is("... of them, the longest is one", (({ cells, total, largest }) => [list(cells), total, largest])(G.make(ten.data, ten.settings, G.axes(ten.settings, { weigh: "longest" }), null)), [[7, 7], 7, 7]);
  is("totals of several grids: their sum, or the longest", [{ weigh: "values" }, { weigh: "longest" }, { weigh: "longest", y: "utilization" }].map((axes) => G.totalOf(axes, [3, 7, 2])), [12, 7, 12]);
}
all("percentiles are values by nearest rank", seeds, (seed) => {
  const next = random(seed), { settings, data, made } = open(lines(seed, { values: 1000, hosts: 2 }), { y: "value", high: 1000 }), percent = pick(next, [0, 1, 50, 90, 99, 99.9, 100]);
  const axes = G.axes(settings), lines2 = list(G.percentile(data, settings, axes, { recording: 0 }, percent)).map((v) => Number.isNaN(v) ? -1 : v);
  const wanted = Array.from({ length: axes.columns }, (_, column) => {
    const values = made.events.filter((e) => cellOf(settings, axes, e.tick, 0).column === column && !made.stacks[e.stack].idle && made.stacks[e.stack].recording === 0)
      .map((e) => e.value).sort((a, b) => a - b);
    const place = values.findIndex((_, i) => (i + 1) * 1000 >= Math.round(percent * 10) * values.length);
    return values.length ? values[place] : -1;
  });
  return differs(lines2, wanted);
});

// ---- spans of time ----

all("painted: cells have what lies in them", seeds, (seed) => {
  const next = random(seed), map = open(lines(seed, { values: pick(next, [2000, 3e9, 40e9]), spans: true, count: 30 }),
    { rows: pick(next, ROWS.slice(0, 7)), period: pick(next, [1e9, 250000000, 333333333, 2e9]), tick: [1, 1], weigh: "painted", perColumn: pick(next, [1, 3]) });
  const { settings, data, made } = map, from = next(2) * 1500000001, to = settings.window[1] + next(2) * 20e9;
  const axes = G.axes(settings, { from, to: Math.max(to, from + 1) }), grid = G.make(data, settings, axes, { idle: true }), cells = new Array(axes.columns * axes.rows).fill(0);
  for (let column = 0; column < axes.columns; column++) {
    for (let k = 0; k < axes.perColumn; k++) {
      for (let row = 0; row < axes.rows; row++) {
        const begin = axes.start + column * axes.column + k * axes.period;
        for (const e of made.events)
          cells[column * axes.rows + row] += Math.max(0, Math.min(e.tick + e.value, begin + axes.borders[row + 1]) - Math.max(e.tick, begin + axes.borders[row]));
      }
    }
  }
  const inside = sum(made.events.map((e) => Math.max(0, Math.min(e.tick + e.value, axes.end) - Math.max(e.tick, axes.start))));
  return differs(list(grid.cells), cells) || differs(grid.total, inside);
});
{
  const spans = "# pyrograph: root=cpu cpus=0 spans=start from=2026-11-22T12:00:00Z to=2026-11-22T12:00:03Z unit=ns\n@1795348800.9 cpu0;a 1200000000\n";
  const { settings, data } = open(spans, { rows: 2, weigh: "painted", tick: [1, 1] }), painted = G.make(data, settings, G.axes(settings), null);
  is("one over three columns", list(painted.cells), [0, 1e8, 5e8, 5e8, 1e8, 0]);
  is("... seen from where it does not begin", G.make(data, settings, G.axes(settings, { from: 1e9, to: 2e9 }), null).total, 1e9);
  is("... counted where it begins", list(G.make(data, settings, G.axes(settings, { weigh: "events" }), null).cells), [0, 1, 0, 0, 0, 0]);
  is("... its sum in part of it", [Q.sums(data, settings, G.axes(settings), { kind: "time", from: 1.5e9, to: 4e9 }, null),
    Q.sums(data, settings, G.axes(settings), { kind: "rows", from: 0, to: 3e9, low: 0, high: 3e8, period: 1e9 }, null)].map(list), [[6e8], [4e8]]);
  is("busy by spans: 10%, 100%, 10%", list(G.make(data, settings, G.axes(settings, { y: "utilization", rows: 10 }), null).cells).flatMap((n, i) => n ? [i] : []), [1, 19, 21]);
}

// ---- what was not seen, and how busy ----

{
  const header = (host, from, to, cpus) => `# pyrograph: host=${host} rate=10Hz cpus=${cpus} root=thread,cpu from=2026-11-22T12:00:${from}Z to=2026-11-22T12:00:${to}Z unit=samples\n`;
  const gaps = "# gap: start=1795348801.100000000 end=1795348801.200000000 lost=3 why=lost\n" +
    "# gap: start=1795348801.150000000 end=1795348801.500000000 cpu=1 why=throttled\n";
  const busy = "@1795348800.6 a;cpu0;x 1\n@1795348801.7 a;cpu0;x 1\n@1795348801.8 a;cpu1;x 1\n@1795348801.9 swapper-0/swapper/1;cpu1;do_idle_[k] 1\n@1795348802.3 b;cpu1;y 1\n";
  const { settings, data } = open(header("h", "00.500", "02.500", "0-1") + gaps + busy, { rows: 4 }), axes = G.axes(settings);
  is("before, after, gaps of one CPU and of all", list(G.unseen(settings, axes, -1)), [1000, 1000, 0, 0, 500, 500, 0, 0, 0, 0, 1000, 1000]);
  is("... of columns", list(G.unseen(settings, G.axes(settings, { y: "value" }), -1)).filter((_, i) => i % 4 === 0), [500, 250, 500]);
  is("... several periods a column", list(G.unseen(settings, G.axes(settings, { perColumn: 2, rows: 1 }), -1)),
    (({ start }) => start < 0 ? [750, 375] : [375, 750])(G.axes(settings, { perColumn: 2 })));
  is("... something is at least 1", list(G.unseen({ ...settings, gaps: [[1e9, 1e9 + 1, 0, 0, 1, "lost"]] }, axes, 0)).slice(4, 8), [1, 0, 0, 0]);
  const two = open(header("h", "00.000", "02.000", "0") + header("g", "01.000", "02.000", "0-2"), { rows: 1 });
  is("... two hosts, by their CPUs", [-1, 0, 1].map((r) => list(G.unseen(two.settings, G.axes(two.settings), r))), [[750, 0], [0, 0], [1000, 0]]);
  is("... one CPU, which one of them has", list(G.unseen(two.settings, G.axes(two.settings), -1, null, 1)), [1000, 0]);
  const parts = D.dimension(data, settings, "cpu"), part = G.partOf(settings, parts, parts.keys.indexOf("cpu1"));
  is("... one map for a CPU", [part.recording, part.cpu, list(G.unseen(settings, axes, part.recording, data, part.cpu))], [-1, 1, [1000, 1000, 0, 0, 600, 1000, 0, 0, 0, 0, 1000, 1000]]);
  const same = open(header("h", "00.000", "01.500", "0") + header("h", "01.000", "03.000", "0") + "@1795348800.0 a;cpu0;x 1\n", { rows: 2 });
  const later = open(header("h", "00.000", "01.000", "0") + "@1795348800.0 a;cpu0;x 1\n" + header("g", "00.000", "03.000", "0") + "@1795348800.0 a;cpu0;x 1\n" +
    header("h", "02.000", "03.000", "0") + "@1795348802.0 a;cpu0;x 1\n", { rows: 1 }), of = G.partOf(later.settings, D.dimension(later.data, later.settings, "host"), 0);
  is("... a host of two recordings", [list(G.make(later.data, later.settings, G.axes(later.settings), of).cells), list(G.unseen(later.settings, G.axes(later.settings), of.recording)),
    sum(list(Q.sums(later.data, later.settings, G.axes(later.settings), null, { recording: of.recording })))], [[1, 0, 1], [0, 1000, 0], 2]);
  is("... one host seen twice", list(G.unseen(same.settings, G.axes(same.settings), -1)), [0, 0, 0, 0, 0, 0]);

  // 5 samples are expected of a CPU in 0.5 s, 9 or 6 in what was seen of 1 s.
  const use = G.axes(settings, { y: "utilization", rows: 10 }), grid = G.make(data, settings, use, null);
  is("busy samples of those expected", [Array.from({ length: 3 }, (_, c) => list(grid.cells.subarray(10 * c, 10 * c + 10)).flatMap((n, row) => Array(n).fill(row))), grid.total],
    [[[0, 2], [1, 1], [0, 2]], 6]);
  is("... percentiles of CPUs", list(G.percentile(data, settings, use, null, 50)).concat(list(G.percentile(data, settings, use, null, 100))), [0, 1111, 0, 2000, 1666, 2000]);
  const busyOnes = Q.ofCells(use, { column: 0, row: 2 }, { column: 2, row: 9 }, "rows");
  is("... selected by how busy they are", [busyOnes.kind, Q.events(data, settings, use, busyOnes, null), list(Q.counts(data, settings, use, { ...busyOnes, low: 0, high: 2000 }, null)).reduce((a, b) => a + b)],
    ["cpu", 2, 3]);
  is("... no CPU that was not seen", S.use(data, { ...settings, gaps: [[0, 3e9, 0, 1, 0, "lost"]] }, use, null).rows(10).filter((row) => row < 0).length, 3);
}

// ---- colours ----

const gridOf = (...cells) => ({ cells: Float64Array.from(cells), largest: Math.max(0, ...cells) });
{
  const of = (coloring, grids, values) => values.map((v) => Number(C.of(C.make(coloring, grids), v).toFixed(6)));
  is("rank, as in Cloud Analytics", of("rank", [gridOf(0, 1, 1, 1, 2, 5)], [0, 1, 2, 5]), [0, 0.6, 0.8, 1]);
  is("... over all maps together", of("rank", [gridOf(1, 1, 0), gridOf(1, 5, 2)], [0, 1, 2, 5]), [0, 0.6, 0.8, 1]);
  is("... of counts that no cell has", of("rank", [gridOf(2, 5)], [1, 3, 9]), [0.5, 0.5, 1]);
  is("linear", of("linear", [gridOf(0, 1, 1, 1, 2, 5)], [0, 1, 2, 5]), [0, 0.2, 0.4, 1]);
  is("logarithmic", of("log", [gridOf(0, 3)], [0, 1, 3]), [0, 0.5, 1]);
  is("nothing at all", [of("linear", [gridOf(0)], [0]), of("rank", [gridOf(0)], [0]), of("log", [], [0])], [[0], [0], [0]]);
  is("hues, and darker ones", [0, 1, 2, 3, 4, 5, 8, 12].map(C.hue), [21, 112, 203, 294, 385, 476, 749, 33]);
  is("... are colors", [C.hueRgb(360, 1), C.hueRgb(720, 1), C.hueRgb(360, 0.01), C.hueRgb(360, 1, true)].map(C.css), ["#b31212", "#800d0d", "#f2efef", "#b31b1b"]);
  const { settings } = picture(examples.second(1000)), scale = C.make("linear", [gridOf(8)]), flamescope = C.find(settings, "flamescope");
  is("FlameScope's colours", [0, 4, 8].map((v) => C.css(C.rgb(flamescope, false, scale, v))), ["#ffffff", "#ff5032", "#e50914"]);
  is("... enhanced", [0, 1, 3, 4, 8, 2].map((v) => C.css(C.rgb(C.find(settings, "enhanced"), false, scale, v))), ["#ffffff", "#6aaaff", "#faa0b5", "#ff5032", "#e50914", "#b2a5da"]);
  is("... of few", [1, 2].map((v) => C.css(C.rgb(C.find(settings, "enhanced"), false, C.make("linear", [gridOf(2)]), v))), ["#6aaaff", "#b2a5da"]);
  const ember = C.find(settings, "no such ramp"), [, , light, dark] = ember;
  is("the steps of a ramp", [light, dark].map((colours, d) => colours.map((_, i) => C.css(C.rgb(ember, d === 1, scale, i)))), [light, dark]);
  is("one of many is not none", C.rgb(ember, false, C.make("linear", [gridOf(1e6)]), 1), C.rgb(ember, false, C.make("linear", [gridOf(16)]), 1));
  is("hues: white, HSV with V .95, S .9", [C.mix([21], [0], false), C.hueRgb(0, 1, false), C.hueRgb(120, 0.5, false), C.hueRgb(240, 1, true)].map(C.css), ["#ffffff", "#f21818", "#85f285", "#2424f2"]);
  is("... mixed by their parts", C.css(C.mix([0, 120], [1, 0.5], false)), "#ce613d");
  is("... a key has that of its place, no two the same (as tests/unit/render_scale.c)", [C.huesOf([3, 0, 15, 12, 1]), C.huesOf(Array.from({ length: 14 }, (_, i) => i))],
    [[3, 0, 1, 2, 4], Array.from({ length: 14 }, (_, i) => i)]);
  is("... grey", [C.css(C.hueRgb(C.GREY, 1, false)), C.css(C.hueRgb(C.GREY, 1, true)), C.css(C.mix([], [], true))], ["#bfbfbf", "#666666", "#17191d"]);
}

// ---- selections ----

const second = open(examples.second(10000)), secondAxes = G.axes(second.settings);
const cell = (column, row) => ({ column, row });
{
  const { settings, data } = second, axes = secondAxes;
  is("a range wraps columns, either way round", [Q.ofCells(axes, cell(3, 10), cell(5, 2), "time"), Q.ofCells(axes, cell(5, 2), cell(3, 10), "time")],
    Array(2).fill({ kind: "time", from: 3.2e9, to: 5.06e9 }));
  is("rows of several columns", Q.ofCells(axes, cell(5, 2), cell(3, 0), "rows"), { kind: "rows", from: 3e9, to: 6e9, low: 0, high: 6e7, period: 1e9 });
  is("... are ranges of ticks", Q.ranges(settings, axes, Q.ofCells(axes, cell(3, 1), cell(4, 1), "rows")), [3.02e9, 4.02e9].map((ns) => [D.tickAt(settings, ns), D.tickAt(settings, ns + 2e7)]));
  is("... that are merged where they touch", Q.ranges(settings, axes, Q.ofCells(axes, cell(3, 0), cell(4, 49), "rows")), [[D.tickAt(settings, 3e9), D.tickAt(settings, 5e9)]]);
  is("nothing selected is everything", [sum(list(Q.sums(data, settings, axes, null, { idle: true }))), Q.events(data, settings, axes, null, null), sum(list(Q.counts(data, settings, axes, null, null)))],
    [data.count, data.count - settings.idleEvents, data.count]);
}
all("neighbouring cells share no event, and have what the grid has", seeds.slice(0, 60), (seed) => {
  const next = random(seed), { settings, data } = open(lines(seed, { values: pick(next, [1, 40]) }),
    { rows: pick(next, [1, 3, 7, 50]), perColumn: pick(next, [1, 2]), zone: zone(next), ...(next(2) ? { y: "value", low: 0, high: 35, logarithmic: false } : {}) });
  const axes = G.axes(settings, { period: pick(next, [1e9, 333333333, 2e9]) }), grid = G.make(data, settings, axes, null);
  for (const shape of ["rows", "time"]) {
    const found = list(grid.cells).map((_, i) => Q.events(data, settings, axes, Q.ofCells(axes, cell(Math.floor(i / axes.rows), i % axes.rows), cell(Math.floor(i / axes.rows), i % axes.rows), shape), null));
    const wrong = differs(found, list(grid.cells));
    if (wrong)
      return wrong;
  }
  return "";
});
all("ranges have the sums of their cells", seeds, (seed) => {
  const next = random(seed), { settings, data } = open(lines(seed, { values: pick(next, [1, 40]), hosts: 2 }),
    { rows: pick(next, [1, 3, 7, 50]), perColumn: pick(next, [1, 1, 2]), weigh: "values", ...(next(3) ? {} : { y: "value", low: 0, high: 35 }) });
  const axes = G.axes(settings), choice = { recording: next(2), idle: next(2) === 1 }, grid = G.make(data, settings, axes, choice);
  const shape = pick(next, ["time", "rows"]), [a, b] = [0, 1].map(() => cell(next(axes.columns), next(axes.rows))), selection = Q.ofCells(axes, a, b, shape);
  const inside = list(grid.cells).filter((_, i) => Q.inSelection(axes, selection, Math.floor(i / axes.rows), i % axes.rows));
  if (axes.perColumn > 1 && selection.kind === "time" || axes.y === "value" && selection.kind === "time")
    return ""; // cells are in it in part, or values are outside of the map
  return differs(sum(list(Q.sums(data, settings, axes, selection, choice))), sum(inside));
});
{
  const axes = secondAxes, one = Q.ofCells(axes, cell(3, 49), cell(3, 49), "time"), box = Q.ofCells(axes, cell(3, 10), cell(4, 12), "rows");
  const cells = (selection) => list(Array(axes.columns * axes.rows).keys()).filter((i) => Q.inSelection(axes, selection, Math.floor(i / 50), i % 50));
  is("arrows: a row up is the next column's first", cells(Q.shift(one, axes, 0, 1)), [200]);
  is("... a column on", cells(Q.shift(one, axes, 1, 0)), [249]);
  is("... not out of the map", [Q.shift(one, axes, 7, 0) === one, Q.shift(box, axes, 0, 38) === box, Q.shift(box, axes, -4, 0) === box, Q.shift(null, axes, 1, 0)], [true, true, true, null]);
  is("... a rectangle", cells(Q.shift(box, axes, -1, 1)), [111, 112, 113, 161, 162, 163]);
  is("longer, and shorter again", [[0, 2], [0, -2]].reduce((s, [c, r]) => Q.extend(s, axes, c, r), one).to, one.to);
  is("... turns at its beginning", [0, -1, -1, 1].reduce((all, r) => [...all, Q.extend(all[all.length - 1], axes, 0, r)], [one]).slice(1).map(cells),
    [[199], [198, 199], [197, 198, 199], [198, 199]]);
  is("... a rectangle, both ways", cells(Q.extend(Q.extend(box, axes, -1, 0), axes, 0, -3)), [159, 160]);
  is("... ends at the map's", cells(Q.extend(box, axes, 100, 100)).length, 7 * 40);
  is("every position of a window that plays", (() => {
    let at = Q.ofCells(axes, cell(0, 0), cell(0, 49), "time"), n = 0;
    for (let moved = null; moved !== at && n < 100; n++) {
      at = moved || at;
      moved = Q.shift(at, axes, 1, 0);
    }
    return [n, at.to];
  })(), [10, 10e9]);
  const zoomed = G.axes(second.settings, { from: 3e9, to: 5e9 });
  is("... leaves what is shown, not what there is", Q.shift(one, zoomed, 3, 0).from, one.from + 3e9);
  is("selections as text", [null, one, box].map((s) => Q.encode(Q.decode(Q.encode(s)))), ["", "t:3980000000:4000000000", "r:3000000000:5000000000:200000000:260000000:1000000000"]);
  all("... text that is none", ["t", "t:1", "t:5:5", "x:1:2", "r:0:1000:5:5:10", "r:0:9e9:0:1:1", "r:0:9000000000:0:1:1", "t:1:2:3", "t:a:b", "t:0:99999999999999999", undefined, "r:0:10:0:5:0"],
    (text) => Q.decode(text) === null ? "" : `${text} is taken`);
}

// ---- dimensions, spans of time ----

{
  const { settings, data } = open(examples.hosts(10000), { regexps: [["cron", "^db1;.*run_jobs"], ["bad", "("], ["anything", ""]] });
  const keys = (name) => (({ keys: texts, events }) => texts.map((text, k) => [text, events[k]]))(D.dimension(data, settings, name));
  is("the keys of a dimension, without idle", keys("host").map(([host]) => host), ["web2", "db1"]);
  is("... all of their events", ["host", "comm", "thread", "cpu"].map((name) => sum(keys(name).map((k) => k[1]))), Array(4).fill(data.count - settings.idleEvents));
  is("... who has only idle ones is the last", keys("comm").map((k) => k[0]), ["nginx", "cron", "swapper", "sshd"].sort((a, b) => keys("comm").find((k) => k[0] === b)[1] - keys("comm").find((k) => k[0] === a)[1]));
  is("... of regexps: the first that matches", [keys("regexp")[0][0], keys("regexp").length, D.dimension(data, settings, "regexp").keyOf.includes(-1)], ["anything", 2, false]);
  is("... one that is not there", [...new Set(D.dimension(data, settings, "pid").keyOf)], [-1]);
  const moved = { ...settings, dimensions: [["comm", 1]], recordings: settings.recordings.map((r, i) => ({ ...r, places: [i ? 2 : 1] })) };
  is("... at places of their own", D.dimension({ ...data, dimensions: new Map() }, moved, "comm").keys.includes("nginx-7/nginx"), true);
  const names = pyrograph.search.matcher(data.names, "^run_jobs$|^all$", false).match, found = D.match(data, names);
  is("stacks with a frame that matches", list(found).flatMap((f, s) => f ? [D.stackText(data, s).split(";").includes("run_jobs")] : []).every(Boolean) && sum(list(found)) > 0, true);
  const named = (name, keys2) => D.dimension(open(keys2.map((k, i) => `@${1795348800 + i}.0 ${k};x 1\n`).join("").replace(/^/, "# pyrograph: root=comm unit=samples\n")).data, { dimensions: [["comm", 0]], recordings: [{}] }, name).keys;
  is("equal ones by their bytes", named("comm", ["b", "a", "\u{1f600}", "\uff5e", "ab"]), ["a", "ab", "b", "\uff5e", "\u{1f600}"]);
}
{
  const { settings } = second, rows = (rate, tick, period = 1e9) => G.rowsFor({ ...settings, rate, recordings: [{ rate, cpus: [] }], tick, period: "300000000000" }, period);
  is("rows that do not beat with the rate", [rows(99, [1, 1]), rows(99, [1e6, 33]), rows(99, [1e7, 1]), rows(49, [1, 1]), rows(997, [1, 1]), rows(100, [1e6, 1]), rows(0, [1, 1]), rows(99, [1e6, 1], 60e9),
    G.rowsFor({ ...settings, rate: 99, period: "1000000000", rows: 17 }, 1e9)], [33, 33, 10, 49, 50, 50, 50, 60, 17]);
  is("... at most as many as a CPU has samples", [[99, 2, 250], [99, 1, 250], [99, 64, 250], [99, 2, 100], [99, 2, 10], [100, 1, 120], [99, 2, 5], [997, 1, 100], [49, 2, 700]]
    .map(([rate, n, ms]) => G.rowsFor({ ...settings, rate, recordings: [{ rate, cpus: Array(n) }], tick: [1, 1], period: "300000000000" }, ms * 1e6)), [8, 5, 24, 5, 1, 12, 1, 50, 34]);
  const large = { ...settings, window: [0, 86400e9], columns: 86400 }, at = (seconds) => Object.values(G.spanFor(large, 1e9, 1e9 + seconds * 1e9, 1200));
  is("spans of time for a width", [1, 60, 400, 401, 3600, 24000, 24001, 86000].map(at).map(([period, rows, n]) => `${period / 1e9} ${rows} ${n}`),
    ["1 50 1", "1 50 1", "1 50 1", "60 60 1", "60 60 1", "60 60 1", "300 60 1", "300 60 1"]);
  is("... the whole, as drawn", Object.values(G.spanFor(settings, 0, 10e9, 1200)), [1e9, 50, 1]);
  is("... more than can be drawn", Object.values(G.spanFor(large, 0, 86400e9, 1200)), [300e9, 60, 1]);
  is("... a period of its own", Object.values(G.spanFor({ ...large, period: "250000000", columns: 345600 }, 1e9, 4001e9, 1200)), [250000000, 50, 40]);
}
is("numbers of the encoding", [0, 31, 32, 1023, 1024, 2 ** 52].map((n) => digits(n).length), [1, 1, 2, 2, 3, 11]);
