#!/bin/sh
# The flame graph of what is selected in a heat map: its trees in node, its use in Chromium.
. tests/tap.sh
render=${BUILD:-build}/pyrograph-render

command -v node >/dev/null || { skip "flame graphs in heat maps" "no node"; exit; }
timeout 120 node tests/browser/heat_flame_model.mjs "$render" "$tmp"

command -v "${CHROMIUM:-chromium}" >/dev/null || { skip "flame graphs in heat maps, in a browser" "no chromium"; exit; }
(cd tests/browser && node -e 'require("playwright-core")') 2>/dev/null || {
	skip "flame graphs in heat maps, in a browser" "no playwright-core: sh tests/browser/install.sh"; exit; }
for example in stall hour; do
	node tests/browser/heat_fixture.mjs $example "$tmp/$example.svg" || not_ok "making $example"
done
timeout 120 node tests/browser/heat_flame.mjs "$tmp" "$render"
