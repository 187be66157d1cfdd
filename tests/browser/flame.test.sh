#!/bin/sh
# Flame graphs in a real browser, from file://.
. tests/tap.sh
render=${BUILD:-build}/pyrograph-render
data=tests/golden/flame

command -v node >/dev/null || { skip "flame graphs in a browser" "no node"; exit; }
command -v "${CHROMIUM:-chromium}" >/dev/null || { skip "flame graphs in a browser" "no chromium"; exit; }
(cd tests/browser && node -e 'require("playwright-core")') 2>/dev/null || {
	skip "flame graphs in a browser" "no playwright-core: sh tests/browser/install.sh"; exit; }

draw() { $render flame -q -o "$tmp/$1.svg" "$2" $3 || not_ok "drawing $1"; }
draw plain $data/plain.folded
draw icicle $data/plain.folded "--icicle --width 900"
draw hostile $data/hostile.folded
draw shared $data/plain.folded "--script shared.js"
$render script -o "$tmp/shared.js"

# A later recording of the same program: other numbers, one function gone.
sed 's/ 31$/ 5/; /memcpy/d' $data/plain.folded >"$tmp/later.folded"
draw later "$tmp/later.folded"

# 50,000 frames: 500 functions that call 99 others each, once, and one that is busy.
awk 'BEGIN {
	for (i = 0; i < 500; i++)
		for (k = 0; k < 99; k++)
			printf "main;caller_%03d;callee_%02d_of_%03d 1\n", i, k, i
	print "main;busy 1000000"
}' >"$tmp/big.folded"
draw big "$tmp/big.folded"
awk 'BEGIN { for (i = 1; i < 300; i++) printf "f%d;", i; print "top 5" }' >"$tmp/tall.folded"
draw tall "$tmp/tall.folded"
cd tests/browser && timeout 120 node flame.js "$tmp"
