#!/bin/sh
# The map of a heat map in a real browser: its room, what is shown of it, what a click on it means.
# slow: a browser
. tests/tap.sh

command -v node >/dev/null || { skip "maps in a browser" "no node"; exit; }
command -v "${CHROMIUM:-chromium}" >/dev/null || { skip "maps in a browser" "no chromium"; exit; }
[ -e tests/browser/node_modules/playwright-core ] || {
	skip "maps in a browser" "no playwright-core: make check-deps"; exit; }

cd tests/browser || exit 1
make_picture() { node heat_fixture.mjs "$2" "$tmp/$1.svg" "${3:-{\}}" || not_ok "drawing $1"; }
make_picture second second
make_picture stall stall
make_picture check checkerboard
make_picture hosts hosts '{"per":"host"}'
make_picture cpus second '{"per":"cpu","maps":2}'
make_picture latency latency '{"y":"value","logarithmic":true,"low":100000,"high":100000000}'
make_picture use stall '{"y":"utilization"}'
make_picture hour hour
{
	echo '<!DOCTYPE html><meta charset="utf-8"><body><div id="inline" style="width:700px;padding:10px">'
	sed 1d "$tmp/second.svg"
	echo '</div></body>'
} >"$tmp/page.html"

timeout 600 node heat_map.mjs "$tmp"
