// The page of pyrograph web: filter and order.  Without this script the page is
// complete, in a fixed order.
"use strict";

(() => {
  const main = document.querySelector("main");
  const form = document.querySelector(".controls");
  const filter = document.getElementById("filter");
  const sort = document.getElementById("sort");
  const shown = document.getElementById("shown");
  if (!form) {
    return;
  }

  // Each capture with its text and its position on the page.
  const text = (element) => element.textContent.toLowerCase();
  const captures = [...document.querySelectorAll(".capture")].map((element) => {
    const threads = [...element.querySelectorAll(".thread")].map((thread) => ({
      element: thread,
      text: text(thread),
    }));
    const details = element.querySelector(".threads");
    const data = element.dataset;
    const whole = `${data.day} ${data.host} ${text(element)}`.toLowerCase();
    return {
      element, threads, details, data,
      home: element.parentNode,
      open: Boolean(details && details.open),
      own: details ? whole.replace(text(details), "") : whole,
    };
  });
  const sections = [...document.querySelectorAll(".host, .day")]; // outer before inner

  const compare = {
    newest: (a, b) => b.data.time - a.data.time,
    oldest: (a, b) => a.data.time - b.data.time,
    title: (a, b) => a.data.title.localeCompare(b.data.title),
    size: (a, b) => b.data.size - a.data.size,
    lost: (a, b) => b.data.lost - a.data.lost,
  };

  // Show a capture whose own text has every word with all of its threads;
  // else only the threads that have the missing words.
  function filterCapture(capture, words) {
    const missing = words.filter((word) => !capture.own.includes(word));
    let matches = 0;
    for (const thread of capture.threads) {
      const match = missing.every((word) => thread.text.includes(word));
      thread.element.hidden = !match;
      matches += match;
    }
    if (capture.details) {
      capture.details.open = missing.length ? matches > 0 : capture.open;
    }
    capture.element.hidden = missing.length > 0 && !matches;
    return !capture.element.hidden;
  }

  function applyFilter() {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const count = captures.filter((capture) => filterCapture(capture, words)).length;
    for (const section of sections) {
      section.hidden = !section.querySelector(".capture:not([hidden])");
    }
    shown.value = words.length ? `${count} of ${captures.length}` : "";
  }

  // By day and host: the original order.  Else one flat list, each with its day and host.
  function applySort() {
    const order = compare[sort.value];
    const list = order ? [...captures].sort(order) : captures;
    for (const capture of list) {
      (order ? main : capture.home).append(capture.element);
    }
    main.classList.toggle("flat", Boolean(order));
    applyFilter();
  }

  // #filter=java&sort=lost, so that a view can be linked to.
  function remember() {
    const state = new URLSearchParams();
    if (filter.value) {
      state.set("filter", filter.value);
    }
    if (sort.value) {
      state.set("sort", sort.value);
    }
    history.replaceState(null, "", `#${state}`);
  }

  function recall() {
    const state = new URLSearchParams(location.hash.slice(1));
    filter.value = state.get("filter") || "";
    sort.value = state.get("sort") || "";
    if (sort.selectedIndex < 0) {
      sort.value = "";
    }
    applySort();
  }

  for (const capture of captures.filter((c) => c.details)) {
    capture.details.querySelector("summary").addEventListener("click", () => {
      capture.open = !capture.details.open;
    });
  }
  form.addEventListener("submit", (event) => event.preventDefault());
  filter.addEventListener("input", () => { applyFilter(); remember(); });
  sort.addEventListener("change", () => { applySort(); remember(); });
  addEventListener("hashchange", recall);
  addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== filter) {
      event.preventDefault();
      filter.focus();
    }
  });
  form.hidden = false;
  recall();
})();
