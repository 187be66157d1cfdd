// Compares a differential as C drew it (argument: the directory that model.test.sh made) with what the script computes
// from the same file: every colour, every change.
"use strict";

const fs = require("fs");
const path = require("path");
const { all } = require("./model_lib");
const { profile: P, layers: L, colour: C, layout } = pyrograph;

function read(file) {
  const svg = fs.readFileSync(file, "utf8");
  const joined = (kind) => Array.from(svg.matchAll(new RegExp(`<metadata class="${kind}">([^<]*)</metadata>`, "g")), (m) => m[1]).join("");
  const settings = JSON.parse(/<metadata id="flame-settings">([^<]*)</.exec(svg)[1]);
  const boxes = Array.from(svg.matchAll(/fill="(#[0-9a-f]{6})"><title>(\S+) \(([^<]*)\)<\/title>/g), (m) => m.slice(1));

  return { settings, boxes, names: P.decodeNames(joined("flame-names"), settings.names), tree: P.decodeTree(joined("flame-tree"), settings) };
}

// "base 5 samples, 50 %; new 4 samples, 57.1 %; +7.14 points, +14.3 %" -> "+7.14 points, +14.3 %"
const changeOf = (tip) => tip.split("; ")[2];

function compare(file) {
  const { settings, boxes, names, tree } = read(file);
  const delta = L.delta(tree, settings.delta, settings.threshold, 1, [1], settings.negate ? -1 : 1, settings.chance);
  const scheme = C.scheme({ mode: "diff", tree, names, settings, delta, by: settings.delta });
  const number = new Map(names.map((name, i) => [name, i])); // each name is in one frame only
  const frameOf = new Map(Array.from(tree.name, (name, frame) => [name, frame]));

  for (const [fill, name, tip] of boxes) {
    const frame = frameOf.get(number.get(name)), pair = L.pair(tree, frame, "total");
    const { change, relative } = L.change(settings, tree, pair, 1, [0, 1].map((layer) => P.layerTotal(tree, layer)[0]));
    const colour = frame ? scheme.box(frame) : fill;

    if (colour !== fill || `${change}, ${relative}` !== changeOf(tip))
      return `${name}: C has ${fill}, ${tip}; the script ${colour}, ${change}, ${relative}`;
  }
  return boxes.length > 100 ? "" : `only ${boxes.length} frames`;
}

// Compare colours by kind of wait; all names differ, apart from those between a thread and its waker.
function waits(file) {
  const { settings, boxes, names, tree } = read(file), svg = fs.readFileSync(file, "utf8");
  const colours = P.decodeColours(/<metadata class="flame-colours">([^<]*)</.exec(svg)[1], settings.names);
  const scheme = C.scheme({ mode: "wait", tree, names, settings, colours });
  const of = new Map(Array.from(tree.name, (n, frame) => [P.baseName(names[n]), frame]));
  const wrong = boxes.filter(([, name]) => of.has(name) && name !== "all").find(([fill, name]) => scheme.box(of.get(name)) !== fill);
  return wrong ? `${wrong}: ${scheme.box(of.get(wrong[1]))}` : boxes.length > 300 ? "" : `only ${boxes.length} frames`;
}

// Compare colours by what threads did with their time, for names that occur once.
function wall(file) {
  const { settings, boxes, names, tree } = read(file), svg = fs.readFileSync(file, "utf8");
  const colours = P.decodeColours(/<metadata class="flame-colours">([^<]*)</.exec(svg)[1], settings.names);
  const scheme = C.scheme({ mode: "wall", tree, names, settings, colours });
  const once = new Map(), seen = new Set();
  tree.name.forEach((n, frame) => (seen.has(n) ? once.delete(P.baseName(names[n])) : once.set(P.baseName(names[n]), frame), seen.add(n)));
  const known = boxes.filter(([, name]) => once.has(name) && name !== "all");
  const wrong = known.find(([fill, name]) => scheme.box(once.get(name)) !== fill);
  return wrong ? `${wrong}: ${scheme.box(once.get(wrong[1]))}` : known.length > 250 ? "" : `only ${known.length} frames`;
}

// Compare each label that C drew with the script's label for the same name, in the same width.
function labels(file) {
  const svg = fs.readFileSync(file, "utf8"), settings = JSON.parse(/<metadata id="flame-settings">([^<]*)</.exec(svg)[1]);
  const text = (escaped) => escaped.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");
  const rooms = Array.from(svg.matchAll(/<rect [^>]*width="([\d.]+)" height="15"[^>]*><title>([^<]*) \([^(]*\)<\/title><\/rect>\n?(?:<text [^>]*>([^<]*)<)?/g));
  const wrong = rooms.map(([, width, name, drawn]) => [width, text(name), text(drawn || ""), layout.label(settings, text(name), width - 6, 6, settings.truncate)])
    .find(([, , drawn, label]) => drawn !== label);
  const cut = rooms.filter(([, , , drawn]) => /\.\..*[^.]/.test(drawn)).length;
  return wrong ? JSON.stringify(wrong) : cut > 100 ? "" : `only ${cut} of ${rooms.length} are cut`;
}

module.exports = (dir) => all("C and the script agree on kinds of waits", ["waits.svg"], (file) => waits(path.join(dir, file))) || all("C and the script agree on running and blocked time", ["wall.svg"], (file) => wall(path.join(dir, file))) || all("C and the script agree on labels", ["labels.svg"], (file) => labels(path.join(dir, file))) || all("C and the script agree on a differential", fs.readdirSync(dir).filter((f) => /^diff/.test(f)),
  (file) => { const wrong = compare(path.join(dir, file)); return wrong && `${file}: ${wrong}`; });
