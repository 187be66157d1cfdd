#!/bin/sh
# The flame graph of what is selected in a heat map: its trees in node, its use in Chromium.
. tests/tap.sh
render=${BUILD:-build}/pyrograph-render

command -v node >/dev/null || { skip "flame graphs in heat maps" "no node"; exit; }
timeout 120 node tests/browser/heat_flame_model.mjs "$render" "$tmp"

command -v "${CHROMIUM:-chromium}" >/dev/null || { skip "flame graphs in heat maps, in a browser" "no chromium"; exit; }
(cd tests/browser && node -e 'require("playwright-core")') 2>/dev/null || {
	skip "flame graphs in heat maps, in a browser" "no playwright-core: sh tests/browser/install.sh"; exit; }
node tests/browser/heat_fixture.mjs --lines stall >"$tmp/stall.folded" || not_ok "making the example"
$render heat -q -o "$tmp/stall.svg" "$tmp/stall.folded" || not_ok "drawing the example"
node tests/browser/heat_fixture.mjs hour "$tmp/hour.svg" || not_ok "making an hour"
timeout 120 node tests/browser/heat_flame.mjs "$tmp" "$render"
