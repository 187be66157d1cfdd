#!/bin/sh
# The page of a run and its charts, one of each kind, in a real browser: from file:// and from a server with a strict policy.
# slow: a browser
. tests/tap.sh
. tests/browser/serve.sh
render=${BUILD:-build}/pyrograph-render
data=tests/golden

command -v node >/dev/null || { skip "a run in a browser" "no node"; exit; }
command -v "${CHROMIUM:-chromium}" >/dev/null || { skip "a run in a browser" "no chromium"; exit; }
[ -e tests/browser/node_modules/playwright-core ] && [ -e tests/browser/node_modules/axe-core ] || {
	skip "a run in a browser" "no playwright-core, or axe-core: make check-deps"; exit; }

dir=$tmp/charts
mkdir "$dir"
$render script --into "$dir/chart-scripts" >"$tmp/names" || not_ok "scripts of all charts"
# A run whose name has characters that are escaped in addresses.
run="vm #1%41"
list() { $pyrograph web -q "$dir" && basename "$(find "$dir/index-files" -name 'run-*.html')" .html; }
# draw SUFFIX CHART FILE [OPTION ...]
draw()
{
	suffix=$1 chart=$2 file=$3
	shift 3
	$render "$chart" -q --script "chart-scripts/$(grep "^$chart-" "$tmp/names")" --siblings "index-files/$siblings.js" \
		-t "Chart$suffix: java" --headline "java mostly waited." -o "$dir/$run$suffix.svg" "$@" "$file" || not_ok "drawing $chart"
}
draw_all()
{
	draw "" flame $data/flame/java.folded
	draw -timeline timeline $data/timeline/made.folded
	draw -heat heat $data/heat/plain.folded
	draw -states states $data/states/crowd.folded
	draw -tenancy tenancy $data/tenancy/time.folded
	draw -lanes lanes $data/lanes/made.folded
	draw -processes processes $data/processes/made.folded
}
siblings=
draw "" flame $data/flame/java.folded
siblings=$(list)
draw_all
list >/dev/null || not_ok "the page"
is "there is a chart of each kind" "$(for chart in "$dir"/*.svg; do head -c 4000 "$chart" | sed -n 's/.*"kind":"\([a-z]*\)".*/\1/p'; done | sort)" \
	"$(sed 's/-.*//' "$tmp/names" | sort)"
serve "$dir"
(cd tests/browser && timeout 600 node run.js "$dir" $server)
