#!/bin/sh
# Features that all charts share, in a real browser, from file://: a table of checks by charts.
# slow: a browser
. tests/tap.sh
render=$(realpath "${BUILD:-build}")/pyrograph-render

command -v node >/dev/null || { skip "charts alike" "no node"; exit; }
command -v "${CHROMIUM:-chromium}" >/dev/null || { skip "charts alike" "no chromium"; exit; }
[ -e tests/browser/node_modules/playwright-core ] || {
	skip "charts alike" "no playwright-core: make check-deps"; exit; }

node tests/browser/heat_fixture.mjs --lines second >"$tmp/heat.folded"

cd tests/browser || exit 1
timeout 600 node charts.js "$tmp" "$render" "$tmp/heat.folded"
