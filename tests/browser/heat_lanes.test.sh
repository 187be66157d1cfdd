#!/bin/sh
# Lanes below a heat map in a real browser: a selection in one of the two is shown in the other, and both have one axis.
# slow: a browser
. tests/tap.sh
render=$(cd "$(dirname "${BUILD:-build}/x")" && pwd)/pyrograph-render
lanes=$PWD/tests/golden/lanes/made.folded
data=$PWD/tests/golden/heat_lanes

command -v node >/dev/null || { skip "lanes below heat maps in a browser" "no node"; exit; }
command -v "${CHROMIUM:-chromium}" >/dev/null || { skip "lanes below heat maps in a browser" "no chromium"; exit; }
[ -e tests/browser/node_modules/playwright-core ] || {
	skip "lanes below heat maps in a browser" "no playwright-core: make check-deps"; exit; }

cd tests/browser || exit 1
$render heat -q --rows 10 --lanes "$lanes" -o "$tmp/offset.svg" "$data/samples.folded"
$render heat -q --y value --log --span 100ms --lanes "$lanes" -o "$tmp/latency.svg" "$data/waits.folded"
sed 's|lbm-8/lbm;main;recvfrom|nginx-9/nginx;main;recvfrom|' "$data/samples.folded" |
	$render heat -q --rows 10 --per thread --lanes "$lanes" -o "$tmp/per.svg" -
awk 'BEGIN { for (i = 0; i < 200; i++) for (s = 0; s < 4; s++) printf "@%d.0 lane;x;q%03d %d\n", 1795342502 + s, i, s * i + 1 }' >"$tmp/many"
$render heat -q --rows 10 --lanes "$tmp/many" -o "$tmp/many.svg" "$data/samples.folded"
$render heat -q --rows 10 -o "$tmp/without.svg" "$data/samples.folded"
timeout 600 node heat_lanes.mjs "$tmp"
