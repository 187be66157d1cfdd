#!/bin/sh
# Processes in a real browser, from file://: rows, words at the pointer, colours, search, sums by command, links, folded
# lines; 50,000 of them open in about a second.
# slow: a browser
. tests/tap.sh
render=${BUILD:-build}/pyrograph-render
data=tests/golden/processes

command -v node >/dev/null || { skip "processes" "no node"; exit; }
command -v "${CHROMIUM:-chromium}" >/dev/null || { skip "processes" "no chromium"; exit; }
[ -e tests/browser/node_modules/playwright-core ] || {
	skip "processes" "no playwright-core: make check-deps"; exit; }

$render processes -q -o "$tmp/made.svg" $data/made.folded || not_ok "drawing made"
$render processes -q -o "$tmp/hostile.svg" $data/hostile.folded || not_ok "drawing hostile"
awk 'BEGIN { print "@1000000000.000000000 make-1;ppid:9;exec;exit:0;awaited;make -j 60000000000 1 1 1"
	for (i = 0; i < 50000; i++)
		printf "@%d.%09d cc1-%d;ppid:1;exec;exit:0;awaited;cc1 -quiet -I include -O2 src/module%d/file%d.c -o /tmp/cc%06d.s %d 1 %d 41943040\n",
			1000000000 + i / 1000, i % 1000 * 1000000, i + 2, i % 97, i, i * 7, 30000000 + i, 29000000 + i }' >"$tmp/many.folded"
$render processes -q -o "$tmp/many.svg" "$tmp/many.folded" || not_ok "drawing many"
cp $data/made.folded "$tmp/made.folded"

cd tests/browser || exit 1
timeout 600 node processes.js "$tmp"
