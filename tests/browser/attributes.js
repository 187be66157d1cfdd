// Prints the flame graph in the file with links on two of its names, one of them hostile.
"use strict";

const svg = require("fs").readFileSync(process.argv[2], "utf8");
const list = /class="flame-names">([^]*?)<\/metadata>/.exec(svg)[1].split("\n");
const names = [];

for (const line of list.slice(0, -1))
  names.push((names[names.length - 1] || "").slice(0, line.charCodeAt(0) - 63) + line.slice(1));
const attributes = {
  [names.indexOf("parse")]: { title: "The parser", href: "https://example.org/parse" },
  [names.indexOf("idle")]: { href: "ftp://example.org/idle" },
  [names.indexOf("serve")]: { href: "javascript:alert(1)" },
};
process.stdout.write(svg.replace('"widest"', `"attributes":${JSON.stringify(attributes)},"widest"`));
