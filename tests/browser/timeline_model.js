// Compares the data in a timeline, decoded as in the browser, with the lines from which it was made; and the marks that
// are drawn for the data.  Arguments: SVG FOLDED.
"use strict";

const fs = require("fs");
const path = require("path");
const vm = require("vm");

for (const name of ["common/number", "common/profile", "common/clock", "timeline/data", "timeline/raster"])
  vm.runInThisContext(fs.readFileSync(path.join(__dirname, `../../render/browser/${name}.js`), "utf8"));

const { data: D, raster: R } = pyrograph.timeline, C = pyrograph.clock;

function is(what, got, wanted) {
  const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)];
  console.log(a === b ? `ok - ${what}` : `not ok - ${what}\n#   got:    ${a.slice(0, 500)}\n#   wanted: ${b.slice(0, 500)}`);
}

const svg = fs.readFileSync(process.argv[2], "utf8");
const plain = (text) => text.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&quot;/g, "\"").replace(/&#39;/g, "'").replace(/&amp;/g, "&");
const parts = (label) => Array.from(svg.matchAll(new RegExp(`<metadata ${label}>([^<]*)</metadata>`, "g")), (m) => plain(m[1])).join("");
const settings = JSON.parse(parts('id="timeline"'));
const data = D.decode(settings, parts('class="timeline-stacks"'), parts('class="timeline-spans"'));

// ---- every span ----

const lines = [];
for (let i = 0; i < data.start.length; i++) {
  const ns = BigInt(settings.start) + BigInt(data.start[i]), more = data.more.get(i) || { count: 1, longest: data.time[i] };
  lines.push(`@${ns / 1000000000n}.${String(ns % 1000000000n).padStart(9, "0")} ${data.texts[data.stack[i]]} ` +
    `${data.time[i]} ${more.count} ${more.longest}`);
}
const wanted = fs.readFileSync(process.argv[3], "utf8").split("\n").filter((line) => line && !line.startsWith("#"));
is("all spans are decoded", lines.sort(), wanted.sort());

// ---- marks ----

// The time that the marks of a row stand for: width times height.
function drawn(row, view) {
  let area = 0, wrong = "", end = 0;
  R.marks(data, row, view, (kind, x, w, h) => {
    if (x < end - 0.21)
      wrong = `mark at ${x} over one up to ${end}`;
    end = x + w;
    if (!(x >= -0.01 && x + w <= view.width + 0.21 && w > 0 && h >= 1 && h <= view.height))
      wrong = `mark at ${x}, ${w} wide, ${h} high`;
    area += w * h / view.height;
  });
  return wrong || area / view.width * (view.to - view.from);
}

const views = [[0, settings.window], [1.5e9, 1.53e9], [1.51e9, 1.5101e9], [0, 1], [1.6999e9, 1.7003e9]];
for (const [from, to] of views) {
  const bad = [];
  for (let row = 0; row < settings.rows.length; row++) {
    const sum = R.sums(data, row, from, to).time, got = drawn(row, { from, to, width: 800, height: 1000 });
    // Marks of less than a thousandth are drawn as high as a thousandth, or a fifth of a pixel wide.
    const spans = R.between(data, row, from, to), least = Math.min(800, spans[1] - spans[0]) * (to - from) / 800 * 0.21;
    if (!(Math.abs(got - sum) <= Math.max(least, (to - from) * 0.003)))
      bad.push([settings.rows[row][0], got, sum]);
  }
  is(`marks of ${from} to ${to} are as large as the time`, bad, []);
}
let parts2 = 0;
for (let row = 0; row < settings.rows.length; row++) {
  for (let n = 0; n < 100; n++)
    parts2 += R.sums(data, row, settings.window / 100 * n, settings.window / 100 * (n + 1)).time;
}
is("a hundred parts make the whole", Math.round(parts2), data.time.reduce((a, b) => a + b, 0));

// ---- words, as C has them ----

is("lengths", [0, 981, 1000, 12345, 999949, 999950, 1234567, 999949499, 999949500, 75300000000, 3600e9].map(pyrograph.number.durationText),
  ["0 ns", "981 ns", "1 µs", "12.3 µs", "1 ms", "1 ms", "1.23 ms", "1 s", "1 s", "75.3 s", "3,600 s"]);
is("shares", [[1, 3], [0, 5], [5, 5], [12345, 100], [999999, 1000000]].map(([a, b]) => pyrograph.number.percentText(a, b)),
  ["33.3 %", "0 %", "100 %", "12,345 %", "over 99.9 %"]);
is("ticks", [10e9, 1, 1e3, 7.3e6, 86400e9 * 30].map((w) => C.tickStep(w, 10)), [1e9, 1, 100, 1e6, 86400e9 * 3]);
const clock = C.make({ start: "1795342502014325678" });
is("times of the day", [[0, 9], [0, 3], [1e9, 0], [60e9, -1], [674322, 6]].map(([ns, digits]) => clock.text(ns, digits)),
  ["10:15:02.014325678", "10:15:02.014", "10:15:03", "10:16", "10:15:02.015000"]);
const after = C.make({ start: "9502014325678", relative: true });
is("... without a wall clock: from the start on", [after.text(1500e6, 3), after.axis(5), after.zone, after.firstTick(1, 500e6)],
  ["00:00:01.500", "from the start on", " after the start", 500e6]);
is("... and back", clock.fromEpoch(clock.epoch(123456789)), 123456789);
is("functions are called by their names, without how they were compiled", ["a_[i]", "b_[?]", "c_[x]", "d[i]", "e\u202e_[w]"].map(pyrograph.profile.baseName),
  ["a", "b", "c_[x]", "d[i]", "e\ufffd"]);
