#!/bin/sh
# The surroundings of a heat map in a real browser: keys, toolbar, legend, distribution, saving.
# slow: a browser
. tests/tap.sh
render=$(cd "${BUILD:-build}" && pwd)/pyrograph-render

command -v node >/dev/null || { skip "around a heat map" "no node"; exit; }
command -v "${CHROMIUM:-chromium}" >/dev/null || { skip "around a heat map" "no chromium"; exit; }
[ -e tests/browser/node_modules/playwright-core ] || {
	skip "around a heat map" "no playwright-core: make check-deps"; exit; }

cd tests/browser || exit 1
timeout 600 node heat_side.mjs "$tmp" "$render"
