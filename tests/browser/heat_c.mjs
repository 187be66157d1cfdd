// Heat maps that C drew: what is in the SVG, and what the scripts make of it, against the cells that
// C counted, from the same lines.  Prints TAP; argument: a directory.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { examples, is, load, picture } from "./heat_fixture.mjs";

const { data: D, grid: G, scale: C } = load().heat;
const [, , directory] = process.argv;

const plain = (text) => text.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&quot;/g, "\"").replace(/&#39;/g, "'").replace(/&amp;/g, "&");

// [[example, arguments], ...]: draws them, by one program for all of them: a start from a process as large as this one takes
// as long as the picture.
const madeOf = (name, args) => path.join(directory, [name, ...args].join("_").replaceAll("/", "-"));
function draw(cases) {
  const runs = cases.flatMap(([name, args]) => [["svg"], ["tsv", "--format", "tsv"]].map(([kind, ...more]) =>
    ["render", "heat", "-q", ...args, ...more, "-o", `${madeOf(name, args)}.${kind}`, path.join(directory, `${name}.folded`)]));
  execFileSync("python3", ["tests/many.py"], { input: JSON.stringify(runs) });
}

function drawn(args, name) {
  const made = (kind) => fs.readFileSync(`${madeOf(name, args)}.${kind}`, "utf8"), svg = made("svg");
  const parts = (label) => Array.from(svg.matchAll(new RegExp(`<metadata ${label}>([^<]*)</metadata>`, "g")), (m) => plain(m[1])).join("");
  const settings = JSON.parse(parts('id="heat"'));
  const text = { stacks: parts('class="heat-stacks"'), events: parts('class="heat-events"') };
  for (const name of ["names", "colours", "tree"])
    text[name] = parts(`class="flame-${name}"`);
  return { svg, settings, data: D.decode(settings, text), rows: made("tsv").trim().split("\n").slice(1).map((line) => line.split("\t")) };
}

// Of each cell of each map that has something: [map, column, row, count, idle, unseen].
function cellsOf({ settings, data }) {
  const axes = G.axes(settings), by = settings.per ? D.dimension(data, settings, settings.per) : null, found = [];
  for (const [map, title] of (by ? by.keys : ["all"]).entries()) {
    const part = by ? G.partOf(settings, by, map) : {}, grid = G.make(data, settings, axes, part);
    const unseen = G.unseen(settings, axes, part.recording, data, part.cpu);
    grid.cells.forEach((count, i) => found.push([title, Math.floor(i / axes.rows), i % axes.rows, count,
      settings.y === "utilization" ? "-" : grid.idle[i], (unseen[i] / 1000).toFixed(3)]));
  }
  return found;
}

// The same of what C wrote: it leaves out cells with nothing to be said.
function rowsOf({ settings, rows }) {
  const axes = G.axes(settings), start = BigInt(settings.origin) + BigInt(axes.start);
  return rows.map(([map, time, row, count, idle, unseen]) => {
    const [whole, fraction] = time.replace("Z", "").split("."), ns = BigInt(Date.parse(`${whole}Z`)) * 1000000n + BigInt(fraction || 0);
    const at = settings.y === "offset" ? G.cellAt(axes, axes.start + Math.round(Number(row) * 1e9)).row : settings.y === "value" ? G.rowOf(axes, Number(row)) :
      Math.round(Number(row) * axes.rows / 100);
    return [map, Number((ns - start) / BigInt(axes.column)), at, Number(count), settings.y === "utilization" ? "-" : Number(idle), unseen];
  });
}

const CASES = [
  ["second", []], ["second", ["--span", "250ms", "--rows", "10"]], ["second", ["--tz", "Asia/Kolkata", "--span", "1h"]],
  ["second", ["--columns", "7"]], ["second", ["--rows", "97", "--resolution", "1ms"]], ["second", ["--y", "utilization"]],
  ["diagonal", ["--per", "comm"]], ["stall", []], ["stall", ["--per", "cpu"]], ["stall", ["--y", "utilization", "--per", "cpu", "--rows", "7"]],
  ["stall", ["--span", "7s", "--rows", "60"]], ["hosts", []], ["hosts", ["--per", "host"]], ["hosts", ["--per", "host", "--y", "utilization"]], ["hosts", ["--columns", "3"]], ["second", ["--columns", "7", "--tz", "+05:30", "--span", "250ms"]],
  ["stall", ["--y", "utilization", "--columns", "4"]], ["latency", ["--y", "value", "--columns", "7"]], ["stall", ["--span", "7s", "--columns", "1"]],
  ["hosts", ["--per", "cpu", "--y", "utilization"]], ["latency", []], ["latency", ["--paint", "--resolution", "1ns"]], ["latency", ["--weights", "value"]],
  ["latency", ["--weights", "longest"]], ["latency", ["--weights", "longest", "--per", "thread", "--columns", "3"]],
  ["latency", ["--y", "value", "--weights", "longest", "--max", "5ms"]],
  ["latency", ["--y", "value"]], ["latency", ["--y", "value", "--log", "--min", "100us"]], ["latency", ["--y", "value", "--step", "3ms", "--max", "50ms"]],
  ["latency", ["--y", "value", "--paint", "--resolution", "1ns", "--per", "thread"]], ["latency", ["--y", "utilization"]], ["hostile", ["--per", "thread"]],
];

// Lines without a header: nobody knows when it was looked.
CASES.push(["headerless", []], ["headerless", ["--span", "3s"]], ["headerless", ["--columns", "2"]], ["headerless", ["-y", "value"]]);
fs.writeFileSync(path.join(directory, "headerless.folded"), "@1795262400.25 a;x 3\n@1795262403.000000001 a;y 5\n@1795262404.7 b;x 7\n");
for (const name of Object.keys(examples))
  fs.writeFileSync(path.join(directory, `${name}.folded`), examples[name]());
draw(CASES);
for (const [name, args] of CASES) {
  const map = drawn(args, name), rows = rowsOf(map), counted = cellsOf(map);
  const told = new Set(rows.map((row) => row.slice(0, 3).join("\t"))), key = (cell) => cell.slice(0, 3).join("\t");
  const sorted = (cells) => cells.map((cell) => cell.join("\t")).sort();
  is(`${name} ${args.join(" ")}: as C counted it`, sorted(counted.filter((cell) => told.has(key(cell)))), sorted(rows));
  is("... and nothing else", counted.filter((cell) => !told.has(key(cell)) && cell[3]), []);
}

// Names as they are shown: what turns the direction of text is not.
const shown = (text) => text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");

// Stacks, their kinds and events, as the lines have them.
const EXACT = ["--resolution", "1ns", "--rows", "50"], EXAMPLES = ["second", "stall", "hosts", "hostile", "latency"];
draw(EXAMPLES.map((name) => [name, EXACT]));
for (const name of EXAMPLES) {
  const { data } = drawn(EXACT, name), { made } = picture(examples[name](), { tick: [1, 1] });
  const count = (texts) => Array.from(texts.reduce((all, text) => all.set(text, (all.get(text) || 0) + 1), new Map())).sort();
  is(`${name}: every event`, count(Array.from(data.tick, (tick, i) => [tick, D.stackText(data, data.stack[i]), data.isIdle[data.stack[i]], data.value ? data.value[i] : 1].join(" "))),
    count(made.events.map((e) => [e.tick, shown(made.stacks[e.stack].text), Number(made.stacks[e.stack].idle), e.value].join(" "))));
}

// ---- colours ----

// (x, y) -> 0xrrggbb of the number'th picture in the SVG: one of png.c's, lines as they are or as the one above.
function pixelsOf(svg, number) {
  const png = Buffer.from(Array.from(svg.matchAll(/<image x=[^>]*href="data:image\/png;base64,([^"]*)"/g))[number][1], "base64");
  const packed = [];
  let head, palette = null;
  for (let at = 8, length; at < png.length; at += length + 12) {
    length = png.readUInt32BE(at);
    const type = png.toString("latin1", at + 4, at + 8), chunk = png.subarray(at + 8, at + 8 + length);
    if (type === "IHDR")
      head = { width: chunk.readUInt32BE(0), height: chunk.readUInt32BE(4), bits: chunk[8] };
    else if (type === "PLTE")
      palette = chunk;
    else if (type === "IDAT")
      packed.push(chunk);
  }
  const lines = zlib.inflateSync(Buffer.concat(packed)), line = 1 + Math.ceil(head.width * (palette ? head.bits : 24) / 8);
  return { ...head, rgb: (x, y) => {
    while (lines[y * line] === 2)
      y--;
    const at = y * line + 1, bit = x * head.bits, one = palette ? lines[at + (bit >> 3)] >> (8 - head.bits - (bit & 7)) & (1 << head.bits) - 1 : x;
    return (palette || lines).readUIntBE((palette ? 0 : at) + 3 * one, 3);
  } };
}

// ... and what is left: a CPU is of one key.
const cpusOf = (keys, grid) => {
  const cells = grid.cells.map((n, i) => keys.reduce((left, one) => left - one.cells[i], n));
  return [...keys, { ...grid, cells, largest: Math.max(...cells) }];
};

// Of each map, and within it of each key that has a hue and of the rest, its grid.
function gridsOf({ svg, settings, data }) {
  const axes = G.axes(settings), by = settings.per ? D.dimension(data, settings, settings.per) : null;
  const hues = settings.hues ? D.dimension(data, settings, settings.hues.dimension) : null;
  const numbers = hues ? C.huesOf(settings.hues.keys.map((key) => hues.keys.indexOf(key))) : null;
  const keyOf = hues ? hues.keyOf.map((key) => key < 0 ? settings.hues.keys.length : (settings.hues.keys.indexOf(hues.keys[key]) + settings.hues.keys.length + 1) % (settings.hues.keys.length + 1)) : null;
  const drawnMaps = svg.match(/data-map="\d+"/g).length; // none of keys that are always idle
  return (by ? by.keys : ["all"]).slice(0, drawnMaps).map((_, map) => {
    const part = by ? G.partOf(settings, by, map) : {}, grid = G.make(data, settings, axes, part);
    return { grid, numbers, unseen: G.unseen(settings, axes, part.recording, data, part.cpu),
      ofKey: !hues ? null : settings.y === "utilization" ? cpusOf(G.byCpus(data, settings, axes, part, hues, settings.hues.keys.map((k) => hues.keys.indexOf(k))), grid) : G.byKeys(data, settings, axes, part, keyOf, settings.hues.keys.length + 1) };
  });
}

const COLOURS = [["second", []], ["second", ["--coloring", "rank"]], ["second", ["--coloring", "log", "--theme", "dark"]], ["stall", ["--colors", "flamescope"]],
  ["latency", ["--colors", "enhanced", "--y", "value", "--log", "--min", "100us", "--coloring", "rank"]], ["latency", ["--colors", "enhanced", "--y", "value", "--theme", "dark"]], ["latency", ["--y", "value", "--by", "thread", "--rainbow"]],
  ["hosts", ["--per", "host", "--coloring", "rank", "--colors", "viridis"]], ["stall", ["--by", "thread", "--rainbow"]],
  ["stall", ["--by", "thread", "--select", "mysqld-500/worker-1", "--select", "zoneadmd-3/zoneadmd", "--coloring", "rank"]],
  ["stall", ["--y", "utilization", "--by", "cpu", "--select", "cpu1"]], ["hosts", ["--y", "utilization", "--by", "host"]],
  ["hosts", ["--y", "utilization", "--by", "host", "--per", "host"]], ["hosts", ["--y", "utilization", "--by", "cpu", "--per", "host"]],
  ["checkerboard", ["--by", "thread", "--rainbow", "--theme", "dark", "--per", "cpu"]]];

const INVERTED = ["--inverted", "--rows", "20"];
draw(COLOURS.map(([name, args]) => [name, [...args, ...INVERTED]]));
for (const [name, args] of COLOURS) {
  const map = drawn([...args, ...INVERTED], name), { settings } = map, maps = gridsOf(map);
  const scale = C.make(settings.coloring, maps.flatMap((m) => m.ofKey || [m.grid])), ramp = C.find(settings, settings.ramp), dark = settings.theme === "dark", wrong = [];
  let cells = 0;
  maps.forEach(({ grid, numbers, unseen, ofKey }, number) => {
    const picture2 = pixelsOf(map.svg, number), { columns, rows } = grid.axes;
    for (let i = 0; i < columns * rows; i++) {
      const x = Math.floor((Math.floor(i / rows) + 0.5) * picture2.width / columns), y = Math.floor((i % rows + 0.5) * picture2.height / rows);
      const keys = ofKey && grid.cells[i] ? ofKey.map((g, k) => [k, g.cells[i]]).filter(([, n]) => n) : null;
      const wanted = keys ? C.mix(keys.map(([k]) => k < ofKey.length - 1 ? C.hue(numbers[k]) : C.GREY), keys.map(([, n]) => C.ofHue(scale, n)), dark) : C.rgb(ramp, dark, scale, grid.cells[i]);
      if (unseen[i])
        continue;
      cells++;
      if (picture2.rgb(x, y) !== wanted)
        wrong.push([number, i, grid.cells[i], C.css(picture2.rgb(x, y)), C.css(wanted)]);
    }
  });
  is(`${name} ${args.join(" ")}: colors as C drew them`, [cells > 100, wrong.slice(0, 5), wrong.length], [true, [], 0]);
}
