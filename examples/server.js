// server: JavaScript that is compiled while it runs.
//
//     node --perf-basic-prof --interpreted-frames-native-stack server.js 10
//
// --perf-basic-prof makes node write /tmp/perf-PID.map, which names its code.
"use strict";

function parseRequest(text) {
  return JSON.parse(text);
}

function computePrices(order) {
  return order.items.map((item) => ({ ...item, price: Math.round(item.amount * 1.19 * 100) / 100 }));
}

function renderPage(prices) {
  return prices.map((item) => `<li>${item.name}: ${item.price.toFixed(2)}</li>`).join("\n");
}

function handleRequest(text) {
  return renderPage(computePrices(parseRequest(text)));
}

const items = Array.from({ length: 200 }, (_, i) => ({ name: `item ${i}`, amount: i * 3.7 }));
const request = JSON.stringify({ items });
const end = Date.now() + 1000 * Number(process.argv[2] || 10);
let bytes = 0;
while (Date.now() < end) {
  bytes += handleRequest(request).length;
}
console.log(`${bytes} bytes of pages`);
