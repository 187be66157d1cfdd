// The page of a run, the list, and a chart of each kind: links and Back work, nothing is wider than the window, and the
// contrast suffices. Prints TAP; arguments: the directory that run.test.sh made, the server's address.
"use strict";

const fs = require("fs");
const path = require("path");
const { fileURLToPath, pathToFileURL } = require("url");
const isRefused = require("./refused");
const launch = require("./launch");

const [directory, server] = process.argv.slice(2);
const PATIENCE_MS = 60000, WIDTHS = [390, 800, 1280];
const CHARTS = ["", "-timeline", "-heat", "-states", "-tenancy", "-lanes", "-processes"].map((suffix) => `vm #1%41${suffix}.svg`);
const runPage = `index-files/${fs.readdirSync(path.join(directory, "index-files")).find((name) => /^run-.*html$/.test(name))}`;
const PAGES = ["index.html#", runPage, ...CHARTS.map((chart) => encodeURIComponent(chart))];
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
let browser;

function is(what, got, wanted) {
  const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)];
  console.log(a === b ? `ok - ${what}` : `not ok - ${what}\n#   got:    ${a}\n#   wanted: ${b}`);
}

// A page whose console must stay empty.
async function newPage(options) {
  const page = await (await browser.newContext(options)).newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  page.seen = [];
  page.on("console", (message) => isRefused(message) || page.seen.push(message.text()));
  page.on("pageerror", (error) => page.seen.push(String(error)));
  page.on("requestfailed", (request) => {
    if (request.failure()?.errorText !== "net::ERR_ABORTED") // a page that is left stops loading
      page.seen.push(request.url());
  });
  return page;
}

// Playwright's own waiting needs eval(), which the page's policy forbids.
async function until(page, what) {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end;) {
    const found = await page.evaluate(what).catch(() => null); // the document may be gone
    if (found)
      return found;
    await new Promise((done) => { setTimeout(done, 10); });
  }
  throw new Error(`waited for ${what}`);
}
const live = () => document.querySelector("svg[data-ready]") && document.querySelector(".siblings") !== null;
const isChart = (name) => /\.svg$/.test(name);

async function open(page, base, name) {
  await page.goto(`${base}/${name}`, { waitUntil: "load" });
  if (isChart(name))
    await until(page, live);
}

async function useLinks(base, where) {
  const page = await newPage({ viewport: { width: 1280, height: 800 } });
  const title = () => page.evaluate(() => document.querySelector(".title, h1").textContent);
  const address = () => decodeURIComponent(page.url().slice(base.length + 1).split("#")[0]);
  // Click on a link, and wait for the page to which it leads.
  const follow = async (selector, isThere) => {
    await page.evaluate((one) => document.querySelector(one).click(), selector);
    await until(page, isThere);
  };
  const onChart = (suffix) => `document.querySelector("svg[data-ready]") && document.querySelector(".siblings") && document.querySelector(".title").textContent === "Chart${suffix}: java"`;
  const onRun = () => document.readyState === "complete" && document.querySelectorAll("section.chart").length;

  await open(page, base, "index.html#");
  await follow(".runs .headline a", onRun);
  is(`${where}: the list leads to the run`, address(), runPage);
  await follow("section.chart:nth-of-type(2) h2 a", onChart(""));
  is("... the run to a chart", address(), CHARTS[0]);
  is("... which links to the run and its siblings", await page.$$eval(".siblings a", (all) => all.map((a) => a.textContent)),
    ["Whole run", "Chart-timeline", "Chart", "Chart-heat", "Chart-lanes", "Chart-states", "Chart-tenancy", "Chart-processes"]);
  is("... of which it is one", await page.$$eval(".siblings [aria-current]", (all) => all.map((a) => a.textContent)), ["Chart"]);
  await follow(".siblings a:nth-of-type(4)", onChart("-heat"));
  is("... a sibling", [address(), await title()], [CHARTS[2], "Chart-heat: java"]);
  await follow(".siblings a:nth-of-type(1)", onRun);
  is("... and back to the run", address(), runPage);
  for (const [name, isThere] of [[CHARTS[2], onChart("-heat")], [CHARTS[0], onChart("")], [runPage, onRun]]) {
    await page.evaluate(() => history.back());
    await until(page, isThere);
    is(`... Back: ${name}`, address(), name);
  }
  is("... the console stayed empty", page.seen, []);
  await page.context().close();
}

// Lazy images: each comes into sight.
async function useImages(base, where) {
  const page = await newPage({ viewport: { width: 1280, height: 800 } });
  await open(page, base, runPage);
  const count = await page.$$eval(".view", (all) => all.length);
  for (let i = 0; i < count; i++) {
    await page.evaluate((n) => document.querySelectorAll(".view")[n].scrollIntoView(), i);
    await until(page, `document.querySelectorAll(".view img")[${i}].complete && document.querySelectorAll(".view img")[${i}].naturalWidth`);
  }
  is(`${where}: each chart of the run is drawn without its heading`, await page.$$eval(".view", (all) => all.map((view) => {
    const [box, image] = [view.getBoundingClientRect(), view.querySelector("img").getBoundingClientRect()];
    return view.querySelector("svg") && image.top < box.top - 10 && image.width > 100;
  })), CHARTS.map(() => true));
  is("... the console stayed empty", page.seen, []);
  await page.context().close();
}

// In a chart: idle words below it that are cut at the right, and entries of the legend that are half below its edge.
function cut() {
  const legend = document.querySelector(".legend:not([hidden])"), edge = legend ? legend.getBoundingClientRect().bottom : 0;
  return [...document.querySelectorAll(".foot .details.idle")].filter((e) => e.scrollWidth > e.clientWidth)
    .concat([...document.querySelectorAll(".with-rows .legend:not([hidden]) .legend-item")].filter((e) => {
      const { top, bottom } = e.getBoundingClientRect();
      return top < edge - 3 && bottom > edge + 1;
    })).map((e) => e.textContent);
}

async function useWidths(base, where) {
  for (const width of WIDTHS) {
    const page = await newPage({ viewport: { width, height: 800 } });
    for (const name of PAGES) {
      await open(page, base, name);
      is(`${where}: ${decodeURIComponent(name).replace(/^index-files.*/, "the run")} is not wider than ${width} px`, await page.evaluate(() => {
        const box = document.querySelector(".pyrograph .sheet") || document.scrollingElement;
        return box.scrollWidth > box.clientWidth || document.documentElement.scrollWidth > window.innerWidth
          ? [box.scrollWidth, box.clientWidth] : [];
      }), []);
      if (isChart(name))
        is("... no line below the chart is cut, and no row of the legend", await page.evaluate(cut), []);
    }
    is(`... ${width} px: the console stayed empty`, page.seen, []);
    await page.context().close();
  }
}

// A report of everything has twenty charts: all links are in sight, or, on a phone, the current one.
async function useManyLinks(base) {
  for (const width of WIDTHS) {
    const page = await newPage({ viewport: { width, height: 800 } });
    await page.route("**/index-files/run-*.js", async (route) => {
      const text = await (await route.fetch().catch(() => null))?.text() ?? fs.readFileSync(fileURLToPath(route.request().url()), "utf8");
      await route.fulfill({ contentType: "text/javascript", body: `${text};pyrograph.siblings.charts.unshift(...Array(12).fill({ title: "System-call latency", url: "a.svg" }))` });
    });
    await open(page, base, encodeURIComponent(CHARTS[0]));
    const hidden = await page.$$eval(".siblings a", (all) => all.filter((a) => a.getBoundingClientRect().right > innerWidth).length);
    is(`twenty charts, ${width} px: links out of sight`, width < 720 ? hidden > 0 : hidden, width < 720 ? true : 0);
    is("... the current chart's link is in sight", await page.$eval(".siblings [aria-current]", (a) => {
      const { left, right } = a.getBoundingClientRect();
      return left >= 0 && right <= innerWidth - 24;
    }), true);
    await page.context().close();
  }
}

// Letters of 12 px are at least 8 px high; what is beyond the window can be moved into it.
async function usePhone(base) {
  const page = await newPage({ viewport: { width: 390, height: 800 } });
  await open(page, base, runPage);
  is("a phone: labels of flame graphs and heat maps can be read", await page.$$eval(".view.foot, .view.whole", (all) => all.map((view) =>
    [view.querySelector("svg").getBoundingClientRect().width >= 800, getComputedStyle(view).overflowX])), Array(2).fill([true, "auto"]));
  is("... charts of rows are of more than half that size", await page.$$eval(".view:not(.foot, .whole)", (all) => all.map((view) =>
    [view.querySelector("svg").getBoundingClientRect().width >= 700, getComputedStyle(view).overflowX])), Array(5).fill([true, "auto"]));
  await page.context().close();
}

// On paper, nothing is cut off, and there is no control.
async function usePaper(base) {
  const page = await newPage({ viewport: { width: 800, height: 600 } });
  await open(page, base, runPage);
  await page.emulateMedia({ media: "print" });
  is("on paper: the whole of each chart, on one sheet", await page.$$eval(".view", (all) => all.map((view) =>
    [view, ...view.querySelectorAll("svg, img")].map((e) => getComputedStyle(e).maxHeight)).filter(([whole, drawing, image]) =>
    whole !== "none" || !(parseInt(drawing) < 1000) || image !== "none").length), 0);
  await open(page, base, encodeURIComponent(CHARTS[0]));
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  is("... no links to others, no controls", await page.evaluate(() => Array.from(document.querySelectorAll(".siblings, .tools"), (e) => e.offsetHeight)), [0, 0]);
  await page.context().close();
}

async function useContrast(base) {
  for (const colorScheme of ["light", "dark"]) {
    const page = await newPage({ viewport: { width: 1280, height: 800 }, colorScheme, bypassCSP: true });
    for (const name of PAGES) {
      await open(page, base, name);
      // axe-core wants an HTML document, so elements made by a chart's script are put into one, with the chart's style.
      await page.evaluate(() => {
        const own = document.querySelector(".pyrograph");
        if (!own)
          return;
        const css = [...document.adoptedStyleSheets, ...document.styleSheets].map((sheet) => [...sheet.cssRules].map((rule) => rule.cssText).join("\n")).join("\n");
        const copy = own.cloneNode(true);
        copy.querySelector(".overlay").remove(); // the place of menus, which covers everything
        window.copied = { css, html: copy.outerHTML };
      });
      const copied = await page.evaluate(() => window.copied);
      if (copied) {
        await page.goto("about:blank");
        await page.setContent(`<!DOCTYPE html><html lang="en"><title>x</title><style>${copied.css}</style><main>${copied.html}</main></html>`);
      }
      await page.evaluate(axe);
      const found = await page.evaluate(() => window.axe.run(document, { iframes: false, runOnly: { type: "rule", values: ["color-contrast"] } }));
      is(`axe-core: contrast of ${decodeURIComponent(name).replace(/^index-files.*/, "the run")}, ${colorScheme}`, found.violations.flatMap((violation) =>
        violation.nodes.slice(0, 5).map((node) => node.html.slice(0, 150) + node.any.map((one) => one.data.contrastRatio).join())), []);
      is("... of at least three texts", found.passes.flatMap((one) => one.nodes).length >= 3, true);
    }
    await page.context().close();
  }
}

// Over plain HTTP there is no clipboard, but selected text can be copied all the same.
async function useCopy(base) {
  const page = await newPage({ viewport: { width: 1280, height: 800 }, permissions: ["clipboard-read", "clipboard-write"] });
  await open(page, base, encodeURIComponent(CHARTS[0]));
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await page.keyboard.press("l");
  await until(page, () => document.querySelector(".to-copy"));
  is("without a clipboard: L offers the link, selected", await page.evaluate(() => {
    const field = document.querySelector(".to-copy");
    return [document.activeElement === field, field.selectionEnd === field.value.length, field.parentNode.firstChild.data];
  }), [true, true, "Ctrl+C copies: link"]);
  await page.keyboard.press("Control+c");
  await until(page, () => !document.querySelector(".to-copy"));
  const other = await page.context().newPage();
  await other.goto(`${base}/index.html#`);
  await other.bringToFront();
  is("... Ctrl+C copies it", decodeURIComponent(await other.evaluate(() => navigator.clipboard.readText())), `${decodeURIComponent(base)}/${CHARTS[0]}#`);
  await page.bringToFront();
  await page.keyboard.press("l");
  await until(page, () => document.querySelector(".to-copy"));
  await page.keyboard.press("Escape");
  is("... Esc does without", await page.$$eval("iframe, textarea", (all) => all.length), 0);
  is("... the console stayed empty", page.seen, []);
  await page.context().close();
}

async function main() {
  const local = pathToFileURL(directory).href;
  browser = await launch();
  await useLinks(local, "of files");
  await useImages(local, "of files");
  await useWidths(local, "of files");
  if (server) {
    await useLinks(`${server}/strict`, "from a strict server");
    await useImages(`${server}/strict`, "from a strict server");
  }
  await useCopy(local);
  await useManyLinks(local);
  await usePhone(local);
  await usePaper(local);
  await useContrast(local);
  await browser.close();
}

main().catch((error) => {
  console.log(`not ok - ${error.message.split("\n")[0]}`);
  process.exit(1);
});
