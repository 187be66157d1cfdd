// Loads the files of outputs.test.sh in speedscope, and reads its table of functions.  Prints TAP; argument: their directory.
"use strict";

const fs = require("fs");
const path = require("path");
const { pathToFileURL } = require("url");
const launch = require("./launch");

const directory = process.argv[2];
const page_file = path.join(path.dirname(require.resolve("speedscope/package.json")), "dist/release/index.html");
let browser;

function is(what, got, wanted) {
  const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)];
  console.log(a === b ? `ok - ${what}` : `not ok - ${what}\n#   got:    ${a}\n#   wanted: ${b}`);
}

// A page that opens the file by a script, as speedscope's own command does.
async function open(name) {
  const page = await browser.newPage();
  const script = path.join(directory, `${name}.js`);
  fs.writeFileSync(script, `speedscope.loadFileFromBase64(${JSON.stringify(name)}, ` +
    `"${fs.readFileSync(path.join(directory, name)).toString("base64")}")`);
  await page.goto(`${pathToFileURL(page_file)}#localProfilePath=${script}`);
  await page.getByText("Sandwich").waitFor({ timeout: 60000 });
  await page.keyboard.press("3");
  await page.locator("th, td").first().waitFor({ state: "attached", timeout: 60000 });
  await page.waitForFunction(() => document.body.innerText.includes("Symbol Name"));
  return page;
}

// "main total self", sorted
const rows = async (page) => (await page.evaluate(() => [...document.querySelectorAll("tr")].map((row) =>
  [...row.cells].map((cell) => cell.innerText.trim()))))
  .filter(([total]) => total.includes("%"))
  .map(([total, self, name]) => `${name} ${total.split(" (")[0]} ${self.split(" (")[0]}`).sort();

async function check() {
  // In Chrome's format, values are widths: 1 is 1 us.
  const units = { speedscope: "", pprof: "", chrome: "\u00b5s" };
  for (const [name, unit] of Object.entries(units)) {
    const wanted = [["main", 25, 0], ['a<b>&"c\\d', 17, 0], ["read", 17, 17], ["étage", 8, 5], ["😀", 3, 3], ["other", 2, 0],
      ["=1+1", 2, 2]].map(([frame, total, self]) =>
      [frame, total, self].map((v) => (typeof v === "number" && unit ? `${v.toFixed(2)}${unit}` : v)).join(" ")).sort();
    const page = await open(`one.${name}`);
    is(`${name}: functions, total and self`, (await rows(page)).map((row) => row.replace(/ 0(\.00)?(ns|\u00b5s)?$/, unit ? ` 0.00${unit}` : " 0")), wanted);
    await page.close();
  }
  const page = await open("one.speedscope");
  is("the title tells losses", await page.title(), "cpu-clock, db1 (throttled 3) - speedscope");
  await page.close();
  const spans = await open("spans.speedscope");
  const profiles = [];
  for (let i = 0; i < 3; i++) {
    profiles.push(await rows(spans));
    await spans.keyboard.press("n");
    await spans.waitForTimeout(500);
  }
  is("spans: a profile, one of overlapping spans, sums", profiles, [
    ["java-8513/dw-20 1.00\u00b5s 0.00ns", "main 1.00\u00b5s 0.00ns", "read 1.00\u00b5s 1.00\u00b5s"],
    ["java-8513/dw-20 5.10\u00b5s 0.00ns", "lock 100.00ns 100.00ns", "main 5.10\u00b5s 0.00ns", "write 5.00\u00b5s 5.00\u00b5s"],
    ["java-8513/dw-20 777.00ns 0.00ns", "main 777.00ns 0.00ns", "read 777.00ns 777.00ns"]]);
}

(async () => {
  browser = await launch("--allow-file-access-from-files");
  try {
    await check();
  } finally {
    await browser.close();
  }
})().catch((error) => { console.log(`not ok - speedscope: ${error}`); process.exitCode = 1; });
