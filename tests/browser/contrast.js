// Every kind of chart as a picture without scripts, as a browser shows it that prefers light, or dark: its texts are
// legible, and no colour of a state differs.  Prints TAP; arguments: pictures.
"use strict";

const path = require("path");
const { pathToFileURL } = require("url");
const launch = require("./launch");

const LEAST = 4.5; // of contrast: WCAG 2, AA

function is(what, got, wanted) {
  const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)];
  console.log(a === b ? `ok - ${what}` : `not ok - ${what}\n#   got:    ${a}\n#   wanted: ${b}`);
}

// In the page: the computed colours of each text and of what is behind its first letters; of the paper; of each entry of
// the legend; and whether an image is shown that is another one in the dark.
function look() {
  const shown = (e) => getComputedStyle(e).display !== "none";
  const texts = [...document.querySelectorAll("text")].filter((e) => shown(e) && e.textContent.trim()).map((e) => {
    e.scrollIntoView({ block: "center" });
    const box = e.getBoundingClientRect();
    const behind = document.elementsFromPoint(box.left + Math.min(6, box.width / 2), box.top + box.height / 2)
      .find((other) => /^(rect|path)$/.test(other.localName) && /^rgb/.test(getComputedStyle(other).fill));
    return [e.textContent, getComputedStyle(e).fill, behind ? getComputedStyle(behind).fill : "none"];
  });
  return { texts, paper: getComputedStyle(document.querySelector("#background rect")).fill,
    legend: [...document.querySelectorAll("#legend rect")].map((e) =>
      [e.nextElementSibling ? e.nextElementSibling.textContent : "", getComputedStyle(e).fill]),
    images: [...document.querySelectorAll("image")].filter(shown).map((e) => e.getAttribute("class")) };
}

const luminance = (rgb) => rgb.match(/\d+/g).map((v) => v <= 10 ? v / 3294.6 : ((v / 255 + 0.055) / 1.055) ** 2.4)
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);

function contrast(a, b) {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

(async () => {
  const browser = await launch(), states = new Map();

  for (const file of process.argv.slice(2)) {
    const name = path.basename(file, ".svg"), seen = {};

    for (const colorScheme of ["light", "dark"]) {
      const context = await browser.newContext({ viewport: { width: 1300, height: 800 }, colorScheme });
      const page = await context.newPage();

      await page.goto(pathToFileURL(file).href);
      const found = seen[colorScheme] = await page.evaluate(look);
      is(`${name}, ${colorScheme}: it has texts`, found.texts.length > 3, true);
      is("... each is legible", found.texts.map(([text, ink, paper]) => [text, ink, paper, +contrast(ink, paper).toFixed(2)])
        .filter(([, , , ratio]) => !(ratio >= LEAST)), []);
      await page.emulateMedia({ media: "print" });
      is("... on paper it is light", luminance((await page.evaluate(look)).paper), 1);
      await context.close();
    }
    is(`${name}: the paper is dark in the dark`, [luminance(seen.light.paper) === 1, luminance(seen.dark.paper) < 0.02], [true, true]);
    is("... images are those of the theme", [seen.light.images, seen.dark.images],
      [seen.light.images.map(() => null), seen.light.images.map(() => "dark")]);
    if (/^heat/.test(name))
      continue;
    is("... the legend's colours are the same", seen.dark.legend.filter(([, rgb]) => rgb !== seen.dark.paper),
      seen.light.legend.filter(([, rgb]) => rgb !== seen.light.paper));
    for (const [label, rgb] of /^state/.test(name) ? seen.light.legend : [])
      states.set(label, (states.get(label) || new Set()).add(rgb));
  }
  is("a state has one colour in all charts", [...states].filter(([, colours]) => colours.size > 1).map(([label]) => label), []);
  await browser.close();
})().catch((error) => {
  console.log(`not ok - the pictures\n# ${String(error.stack).replace(/\n/g, "\n# ")}`);
  process.exitCode = 1;
});
