
/* global CHUNK, compared, drawTo, drawn, leaveComparison, make, marks, openComparison, plural, remember, ruleText */
/* global rules, runs, search, selects, shortLabel, shown, start, state, tbody, update */
/* exported isSource, mayBeLive, onKey, scheduleCalendar */

// ---- a chart beside the list -------------------------------------------------------------
//
// Anybody may have made a chart.  Its frame is sandboxed, so the chart's scripts run in an origin of their own and
// can neither see nor change this page.  A server's policy may forbid frames, which is found out before the first one;
// the browser remembers the answer.

const pane = make("section", { id: "pane", ariaLabel: "chart", hidden: true });
const FRAMES = `pyrograph frames ${location.pathname}`;
let mayFrame = location.protocol === "file:" ? "yes" : recallFrames(); // null: not known yet
let opened = null, focusBack = null;

function recallFrames() {
  try {
    return localStorage.getItem(FRAMES);
  } catch {
    return null; // storage may be switched off
  }
}

function rememberFrames(answer) {
  mayFrame = answer;
  try {
    localStorage.setItem(FRAMES, answer);
  } catch {
    // asked again next time
  }
}

// Does a policy with this text forbid frames of this page's origin?
function forbidsFrames(policy) {
  const lists = new Map(policy.split(";").map((text) => text.trim().toLowerCase().split(/\s+/))
    .reverse().map(([name, ...sources]) => [name, sources])); // the first of a name counts
  const sources = lists.get("frame-src") || lists.get("child-src") || lists.get("default-src");
  return Boolean(sources) && sources.every((source) => source === "'none'");
}

// A forbidden frame would cause an error on the console, and scripts cannot read the policies.  But every policy that
// forbids eval(), as the page's own does, reports its text in an event when eval() is called.  Chromium prints no
// error for such a call, because it throws.  The page's own policy is the last one to report.  If a browser changes
// its wording, we do not recognise it, and wait for ANSWER_MS.
const ANSWER_MS = 300;

function policiesForbidFrames() {
  const own = document.querySelector("meta[http-equiv=Content-Security-Policy]")?.content;
  return new Promise((resolve) => {
    let forbidden = false;
    const finish = () => {
      document.removeEventListener("securitypolicyviolation", listen);
      resolve(forbidden);
    };
    const listen = (event) => {
      forbidden = forbidden || event.disposition === "enforce" && forbidsFrames(event.originalPolicy);
      if (event.originalPolicy === own) {
        finish();
      }
    };
    document.addEventListener("securitypolicyviolation", listen);
    try {
      window.eval("0"); // eslint-disable-line no-eval -- a constant
      finish(); // no policy at all
    } catch {
      setTimeout(finish, ANSWER_MS);
    }
  });
}

const isSource = (chart) => ["data", "folded", "text", ""].includes(chart.type);
const isPicture = (chart) => !chart.type || chart.type === "PNG";

function chartView(chart) {
  if (chart.problem) {
    return make("p", { className: "bad", textContent: chart.problem });
  }
  if (!isPicture(chart)) {
    return make("p", {}, `A ${chart.type} file: `, make("a", { href: chart.url, textContent: "open it" }));
  }
  return chart.type || !mayBeLive() ? still(chart) : frameOf(chart);
}

function frameOf(chart) {
  const frame = make("iframe", { title: chart.title, referrerPolicy: "no-referrer" });
  frame.sandbox.add("allow-scripts", "allow-downloads");
  // Of files, only a frame that has an origin may load the script beside the chart.  Browsers give
  // each file an origin of its own, so the frame cannot reach this page.  The sandbox keeps it from opening other
  // pages and dialogs.
  if (chart.script && location.protocol === "file:") {
    frame.sandbox.add("allow-same-origin");
  }
  frame.src = chart.url;
  return frame;
}

// Not before the answer is known; the charts are drawn again then.
let asking = false;

function mayBeLive() {
  if (!mayFrame && !asking) {
    asking = true;
    policiesForbidFrames().then((forbidden) => {
      rememberFrames(forbidden ? "no" : "yes");
      drawAgain();
    });
  }
  return mayFrame === "yes";
}

function drawAgain() {
  if (opened) {
    openChart(opened.run, opened.chart);
  } else if (state.compare) {
    openComparison(compared(), state.chart, state.as);
  }
}

function still(chart) {
  const alone = make("a", { href: chart.url, target: "_blank", rel: "noopener", textContent: "Open it live, alone" });
  return make("div", { className: "still" },
    chart.type ? null : make("p", {}, mayFrame === "no" ? "The server forbids frames: this is a picture. " : "", alone),
    make("img", { src: chart.url, alt: chart.title }));
}

document.addEventListener("securitypolicyviolation", (event) => {
  if (mayFrame === "yes" && /^(frame|child|default)-src/.test(event.effectiveDirective)) {
    rememberFrames("no");
    drawAgain();
  }
});

function chartTabs(run, chart) {
  const tabs = (run.charts || []).map((other) => {
    const tab = make("button", { type: "button", title: other.title || "",
      textContent: shortLabel(other) });
    tab.setAttribute("aria-pressed", other === chart);
    tab.addEventListener("click", () => goToChart(run, other));
    return tab;
  });
  if (!run.threads) {
    return tabs;
  }
  const threads = make("select", { ariaLabel: "thread" },
    make("option", { value: "", textContent: plural(run.threads.length, "thread") }),
    ...run.threads.map((thread) => make("option", { value: thread.url, selected: thread === chart,
      textContent: [thread.title, thread.total].filter(Boolean).join(", ") })));
  threads.addEventListener("change", () =>
    goToChart(run, run.threads.find((thread) => thread.url === threads.value) || run.first));
  return [...tabs, threads];
}

// The charts say what was found, too, and they need the room: open only if the one before it is.
function aboutRun(run) {
  if (!run.headline && !run.command && !run.sources) {
    return null;
  }
  return make("details", { className: "about", open: Boolean(pane.querySelector(".about[open]")) },
    make("summary", { textContent: "About this run" }),
    run.headline ? make("p", { className: "headline", textContent: run.headline.trim() }) : null,
    run.command ? make("p", { className: "command", textContent: run.command }) : null,
    run.sources ? make("p", { className: "files" }, ...run.sources.map((source) =>
      make("a", { href: source.url, textContent: source.title }))) : null);
}

function paneHead(run, chart) {
  const close = make("button", { type: "button", className: "close", textContent: "Close", title: "Esc" });
  close.addEventListener("click", leaveChart);
  const lost = run.lost_ppm ? `lost ${run.lost}` : "";
  const facts = [run.host, `${run.day} ${run.time}`, run.length, run.rate, lost, run.losses];
  return make("header", {},
    make("h2", { textContent: chart.title }),
    make("a", { href: run.page, textContent: "Whole run" }),
    make("a", { href: chart.url, target: "_blank", rel: "noopener", textContent: "Open alone" }), close,
    make("p", { className: "facts", textContent: facts.filter(Boolean).join(" \u00b7 ") }),
    aboutRun(run),
    make("nav", {}, ...chartTabs(run, chart)));
}

function markCurrent() {
  for (const row of tbody.querySelectorAll(".current")) {
    row.classList.remove("current");
  }
  if (opened) {
    document.getElementById(`run-${opened.run.index}`)?.classList.add("current");
  }
}

function openChart(run, chart) {
  if (!pane.contains(document.activeElement) && document.activeElement !== document.body) {
    focusBack = document.activeElement;
  }
  const within = pane.contains(document.activeElement);
  opened = { run, chart };
  state.run = run.name;
  state.chart = chart === run.first ? "" : chart.url;
  pane.replaceChildren(paneHead(run, chart), chartView(chart));
  pane.hidden = false;
  document.body.classList.add("split");
  if (within) {
    pane.querySelector("[aria-pressed=true], select, .close").focus();
  }
  markCurrent();
}

// A step of the reader, which Back undoes.
function goToChart(run, chart) {
  openChart(run, chart);
  remember(true);
}

function closeChart() {
  if (!opened) {
    return;
  }
  opened = null;
  state.run = state.chart = "";
  pane.hidden = true;
  pane.replaceChildren();
  document.body.classList.remove("split");
  markCurrent();
  focusBack?.focus();
}

function leaveChart() {
  closeChart();
  remember(true);
}

// ---- a calendar: a block for each run, in a row for each host --------------------------------

const calendar = make("details", { className: "calendar", open: true });
const DAYS = 31, HOSTS = 40, BLOCKS = 12;
let calendarTimer = 0;

// The calendar is drawn a little after a keystroke, because the list comes first.
function scheduleCalendar() {
  clearTimeout(calendarTimer);
  calendarTimer = setTimeout(drawCalendar, 120);
}

function block(run) {
  const what = [run.host, run.day, run.time, run.service, ...(run.verdict || []).map((i) => rules[i].rule)];
  const title = what.filter(Boolean).join(" \u00b7 ");
  const element = make("button", { type: "button", className: "block", title }, ...marks(run));
  element.ariaLabel = element.title;
  element.addEventListener("click", () => goToChart(run, run.first));
  return element;
}

function dayCell(list) {
  const hidden = list.length - BLOCKS;
  // Runs with a verdict come first, so that they are not hidden.
  const order = hidden > 0 ? [...list].sort((a, b) => !a.verdict - !b.verdict) : list;
  const rest = hidden > 0 ? make("button", { type: "button", className: "rest", textContent: `+${hidden}` }) : null;
  rest?.addEventListener("click", () => {
    state.day = list[0].day;
    state.host = list[0].host || "";
    selects.day.value = state.day;
    selects.host.value = state.host;
    update();
  });
  return make("td", {}, ...order.slice(0, BLOCKS).sort((a, b) => b.index - a.index).map(block), rest);
}

function groupBy(list, key) {
  const groups = new Map();
  for (const item of list) {
    const value = item[key] || "";
    groups.set(value, groups.get(value) || []);
    groups.get(value).push(item);
  }
  return groups;
}

function dayHead(day, i, days) {
  const first = !i || days[i - 1].slice(0, 7) !== day.slice(0, 7);
  return make("th", { scope: "col", title: day, textContent: first ? day : day.slice(8) });
}

function drawCalendar() {
  clearTimeout(calendarTimer);
  const days = [...groupBy(shown, "day").keys()].sort().slice(-DAYS);
  const seen = new Set(days);
  const hosts = [...groupBy(shown.filter((run) => seen.has(run.day)), "host")].sort(([a], [b]) => a.localeCompare(b));
  const given = new Set(runs.flatMap((run) => run.verdict || []));
  const legend = rules.filter((rule, i) => given.has(i)).map(ruleText);
  const rows = hosts.slice(0, HOSTS).map(([host, list]) => {
    const byDay = groupBy(list, "day");
    return make("tr", {}, make("th", { scope: "row", textContent: host || "unknown host" }),
      ...days.map((day) => dayCell(byDay.get(day) || [])));
  });
  const table = make("table", {}, make("thead", {}, make("tr", {}, make("td"), ...days.map(dayHead))),
    make("tbody", {}, ...rows));
  const scroll = make("div", { className: "scroll", tabIndex: 0, ariaLabel: "calendar", role: "region" }, table);
  calendar.hidden = !shown.length;
  calendar.replaceChildren(
    make("summary", {}, `${plural(days.length, "day")}, a block for each run `, ...legend,
      hosts.length > HOSTS ? ` (${HOSTS} of ${hosts.length} hosts)` : ""),
    scroll);
  scroll.scrollLeft = scroll.scrollWidth; // to the newest day
}

// ---- keys --------------------------------------------------------------------------------

function step(by) {
  const rows = [...tbody.rows];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const from = at < 0 ? rows.findIndex((row) => row.classList.contains("current")) : at;
  const next = Math.max(0, from + by);
  if (next >= rows.length - 1) {
    drawTo(drawn + CHUNK);
  }
  const row = tbody.rows[Math.min(next, tbody.rows.length - 1)];
  row?.querySelector("a").focus();
  row?.scrollIntoView({ block: "nearest" });
  if (opened && row) {
    const run = shown[row.sectionRowIndex];
    goToChart(run, (run.charts || []).find((chart) => chart.kind === opened.chart.kind) || run.first);
  }
}

function turn(by) {
  const charts = opened && opened.run.charts || [];
  const chart = charts[charts.indexOf(opened?.chart) + by];
  if (chart) {
    goToChart(opened.run, chart);
  }
}

function onKey(event) {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);
  if (event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  const keys = { j: () => step(1), k: () => step(-1), ArrowDown: () => step(1), ArrowUp: () => step(-1),
    "/": () => { search.focus(); search.select(); }, "]": () => turn(1), "[": () => turn(-1) };
  if (event.key === "Escape") {
    if (document.activeElement === search && search.value) {
      search.value = state.filter = "";
      update();
    } else if (!leaveComparison()) {
      leaveChart();
    }
  } else if (event.key === "ArrowDown" && document.activeElement === search) {
    event.preventDefault();
    step(1);
  } else if (!typing && keys[event.key]) {
    event.preventDefault();
    keys[event.key]();
  }
}

if (runs.length) {
  start();
}
