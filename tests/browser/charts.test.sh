#!/bin/sh
# What all charts do alike, in a real browser, from file://: a table of checks by charts.
. tests/tap.sh
render=${BUILD:-build}/pyrograph-render

command -v node >/dev/null || { skip "charts alike" "no node"; exit; }
command -v "${CHROMIUM:-chromium}" >/dev/null || { skip "charts alike" "no chromium"; exit; }
(cd tests/browser && node -e 'require("playwright-core")') 2>/dev/null || {
	skip "charts alike" "no playwright-core: sh tests/browser/install.sh"; exit; }

$render flame -q -o "$tmp/flame.svg" tests/golden/flame/plain.folded || not_ok "drawing flame"
$render states -q -o "$tmp/states.svg" tests/golden/states/crowd.folded || not_ok "drawing states"
$render tenancy -q --total -o "$tmp/tenancy.svg" tests/golden/tenancy/time.folded || not_ok "drawing tenancy"
$render tenancy -q -o "$tmp/timeline.svg" tests/golden/tenancy/time.folded || not_ok "drawing timeline"
node tests/browser/heat_fixture.mjs --lines second >"$tmp/heat.folded"
$render heat -q -o "$tmp/heat.svg" "$tmp/heat.folded" || not_ok "drawing heat"

cd tests/browser || exit 1
timeout 600 node charts.js "$tmp"
