// What a flame graph shows at first, and the keys that show the rest: idle CPUs, the beginnings of stacks, the reader's own
// code, what measures.
// Prints TAP; argument: the directory that flame.test.sh made.
"use strict";

const { is, start, open, hash, texts, frames, names, frame, fill, hover, click, press, details, shown } = require("./pictures");

let page;

const chips = () => texts(".chip");
const labels = () => texts("#frames text");
const copied = () => page.evaluate(() => navigator.clipboard.readText());
const helpRows = async () => {
  await press("?");
  const rows = await page.$$eval(".help-row", (all) => all.map((e) => e.textContent));
  await press("Escape");
  return rows;
};

async function useIdle() {
  await open("shown", "#open=1");
  is("idle CPUs are not there", [(await names()).includes("default_idle"), (await frame("tick"))[0]], [false, "tick"]);
  is("... which the heading tells", [await chips(), (await texts(".notes div")).filter((text) => /Idle/.test(text)),
    await page.getAttribute(".of-idle button", "title")], [["Idle hidden: 1,700 samples"], [], "Show idle CPUs (Shift+I)"]);
  await press("I");
  is("I shows them", [(await names()).includes("default_idle"), await hash(), await chips()], [true, "#idle=1&open=1", ["Idle shown: 1,700 samples"]]);
  is("... of the whole", await page.getAttribute("#frames rect", "aria-label"), "all (2,042 samples, 100 %)");
  is("... the words below are of the picture", await details(), "56 frames, 23 deep");
  await press("Backspace");
  await page.waitForFunction(() => !location.hash.includes("idle"));
  is("... undone", (await names()).includes("default_idle"), false);
  await page.click(".of-idle button");
  is("the chip shows them, too", [(await names()).includes("default_idle"), await chips(), await page.getAttribute(".of-idle button", "aria-pressed")],
    [true, ["Idle shown: 1,700 samples"], "true"]);
  await page.click(".of-idle button");
  is("... and hides them", [(await names()).includes("default_idle"), await hash()], [false, "#open=1"]);
  is("a picture without idle CPUs has no such key", [(await open("plain"), await helpRows()).filter((row) => /^Shift\+I/.test(row))], [[]]);
}

async function useWall() {
  const widths = async () => (await frames()).map(([name, , w]) => `${name} ${w}`);
  const bar = () => page.$$eval(".layers button", (all) => all.map((e) => e.textContent + (e.getAttribute("aria-pressed") === "true" ? "*" : "")));
  const both = async () => [await names(), await hash(), await bar(), await chips(), await texts(".legend-item")];
  const legend = ["running", "waiting for a CPU", "blocked"];

  await open("wall");
  is("sleep is hidden", [(await names()).includes("[blocked: sleep]"), await chips()], [false, ["Idle hidden: 8 µs"]]);
  await page.click(".of-idle button");
  const all = await widths();
  const colours = [await fill("compute"), await fill("lock"), await fill("[blocked: lock]"), await fill("serve")];
  is("all the time of threads", await both(), [["all", "java-1/exec", "serve", "compute", "[runnable]", "[by cc1-2/cc1]", "lock", "[blocked: lock]",
    "java-1/idle", "wait", "[blocked: sleep]"], "#idle=1", ["All*", "On-CPU", "Off-CPU"], ["Idle shown: 8 µs"], legend]);
  is("... a function is as cold as what it waited for", await page.evaluate(([hot, cold, leaf, mixed]) => {
    const red = (text) => parseInt(text.slice(1, 3), 16), blue = (text) => parseInt(text.slice(5, 7), 16);
    return [blue(hot) > blue(mixed) && blue(hot) > red(hot), red(cold) > blue(cold) + 50, red(leaf) > blue(leaf) + 50, red(mixed) > red(hot), blue(mixed) > blue(cold)];
  }, colours), [true, true, true, true, true]);
  await press("w");
  is("W: on-CPU", await both(), [["all", "java-1/exec", "serve", "compute"], "#idle=1&wall=on", ["All", "On-CPU*", "Off-CPU"],
    ["Idle shown: 8 µs", "Onlyon-CPU time"], ["running"]]);
  is("... as long as it ran", await page.getAttribute("#frames rect", "aria-label"), "all (3 µs, 100 %)");
  is("... which is hot all over", await fill("serve") === colours[3], false);
  await press("w");
  is("again: off-CPU", await both(), [["all", "java-1/exec", "serve", "compute", "[runnable]", "[by cc1-2/cc1]", "lock", "[blocked: lock]",
    "java-1/idle", "wait", "[blocked: sleep]"], "#idle=1&wall=off", ["All", "On-CPU", "Off-CPU*"],
  ["Idle shown: 8 µs", "Onlyoff-CPU time"], legend.slice(1)]);
  is("... as long as they waited", await page.getAttribute("#frames rect", "aria-label"), "all (13 µs, 100 %)");
  await page.click(".layers button:nth-child(2)");
  is("a button, too", [await hash(), await bar()], ["#idle=1&wall=on", ["All", "On-CPU*", "Off-CPU"]]);
  await press("r");
  is("... merged from the leaves", [(await names())[1], await hash()], ["compute", "#leaf=1&idle=1&wall=on"]);
  await press("r");
  await press("w"); await press("w");
  is("a third time: all", [await widths(), await hash()], [all, "#idle=1"]);
  await open("wall", "#wall=off");
  is("a link has it", await bar(), ["All", "On-CPU", "Off-CPU*"]);
  await press("b");
  is("for colour-blind eyes: other colours", await fill("lock") === colours[1], false);
  is("another picture has no such key", [await open("plain", "#wall=on"), await bar(), (await helpRows()).filter((row) => /on-CPU/.test(row))], [undefined, [], []]);
}

async function useBeginnings() {
  await open("shown");
  is("what stacks begin with is one frame", [(await names()).filter((name) => /start_thread|call_stub|do_syscall_64|__libc_start/.test(name)),
    (await labels()).filter((text) => / … /.test(text)).sort()], [[],
    ["_start … main", "clone3 … java.lang.Thread.runWith", "entry_SYSCALL_64_..e … do_syscall_64"]]);
  is("... whose callees stand on it", await page.$$eval("#frames rect", (all) => {
    const top = (name) => Number(all.find((e) => e.getAttribute("aria-label").startsWith(name + " (")).getAttribute("y"));
    return top("clone3") - top("com.example.catalogue.shop.Worker.serve");
  }), 16);
  await hover("clone3");
  await page.waitForSelector(".tip:not([hidden])");
  is("... the tip tells of how many", (await texts(".tip-note")).some((text) => text.startsWith("stands for 13 frames")), true);
  await hover("com.example.catalogue.shop.Worker.serve");
  is("the frame below the pointer", (await details()).startsWith("Function: com.example.catalogue.shop.Worker.serve (60 samples"), true);
  await click("com.example.catalogue.shop.Worker.serve");
  await press("Y");
  is("its stack is copied as it was recorded", (await copied()).split(";").slice(0, 3), ["java", "clone3", "start_thread"]);
  await press("0");
  await press("F");
  is("... all lines, too", (await copied()).split("\n").filter((line) => /start_thread;thread_native_entry;/.test(line)).length, 3);
  await click("clone3");
  is("a click opens them", [(await names()).includes("start_thread"), await hash()], [true, "#open=1"]);
  await press("Escape");
  await page.waitForFunction(() => !location.hash.includes("open"));
  is("... undone", (await names()).includes("start_thread"), false);
  await press("e");
  is("E opens them, too", (await names()).includes("start_thread"), true);
  await press("e");
  await press("ArrowUp");
  is("the keys walk over what is not drawn", (await details()).replace(/ \(.*/, ""), "Function: com.example.catalogue.shop.Shop.rebuildIndex");
  await press("ArrowDown", "Enter");
  is("... Enter opens", await hash(), "#open=1");
  await press("r");
  is("merged from the leaves, nothing is folded", (await labels()).filter((text) => / … /.test(text)), []);
}

async function useMine() {
  await open("shown");
  await press("j");
  is("J: only my code", [(await names()).sort(), await hash(), await chips()], [["all", "com.example.catalogue.shop.Index.sort",
    "com.example.catalogue.shop.Shop.rebuildIndex", "com.example.catalogue.shop.Worker.serve", "deflate", "drain", "gzip", "java", "longest_match",
    "main", "main", "pyrograph", "readBytes", "swapper"], "#mine=1", ["Idle hidden: 1,700 samples", "Onlymy code"]]);
  is("... no sample is lost", await page.getAttribute("#frames rect", "aria-label"), "all (342 samples, 100 %)");
  is("the help says what that is", (await helpRows()).some((row) => /^JOnly my code: no kernel, C library/.test(row)), true);
}

async function useQuiet() {
  await open("shown");
  await press("k");
  is("K: without what measures", [(await names()).filter((name) => /bpf|pyrograph/.test(name)), await hash(),
    await page.getAttribute("#frames rect", "aria-label")], [[], "#quiet=1", "all (312 samples, 100 %)"]);
  await press("Backspace");
  await page.waitForFunction(() => !location.hash.includes("quiet"));
  is("... undone", (await frames()).length > 0 && (await names()).includes("pyrograph"), true);
  await open("plain");
  is("nothing measures: no key", [(await helpRows()).filter((row) => /^[KE](Leave|Open)/.test(row)), await shown(".chip")], [[], false]);
}

async function useOurs() {
  await open("ours");
  is("most of it is the profiler's: hidden", [await names(), await chips(), (await texts(".notes div")).filter((text) => /rofiler/.test(text)),
    await page.getAttribute(".of-idle button", "title")], [["all", "sh", "main", "work"], ["Profiler hidden: 94 faults"], [],
    "Show the profiler itself (Shift+I)"]);
  is("... the help says so", (await helpRows()).filter((row) => /^Shift\+I/.test(row)), ["Shift+IShow profiler: the profiler itself"]);
  await page.click(".of-idle button");
  is("... the chip shows it", [(await names()).includes("drain"), await chips(), await hash()], [true, ["Profiler shown: 94 faults"], "#idle=1"]);
  await press("k");
  is("... K hides it again", (await names()).includes("drain"), false);
}

async function useWaits() {
  await open("waits");
  is("kinds of waits: the legend", await texts(".legend-item"), ["lock", "I/O", "woken by"]);
  is("... all that stands on a kind has its colour", [await fill("serve"), await fill("lock_wait")].every((colour) => /^#[cd].[89a]/.test(colour)), true);
  is("-- is said in words", [(await names()).includes("--"), (await names()).includes("woken by")], [false, true]);
  is("waits for work are left out", [(await names()).includes("park"), await chips(),
    await page.getAttribute(".of-idle button", "title")], [false, ["Idle hidden: 9 µs"], "Show sleep and waits for work (Shift+I)"]);
  await press("I");
  is("... I shows them", [(await names()).includes("park"), await chips()], [true, ["Idle shown: 9 µs"]]);
  await press("F");
  is("... and lines are as they were", (await copied()).includes(";lock_wait;--;wake_[w];rebuild_[w] 2100"), true);
  await press("c");
  is("C: other colours", [await hash(), /^#[cd].[89a]/.test(await fill("serve"))], ["#c=name&idle=1", false]);
}

start([async (first) => { page = first; await page.context().grantPermissions(["clipboard-read", "clipboard-write"]); }, useIdle, useWall, useBeginnings, useMine, useQuiet, useOurs, useWaits]);
