#!/bin/sh
# Charts of several runs side by side, including a stranger's chart; and checks of the pages by axe-core.
# slow: a browser
. tests/tap.sh
. tests/browser/serve.sh
render=${BUILD:-build}/pyrograph-render

command -v node >/dev/null || { skip "charts side by side" "no node"; exit; }
command -v "${CHROMIUM:-chromium}" >/dev/null || { skip "charts side by side" "no chromium"; exit; }
[ -e tests/browser/node_modules/playwright-core ] && [ -e tests/browser/node_modules/axe-core ] || {
	skip "charts side by side" "no playwright-core, or axe-core: make check-deps"; exit; }

dir=$tmp/charts
mkdir "$dir"
$render script --into "$dir/chart-scripts" >"$tmp/names" || not_ok "scripts of all charts"
script() { echo "chart-scripts/$(grep "^$1-" "$tmp/names")"; }
node tests/browser/heat_fixture.mjs --lines second >"$tmp/heat.folded"
# The last chart covers the first twenty seconds only.
awk '/^#/ { sub(/ end=[^ ]*/, " end=2026-11-22T10:15:22.000000000Z"); sub(/ to=[^ ]*/, " to=2026-11-22T10:15:22.000000000Z") }
	/^#/ || $1 < "@1795342522" { print }' "$tmp/heat.folded" >"$tmp/short.folded"
for i in 1 2 3; do
	[ $i = 3 ] && heat=$tmp/short.folded || heat=$tmp/heat.folded
	printf '%s\n' "# pyrograph: host=db$i event=cpu-clock rate=99Hz start=2026-11-2${i}T10:15:02.000000000Z end=2026-11-2${i}T10:15:12.000000000Z unit=samples" \
		"main;parse;read $((i * 10))" "main;write 5" "main;only$i 3" >"$dir/db$i-T.folded"
	$render flame -q --script "$(script flame)" -t "CPU: java" --headline "java $i mostly waited." -o "$dir/db$i-T.svg" "$dir/db$i-T.folded"
	$render heat -q --script "$(script heat)" -t "CPU over time: java" -o "$dir/db$i-T-heat.svg" "$heat"
done
mkdir "$tmp/diff"
$render flame -q --diff "$dir/db1-T.folded" -o "$tmp/diff/diff.svg" "$dir/db2-T.folded" || not_ok "a differential"
cat "$dir"/db[123]-T.folded | $render flame -q -o "$tmp/diff/sum.svg" - || not_ok "the sum"
printf '# pyrograph: host=db4 event=offcpu start=2026-11-24T10:15:02.000000000Z unit=ns\nmain;wait 9000\n' >"$dir/db4-T.folded"
$render flame -q --script "$(script flame)" -t "CPU: java" -o "$dir/db4-T.svg" "$dir/db4-T.folded" # another unit
$render states -q -t "Scheduler states: java" -o "$dir/db1-T-states.svg" tests/golden/states/crowd.folded

# Charts of strangers: one that pretends to be ours and loads the script beside it, and one that does not.
cat >"$dir/stranger.js" <<'END'
let reached = "";
for (const [what, reach] of Object.entries({ parent: () => { parent.broken = 1; }, body: () => parent.document.body.remove(),
	out: () => frameElement.removeAttribute("sandbox"), top: () => { top.location = "about:blank"; },
	sibling: () => parent.frames[0].document.documentElement.remove(), ask: () => { if (!confirm("?")) { throw 0; } } })) {
	try { reach(); reached += what; } catch { }
}
document.documentElement.setAttribute("data-tried", `tried ${reached}`);
let heard = 0;
addEventListener("message", (event) => { document.documentElement.setAttribute("data-heard", JSON.stringify(event.data)); heard++; });
const page = { ready: { pyrograph: "ready" }, none: null, text: "view", object: { pyrograph: "view", view: { toString: 1 } },
	long: { pyrograph: "view", view: "s=" + "x".repeat(200000) }, markup: { pyrograph: "view", view: "s=%3Cimg src=x onerror=parent.broken=1%3E\"><b>" },
	proto: JSON.parse('{"__proto__":{"broken":1},"pyrograph":"view","view":"t=auto"}') };
for (const message of Object.values(page)) { parent.postMessage(message, "*"); }
END
stranger() # FILE KIND
{
	cat >"$1" <<-END
		<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><metadata id="pyrograph">{$2"title":"CPU: java","host":"stranger","start":"2026-11-24T10:15:02Z"}</metadata>
		<rect width="40" height="20" fill="#c00000"/>
		<script href="stranger.js"/>
		</svg>
	END
}
stranger "$dir/evil-T.svg" '"kind":"flame",'
$pyrograph web -q "$dir" || not_ok "the page"
serve "$dir"
(cd tests/browser && timeout 600 node compare.js "$dir" "$tmp/diff/diff.svg" "$tmp/diff/sum.svg" $server)
