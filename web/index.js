// The page of pyrograph web: the table of runs, its search, its facets and its order.
//
// The runs are JSON within the page (web/data.h).  Anyone may have written the texts in a run, so texts never become
// markup.  Addresses lead only to files in this directory; pyrograph web has encoded them.
"use strict";
/* global calendar, choice, closeChart, closeComparison, compared, comparison, drawCalendar, isSource, onKey */
/* global openChart, openComparison, pane, pickBox, scheduleCalendar */
/* exported marks, plural, ruleText, shortLabel, start */

const { rules = [], runs = [] } = JSON.parse((document.getElementById("data") || { textContent: "{}" }).textContent);

// make("a", {href, textContent}, child, ...) makes an element; children that are texts stay texts.
function make(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

// ---- what is known about a run ------------------------------------------------------

const members = (run) => [...run.charts || [], ...run.threads || [], ...run.sources || []];
const values = (run, key) => [...new Set(members(run).map((chart) => chart[key]).filter(Boolean))];

const owners = ["pod", "container", "unit"]; // whose samples a run has

for (const [index, run] of runs.entries()) {
  run.index = index;
  run.kinds = values(run, "kind");
  run.events = values(run, "event");
  run.first = (run.charts || run.threads || run.sources)[0];
  const own = ["name", "headline", "host", "service", "day", "time", "command", "kernel", "rate", "losses", "lost"];
  const each = ["title", "kind", "event", "filter", "losses", "problem"];
  const verdict = (run.verdict || []).map((i) => `${rules[i].colour} ${rules[i].rule}`);
  const ofCharts = members(run).flatMap((chart) => each.map((key) => chart[key]));
  const words = [...own.map((key) => run[key]), ...verdict, ...ofCharts, ...owners.flatMap((key) => run[key] || [])];
  run.text = [...new Set(words)].filter(Boolean).join("\n").toLowerCase();
}

const facets = {
  host: (run) => run.host ? [run.host] : [],
  service: (run) => run.service ? [run.service] : [],
  kind: (run) => run.kinds,
  event: (run) => run.events,
  day: (run) => [run.day],
  verdict: (run) => (run.verdict || []).map((i) => rules[i].rule),
  ...Object.fromEntries(owners.map((key) => [key, (run) => run[key] || []])),
};

// Runs whose number is unknown come last.
const down = (key) => (a, b) => (b[key] ?? -1) - (a[key] ?? -1) || a.index - b.index;
const up = (key) => (a, b) => (a[key] || "\uffff").localeCompare(b[key] || "\uffff") || a.index - b.index;
const orders = {
  "": { label: "newest first", by: (a, b) => a.index - b.index },
  oldest: { label: "oldest first", by: (a, b) => b.index - a.index },
  host: { label: "by host", by: up("host") },
  service: { label: "by service", by: up("service") },
  cpus: { label: "most CPU first", by: down("cpus") },
  samples: { label: "most samples first", by: down("samples") },
  lost: { label: "most lost first", by: down("lost_ppm") },
  longest: { label: "longest wait first", by: down("longest_ns") },
  verdict: { label: "by verdict", by: (a, b) => (a.verdict ? a.verdict[0] : 99) - (b.verdict ? b.verdict[0] : 99) ||
    a.index - b.index },
};

// ---- state: is kept in the address, so that a link leads to a view ---------------------

const state = {};
const stateKeys = ["filter", ...Object.keys(facets), "sort", "run", "chart", "compare", "as"];

// Opening or closing something is a step that Back undoes; typing a letter of a search is not.
function remember(step = false) {
  const address = `#${new URLSearchParams(stateKeys.filter((key) => state[key]).map((key) => [key, state[key]]))}`;
  if (step && (location.hash || "#") !== address) {
    history.pushState(null, "", address);
  } else {
    history.replaceState(null, "", address);
  }
}

function recall() {
  const text = new URLSearchParams(location.hash.slice(1));
  for (const key of stateKeys) {
    state[key] = text.get(key) || "";
  }
  if (!orders[state.sort]) {
    state.sort = "";
  }
}

// ---- the controls ------------------------------------------------------------------

const search = make("input", { type: "search", id: "filter", placeholder: "search: words, all must match  ( / )",
  autocomplete: "off", spellcheck: false, ariaLabel: "search" });
const sort = make("select", { id: "sort", ariaLabel: "order" },
  ...Object.entries(orders).map(([value, order]) => make("option", { value, textContent: order.label })));
const count = make("output", { id: "shown" });
const selects = {};

function makeFacet(key) {
  const counts = new Map();
  for (const run of runs) {
    for (const value of facets[key](run)) {
      counts.set(value, (counts.get(value) || 0) + 1);
    }
  }
  const names = [...counts.keys()].sort();
  if (key === "day") {
    names.reverse();
  }
  const hidden = names.length < (key === "verdict" || owners.includes(key) ? 1 : 2);
  selects[key] = make("select", { id: key, ariaLabel: key, hidden },
    make("option", { value: "", textContent: `any ${key}` }),
    ...names.map((value) => make("option", { value, textContent: `${value} (${counts.get(value)})` })));
  selects[key].addEventListener("change", () => { state[key] = selects[key].value; update(); });
}

function makeControls() {
  Object.keys(facets).forEach(makeFacet);
  search.addEventListener("input", () => { state.filter = search.value; update(); });
  sort.addEventListener("change", () => { state.sort = sort.value; update(); });
  const form = make("form", { className: "controls" }, search, ...Object.values(selects), sort, count);
  form.addEventListener("submit", (event) => event.preventDefault());
  return form;
}

// ---- the table ---------------------------------------------------------------------

// A fact that no run has gets no column, and neither does a fact that is the same for all runs, which is in the line
// above the table: the column with the sentence that names the culprit needs the room.
const said = {
  host: (run) => run.host || "", cpus: (run) => run.cpus === undefined ? "" : run.cpus.toFixed(2),
  samples: (run) => (run.samples || "").toLocaleString("en"), lost: lostText, longest: (run) => run.longest || "",
  verdict: (run) => (run.verdict || []).join(),
};
const same = (name) => Boolean(said[name]) && runs.every((run) => said[name](run) === said[name](runs[0]));
const allColumns = [
  ["when", "Time (UTC)", ""], ["service", "Run", "service"], ["host", "Host", "host"], ["cpus", "CPUs", "cpus"],
  ["samples", "Samples", "samples"], ["lost", "Lost", "lost"], ["longest", "Longest wait", "longest"],
  ["verdict", "Verdict", "verdict"],
];
const columns = allColumns.filter(([name]) => !same(name));
const tbody = make("tbody");
const more = make("p", { className: "more" });
const none = make("p", { className: "none", textContent: "No run matches.", hidden: true });
const SERIOUS = 10000; // lost samples per million: enough to change what a chart shows
const CHUNK = 24, PRINTED = 2000;
let shown = [], drawn = 0;

const plural = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
const ruleText = (rule) => make("span", { className: "rule", title: rule.rule },
  make("span", { className: `mark ${rule.colour}` }, rule.mark), make("span", { className: "text" }, ` ${rule.rule}`));
const marks = (run) => (run.verdict || []).map((i) =>
  make("span", { className: `mark ${rules[i].colour}`, title: rules[i].rule }, rules[i].mark));

// If nothing was lost, the cell is empty: a table full of zeros would hide the losses.
function lostText(run) {
  return run.lost_ppm ? run.lost.replace(/^.*\(|\)$/g, "") : "";
}

// "Host vm, CPUs 0.50": facts that are the same for all runs.  A verdict has its marks in the calendar.
function sameText() {
  return allColumns.filter(([name]) => name !== "verdict" && same(name) && said[name](runs[0]))
    .map(([name, label]) => `${label} ${said[name](runs[0])}`).join(", ");
}

// "CPU over time: process 8513" becomes the link "CPU over time": the row has the rest.
const shortLabel = (chart) => [chart.title.split(": ")[0] || chart.kind, chart.type].filter(Boolean).join(" ");

function thumb(run) {
  const image = run.thumb ? make("img", { src: run.thumb, alt: "", loading: "lazy", decoding: "async" }) : null;
  return make("span", { className: run.thumb ? "thumb" : "thumb empty" }, image);
}

// A click on the link to a chart opens the chart beside the list, unless the reader asks for a new tab.
function follow(event, run, chart) {
  if (!event.ctrlKey && !event.metaKey && !event.shiftKey && !isSource(chart)) {
    event.preventDefault();
    openChart(run, chart);
    remember(true);
  }
}

/* The line that names the culprit, as on the run's page (captures.h). */
function factOf(run) {
  const lines = run.headline.trim().split("\n");
  return lines.length > 2 || /^Nothing stands out/.test(lines[1]) ? lines[1] : lines[0];
}

// Two lines: who did it, which leads to the page of the run; what was recorded.
function whatRan(run) {
  const name = run.service || run.name;
  const text = run.headline ? factOf(run).replaceAll(" %", "\u00a0%") : name;
  const page = make("a", { href: run.page, title: run.headline || "", textContent: text });
  return [make("p", { className: "headline" }, page), run.headline ? make("span", { textContent: name }) : null];
}

function cells(run) {
  const link = make("a", { href: run.first.url, className: "open" }, thumb(run),
    make("time", { dateTime: `${run.day}T${run.time}Z` }, `${run.day} ${run.time}`));
  link.addEventListener("click", (event) => follow(event, run, run.first));
  return {
    when: [pickBox(run), link, make("small", { textContent: run.length || (run.written ? "written" : "") })],
    service: whatRan(run),
    host: [make("span", { textContent: said.host(run) })],
    cpus: [said.cpus(run)],
    samples: [said.samples(run)],
    lost: [make("span", { className: run.lost_ppm >= SERIOUS ? "bad" : "", title: run.losses || "" }, said.lost(run))],
    longest: [said.longest(run)],
    verdict: (run.verdict || []).map((i) => ruleText(rules[i])),
  };
}

function makeRow(run) {
  const content = cells(run);
  const row = make("tr", { id: `run-${run.index}` }, ...columns.map(([key, label]) => {
    const cell = make(key === "when" ? "th" : "td", { className: key }, ...content[key]);
    cell.dataset.label = label;
    return cell;
  }));
  row.classList.toggle("current", run.name === state.run);
  return row;
}

function drawTo(end) {
  end = Math.min(end, shown.length);
  tbody.append(...shown.slice(drawn, end).map(makeRow));
  drawn = Math.max(drawn, end);
  more.hidden = drawn >= shown.length;
  more.textContent = more.hidden ? "" : `${(shown.length - drawn).toLocaleString("en")} more below`;
}

// Rows are made when they come into view: making ten thousand at once would take seconds.
const watcher = new IntersectionObserver((entries) => {
  if (entries.some((entry) => entry.isIntersecting) && !more.hidden) {
    drawTo(drawn + CHUNK);
    watcher.unobserve(more);
    watcher.observe(more);
  }
}, { rootMargin: "600px" });

function choose() {
  const words = state.filter.toLowerCase().split(/\s+/).filter(Boolean);
  const chosen = Object.keys(facets).filter((key) => state[key]);
  return runs.filter((run) => words.every((word) => run.text.includes(word)) &&
    chosen.every((key) => facets[key](run).includes(state[key])));
}

function update() {
  shown = choose();
  if (state.sort) {
    shown.sort(orders[state.sort].by);
  }
  drawn = 0;
  tbody.replaceChildren();
  drawTo(CHUNK);
  none.hidden = shown.length > 0;
  count.value = shown.length === runs.length ? "" :
    `${shown.length.toLocaleString("en")} of ${plural(runs.length, "run")}`;
  for (const [, , key, button] of heads) {
    button.parentNode.setAttribute("aria-sort", key === state.sort ? key ? "other" : "descending" : "none");
  }
  scheduleCalendar();
  remember();
}

const heads = columns.map(([name, label, key]) =>
  [name, label, key, make("button", { type: "button", textContent: label })]);

function makeTable() {
  for (const [, , key, button] of heads) {
    button.addEventListener("click", () => {
      sort.value = state.sort = key || (state.sort === "" ? "oldest" : "");
      update();
    });
  }
  return make("table", { className: "runs" },
    make("thead", {}, make("tr", {}, ...heads.map(([name, , , button]) =>
      make("th", { scope: "col", className: name }, button)))), tbody);
}

// ---- the page ----------------------------------------------------------------------

function show() {
  recall();
  search.value = state.filter;
  sort.value = state.sort;
  for (const key of Object.keys(facets)) {
    selects[key].value = state[key];
  }
  const run = runs.find((other) => other.name === state.run);
  const chart = run && members(run).find((other) => other.url === state.chart);
  update();
  const list = compared();
  if (list.length > 1) {
    openComparison(list, state.chart, state.as);
    return;
  }
  closeComparison();
  if (run && !isSource(chart || run.first)) {
    openChart(run, chart || run.first);
  } else {
    closeChart();
  }
}

// A single run is what the reader wants to see; "#", as in the link "All runs", asks for the table.
function opensAlone() {
  return runs.length === 1 && !location.href.includes("#");
}

function start() {
  if (opensAlone()) {
    location.replace(runs[0].page);
    return;
  }
  document.querySelector(".summary").append(sameText() && ` \u00b7 ${sameText()}`);
  document.querySelector(".top").append(makeControls());
  document.querySelector("main").append(make("div", { className: "list" }, calendar, choice, none, makeTable(), more),
    pane, comparison);
  watcher.observe(more);
  addEventListener("hashchange", show);
  addEventListener("keydown", onKey);
  addEventListener("beforeprint", () => { drawTo(PRINTED); drawCalendar(); });
  show();
}
