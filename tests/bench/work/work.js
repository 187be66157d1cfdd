// Runs JavaScript work for the given seconds: JSON, sorting, text, closures, recursion.
"use strict";

const end = Date.now() + 1000 * Number(process.argv[2]);
const rows = Array.from({ length: 2000 }, (_, i) => ({ id: i, name: "row" + (i * 7919) % 2003, tags: ["a", "b", i] }));

function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
function roundTrip() { return JSON.parse(JSON.stringify(rows)).length; }
function sorted() { return rows.slice().sort((a, b) => a.name.localeCompare(b.name))[0].id; }
function matched() { return rows.filter((row) => /w1\d*7$/.test(row.name)).map((row) => row.id).reduce((a, b) => a + b, 0); }
function tree(depth) { return depth ? { left: tree(depth - 1), right: tree(depth - 1) } : null; }
function count(node) { return node ? 1 + count(node.left) + count(node.right) : 0; }

let sum = 0;
while (Date.now() < end)
  sum += roundTrip() + sorted() + matched() + count(tree(10)) + fib(18);
console.log(sum);
