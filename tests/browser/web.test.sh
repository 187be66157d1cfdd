#!/bin/sh
# The page of pyrograph web in a real browser.
# slow: a browser
. tests/tap.sh
. tests/browser/serve.sh

command -v node >/dev/null || { skip "the page in a browser" "no node"; exit; }
command -v "${CHROMIUM:-chromium}" >/dev/null || { skip "the page in a browser" "no chromium"; exit; }
[ -e tests/browser/node_modules/playwright-core ] || {
	skip "the page in a browser" "no playwright-core: make check-deps"; exit; }

# picture FILE JSON [SCRIPT]
picture()
{
	mkdir -p "$(dirname -- "$1")"
	cat >"$1" <<-END
		<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><metadata id="pyrograph">$2</metadata>
		<rect x="0" y="0" width="40" height="20" fill="#008080"/><rect x="1" y="15" width="30" height="4" fill="#c00000"/>
		<script><![CDATA[$3]]></script></svg>
	END
	touch -d 2026-11-21T12:00:00Z -- "$1"
}
# A stranger's chart, which tries to reach the page, to leave it, and to open dialogs.
hostile='
window.broken = 1;
let reached = "";
for (const [what, reach] of Object.entries({ parent: () => { parent.broken = 1; }, body: () => parent.document.body.remove(),
	storage: () => localStorage.x, top: () => { top.location = "about:blank"; }, ask: () => { if (!confirm("?")) { throw 0; } } })) {
	try { reach(); reached += what; } catch { }
}
document.title = `tried ${reached}`;
document.documentElement.setAttribute("data-tried", `tried ${reached}`);'
dir=$tmp/charts
base='"unit":"samples","host":"db1"'
picture "$dir/db1-T1.svg" '{"kind":"flame","title":"CPU: whole machine","total":12345,"pods":"prod/shop-7f9c, \u003cimg src=x onerror=window.broken=1\u003e, 7 more","units":"nginx.service","lost":"3/12348","losses":"throttled 3","start":"2026-11-21T09:00:00Z",'"$base}"
picture "$dir/db1-T1-states.svg" '{"kind":"states","title":"Scheduler states: whole machine","total":5,"units":"cron.service, nginx.service","host":"db1"}'
picture "$dir/db1-T2.svg" '{"kind":"flame","title":"CPU: whole machine","total":1234,"start":"2026-11-21T10:15:02Z","headline":"java-8 used 0.10 of 2 CPUs for 14 s and mostly waited for work.\n6 threads of java-8 waited for a lock, up to 149 ms, 3 times, every 5.16 s: caused by index-builder: Stall.rebuildIndex > Stall.addEntry, via http-worker-1\nLook at the timeline.\n",'"$base}"
picture "$dir/web-T0.svg" '{"kind":"flame","title":"CPU: nginx","total":5,"pods":"prod/web-1","host":"web","start":"2026-11-20T10:15:02Z"}'
for thread in lbm-1:30 lbm-2:20 other:10; do
	picture "$dir/db1-T1-threads/${thread%:*}.svg" '{"kind":"flame","thread":"java-8/'"${thread%:*}"'","total":'"${thread#*:},$base}"
done
picture "$dir/$(printf '100%%41 ?#\377').svg" '{}'
picture "$dir/\"><img src=x onerror=window.broken=1>.svg" '{"title":"\u003cb onclick=x\u003e","kind":"javascript:alert(1)"}' "$hostile"
$pyrograph web -q --verdict 'lost>0:grey' --verdict 'samples>10000:red' --verdict 'lost>99%:grey' "$dir" || not_ok "the page"
mkdir "$tmp/many"
python3 tests/web/many.py "$tmp/many" 10000 1
$pyrograph web -q --verdict 'offcpu.max>100ms:red' --verdict 'lost>1%:grey' "$tmp/many" || not_ok "a page of ten thousand charts"
mkdir "$tmp/printed"
runs=300 # a page begins with 24
python3 tests/web/many.py "$tmp/printed" $((runs * 7)) 1
$pyrograph web -q --verdict 'offcpu.max>100ms:red' --verdict 'lost>1%:grey' "$tmp/printed" || not_ok "a page for paper"

mkdir "$tmp/one"
picture "$tmp/one/web-T0.svg" '{"kind":"flame","title":"CPU: nginx","unit":"samples","total":5,"start":"2026-11-20T10:15:02Z"}'
$pyrograph web -q "$tmp/one" || not_ok "a page of one run"

serve "$dir"
(cd tests/browser && timeout 600 node web.js "$dir" "$tmp/many" "$tmp/printed" "$tmp/one" $server)

# ---- on paper ---------------------------------------------------------------------------------
for name in charts printed; do
	pdftotext -l 1 "$tmp/$name/page.pdf.tmp" "$tmp/paper" || not_ok "$name on paper"
	[ "$(wc -w <"$tmp/paper")" -gt 30 ] && ok "on paper the first page has the first runs: $name" ||
		not_ok "on paper the first page has the first runs: $name" "$tmp/paper"
done
pdftotext "$tmp/printed/page.pdf.tmp" - | grep -oE '2026-[0-9-]+ [0-9:]{8}' | sort -u | wc -l >"$tmp/rows"
[ "$(cat "$tmp/rows")" = $runs ] && ok "... and all runs are printed" || not_ok "... and all runs are printed" "$tmp/rows"
