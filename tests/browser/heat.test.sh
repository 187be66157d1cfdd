#!/bin/sh
# Heat maps in a real browser, from file://: cells, pointer, fingers, keys, links.
# slow: a browser
. tests/tap.sh

command -v node >/dev/null || { skip "heat maps in a browser" "no node"; exit; }
command -v "${CHROMIUM:-chromium}" >/dev/null || { skip "heat maps in a browser" "no chromium"; exit; }
[ -e tests/browser/node_modules/playwright-core ] || {
	skip "heat maps in a browser" "no playwright-core: make check-deps"; exit; }

cd tests/browser || exit 1
make_picture() { node heat_fixture.mjs "$2" "$tmp/$1.svg" "${3:-{\}}" || not_ok "drawing $1"; }
make_picture second second
make_picture stall stall
make_picture inverted second '{"inverted":true}'
make_picture check checkerboard '{"hues":{"dimension":"thread","keys":["busy-100/left","busy-101/right"]}}'
make_picture hosts hosts '{"per":"host"}'
make_picture latency latency '{"y":"value","logarithmic":true,"low":100000,"high":100000000,"percentiles":[50,99]}'
make_picture hostile hostile
make_picture hour hour

# A page with pictures in it, in every way.
{
	echo '<!DOCTYPE html><meta charset="utf-8"><body><h1>Report</h1><div id="inline">'
	sed 1d "$tmp/second.svg"
	sed 1d "$tmp/stall.svg"
	echo '</div><object data="second.svg" width="900" height="500"></object><img src="second.svg" width="600"></body>'
} >"$tmp/page.html"

timeout 600 node heat.mjs "$tmp"
