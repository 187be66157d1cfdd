#!/bin/sh
# pyrograph web: the page of each run: the headline, then the charts in the order in which one looks, then the text.
. tests/tap.sh

web="$pyrograph web"
dir=$tmp/charts
mkdir -p "$dir/deep"

# picture FILE JSON
picture()
{
	mkdir -p "$(dirname -- "$1")"
	printf '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><metadata id="pyrograph">%s</metadata></svg>\n' "$2" >"$1"
	touch -d 2026-11-21T12:00:00Z -- "$1"
}
# page NAME: the file of the page of a run
page() { python3 -c 'import json, sys
print(*[sys.argv[1] + "/" + r["page"] for r in json.load(open(sys.argv[1] + "/charts.json"))["runs"] if r["name"] == sys.argv[2]])' "$dir" "$1"; }
# in_order FILE: headings of charts
headings() { grep -o '<h2>.*</h2>' "$1" | sed 's/<[^>]*>//g' | paste -sd, -; }

run=$dir/deep/db1-T1
base='"host":"db<1>","start":"2026-11-21T10:15:02Z","end":"2026-11-21T10:15:17Z"'
for suffix in -timeline -wall -offcpu -heat -latency -faults -faults-latency -syscalls -syscalls-latency -io -io-latency -locks -locks-latency -lanes -states -tenancy -wakeup -processes -alloc; do
	picture "$run$suffix.svg" "{\"kind\":\"x\",\"title\":\"at${suffix}\",$base}"
done
picture "$run.svg" '{"kind":"flame","title":"CPU: java","unit":"samples","total":"1500","headline":"java 7 mostly waited: \u003cimg src=x\u003e held \u0026c.\nLook at the timeline.\n",'"$base}"
picture "$run-other.svg" '{}'
picture "$run-threads/lbm.svg" '{"kind":"flame","thread":"lbm","total":3,"unit":"samples"}'
printf 'a;b 1\n' >"$run.folded"; printf 'a;b 1\n' >"$run-threads.folded"; printf 'PERFILE2' >"$run.data"
echo 'java waited' >"$run-why.txt"; echo notes >"$dir/README.txt"
picture "$dir/plain.svg" '{"kind":"flame","title":"CPU: nginx"}'
status "a directory of two runs" 0 $web --verdict 'samples>1:red' "$dir"
one=$(page deep/db1-T1)
is "a page of each" "$(find "$dir/index-files" -name 'run-*.html' | wc -l)" 2
is "the headline comes first" "$(grep -A1 '<h1>' "$one")" '<h1>java 7 mostly waited: &lt;img src=x&gt; held &amp;c.</h1>
<p class="finding">Look at the <a href="../deep/db1-T1-timeline.svg">timeline</a>.</p>'
is "charts come in the order in which one looks" "$(headings "$one")" \
	"at-timeline,CPU,at-wall,at-offcpu,at-heat,at-latency,at-faults,at-faults-latency,at-syscalls,at-syscalls-latency,at-io,at-io-latency,at-locks,at-locks-latency,at-lanes,at-states,at-tenancy,at-wakeup,at-processes,at-alloc,db1-T1-other.svg,Threads,Text to grep, and the recording"
has "... the text comes last" "$one" '<li><a href="../deep/db1-T1-why.txt"'
is "other text is not ours" "$(grep -rlE 'README|notes' "$dir/index.html" "$dir/charts.json" "$dir/index-files")" ""
has "what it was" "$one" "db&lt;1&gt; 2026-11-21 10:15:02 UTC · 15 s · <a href=\"../deep/db1-T1-why.txt\">all findings</a><"
has "... samples are a detail" "$one" "<p>1,500 samples</p>"
# views PLOT HTML: the page's element for a chart with this PLOT in its metadata
views()
{
	picture "$dir/view.svg" '{"kind":"timeline","title":"T\u003c","plot":"'"$1"'"}'
	$web -q "$dir"
	is "the chart alone: $1" "$(grep -o '<a class="view.*' "$(page view)")" "$2</a>"
}
image='alt="T&lt;" src="../view.svg" />'
for plot in "" "1200" "1200 900 96" "1200 900 96 780 1" "1200 900 96 901" "1200 900 780 96" "0 900 96 780" "1200 9e9 96 780" "1200 900 -1 780" \
	"1200  900 96" "1200 900 96 780 " "x\\u0022 900 96 780" "9999999999 900 96 780"; do
	views "$plot" "<a class=\"view\" tabindex=\"-1\" aria-hidden=\"true\" href=\"../view.svg\"><img loading=\"lazy\" $image"
done
views "1200 900 96 780" "<a class=\"view\" tabindex=\"-1\" aria-hidden=\"true\" href=\"../view.svg\"><svg viewBox=\"0 96 1200 684\"><foreignObject width=\"1200\" height=\"900\"><img loading=\"lazy\" width=\"1200\" height=\"900\" $image</foreignObject></svg>"
views "40 20 0 20 whole" "<a class=\"view whole\" tabindex=\"-1\" aria-hidden=\"true\" href=\"../view.svg\"><svg viewBox=\"0 0 40 20\"><foreignObject width=\"40\" height=\"20\"><img loading=\"lazy\" width=\"40\" height=\"20\" $image</foreignObject></svg>"
rm "$dir/view.svg"
# A chart that asks for it gets a list of the other charts of its run; names are text, and addresses are escaped.
is "no chart asks: no list" "$(find "$dir/index-files" -name 'run-*.js')" ""
printf '<svg xmlns="http://www.w3.org/2000/svg"><metadata id="pyrograph">%s</metadata>\n<script href="s.js" data-siblings="x"/>\n</svg>\n' \
	'{"kind":"flame","title":"CPU\u003c/script>"}' >"$dir/a'b.svg"
picture "$dir/a'b-timeline.svg" '{"kind":"timeline","title":"\"T\u2028"}'
$web -q "$dir"
own=$(page "a'b")
is "a list for those that ask" "$(cat "$dir"/index-files/run-*.js | sed 1d)" \
	"pyrograph.siblings = {\"page\":\"index-files/${own##*/}\",\"charts\":[{\"title\":\"\\u0022T\\u2028\",\"url\":\"a%27b-timeline.svg\"},{\"title\":\"CPU\\u003c/script\\u003e\",\"url\":\"a%27b.svg\"}]};"
rm "$dir/a'b.svg" "$dir/a'b-timeline.svg"
$web -q "$dir"
is "... and none when they are gone" "$(find "$dir/index-files" -name 'run-*.js')" ""
# words FILE: how many words a reader sees before the first picture
words() { sed '/<section/,$d; /<details>/,/<\/details>/d; /<head>/,/<\/head>/d; s/<[^>]*>//g' "$1" | wc -w; }
[ "$(words "$one")" -le 60 ] && ok "few words come before the first picture" || not_ok "few words come before the first picture" "$one"
picture "$dir/used.svg" '{"kind":"flame","title":"CPU: x","unit":"samples","total":409,"rate":"99Hz","command":"collect cpu -p 7",'"$base}"
$web -q --verdict 'samples>1:red' "$dir"
has "CPUs used, rounded as in the list" "$(page used)" " · 0.28 CPUs<"
picture "$dir/used.svg" '{"kind":"heat","title":"CPU: x","unit":"samples","total":500,"idle":91,"rate":"99Hz","command":"collect cpu -a",'"$base}"
$web -q --verdict 'samples>1:red' "$dir"
has "... of a whole machine, without idle ones" "$(page used)" " · 0.28 CPUs<"
picture "$dir/used.svg" '{"kind":"timeline","title":"T: x","unit":"ns","total":5,"longest":164700000,"event":"cpu-clock,sched,offcpu","headline":"The machine idled.\nx waited for y.\nLook.",'"$base}"
$web -q --verdict 'samples>1:red' "$dir"
is "who did it, then what the run was" "$(grep -A20 '<h1>' "$(page used)" | grep -E '<(h1|p)>' | sed 's/<[^>]*>//g' | paste -sd' ')" "x waited for y. The machine idled. Look."
has "the longest wait of a timeline" "$(page used)" "longest wait 165 ms"
picture "$dir/used-states.svg" '{"kind":"states","title":"States: x","unit":"ns","total":5,"longest":900000000,"event":"sched",'"$base}"
$web -q --verdict 'max>800ms:red' "$dir"
has "... not that of the states, which is another wait" "$(page used)" "longest wait 165 ms"
has_not "... nor is it a rule's" "$(page used)" '<span class="mark red">'
mv "$dir/used.svg" "$dir/used.svg.kept"
$web -q --verdict 'max>800ms:red' "$dir"
has "the longest wait of the states alone is called what it is" "$(page used)" "longest wait for a CPU 900 ms"
mv "$dir/used.svg.kept" "$dir/used.svg"
picture "$dir/used.svg" '{"kind":"timeline","title":"T: x","unit":"ns","total":5,"longest":164700000,"headline":"1.\nx waited for y, up to 164 ms.\n3.",'"$base}"
$web -q "$dir"
has_not "the longest wait is not said twice" "$(page used)" "longest wait"
picture "$dir/used.svg" '{"kind":"timeline","title":"T: x","unit":"ns","total":5,"longest":164700000,"event":"cpu-clock,sched,offcpu","headline":"The machine idled.\nx waited for y.\nLook.",'"$base}"
rm "$dir/used-states.svg"
$web -q --verdict 'offcpu.max>100ms:red' "$dir"
has "... is one of each of its events" "$(page used)" '<span class="mark red">●</span> offcpu.max&gt;100ms'
$web -q --verdict 'off.max>100ms:red' "$dir"
has_not "... by its whole name" "$(page used)" '<span class="mark red">'
mkdir "$dir/used-threads"
for thread in lock io; do
	picture "$dir/used-threads/$thread.svg" '{"kind":"flame","thread":"x-7/'"$thread"'"}'
done
# looks LINE HTML
looks()
{
	picture "$dir/used.svg" '{"kind":"flame","title":"CPU: x","headline":"The machine idled.\nx waited for y.\n'"$1"'\n",'"$base}"
	$web -q --verdict 'samples>1:red' "$dir"
	is "where to look: $1" "$(grep 'finding">Look' "$(page used)" | sed 's/<p[^>]*>//; s,</p>,,')" "$2"
}
to='<a href="../used'
looks 'Look at the CPU flame graph of lock: at the end' "Look at the $to-threads/lock.svg\">CPU flame graph of lock</a>: at the end"
looks 'Look at the CPU flame graph of lock: what f does' "Look at the $to-threads/lock.svg\">CPU flame graph of lock</a>"
looks 'Look at the CPU flame graph of loc, and at the timeline at T: x' "Look at the $to.svg#thread=loc\">CPU flame graph</a> of loc, and at the timeline at T: x"
looks 'Look at the CPU flame graph of \u003cb: x' "Look at the $to.svg#thread=%3Cb\">CPU flame graph</a> of &lt;b: x"
picture "$dir/used-threads/lock-2.svg" '{"kind":"flame","thread":"y-8/lock"}'
looks 'Look at the CPU flame graph of lock: x' "Look at the $to.svg#thread=lock\">CPU flame graph</a> of lock: x"
picture "$dir/used-faults.svg" '{"kind":"flame"}'
looks 'Look at the page-fault flame graph of io: x' "Look at the $to-faults.svg#thread=io\">page-fault flame graph</a> of io: x"
picture "$dir/used-states.svg" '{"kind":"states"}'
looks 'Look at the CPU flame graph of loc: why f sleeps here' "Look at the $to.svg#thread=loc&amp;idle=1&amp;s=%5Ef%24\">CPU flame graph</a> of loc"
is "... what to look for is a detail" "$(sed -n '/<details>/,/<\/details>/p' "$(page used)" | grep -c 'loc: why f sleeps here')" 1
looks 'Look at the CPU flame graph of loc: why the JVM stops; for what it frees, t' "Look at the $to.svg#thread=loc\">CPU flame graph</a> of loc; for what it frees, t"
looks 'Look at the scheduler states of [a;b], and at the timeline at T: x' \
	"Look at the $to-states.svg#s=%5C%5Ba%3Bb%5C%5D%24\">scheduler states</a> of [a;b], and at the timeline at T: x"
picture "$dir/used-timeline.svg" '{"kind":"timeline","title":"T: x"}'
looks 'Look at the timeline at 2026-11-21T10:15:09.500Z: x' \
	"Look at the $to-timeline.svg#at=1795256109500000000\">timeline</a> at 2026-11-21T10:15:09.500Z: x"
picture "$dir/used-offcpu.svg" '{"kind":"flame"}'
# first_charts HEADLINE SUFFIX ...: the order of charts on a run's page
first_charts()
{
	picture "$dir/used.svg" '{"kind":"flame","headline":"'"$1"'",'"$base}"
	$web -q --verdict 'samples>1:red' "$dir"
	is "the first charts: $1" "$(grep -o '<h2><a href="../used[^"]*svg' "$(page used)" | sed 's/.*used//; s/.svg//' | head -3 | tr '\n' ' ')" "$2"
}
first_charts 'x idled.\n4 threads waited for a lock: y\nLook at the CPU flame graph of lock, and at the timeline at T\n' '-timeline -offcpu  '
first_charts 'x idled.\n4 threads waited for a CPU: y\nLook at the scheduler states of z\n' '-states -timeline  '
first_charts 'x used 97 % of a CPU\nLook at the CPU flame graph of y\n' ' -timeline -offcpu '
first_charts 'x idled.\nNothing stands out\n' '-timeline  -offcpu '
picture "$dir/used.svg" '{"kind":"flame","headline":"java 7 used 0.01 of 2 CPUs.\nNothing stands out: no thread waited.\n",'"$base}"
$web -q --verdict 'samples>1:red' "$dir"
is "nothing stands out: the heading says it" "$(sed -n '/<h1>/p; /<details>/,/<\/details>/{/<p>java/p}' "$(page used)")" \
	"<h1>Nothing stands out: no thread waited.</h1>
<p>java 7 used 0.01 of 2 CPUs.</p>"
picture "$dir/used-lanes.svg" '{"kind":"lanes","title":"T: y"}'
$web -q "$dir"
is "titles that differ only behind the colon stay whole" "$(headings "$(page used)" | tr , '\n' | grep -c '^T: [xy]$')" 2
rm -r "$dir/used"*; $web -q --verdict 'samples>1:red' "$dir"
has "the verdict" "$one" '<span class="mark red">●</span> samples&gt;1'
has "without a headline, what was recorded" "$(page plain)" "<h1>nginx</h1>"
has "back to the list" "$one" '<a href="../index.html#">All runs</a>'
for file in "$dir"/index-files/run-*.html; do
	has_not "no script: ${file##*/}" "$file" "<script"
	python3 - "$file" >"$tmp/wrong" 2>&1 <<-'END' && ok "... is well-formed, and its links lead somewhere" || not_ok "... is well-formed, and its links lead somewhere" "$tmp/wrong"
		import os, re, sys, urllib.parse, xml.dom.minidom
		text = open(sys.argv[1], encoding="utf-8").read()
		xml.dom.minidom.parseString(re.sub("^<!DOCTYPE html>", "", text))
		links = re.findall('(?:href|src)="([^"]*)"', text)
		wrong = [link for link in links if link != "data:," and
		         not os.path.exists(os.path.join(os.path.dirname(sys.argv[1]), urllib.parse.unquote(link.partition("#")[0])))]
		print(wrong)
		sys.exit(bool(wrong))
	END
done
is "charts.json has the headline" "$(grep -c '"headline":"java 7 mostly waited: ' "$dir/charts.json")" 1
cp -a "$dir" "$tmp/before"
status "again" 0 $web -q --verdict 'samples>1:red' "$dir"
is "... nothing is written" "$(cd "$dir" && find . -printf '%p %T@\n' | sort | cmp - "$(cd "$tmp/before" && find . -printf '%p %T@\n' | sort >"$tmp/list"; echo "$tmp/list")" && echo same)" same
rm "$dir/plain.svg"
status "a run less" 0 $web -q "$dir"
is "... and its page is gone" "$(find "$dir/index-files" -name 'run-*.html')" "$one"
ln -s "$tmp/precious" "$tmp/link"; echo precious >"$tmp/precious"
rm "$one"; ln -s "$tmp/precious" "$one"
status "a link in place of a page" 0 $web -q "$dir"
is "... is replaced, not followed" "$(cat "$tmp/precious") $(grep -c '<h1>' "$one")" "precious 1"
