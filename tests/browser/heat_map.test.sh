#!/bin/sh
# The overview of a heat map in a real browser: its size, the part that it marks as shown, the meaning of a click on it.
# slow: a browser
. tests/tap.sh

command -v node >/dev/null || { skip "maps in a browser" "no node"; exit; }
command -v "${CHROMIUM:-chromium}" >/dev/null || { skip "maps in a browser" "no chromium"; exit; }
[ -e tests/browser/node_modules/playwright-core ] || {
	skip "maps in a browser" "no playwright-core: make check-deps"; exit; }

cd tests/browser || exit 1
node heat_fixture.mjs --all <<END || not_ok "drawing the pictures"
second $tmp/second.svg
stall $tmp/stall.svg
checkerboard $tmp/check.svg
hosts $tmp/hosts.svg {"per":"host"}
second $tmp/cpus.svg {"per":"cpu","maps":2}
latency $tmp/latency.svg {"y":"value","logarithmic":true,"low":100000,"high":100000000}
stall $tmp/use.svg {"y":"utilization"}
hour $tmp/hour.svg
END
{
	echo '<!DOCTYPE html><meta charset="utf-8"><body><div id="inline" style="width:700px;padding:10px">'
	sed 1d "$tmp/second.svg"
	echo '</div></body>'
} >"$tmp/page.html"

timeout 600 node heat_map.mjs "$tmp"
