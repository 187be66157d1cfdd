// Features that all charts share: tips, searches, help, Back, themes, links, saving.  There is a row for each chart,
// and a check for each feature that readers know from other charts.
// Prints TAP; arguments: a directory for pictures, pyrograph-render, the file of timed lines that charts.test.sh made.
"use strict";

const { execFileSync } = require("child_process");
const fs = require("fs");
const path = require("path");
const { is, start, ready, open, hash, texts, shown, press } = require("./pictures");

const [, , directory, render, timed] = process.argv;
const golden = (name) => path.join(__dirname, "../golden", name);

// draw: arguments of pyrograph-render; over: an element that has a tip; found: a regular expression that finds
// something, and the key of the search; step: an action that Back undoes; steps: two keys, each of which makes a step
const CHARTS = [
  { name: "flame", draw: ["flame", golden("flame/plain.folded")],
    over: "#frames rect[data-frame='2']", find: "/", found: "^re[a-z]+", steps: ["i", "r"], step: () => press("i") },
  { name: "states", draw: ["states", golden("states/crowd.folded")],
    over: "#bars-rows rect", find: "f", found: "^sp?[a-z]+", steps: ["w", "p"], step: () => press("w") },
  { name: "tenancy", draw: ["tenancy", "--total", golden("tenancy/time.folded")],
    over: "#bars-rows rect", find: "f", found: "^po[l]+er", steps: ["w", "p"], step: () => press("w") },
  { name: "timeline", draw: ["timeline", golden("timeline/made.folded")],
    over: "#timeline-rows .track", find: "f", found: "^pthread_m[u]tex", steps: ["+", "0"], step: () => press("+") },
  { name: "lanes", draw: ["lanes", golden("lanes/made.folded")],
    over: "#lanes-rows .track", find: "f", found: "^mem[o]ry", steps: ["+", "0"], step: () => press("+") },
  { name: "processes", draw: ["processes", golden("processes/made.folded")],
    over: "#processes-rows .track", find: "f", found: "^mak[e]", steps: ["+", "0"], step: () => press("+") },
  { name: "heat", draw: ["heat", timed],
    over: ".heat-maps canvas", find: "/", found: "^m[a]in$", steps: ["c", "r"], step: () => press("+") },
];
const THEME = "document.querySelector('.pyrograph').dataset.theme";
let page;

const theme = () => page.evaluate(THEME);
const invalid = () => page.locator(".search.invalid").count();
const count = () => page.$$eval(".search .count", (all) => all.map((e) => e.textContent).join(""));

// The elements that are wider than the page; and whether a long line below the chart is cut.
const cutOff = () => page.evaluate(() => {
  const wide = Array.from(document.querySelectorAll(".pyrograph *:not(svg *)")).filter((e) => {
    const box = e.getBoundingClientRect();
    return box.width && box.right > innerWidth + 1 && getComputedStyle(e).visibility !== "hidden" && !e.closest("[hidden], .scroll, .tip, .offscreen");
  }).map((e) => e.className);
  const line = document.querySelector(".foot .details");
  line.textContent = "a long line of many words that says what there is to say about this; ".repeat(12);
  const reached = /auto|scroll/.test(getComputedStyle(line).overflowY);
  return [wide.length ? wide : 0, line.clientHeight && !reached && (line.scrollWidth > line.clientWidth + 1 || line.scrollHeight > line.clientHeight + 1) ? "cut" : 0,
    document.documentElement.scrollWidth > innerWidth].map(String).join();
});

// A check that leaves the chart as it was saves opening the chart anew for the next check.
const AS_IT_WAS = true;
const CHECKS = [
  ["the toolbar: search, view, help", async () => {
    const names = await page.$$eval(".tools > *", (all) => all.map((e) => e.className));
    return names.some((name) => /^search/.test(name)) && names.slice(-1)[0] === "help" && names.includes("view");
  }, AS_IT_WAS],
  ["a tip beside the pointer", async ({ over }) => {
    const box = await page.locator(over).first().boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.move(box.x + box.width / 2 + 1, box.y + box.height / 2);
    await page.waitForSelector(".tip:not([hidden])");
    return (await page.textContent(".tip:not([hidden])")).length > 3;
  }],
  ["search: a regular expression", async ({ find, found }) => {
    await press(find);
    await page.keyboard.type(found);
    await page.waitForFunction(() => Array.from(document.querySelectorAll(".search .count"), (e) => e.textContent).join("") !== "");
    return (await count()) !== "" && await invalid() === 0;
  }],
  ["... which the link has", async ({ find, found }) => {
    await press(find);
    await page.keyboard.type(found);
    await page.waitForFunction((text) => decodeURIComponent(location.hash).endsWith(text), found);
    const text = await hash();
    await page.reload();
    await ready();
    return await hash() === text && (await page.$$eval(".search input", (all) => all.map((e) => e.value))).includes(found);
  }],
  ["... a wrong one is marked, and told", async ({ find }) => {
    await press(find);
    await page.keyboard.type("a(");
    await page.waitForSelector(".search.invalid");
    return (await page.textContent(".foot")).includes("Not a regular expression: a(");
  }],
  ["... letters of both cases", async ({ find, found }) => {
    await press(find);
    await page.keyboard.type(found.toUpperCase().replace(/\[A-Z\]/g, "[a-z]"));
    await page.waitForFunction(() => /s=/.test(location.hash));
    await page.keyboard.press("Control+i");
    await page.waitForFunction(() => /si=/.test(location.hash));
    return page.$$eval(".search .case", (all) => all.some((e) => e.getAttribute("aria-pressed") === "true"));
  }],
  ["... Ctrl+F and F3 go there, Esc empties the box and leaves it", async ({ found }) => {
    const at = () => page.evaluate(() => document.activeElement?.closest(".of-search")?.querySelector("input").value);
    await press("F3");
    const empty = await at();
    await page.keyboard.type(found);
    await page.waitForFunction((text) => decodeURIComponent(location.hash).endsWith(text), found);
    await press("Escape");
    const left = await at(), link = await hash();
    await press("Control+f");
    return empty === "" && left === undefined && link === "" && await at() === "";
  }],
  ["help: ?", async () => {
    await press("?");
    const open_ = await shown(".help-box"), words = (await texts(".help-row")).join();
    await press("Escape");
    return open_ && /Search/.test(words) && /Save the view as SVG/.test(words) && /Pointer and keys/.test(words) && !await shown(".help-box");
  }, AS_IT_WAS],
  ["help: F1", async () => {
    await press("F1");
    const open_ = await shown(".help-box");
    await press("F1");
    return open_ && !await shown(".help-box");
  }, AS_IT_WAS],
  ["Back undoes a step, Forward does it again", async ({ step }) => {
    const before = await hash();
    await step();
    await page.waitForFunction((text) => decodeURIComponent(location.hash) !== text, before);
    const there = await hash();
    await page.goBack();
    await page.waitForFunction((text) => decodeURIComponent(location.hash) === text, before);
    await page.goForward();
    await page.waitForFunction((text) => decodeURIComponent(location.hash) === text, there);
    return there !== before;
  }],
  ["Backspace undoes it, too", async ({ step }) => {
    const before = await hash();
    await step();
    await page.waitForFunction((text) => decodeURIComponent(location.hash) !== text, before);
    await press("Backspace");
    await page.waitForFunction((text) => decodeURIComponent(location.hash) === text, before);
    return true;
  }],
  ["keys find the step undone before the browser has gone back", async ({ steps: [first, second] }) => page.evaluate((keys) => {
    const after = (key) => {
      document.querySelector("svg").dispatchEvent(new KeyboardEvent("keydown", { key: key, bubbles: true }));
      return Array.from(document.querySelectorAll(".sheet > :not(.foot, .heat-foot)"), (e) => e.outerHTML).join();
    };
    const seen = ["Backspace", ...keys, "Backspace", "Backspace", keys[0], "Backspace"].map(after);
    return seen[0] !== seen[1] && seen[1] !== seen[2] && [1, 0, 1, 0].every((n, i) => seen[i + 3] === seen[n]);
  }, [first, second])],
  ["D: dark, and the link has it", async () => {
    const before = await theme();
    await press("d");
    const dark = await theme();
    await page.reload();
    await ready();
    return before === "light" && dark === "dark" && await theme() === "dark" && await hash() === "#t=dark";
  }],
  ["the view menu: themes, saving", async () => {
    await press("v");
    const items = (await texts(".menu .menu-label")).join();
    await press("Escape");
    return /Dark/.test(items) && /Save the view as SVG/.test(items) && /Save the view as PNG/.test(items) && /link/.test(items);
  }, AS_IT_WAS],
  ["S saves an SVG without a script", async () => {
    const [saved] = await Promise.all([page.waitForEvent("download"), press("S")]);
    const text = fs.readFileSync(await saved.path(), "utf8");
    return /^<\?xml/.test(text) && /<\/svg>\s*$/.test(text) && !/<script/.test(text);
  }, AS_IT_WAS],
  ["P saves a PNG", async () => {
    const [saved] = await Promise.all([page.waitForEvent("download"), press("P")]);
    return fs.readFileSync(await saved.path()).subarray(1, 4).toString() === "PNG";
  }, AS_IT_WAS],
  ["every key runs, and every item of a menu that has none", async ({ find, found }) => {
    await press(find);
    await page.keyboard.type(found);
    await page.waitForFunction(() => /s=/.test(location.hash));
    return page.evaluate(async () => {
      const KEYS = [..."abcdeghijklmnopqrtuvwxyzABCDEFGHIJKLMNOQRTUVWXYZ0123456789+-.,[] ", "ArrowUp", "ArrowLeft", "ArrowRight", "PageUp",
        "PageDown", "Home", "End", "Delete", "Enter", "Backspace"];
      const errors = [];
      let items = 0;
      const frame = () => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); });
      const key = (name) => {
        document.activeElement?.blur();
        document.querySelector("svg").dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
      };
      window.addEventListener("error", ({ message }) => errors.push(message));
      Object.defineProperty(navigator, "clipboard", { value: { writeText: async () => {} } }); // whatever has the focus
      for (const name of KEYS) {
        key("ArrowDown");
        key(name);
        if (document.querySelector(".menu:not([hidden]), .shade:not([hidden])"))
          key("Escape");
      }
      for (const opener of ["v", "M"]) {
        for (let i = 0, item; i === 0 || item; i++) {
          key("ArrowDown");
          key(opener);
          item = document.querySelectorAll(".menu:not([hidden]) [role^=menuitem]:not([data-key])")[i];
          if (item && !/^Save/.test(item.textContent)) {
            item.click();
            items++;
          }
          key("Escape");
        }
      }
      await frame();
      return errors.length === 0 && items > 1 || JSON.stringify([errors, items]);
    });
  }],
  ["a phone: nothing is wider, and long lines can be read to their end", async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await page.reload();
    await ready();
    const light = await cutOff();
    await press("d");
    const dark = await cutOff();
    await page.setViewportSize({ width: 1200, height: 800 });
    return (light === "0,0,false" && dark === light) || `${light} ${dark}`;
  }],
  ["paper: light, whole lines, and nothing for the hand", async () => {
    await press("d");
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
    const seen = [await cutOff(), await shown(".tools"), await page.$eval(".pyrograph", (e) => getComputedStyle(e).getPropertyValue("--back").trim())].join();
    await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
    await page.emulateMedia({ media: "screen" });
    return seen === "0,0,false,false,#fff" || seen;
  }],
];

async function use(chart) {
  const [verb, ...how] = chart.draw;
  execFileSync(render, [verb, "-q", "-o", path.join(directory, chart.name + ".svg"), ...how]);
  let fresh = false;
  for (const [what, check, leaves] of CHECKS) {
    if (!fresh)
      await open(chart.name);
    const found = await check(chart).catch((error) => error.message.split("\n")[0]);
    is(`${chart.name}: ${what}`, found, true);
    fresh = found === true && leaves === AS_IT_WAS;
  }
}

start([async (first) => {
  const known = /^Charts: (.*)\.$/m.exec(execFileSync(render, ["script", "--help"], { encoding: "utf8" }))[1];
  is("every chart has a row here", CHARTS.map((chart) => chart.name).sort(), known.split(", ").sort());
  page = first;
}, ...CHARTS.map((chart) => () => use(chart))]);
