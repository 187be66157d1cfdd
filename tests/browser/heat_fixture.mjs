// Heat maps as a browser gets them, made from timed folded lines by an implementation of its
// own: what heat_svg.c's head, heat_code.h and encode.h say, in the plainest way.
//
//   picture(lines, options) -> { settings, source, text: { names, colours, tree, stacks, events }, made }
//       options: period, perColumn, rows, y, weigh, low, high, step, logarithmic, tick: [num, den],
//       group, zone: [name, label, offset], regexps: [[label, source], ...], per, percentiles, hues, ramp,
//       coloring, theme, title, ...; what is missing is as the verb has it
//       made: { events: [{ ns (BigInt), stack, value }] in order, stacks: [{ text, recording, idle }] }
//   packed({ ticks, stacks, values, stackTexts, ... }) -> the same from arrays, for large ones
//   page(picture, { scripts, more }) -> an SVG document with all heat scripts that there are
//   load(more) -> pyrograph, with the scripts that need no document, and more of them
//   examples: { name: () => lines }
//
// node heat_fixture.mjs EXAMPLE OUT.svg [OPTIONS as JSON] writes one; --lines EXAMPLE prints its lines.  With --all, lines of
// stdin are such arguments, between blanks, of which OUT.folded gets the lines.
import fs from "node:fs";
import path from "node:path";
import vm from "node:vm";
import { fileURLToPath } from "node:url";
import lib from "./model_lib.js";

export const { is, all, differs, random, digits } = lib;

const HERE = path.dirname(fileURLToPath(import.meta.url));
const BROWSER = path.join(HERE, "../../render/browser");
const DIGIT = 63, SEC = 1000000000n, LINE = 4000;

// The scripts that C puts into a picture, in its order.
const scriptsOf = (...lists) => lists.flatMap((list) =>
  Array.from(fs.readFileSync(path.join(HERE, "../../render", list), "utf8").matchAll(/"([a-z_/]*)\.js"/g), ([, name]) => name));
const HEAT_SCRIPTS = scriptsOf("drawing/page.c", "flame/flame_page.c", "heat/heat_page.c");

export const RAMPS = [
  ["ember", "yellow, red, black; for all kinds of color vision",
    ["#ffffff", "#ffeaa8", "#fecf70", "#fba747", "#f07d35", "#d6522f", "#ac2c38", "#761640", "#3b0a33"],
    ["#17191d", "#451a45", "#6f1f4e", "#9b2c48", "#c6443c", "#e66c2c", "#f69a2c", "#fccb5e", "#fff6c4"], false, [34 / 64, 29 / 64]],
  ["flamescope", "FlameScope's white to red",
    ["#ffffff", "#ffd3cc", "#ffa899", "#ff7c65", "#ff5032", "#f93e2b", "#f22d23", "#ec1b1c", "#e50914"],
    ["#17191d", "#4a1419", "#7e1116", "#b10d15", "#e50914", "#ec1b1c", "#f22d23", "#f93e2b", "#ff5032"], false, [30 / 64, 28 / 64]],
  ["enhanced", "FlameScope's, with blue for 1 to 3",
    ["#ffffff", "#6aaaff", "#faa0b5", "#ff5032", "#e50914"], ["#17191d", "#2f5f9f", "#faa0b5", "#ff5032", "#e50914"], true, [45 / 64, 18 / 64]],
];

// ---- lines ----

function instant(text) {
  const [whole, fraction = ""] = text.replace(/Z$/, "").split(".");
  return BigInt(Date.parse(`${whole}Z`) / 1000) * SEC + BigInt(fraction.padEnd(9, "0"));
}

function seconds(text) {
  const [whole, fraction = ""] = text.split(".");
  return BigInt(whole) * SEC + BigInt(fraction.padEnd(9, "0"));
}

function pairs(text) {
  const found = {};
  for (const [, key, bare, quoted] of text.matchAll(/([\w-]+)=(?:([^" ]+)|("(?:[^"\\]|\\.)*"))/g))
    found[key] = quoted ? JSON.parse(quoted) : bare;
  return found;
}

function cpuList(text) {
  return (text || "").split(",").filter(Boolean).flatMap((part) => {
    const [a, b = a] = part.split("-").map(Number);
    return Array.from({ length: b - a + 1 }, (_, i) => a + i);
  });
}

// { recordings, gaps, events: [[ns, text, value, recording]] }, in the order of the input.
function parse(lines) {
  const read = { recordings: [], gaps: [], events: [] };
  let at = -1;
  for (const line of lines.split("\n")) {
    if (line.startsWith("# pyrograph: ")) {
      const source = pairs(line.slice(13));
      const same = read.recordings.findIndex((r) => r.source.host === source.host && r.source.from === source.from && r.source.to === source.to);
      at = same >= 0 ? same : read.recordings.push({ source, cpus: cpuList(source.cpus), rate: parseFloat(source.rate) || 0 }) - 1;
    } else if (line.startsWith("# gap: ")) {
      read.gaps.push({ ...pairs(line.slice(7)), recording: at });
    } else if (line.startsWith("@")) {
      const blank = line.indexOf(" "), last = line.lastIndexOf(" ");
      at = at < 0 ? read.recordings.push({ source: {}, cpus: [], rate: 0 }) - 1 : at;
      read.events.push([seconds(line.slice(1, blank)), line.slice(blank + 1, last), Number(line.slice(last + 1)), at]);
    }
  }
  return read;
}

const IDLE = /^(do_idle|cpu_startup_entry|cpu_idle.*|cpuidle_.*|default_idle.*|(pv_)?native_safe_halt|mwait_idle.*|intel_idle.*|acpi_.*|poll_idle|arch_cpu_idle|secondary_startup_64.*|start_secondary|rest_init)(_\[k\])?$/;

function isIdle(frames, roots) {
  return frames[roots.indexOf("state")] === "idle" ||
    frames.some((f, i) => i < roots.length && /^swapper/.test(f)) && frames.slice(roots.length).every((f) => IDLE.test(f));
}

// ---- encode.h ----

function broken(parts) {
  let text = "", end = LINE;
  for (const part of parts) {
    text += part;
    if (text.length >= end) {
      text += "\n";
      end = text.length + LINE;
    }
  }
  return text;
}

function colour(name) {
  let hash = 7;
  for (const c of name)
    hash = (hash * 31 + c.codePointAt(0)) % 65521;
  return 0xe00000 + (hash % 200) * 256 + hash % 60;
}

const colourText = (rgb) => [18, 12, 6, 0].map((s) => String.fromCharCode(DIGIT + (rgb >> s & 63))).join("");

// { names, colours, tree, frameOf: by stack, nameCount, frames } of stacks: [[frames, value]].
function profileOf(stacks) {
  const root = { name: "all", children: new Map(), self: 0 }, uses = new Map(), ends = [];
  const use = (name) => uses.set(name, (uses.get(name) || 0) + 1);
  use("all");
  for (const [frames, value] of stacks) {
    let node = root;
    for (const name of frames) {
      if (!node.children.has(name)) {
        node.children.set(name, { name, children: new Map(), self: 0 });
        use(name);
      }
      node = node.children.get(name);
    }
    node.self += value;
    ends.push(node);
  }
  const names = Array.from(uses.keys()).sort((a, b) => uses.get(b) - uses.get(a) || (a < b ? -1 : 1));
  const number = new Map(names.map((name, i) => [name, i])), parts = [];
  let depth = -1, frames = 0;
  (function add(node, level) {
    node.frame = frames++;
    parts.push(digits(2 * (depth + 1 - level) + (node.self ? 1 : 0)) + digits(number.get(node.name)) + (node.self ? digits(node.self) : ""));
    depth = level;
    for (const name of Array.from(node.children.keys()).sort())
      add(node.children.get(name), level + 1);
  })(root, 0);
  return { nameCount: names.length, frames, tree: broken(parts), frameOf: ends.map((node) => node.frame),
    names: names.map((name) => `?${name}\n`).join(""), // nothing shared
    colours: names.map((name) => colourText(colour(name)) + colourText(0xeeccbb)).join("") };
}

// ---- heat_code.h ----

// The events of one tick after the other; stack(i), value(i) (or null) of event i.
export function encodeEvents(ticks, stack, value, group) {
  const parts = [], one = 2 ** group;
  for (let i = 0, before = 0, end; i < ticks.length; i = end) {
    for (end = i + 1; end < ticks.length && ticks[end] === ticks[i];)
      end++;
    const n = end - i, small = Math.min(n - 1, one - 1);
    let text = digits((ticks[i] - before) * one + small) + (small === one - 1 ? digits(n - one) : "");
    before = ticks[i];
    for (let k = i; k < end; k++)
      text += digits(stack(k)) + (value ? digits(value(k)) : "");
    parts.push(text);
  }
  return broken(parts);
}

const gcd = (a, b) => b ? gcd(b, a % b) : a;

// A tick of about 1 ms (1/20 of a row) that rows are whole numbers of.
function ticksOf(period, rows) {
  let per = 1; /* ticks a row */
  while (per < 20 && period / (rows * per * 2) >= 1)
    per *= 2;
  const num = period, den = rows * per, common = gcd(num, den);
  return [num / common, den / common];
}

// ---- the whole ----

function framesOf(text, host) {
  return host === null ? text.split(";") : [host, ...text.split(";")];
}

export function picture(lines, options = {}) {
  const read = parse(lines), { recordings } = read;
  const hosts = new Set(recordings.map((r) => r.source.host || ""));
  const rootsOf = (r) => (r.source.root || "").split(",").filter((name) => name && name !== "none");
  const addHost = hosts.size > 1 && !rootsOf(recordings[0]).includes("host");
  const roots = recordings.length ? rootsOf(recordings[0]) : [];
  const names = addHost ? ["host", ...roots] : roots;

  const stacks = new Map();
  const events = read.events.map(([ns, text, value, recording]) => {
    const key = `${recording}\0${text}`;
    if (!stacks.has(key)) {
      const frames = framesOf(text, addHost ? recordings[recording].source.host || "" : null);
      stacks.set(key, { text: frames.join(";"), frames, recording, idle: isIdle(frames, names), events: 0, value: 0 });
    }
    const stack = stacks.get(key);
    stack.events++;
    stack.value += value;
    return { ns, stack, value };
  });
  const list = Array.from(stacks.values()).sort((a, b) => b.events - a.events || (a.text < b.text ? -1 : a.text > b.text ? 1 : a.recording - b.recording));
  list.forEach((stack, i) => { stack.number = i; });
  events.sort((a, b) => a.ns < b.ns ? -1 : a.ns > b.ns ? 1 : a.stack.number - b.stack.number);

  const first = events.length ? events[0].ns : 0n, last = events.length ? events[events.length - 1].ns + 1n : 1n;
  for (const [i, r] of recordings.entries()) {
    const own = events.filter((e) => e.stack.recording === i);
    r.from = r.source.from ? instant(r.source.from) : own.length ? own[0].ns : first;
    r.to = r.source.to ? instant(r.source.to) : own.length ? own[own.length - 1].ns + 1n : last;
  }
  const least = (a, b) => a < b ? a : b, most = (a, b) => a > b ? a : b;
  const ends = events.length || !recordings.length ? [first, last] : [recordings[0].from, recordings[0].to];
  const from = recordings.map((r) => r.from).reduce(least, ends[0]), to = recordings.map((r) => r.to).reduce(most, ends[1]);

  const period = options.period || 1e9, perColumn = options.perColumn || 1, rows = options.rows || 50;
  const zone = options.zone || ["UTC", "UTC", 0];
  const column = BigInt(period) * BigInt(perColumn), shift = BigInt(zone[2]);
  const origin = (from + shift) / BigInt(period) * BigInt(period) - shift;
  const columns = Number((to - 1n - origin) / column) + 1;
  const [num, den] = options.tick || ticksOf(period, options.y === "value" ? 50 : rows);
  const tickOf = (ns) => Number((ns - origin) * BigInt(den) / BigInt(num));
  for (const e of events)
    e.tick = tickOf(e.ns);
  events.sort((a, b) => a.tick - b.tick || a.stack.number - b.stack.number);
  const same = events.every((e) => e.value === events[0].value) ? events.length ? events[0].value : 1 : null;
  const group = options.group === undefined ? 2 : options.group;
  const profile = profileOf(list.map((s) => [s.frames, s.value]));
  const relative = (ns) => Number(ns - origin);

  const source = recordings.length ? recordings[0].source : {};
  const dimensions = names.map((name, i) => [name, i]);
  if (hosts.size > 1 && !names.includes("host"))
    dimensions.push(["host", -1]);
  if (options.regexps)
    dimensions.push(["regexp", -1]);
  const unit = options.unit || source.unit || "samples";
  const values = events.map((e) => e.value).sort((a, b) => a - b);
  const low = options.low || 0, high = options.high || values[values.length - 1] || 1;
  const settings = {
    origin: String(origin), tick: [num, den], group, events: events.length, stacks: list.length,
    idleEvents: events.filter((e) => e.stack.idle).length,
    window: [relative(from), relative(to)], period: String(period), perColumn, rows, columns,
    y: options.y || "offset", weigh: options.weigh || "events",
    ...(options.y === "value" ? { value: [String(low), String(high), Boolean(options.logarithmic)],
      step: String(options.step || Math.max(1, Math.ceil((high - low) / rows))) } : {}),
    ...(same !== null ? { same } : {}),
    decimals: 0, unit, event: options.event || (source.spans ? "spans" : "samples"), spans: source.spans === "start",
    rate: recordings.length ? recordings[0].rate : 0, zone, relative: source.clock === "monotonic", inverted: Boolean(options.inverted),
    theme: options.theme || "auto", fluid: true, ramp: options.ramp || "ember", coloring: options.coloring || "linear", ramps: RAMPS,
    percentiles: options.percentiles || (options.y === "value" ? [50, 99] : []), lines: Boolean(options.percentiles), dimensions, regexps: options.regexps || [],
    ...(options.hues ? { hues: { isolate: false, exclude: false, ...options.hues } } : {}), ...(options.per ? { per: options.per, mapsShown: options.maps || hosts.size } : {}),
    recordings: recordings.map((r) => ({ host: r.source.host || "", from: relative(r.from), to: relative(r.to), rate: r.rate, cpus: r.cpus,
      ...(r.source["clock-error"] ? { clock: `clock off by ${r.source["clock-error"]}` } : {}),
      source: { ...r.source, ...(addHost ? { root: names.join(",") } : {}) } })),
    gaps: read.gaps.map((g) => [relative(seconds(g.start)), relative(seconds(g.end)), g.recording,
      g.cpu === undefined ? -1 : Number(g.cpu), Number(g.lost || 0), g.why]).sort((a, b) => a[0] - b[0]),
    warning: options.warning || "",
    flame: flameSettings(profile, unit), box: 8, width: 1200, fontSize: 12,
  };
  const many = recordings.length > 1;
  return { settings, source: { kind: "heat", title: options.title || "Subsecond-offset heat map", unit, total: events.length, ...source },
    text: { names: profile.names, colours: profile.colours, tree: profile.tree,
      stacks: list.map((s, i) => digits(profile.frameOf[i] * 2 + (s.idle ? 1 : 0)) + (many ? digits(s.recording) : "")).join(""),
      events: encodeEvents(events.map((e) => e.tick), (i) => events[i].stack.number, same === null ? (i) => events[i].value : null, group) },
    made: { events: events.map((e) => ({ ns: e.ns, tick: e.tick, stack: e.stack.number, value: e.value })),
      stacks: list.map((s) => ({ text: s.text, recording: s.recording, idle: s.idle })) } };
}

function flameSettings(profile, unit) {
  return { names: profile.nameCount, frames: profile.frames, unit, decimals: 0, factor: 1, nametype: "Function:", inverted: false,
    fluid: true, whole: true, framesTop: 58, pad: 10, fontSize: 12, frameHeight: 16, rows: 8, minWidth: 0.1, boxesMax: 3000,
    rootColour: "#dcdcdc", advances: Array.from({ length: 95 }, () => 640), widest: 1100 };
}

// From arrays: ticks (not falling) and stacks by event; texts by stack, one recording; for large ones.
export function packed({ ticks, stacks, values = null, texts, tick = [1000000, 1], root = "thread", ...more }) {
  const model = picture(`# pyrograph: host=db1 event=cpu-clock rate=99Hz cpus=0-1 root=${root} unit=samples\n@1795342500.0 x 1`, more);
  const counts = new Float64Array(texts.length);
  for (let i = 0; i < stacks.length; i++)
    counts[stacks[i]] += values ? values[i] : 1;
  const profile = profileOf(texts.map((text, s) => [text.split(";"), counts[s]]));
  const idle = texts.map((text) => isIdle(text.split(";"), root.split(",")));
  let idleEvents = 0;
  for (let i = 0; i < stacks.length; i++)
    idleEvents += idle[stacks[i]] ? 1 : 0;
  const to = ticks.length ? Math.ceil((ticks[ticks.length - 1] + 1) * tick[0] / tick[1]) : 1;
  const { settings } = model;
  Object.assign(settings, { tick, group: 1, events: ticks.length, stacks: texts.length, idleEvents, window: [0, to],
    columns: Math.ceil(to / (Number(settings.period) * settings.perColumn)), flame: flameSettings(profile, "samples") });
  Object.assign(settings.recordings[0], { from: 0, to });
  if (values)
    delete settings.same;
  return { settings, source: { ...model.source, total: ticks.length }, text: { names: profile.names, colours: profile.colours, tree: profile.tree,
    stacks: texts.map((_, s) => digits(profile.frameOf[s] * 2 + (idle[s] ? 1 : 0))).join(""),
    events: encodeEvents(ticks, (i) => stacks[i], values ? (i) => values[i] : null, 1) } };
}

// ---- a page ----

const xml = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
function asset(file) {
  const at = path.join(file.startsWith("core/") ? path.join(HERE, "../..") : BROWSER, file);
  return fs.existsSync(at) ? fs.readFileSync(at, "utf8") : "";
}

// As lines of at most so many bytes would be split by C.
function chunks(name, text) {
  const parts = [];
  for (let at = 0, end; at < text.length; at = end) {
    end = text.length - at <= 1000000 ? text.length : text.lastIndexOf("\n", at + 1000000) + 1;
    end = end > at ? end : text.length;
    parts.push(`<metadata class="${name}">${xml(text.slice(at, end))}</metadata>\n`);
  }
  return parts.join("");
}

export function page({ settings, source, text }, { scripts = HEAT_SCRIPTS, more = "" } = {}) {
  return `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="600" viewBox="0 0 1200 600" font-family="Verdana, 'DejaVu Sans', sans-serif" font-size="12">
<metadata id="pyrograph">${xml(JSON.stringify(source))}</metadata>
<title>${xml(source.title)}</title>
<style><![CDATA[
${["common/chart", "flame/flame", "heat/heat"].map((name) => asset(`${name}.css`)).join("")}]]></style>
<g id="drawing"><rect id="background" width="100%" height="100%" fill="#ffffff"/>
<g id="heading"><text x="600" y="24" text-anchor="middle" font-size="17">${xml(source.title)}</text></g>
<g id="legend"></g>${Array.from({ length: settings.per ? settings.mapsShown || 1 : 1 }, (_, i) =>
  `<g class="map" data-map="${i}"><rect x="60" y="60" width="1080" height="400" fill="#f6d9a8"/></g>`).join("")}<g id="details"></g></g>
<metadata id="heat">${xml(JSON.stringify(settings))}</metadata>
${chunks("flame-names", text.names)}${chunks("flame-colours", text.colours)}${chunks("flame-tree", text.tree)}` +
    `${chunks("heat-stacks", text.stacks)}${chunks("heat-events", text.events)}` +
    scripts.map((name) => asset(`${name}.js`)).filter(Boolean).map((code) => `<script><![CDATA[\n${code}]]></script>\n`).join("") +
    `${more}</svg>\n`;
}

export function load(more = []) {
  const scripts = ["common/number", ...["data", "beats", "axes", "seen", "grid", "scale", "select"].map((name) => `heat/${name}`), ...more];
  return vm.runInThisContext(`${scripts.map((name) => asset(`${name}.js`)).join("\n")}\npyrograph`);
}

// ---- examples ----

const START = 1795342502; // 2026-11-22T10:15:02Z
const at = (ms) => `@${START + Math.floor(ms / 1000)}.${String(Math.floor(ms % 1000 * 1000)).padStart(6, "0")}000`;
const iso = (ms) => new Date(START * 1000 + ms).toISOString().replace("Z", "000000Z");
const header = (length, more = "") => `# pyrograph: host=db1 event=cpu-clock start=${iso(0)} end=${iso(length)} from=${iso(0)} to=${iso(length)} ` +
  `cpus=0-1 rate=99Hz root=comm,thread,cpu lost=0/1 ${more}unit=samples\n`;
const IDLE_STACK = "swapper;swapper-0/swapper/CPU;CPU;secondary_startup_64_[k];cpu_startup_entry_[k];do_idle_[k];default_idle_[k]";
const SOFTIRQ = ";asm_sysvec_apic_timer_interrupt_[k];__do_softirq_[k];net_rx_action_[k]";
const idleOn = (cpu) => IDLE_STACK.replace("CPU", cpu).replace("CPU", `cpu${cpu}`);

// Samples at 99 Hz on two CPUs; what(ms, cpu) -> stack, or null for idle.
function sampled(length, what, jitter = 0) {
  const next = random(5), lines = [];
  for (let n = 0; n * 1000 / 99 < length; n++) {
    for (const cpu of [0, 1]) {
      const ms = Math.min(length - 0.001, n * 1000 / 99 + cpu * 3 + jitter * next(1000) / 1000);
      lines.push(`${at(ms)} ${what(ms, cpu) || idleOn(cpu)} 1\n`);
    }
  }
  return lines.join("");
}

const work = (comm, thread, cpu, rest) => `${comm};${thread};cpu${cpu};${rest}`;

export const examples = {
  // Something wakes on each full second; a little noise besides.
  second: (length = 60000) => {
    const next = random(3);
    return header(length) + sampled(length, (ms, cpu) => ms % 1000 < 40 ? work("cron", "cron-77/cron", cpu, "main;run_jobs;fork;copy_process_[k]")
      : next(20) ? null : next(2) ? idleOn(cpu) + SOFTIRQ : work("sshd", "sshd-9/sshd", cpu, "main;poll;do_poll_[k]"));
  },
  // Works, then sleeps a second: a diagonal.
  diagonal: (length = 60000) => header(length) + sampled(length, (ms, cpu) => cpu === 0 && ms % 1050 < 50 ? work("java", "java-8513/poller", cpu,
    "start_thread;JavaThread::run;Poller.poll;read_[k]") : null),
  // Two threads take turns on CPU 0.
  checkerboard: (length = 30000) => header(length) + sampled(length, (ms, cpu) => cpu ? null : Math.floor(ms / 97) % 2
    ? work("busy", "busy-100/left", cpu, "main;spin_left") : work("busy", "busy-101/right", cpu, "main;spin_right")),
  // A database that stops for 400 ms, and a stretch that was not seen.
  stall: (length = 30000) => {
    const next = random(11), gap = [12300, 12900], stall = [20250, 20650];
    return header(length, "losses=\"throttled 1\" ") + `# gap: start=${at(gap[0]).slice(1)} end=${at(gap[1]).slice(1)} lost=118 why=lost\n` +
      `# gap: start=${at(25000).slice(1)} end=${at(25500).slice(1)} cpu=1 why=throttled\n` +
      sampled(length, (ms, cpu) => ms >= stall[0] && ms < stall[1] ? cpu ? null : work("zoneadmd", "zoneadmd-3/zoneadmd", cpu, "main;door_call_[k]")
        : work("mysqld", `mysqld-500/worker-${next(4)}`, cpu, `start_thread;handle_one;do_command;${["parse", "execute;lookup", "execute;read_[k]", "send"][next(4)]}`))
        .split("\n").filter((line) => {
          const ms = line ? (Number(line.slice(1, 11)) - START) * 1000 + Number(line.slice(12, 15)) : 0;
          return !(ms >= gap[0] && ms < gap[1]) && !(ms >= 25000 && ms < 25500 && line.includes(";cpu1;"));
        }).join("\n");
  },
  // Latencies: spans with values of ns.
  latency: (length = 60000) => {
    const next = random(23), lines = [];
    for (let n = 0; n < length / 5; n++) {
      const slow = next(50) === 0, ns = slow ? 20000000 + next(80000000) : 200000 + next(1000) * next(3000);
      lines.push(`${at(next(length * 10) / 10)} java;java-8513/io-${next(3)};cpu${next(2)};read;${slow ? "io_schedule_[k]" : "page_cache_[k]"} ${ns}\n`);
    }
    return header(length, "spans=start ").replace("unit=samples", "unit=ns").replace("rate=99Hz ", "") + lines.join("");
  },
  // Two hosts, of which one began later and has a bad clock.
  hosts: (length = 20000) => examples.second(length) + "\n" + (header(length, "clock-error=+12.5ms ").replace("host=db1", "host=web2")
    .replace(`from=${iso(0)}`, `from=${iso(4000)}`)) + sampled(length, (ms, cpu) => cpu ? null : work("nginx", "nginx-7/nginx", cpu, "main;epoll_wait"))
    .split("\n").filter((line) => !line || Number(line.slice(1, 11)) >= START + 4).join("\n"),
  // Names that would like to be markup.
  hostile: (length = 5000) => header(length) + sampled(length, (ms, cpu) => cpu ? null :
    work("<img src=x onerror=window.broken=1>", "]]></script><script>window.broken=1</script>-1/\"&amp;'", cpu, "a%41?#\u202e<b>")),
};

// One hour at 99 Hz on two CPUs: 712,800 events, 5,000 stacks.
export function hour({ hours = 1, stackCount = 5000, values = false, ...more } = {}) {
  const next = random(99), count = Math.round(hours * 3600 * 99 * 2);
  const texts = Array.from({ length: stackCount }, (_, s) => s < 2 ? idleOn(s) :
    work(`comm${s % 37}`, `comm${s % 37}-${1000 + s % 211}/t${s % 211}`, s % 2,
      Array.from({ length: 4 + s * 7 % 30 }, (unused, d) => `f${d}_${Math.floor(s / (1 << Math.max(0, 9 - d))) % 700}`).join(";")));
  const ticks = new Float64Array(count), stacks = new Uint32Array(count), value = values ? new Float64Array(count) : null;
  const last = [2, 3];
  for (let i = 0; i < count; i++) {
    const cpu = i % 2, n = (i - cpu) / 2;
    ticks[i] = Math.floor(n * 1000 / 99);
    if (next(4) === 0)
      last[cpu] = next(100) < 55 ? cpu : 2 + Math.floor((stackCount - 2) * Math.pow(next(1000000) / 1000000, 6));
    stacks[i] = last[cpu];
    if (values)
      value[i] = 1 + next(1000000);
  }
  for (let i = 0; i + 1 < count; i += 2) {
    if (ticks[i] === ticks[i + 1] && stacks[i] > stacks[i + 1])
      [stacks[i], stacks[i + 1]] = [stacks[i + 1], stacks[i]];
  }
  return packed({ ticks, stacks, values: value, texts, root: "comm,thread,cpu", ...more });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const write = (name, out, options = "{}") => {
    const set = JSON.parse(options);
    fs.writeFileSync(out, out.endsWith(".folded") ? examples[name]() : page(name === "hour" ? hour(set) : picture(examples[name](), set)));
  };
  const [, , name, ...rest] = process.argv;
  if (name === "--lines")
    process.stdout.write(examples[rest[0]]());
  else if (name === "--all")
    for (const line of fs.readFileSync(0, "utf8").trim().split("\n"))
      write(...line.split(" "));
  else
    write(name, ...rest);
}
