#!/bin/sh
# pyrograph web: which files make a run, what its row says, and that files are written only if they change.
# slow: ten thousand charts
. tests/tap.sh

web="$pyrograph web"

# picture FILE JSON: a chart with rectangles, written at a fixed time
picture()
{
	mkdir -p "$(dirname -- "$1")"
	cat >"$1" <<-END
		<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="800" viewBox="0 0 1200 800">
		<metadata id="pyrograph">$2</metadata>
		<rect x="0" y="0" width="1200" height="800" fill="#ffffff"/>
		<rect x="10" y="770" width="1180" height="15" fill="#dcdcdc"><title>all</title></rect>
		<rect x="10.4" y="754" width="600.6" height="15" fill="#fc5834" onclick="alert(1)"/>
		<rect x="611" y="754" width="579" height="15" fill="url(javascript:alert(1))"/>
		<rect x="10" y="20" width="99" height="15" fill="#123456"/>
		<rect x="1e999" y="nan" width="-5" height="15" fill="#123456"/>
		</svg>
	END
	touch -d 2026-11-21T12:00:00Z -- "$1"
}
# get DIR EXPRESSION: evaluates it for the runs in charts.json
get() { python3 -c 'import json, sys
runs = json.load(open(sys.argv[1] + "/charts.json"))["runs"]
print(eval(sys.argv[2]))' "$@"; }
same_tree() { if diff -r "$2" "$3" >"$tmp/diff"; then ok "$1"; else not_ok "$1" "$tmp/diff"; fi; }

# ---- runs whose recording stayed where it was recorded ------------------------------------------

dir=$tmp/charts
base='"host":"db1","start":"2026-11-21T10:15:02Z","end":"2026-11-21T10:15:12Z","command":"pyrograph collect cpu -p 8513"'
run=$dir/db1-2026-11-21T101502Z
picture "$run.svg" '{"kind":"flame","title":"CPU: process 8513","unit":"samples","total":1485,"rate":"99Hz","event":"cpu-clock","lost":"15/1500",'"$base}"
for kind in heat states tenancy latency alloc wakeup; do
	picture "$run-$kind.svg" '{"kind":"'$kind'","title":"'$kind': process 8513","unit":"ns","total":7,"event":"sched",'"$base}"
done
picture "$run-offcpu.svg" '{"kind":"flame","title":"Off-CPU time: process 8513","unit":"ns","total":7,"event":"offcpu","longest":"150000001",'"$base}"
picture "$run-threads/lbm.svg" '{"kind":"flame","thread":"java-8513/lbm","total":3,'"$base}"
picture "$run-2.svg" '{"kind":"flame","title":"CPU: nginx","unit":"samples","total":10,"host":"db2","start":"2026-11-20T10:15:02Z"}'
picture "$run-2-heat.svg" '{"kind":"heat","title":"CPU over time: nginx","host":"db2","start":"2026-11-20T10:15:02Z"}'
picture "$dir/shop/web1.svg" '{"kind":"flame","title":"Flame Graph","start":"2026-10-20T10:15:02Z"}'
status "charts without their recordings" 0 $web "$dir"
is "... are one run each" "$(get "$dir" '[(r["name"], len(r["charts"]), len(r.get("threads", []))) for r in runs]')" \
	"[('db1-2026-11-21T101502Z', 8, 1), ('db1-2026-11-21T101502Z-2', 2, 0), ('shop/web1', 1, 0)]"
is "the service is the subject of the title, or the folder" "$(get "$dir" '[r["service"] for r in runs]')" "['process 8513', 'nginx', 'shop']"
is "CPUs used, samples, losses, the longest wait" "$(get "$dir" '[runs[0][k] for k in ("cpus", "samples", "lost", "longest", "longest_ns", "length")]')" \
	"[1.5, 1485, '15 of 1,500 (1 %)', '150 ms', 150000001, '10 s']"
mkdir "$tmp/single"
for cpus in '0.25 of 1 CPU' '0.50 of 2 CPUs'; do
	picture "$tmp/single/run-${cpus#* of }.svg" '{"kind":"flame","headline":"java-8 used '"$cpus"' for 2 s and mostly ran\n"}'
done
$web -q "$tmp/single"
is "CPUs used, by the headline, of one CPU and of several" "$(get "$tmp/single" 'sorted(run["cpus"] for run in runs)')" "[0.25, 0.5]"
is "idle CPUs are not in use: -a says nothing about that" "$(sed -i 's/-p 8513/-a/' "$run.svg"; $web -q "$dir"; get "$dir" '"cpus" in runs[0]')" False
sed -i 's/collect cpu -a/collect cpu -p 8513/' "$run.svg"; touch -d 2026-11-21T12:00:00Z "$run.svg"

# ---- thumbnails: numbers and colours of the chart, nothing else ---------------------------------

$web -q "$dir"
is "a thumbnail for each run" "$(find "$dir/index-files" -name 't-*.svg' | wc -l) $(get "$dir" 'len({r["thumb"] for r in runs})')" "3 3"
same "the foot of a flame graph" "$dir/$(get "$dir" 'runs[0]["thumb"]')" tests/web/thumb.expected

# ---- the same directory gives the same bytes ---------------------------------------------------------

cp -a "$dir" "$tmp/before"
find "$dir" -printf '%i %T@ %p\n' | grep -v '/charts$' | sort >"$tmp/inodes"
status "again" 0 $web -q "$dir"
is "... nothing is written" "$(find "$dir" -printf '%i %T@ %p\n' | grep -v '/charts$' | sort | cmp - "$tmp/inodes" && echo same)" same
rm -r "$dir/index.html" "$dir/charts.json" "$dir/index-files"
status "without its index" 0 $web -q "$dir"
same_tree "... it comes back, the same" "$dir" "$tmp/before"
picture "$dir/new.svg" '{"kind":"flame","title":"CPU: new","start":"2026-11-22T10:15:02Z"}'
rm "$run-2.svg" "$run-2-heat.svg"
status "a chart more, a run less" 0 $web -q "$dir"
is "... are on the page" "$(get "$dir" '[r["name"] for r in runs]')" "['new', 'db1-2026-11-21T101502Z', 'shop/web1']"
is "... and a thumbnail that nobody needs is gone" "$(find "$dir/index-files" -name 't-*.svg' | wc -l)" 3

# ---- verdicts ---------------------------------------------------------------------------------------

judge() { $web -q --verdict "$1" "$dir" 2>"$tmp/err" && get "$dir" '[r["name"][:3] for r in runs if "verdict" in r]'; }
while IFS='|' read -r rule wanted; do
	is "--verdict '$rule'" "$(judge "$rule")" "$wanted"
done <<'END'
offcpu.max>100ms:red|['db1']
offcpu.max>150.000001ms:red|[]
offcpu.max>=0.150000001s:red|['db1']
max>1h:red|[]
cpu-clock.max>1ms:red|[]
lost>1%:grey|[]
lost>=1%:gray|['db1']
flame.lost>14:blue|['db1']
heat.lost>=0:blue|[]
cpus>1.4:orange|['db1']
cpus<1.4:orange|[]
samples>=1485:green|['db1']
length<=10:purple|['db1']
END
for rule in 'max>100ms' 'max>100ms:pink' 'max:red' '>1:red' 'size>1:red' 'max>red' 'max>1%:red' 'lost>x%:red' 'cpus>-1:red' 'lost>%:red' 'max>:red' ':' ''; do
	status "a wrong rule: '$rule'" 2 $web --verdict "$rule" "$dir"
	has "... says so" "$tmp/err" "--verdict '$rule'"
done
$web -q --verdict 'max>1ms:red' --verdict 'lost>0:red' --verdict 'samples>1:grey' "$dir"
is "several rules: each has its mark" "$(get "$dir" '[r.get("verdict") for r in runs]')" "[None, [0, 1, 2], None]"
has "... without scripts, too" "$dir/index.html" '<span class="mark red">▲ lost&gt;0</span>'
# shellcheck disable=SC2046
status "more rules than marks" 2 $web $(printf -- '--verdict max>%d:red ' 1 2 3 4 5 6 7 8 9) "$dir"

# ---- rules are kept ------------------------------------------------------------------------------------

kept=$tmp/kept
picture "$kept/a.svg" '{"kind":"flame","event":"offcpu","title":"x","longest":"150000000","lost":"5/10","host":"h"}'
rules() { python3 -c 'import json, sys; print([r["rule"] + ":" + r["colour"] for r in json.load(open(sys.argv[1] + "/charts.json"))["rules"]])' "$kept"; }
$web -q "$kept"
is "without rules, losses show" "$(rules)" "['lost>1%:grey']"
[ -e "$kept/verdicts.txt" ] && not_ok "... which need no file" || ok "... which need no file"
$web -q --verdict 'offcpu.max>100ms:red' --verdict 'lost>1%:gray' "$kept"
$web -q "$kept"
is "rules hold the next time" "$(rules)" "['offcpu.max>100ms:red', 'lost>1%:grey']"
rm -r "$kept/index.html" "$kept/charts.json" "$kept/index-files"
$web -q "$kept"
is "... also without the index" "$(rules)" "['offcpu.max>100ms:red', 'lost>1%:grey']"
$web -q --verdict 'max>1s:blue' "$kept"
is "... until there are others" "$(rules)" "['max>1s:blue']"
{ echo '# pyrograph web: edited'; echo 'max>1ms:red'; echo; echo '# why'; echo 'b"&.max>1ms:blue'; echo 'max>x:red'; printf 'max\0>1:red\n'; seq -f 'max>%.0f:red' 9; printf 'cut'; } >"$kept/verdicts.txt"
status "a file with anything in it" 0 $web "$kept"
is "... has so many rules" "$(rules)" "['max>1ms:red', 'b\"&.max>1ms:blue', 'max>1:red', 'max>2:red', 'max>3:red', 'max>4:red', 'max>5:red', 'max>6:red']"
has "... what is wrong is said" "$tmp/err" "verdicts.txt: skipped 6 lines: "
has_not "... its text is text" "$kept/index.html" 'b"&.max'
echo 'my verdicts' >"$kept/verdicts.txt"
status "somebody's verdicts.txt" 0 $web -q "$kept"
is "... holds no rules" "$(rules)" "['lost>1%:grey']"
status "... and is not replaced" 1 $web --verdict 'max>1s:blue' "$kept"
has "... as is said" "$tmp/err" "verdicts.txt was not made by pyrograph"
is "... it is as it was" "$(cat "$kept/verdicts.txt")" "my verdicts"
printf '# pyrograph web: x\nmax>1s:green\n' >"$tmp/rules.txt"
rm "$kept/verdicts.txt"; ln -s "$tmp/rules.txt" "$kept/verdicts.txt"
status "a link" 0 $web -q "$kept"
is "... is not followed" "$(rules)" "['lost>1%:grey']"
status "... nor written through" 1 $web -q --verdict 'max>1s:blue' "$kept"
status "... --force replaces it" 0 $web -q --force --verdict 'max>1s:blue' "$kept"
is "... alone" "$(grep -c green "$tmp/rules.txt") $(grep -c blue "$kept/verdicts.txt")" "1 1"

# ---- the header of a recording -------------------------------------------------------------------------

python3 - "$tmp/rec" <<'END'
import os, struct, sys
def text(s): return struct.pack("<I", len(s) + 3) + s + b"\0\0\0"
def recording(sections, data=(104, 0)):
    bits, table, body = [0] * 4, b"", b""
    at = sum(data) + 16 * len(sections)
    for feature, bytes_ in sorted(sections.items()):
        bits[feature // 64] |= 1 << feature % 64
        table += struct.pack("<QQ", at + len(body), len(bytes_))
        body += bytes_
    return (b"PERFILE2" + struct.pack("<QQQQQQQQ", 104, 144, 0, 0, *data, 0, 0) + struct.pack("<4Q", *bits))[:104] + table + body
os.mkdir(sys.argv[1])
os.chdir(sys.argv[1])
good = {3: text(b"db<1>"), 4: text(b"6.1.0"), 11: struct.pack("<I", 2) + text(b"perf") + text(b"record"),
        243: b"5 1795256102000000000\n6 1795256105000000000\n"}
open("good.data", "wb").write(recording(good))
open("far.data", "wb").write(recording({}, (2**64 - 1, 2**63)))
open("long.data", "wb").write(recording({3: struct.pack("<I", 2**32 - 1) + b"x", 11: struct.pack("<I", 2**32 - 1) + b"y" * 9000, 243: b"x"}))
for cut in range(0, 260, 7):
    open(f"cut{cut:03}.data", "wb").write(recording(good)[:cut])
END
status "recordings without pictures" 0 $web -q "$tmp/rec"
is "... say where they come from" "$(get "$tmp/rec" '[(r["host"], r["kernel"], r["command"], r["time"], r["length"]) for r in runs if r["name"] == "good"]')" \
	"[('db<1>', '6.1.0', 'perf record', '10:15:02', '3 s')]"
is "... damaged ones are there, too" "$(get "$tmp/rec" 'len(runs)')" 41

# ---- other files ---------------------------------------------------------------------------------------

other=$tmp/other
picture "$other/x.svg" '{"kind":"flame","title":"x"}'
gzip -nc "$other/x.svg" >"$other/x.svgz"; echo '%PDF-1.5' >"$other/x.pdf"; echo no >"$other/bad.pdf"; echo no >"$other/bad.svgz"
status "svgz and PDF" 0 $web "$other"
is "... are listed" "$(get "$other" 'sorted(c["url"] + " " + c.get("type", "") for r in runs for c in r["charts"] if "problem" not in c)')" \
	"['x.pdf PDF', 'x.svg ', 'x.svgz SVGZ']"
has "... or refused" "$tmp/err" "bad.pdf: not a PDF picture"
echo '[]' >"$other/charts.json"
status "somebody's charts.json" 1 $web "$other"
has "... is not replaced" "$tmp/err" "charts.json was not made by pyrograph"
status "... but with --force" 0 $web --force "$other"
mkdir -p "$tmp/alien/index-files"; echo 'alert(1)' >"$tmp/alien/index-files/index.js"
status "somebody's index-files/index.js" 1 $web "$tmp/alien"
is "... is as it was" "$(cat "$tmp/alien/index-files/index.js")" 'alert(1)'

# ---- ten thousand charts ----------------------------------------------------------------------------------

# timed COMMAND: it takes so many milliseconds
timed()
{
	start=$(date +%s%N)
	"$@" || return 1
	ms=$((($(date +%s%N) - start) / 1000000))
}
mkdir "$tmp/many"
python3 tests/web/many.py "$tmp/many" 10000 8
limit="prlimit --as=200000000"
[ -z "${SAN:-}" ] || limit= # the sanitizers reserve more
if timed $limit $web -q --verdict 'offcpu.max>100ms:red' "$tmp/many"; then
	ok "ten thousand charts, in 200 MB"
else
	not_ok "ten thousand charts, in 200 MB"
fi
echo "# figure: the index of 10,000 charts: $ms ms from nothing"
if timed $web -q --verdict 'offcpu.max>100ms:red' "$tmp/many"; then ok "... again"; else not_ok "... again"; fi
echo "# figure: ... $ms ms unchanged"
is "charts.json is split by month" "$(python3 - "$tmp/many" <<'END'
import json, os, sys
whole = json.load(open(sys.argv[1] + "/charts.json"))
months = [(m["url"], m["runs"], json.load(open(os.path.join(sys.argv[1], m["url"])))["runs"]) for m in whole["months"]]
print(months[0][0], all(count == len(runs) for _, count, runs in months), sum(len(r["charts"]) for m in months for r in m[2]))
END
)" "index-files/charts-2026-11.json True 10000"
