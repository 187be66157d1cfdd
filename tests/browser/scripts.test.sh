#!/bin/sh
# Charts that refer to a script beside them, like the charts of a report: from file://, from a server with a strict
# policy, without the script, and saved with it.
# slow: a browser
. tests/tap.sh
. tests/browser/serve.sh
render=${BUILD:-build}/pyrograph-render

command -v node >/dev/null || { skip "charts with a script beside them" "no node"; exit; }
command -v "${CHROMIUM:-chromium}" >/dev/null || { skip "charts with a script beside them" "no chromium"; exit; }
[ -e tests/browser/node_modules/playwright-core ] || {
	skip "charts with a script beside them" "no playwright-core: make check-deps"; exit; }

dir=$tmp/charts
mkdir "$dir"
node tests/browser/heat_fixture.mjs --lines second >"$tmp/heat.folded"
$render script --into "$dir/scripts" >"$tmp/names" || not_ok "scripts of all charts"
# draw NAME CHART ARG...
draw()
{
	name=$1
	script=scripts/$(grep "^$1-" "$tmp/names")
	shift
	$render "$@" -q --script "$script" -o "$dir/$name.svg" || not_ok "$name"
}
draw flame flame tests/golden/flame/plain.folded
draw heat heat "$tmp/heat.folded"
draw states states tests/golden/states/crowd.folded
draw tenancy tenancy --total tests/golden/tenancy/time.folded
draw timeline tenancy tests/golden/tenancy/time.folded
draw lanes lanes tests/golden/lanes/made.folded
draw processes processes tests/golden/processes/made.folded
is "all kinds of charts are here" "$(find "$dir" -maxdepth 1 -name '*.svg' | wc -l)" "$(wc -l <"$tmp/names")"
serve "$dir"
(cd tests/browser && timeout 600 node scripts.js "$dir" $server)
