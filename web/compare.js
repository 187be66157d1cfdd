/* global factOf, frameOf, isPicture, make, marks, mayBeLive, plural, remember, runs, shortLabel, state, still */
/* global tbody */
/* exported choice, compared, leaveComparison, openComparison, pickBox */

// ---- charts of several runs, side by side ------------------------------------------------------
//
// Each chart is in a sandboxed frame.  What is done in one is done in the others: a chart tells its view, the text of
// a link, and the others show it.  From a frame this page takes nothing but such a text, and hands it to charts of the
// same kind alone; a chart that is not pyrograph's is not asked.

const VIEW_MAX = 100000, COMPARED_MAX = 12;
const picked = new Set();
const choice = make("p", { className: "choice", hidden: true, role: "status" });
const comparison = make("section", { id: "compare", ariaLabel: "comparison", hidden: true });
const linked = make("input", { type: "checkbox", checked: true });
let beside = []; // { frame, chart, run, ready } of each compared chart

// The runs that the address names.
function compared() {
  let names = [];
  try {
    names = JSON.parse(state.compare || "[]");
  } catch {
    return []; // somebody else's address
  }
  return Array.isArray(names) ? names.map((name) => runs.find((run) => run.name === name)).filter(Boolean) : [];
}

// ---- choosing --------------------------------------------------------------------------------

function drawChoice() {
  const compare = make("button", { type: "button", textContent: "Compare", disabled: picked.size < 2 });
  const clear = make("button", { type: "button", textContent: "Clear" });
  compare.addEventListener("click", () => {
    openComparison([...picked].sort((a, b) => b.index - a.index).slice(0, COMPARED_MAX), "");
    remember(true);
  });
  clear.addEventListener("click", () => {
    picked.clear();
    for (const box of tbody.querySelectorAll(".pick")) {
      box.checked = false;
    }
    drawChoice();
  });
  choice.hidden = !picked.size;
  choice.replaceChildren(`${plural(picked.size, "run")} chosen `, compare, " ", clear,
    picked.size > COMPARED_MAX ? ` the first ${COMPARED_MAX} are compared` : "");
}

function pickBox(run) {
  const box = make("input", { type: "checkbox", className: "pick", checked: picked.has(run),
    ariaLabel: `compare ${[run.host, run.day, run.time].filter(Boolean).join(" ")}` });
  box.addEventListener("change", () => {
    picked[box.checked ? "add" : "delete"](run);
    drawChoice();
  });
  return box;
}

// ---- what is compared ---------------------------------------------------------------------------

const sortOf = (chart) => `${chart.kind} ${shortLabel(chart)}`;
const charts = (run) => (run.charts || []).filter((chart) => isPicture(chart) && !chart.problem);

// The kinds of charts that at least two of the runs have.
function sortsOf(list) {
  const counts = new Map();
  for (const run of list) {
    for (const sort of new Set(charts(run).map(sortOf))) {
      counts.set(sort, (counts.get(sort) || 0) + 1);
    }
  }
  return [...counts].filter(([, count]) => count > 1).map(([sort]) => sort);
}

function figure(run, chart) {
  const view = mayBeLive() && !chart.type ? frameOf(chart) : still(chart);
  if (view.contentWindow !== undefined) {
    beside.push({ frame: view, chart, run });
  }
  return make("figure", {}, make("figcaption", {}, ...marks(run), " ",
    make("a", { href: run.page, textContent: [run.host, run.day, run.time].filter(Boolean).join(" ") }),
    ` ${[run.service, run.headline && factOf(run)].filter(Boolean).join(" \u00b7 ")}`), view);
}

function head(list, sorts) {
  const which = make("select", { ariaLabel: "kind of chart" },
    ...sorts.map((sort) => make("option", { value: sort, textContent: sort.replace(/^\S+ /, ""),
      selected: sort === state.chart })));
  const close = make("button", { type: "button", className: "close", textContent: "Close", title: "Esc" });
  which.addEventListener("change", () => {
    openComparison(list, which.value);
    remember(true);
  });
  close.addEventListener("click", leaveComparison);
  const isFlame = /^flame /.test(state.chart);
  const difference = make("button", { type: "button", textContent: "Difference", hidden: list.length !== 2 || !isFlame,
    title: "the second less the first: the first chart gets the second's profile" });
  const merge = make("button", { type: "button", textContent: "Merge", hidden: !isFlame,
    title: "the sum of all: the first chart gets the profiles of the others" });
  const axis = make("button", { type: "button", textContent: "One time axis", hidden: !/^heat /.test(state.chart),
    title: "as much of each as the shortest has" });
  axis.addEventListener("click", askExtents);
  const ask = (what) => {
    askProfiles(what);
    remember(true);
  };
  difference.addEventListener("click", () => ask("difference"));
  merge.addEventListener("click", () => ask("merged"));
  return make("header", {}, make("h2", { textContent: `${plural(list.length, "run")} side by side` }), which,
    make("label", {}, linked, " one zoom, search and selection for all"), difference, merge, axis, answer, close);
}

// as: "difference" or "merged" is requested as soon as the charts are there; "": side by side.
function openComparison(list, sort, as = "") {
  const sorts = sortsOf(list);
  beside = [];
  asked = extents = null;
  answer.textContent = "";
  state.compare = JSON.stringify(list.map((run) => run.name));
  state.chart = sorts.includes(sort) ? sort : sorts[0] || "";
  state.run = "";
  state.as = as;
  const shown = list.flatMap((run) => charts(run).filter((chart) => sortOf(chart) === state.chart).slice(0, 1)
    .map((chart) => figure(run, chart)));
  comparison.replaceChildren(head(list, sorts), shown.length ? make("div", { className: "beside" }, ...shown)
    : make("p", { className: "none", textContent: "These runs have no charts of one kind." }));
  comparison.hidden = false;
  document.body.classList.add("comparing");
  comparison.querySelector(".close").focus();
}

function closeComparison() {
  if (comparison.hidden) {
    return false;
  }
  beside = [];
  asked = extents = null;
  state.compare = state.chart = state.as = "";
  comparison.hidden = true;
  comparison.replaceChildren();
  document.body.classList.remove("comparing");
  return true;
}

function leaveComparison() {
  const left = closeComparison();
  remember(true);
  return left;
}

// ---- flame graphs in one -------------------------------------------------------------------------
//
// The first chart draws it, and so gets the others' profiles; nothing is handed over before the reader asks for it.

const answer = make("span", { role: "status" });
let asked = null; // { what, profiles }: what was requested, and the profiles that have arrived, in the order of beside

function askProfiles(what) {
  asked = { what, profiles: beside.slice(1).map(() => null) };
  state.as = what;
  answer.textContent = beside.length > 1 ? "" : "The charts must be live: see above them.";
  for (const { frame } of beside.slice(1)) {
    frame.contentWindow.postMessage({ pyrograph: "profile" }, "*");
  }
}

function takeProfile(from, profile) {
  const { what, profiles } = asked;
  profiles[beside.indexOf(from) - 1] = profile;
  const missing = profiles.filter((one) => !one).length;
  answer.textContent = missing ? `${plural(missing, "chart")} to come` : "";
  if (missing) {
    return;
  }
  asked = null;
  const names = beside.map(({ run }) => [run.host, run.day, run.time].filter(Boolean).join(" "));
  beside[0].frame.contentWindow.postMessage({ pyrograph: what, profile: profiles[0], profiles, names }, "*");
  comparison.querySelector(".beside").classList.add("one");
}

function tellRefused() {
  comparison.querySelector(".beside").classList.remove("one");
  answer.textContent = "These charts count in different units.";
}

// ---- heat maps on one time axis -------------------------------------------------------------------

let extents = null; // { from, ns } of each, in the order of beside

function askExtents() {
  extents = beside.map(() => null);
  for (const { frame } of beside) {
    frame.contentWindow.postMessage({ pyrograph: "extent" }, "*");
  }
}

// Each chart shows as much time as the shortest one has, from its own beginning, so that a second is as wide in all of
// them.
function takeExtent(from, { from: begin, ns }) {
  if (!(begin >= 0 && ns > 0 && begin + ns <= Number.MAX_SAFE_INTEGER)) {
    return;
  }
  extents[beside.indexOf(from)] = { begin, ns };
  if (extents.every(Boolean)) {
    const shortest = Math.min(...extents.map((one) => one.ns));
    extents.forEach((one, i) => beside[i].frame.contentWindow.postMessage({ pyrograph: "view",
      view: `from=${one.begin}&to=${one.begin + shortest}` }, "*"));
    extents = null;
  }
}

// ---- one view for all ------------------------------------------------------------------------------

addEventListener("message", (event) => {
  const from = beside.find(({ frame }) => frame.contentWindow === event.source);
  const { pyrograph: what, view } = event.data && typeof event.data === "object" ? event.data : {};
  if (!from || !from.chart.kind) {
    return;
  }
  if (what === "ready") {
    event.source.postMessage({ pyrograph: "link" }, "*");
    from.ready = true;
    if (/^(difference|merged)$/.test(state.as) && /^flame /.test(state.chart) && beside.every(({ ready }) => ready)) {
      askProfiles(state.as);
    }
  } else if (what === "profile" && asked && beside.indexOf(from) > 0 && event.data.profile) {
    takeProfile(from, event.data.profile);
  } else if (what === "extent" && extents) {
    takeExtent(from, event.data);
  } else if (what === "refused" && from === beside[0]) {
    tellRefused();
  } else if (what === "view" && linked.checked && typeof view === "string" && view.length <= VIEW_MAX) {
    for (const other of beside) {
      if (other !== from && other.chart.kind === from.chart.kind) {
        other.frame.contentWindow.postMessage({ pyrograph: "view", view }, "*");
      }
    }
  }
});
