#!/bin/sh
# Heat maps in a real browser, from file://: cells, pointer, fingers, keys, links.
# slow: a browser
. tests/tap.sh

command -v node >/dev/null || { skip "heat maps in a browser" "no node"; exit; }
command -v "${CHROMIUM:-chromium}" >/dev/null || { skip "heat maps in a browser" "no chromium"; exit; }
[ -e tests/browser/node_modules/playwright-core ] || {
	skip "heat maps in a browser" "no playwright-core: make check-deps"; exit; }

cd tests/browser || exit 1
node heat_fixture.mjs --all <<END || not_ok "drawing the pictures"
second $tmp/second.svg
stall $tmp/stall.svg
second $tmp/inverted.svg {"inverted":true}
checkerboard $tmp/check.svg {"hues":{"dimension":"thread","keys":["busy-100/left","busy-101/right"]}}
hosts $tmp/hosts.svg {"per":"host"}
latency $tmp/latency.svg {"y":"value","logarithmic":true,"low":100000,"high":100000000,"percentiles":[50,99]}
hostile $tmp/hostile.svg
hour $tmp/hour.svg
END

# A page with pictures in it, in every way.
{
	echo '<!DOCTYPE html><meta charset="utf-8"><body><h1>Report</h1><div id="inline">'
	sed 1d "$tmp/second.svg"
	sed 1d "$tmp/stall.svg"
	echo '</div><object data="second.svg" width="900" height="500"></object><img src="second.svg" width="600"></body>'
} >"$tmp/page.html"

timeout 600 node heat.mjs "$tmp"
