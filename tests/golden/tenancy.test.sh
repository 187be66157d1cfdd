#!/bin/sh
# Charts of tenancy that must not change by a byte: tests/golden/tenancy/NAME.folded drawn
# with the options below.  Also: what the pictures contain, and what happens with damaged input.
. tests/tap.sh
. tests/served.sh
started=${BUILD:-build}/pyrograph-render
render="served $started"
data=tests/golden/tenancy

# FILE PICTURE OPTIONS...
while read -r file picture options <&3; do
	# shellcheck disable=SC2086
	if $render tenancy -q --script t.js $options "$data/$file" >"$tmp/$picture" 2>"$tmp/err"; then
		same_picture "$picture" "$tmp/$picture" "$data/$picture"
		set -- "$@" "$tmp/$picture"
	else
		not_ok "$picture" "$tmp/err"
	fi
done 3<<'CASES'
time.folded time.svg
time.folded time-cpu.svg --by cpu --title Transposed --width 900 --colors safe
time.folded time-part.svg --from 1.5s --to 1.53s --sort name --include net --include spin
time.folded time-sums.svg --total --notes remarks
time.folded time-sums-cpu.svg --total --by cpu
sums.folded sums.svg
sums.folded sums-pools.svg --pools --fold ^worker
sums.folded sums-cpu.svg --by cpu
states.folded states.svg --height 14
hostile.folded hostile.svg --theme dark
idle.folded idle.svg
idle.folded idle-cpu.svg --by cpu
idle.folded idle-sums-cpu.svg --by cpu --total
waits.folded waits.svg --by state
short.folded short.svg
CASES
are_xml "$@"

# ---- the lines come back --------------------------------------------------------

draw() { $render tenancy -q --script t.js "$@"; }
lines() { $render folded "$@"; }

draw $data/time.folded >"$tmp/a.svg"
lines "$tmp/a.svg" >"$tmp/back"
LC_ALL=C sort "$tmp/back" >"$tmp/back.sorted"
LC_ALL=C sort $data/time.folded >"$tmp/wanted.sorted"
same "all lines come back, and the header" "$tmp/back.sorted" "$tmp/wanted.sorted"
draw --by cpu $data/time.folded | lines - | LC_ALL=C sort >"$tmp/back.sorted"
same "... from the transposed picture" "$tmp/back.sorted" "$tmp/wanted.sorted"
lines "$tmp/a.svg" | draw - >"$tmp/b.svg"
same "... and give the same picture" "$tmp/b.svg" "$tmp/a.svg"
{ head -1 $data/time.folded; grep -v '^#' $data/time.folded | sort -r | sed 's/$/\r/'; } | draw - >"$tmp/b.svg"
same "another order, CRLF: the same bytes" "$tmp/b.svg" "$tmp/a.svg"
draw -f svgz $data/time.folded | lines - >"$tmp/again"
same "svgz too" "$tmp/again" "$tmp/back"

# The sums of the values in lines FILE, by CPU or thread (frame N).
sums() { awk -v n="$2" '!/^#/ { sub(/^@[^ ]* /, ""); split($0, f, ";"); value = $0
	for (i = 0; i < c; i++) sub(/ [^ ]*$/, "", value); name = f[n]; sub(/ [0-9]+( [0-9]+)*$/, "", name)
	match(value, /[0-9]+$/); sum[name] += substr(value, RSTART) }
	END { for (name in sum) printf "%s %.0f\n", name, sum[name] }' c="$3" "$1" | LC_ALL=C sort; }

sums $data/time.folded 2 2 >"$tmp/by-cpu"
draw --total $data/time.folded | lines - >"$tmp/t.folded"
sums "$tmp/t.folded" 2 2 >"$tmp/t.by-cpu"
same "sums by CPU are those of the spans" "$tmp/t.by-cpu" "$tmp/by-cpu"
draw --total --by cpu $data/time.folded | lines - >"$tmp/t.folded"
sums "$tmp/t.folded" 1 2 >"$tmp/t.by-cpu"
same "... transposed as well" "$tmp/t.by-cpu" "$tmp/by-cpu"
is "... it says what frames are" "$(grep -o 'root=[a-z,]*' "$tmp/t.folded")" "root=cpu,thread"
draw "$tmp/t.folded" >"$tmp/x.svg"
draw --total $data/time.folded >"$tmp/y.svg"
sed -n '/class="row"/,$p' "$tmp/x.svg" | grep -c '<rect' >"$tmp/x.rects"
sed -n '/class="row"/,$p' "$tmp/y.svg" | grep -c '<rect' >"$tmp/y.rects"
same "... and can be transposed back" "$tmp/x.rects" "$tmp/y.rects"
draw --detail 64 $data/time.folded >"$tmp/m.svg"
lines "$tmp/m.svg" >"$tmp/m.folded"
sums "$tmp/m.folded" 2 2 >"$tmp/m.by-cpu"
same "merged spans: the same sums" "$tmp/m.by-cpu" "$tmp/by-cpu"
is "... and counts" "$(awk '!/^#/ { n += $(NF - 1) } END { print n }' "$tmp/m.folded")" \
	"$(awk '!/^#/ { n += $(NF - 1) } END { print n }' $data/time.folded)"
[ "$(wc -l <"$tmp/m.folded")" -lt 40 ] && ok "... of fewer spans" || not_ok "... of fewer spans" "$tmp/m.folded"
has "... and the picture says it" "$tmp/m.svg" "spans are merged with others of their row"

# Parts of the window make the whole.
for part in "--to 1.7s" "--from 1.7s"; do
	# shellcheck disable=SC2086
	draw $part $data/time.folded | lines - | grep -v '^#'
done >"$tmp/parts.folded"
sums "$tmp/parts.folded" 2 2 >"$tmp/parts.by-cpu"
same "two parts of the window make all of it" "$tmp/parts.by-cpu" "$tmp/by-cpu"
draw --from 1.5s --to 1.53s $data/time.folded >"$tmp/part.svg"
has "... a part says so" "$tmp/part.svg" 'only --from 1.5s --to 1.53s'

# ---- what can be read from them ---------------------------------------------------

head -c 16384 "$tmp/a.svg" >"$tmp/head"
has "metadata within 16 kB" "$tmp/head" '<metadata id="pyrograph">{"kind":"tenancy","title":"CPU Tenancy","unit":"ns","total":4587800000,"host":"db1",'
has "the sentence" "$tmp/a.svg" 'net-7 changed its CPU most often: 19 times in 2 s; all 5 threads together 26.'
has "moves of a row" "$tmp/a.svg" '>50 % · 6 moves<'
has "an isolated CPU without ticks" "$tmp/a.svg" '>3*°<'
has "... its interrupts" "$tmp/a.svg" 'package 1, core 1, node 1, isolated, nohz_full, interrupts 25:eth0-rx-1'
has "time of the day" "$tmp/a.svg" '>10:15:03.5<'
has "idle time is called so" "$tmp/time-cpu.svg" 'CPU 0, idle: '
has "... in sums as well" "$tmp/time-sums-cpu.svg" 'idle'
has "losses" "$tmp/sums.svg" 'Lost 3 of 1,234 samples'
has "moves from a column" "$tmp/sums.svg" '15 moves, 2 CPUs'
has "overlapping spans are told" "$tmp/hostile.svg" '1 span overlaps the span before it'
has_not "no markup from data" "$tmp/hostile.svg" '<script>alert'

# ---- idle time, moves, waits ---------------------------------------------------------

# The idle task does not count as a thread: it is neither in rows and names, nor in sums.
for options in "" "--by cpu" "--total" "--total --by cpu"; do
	# shellcheck disable=SC2086
	draw $options $data/idle.folded >"$tmp/idle.svg"
	sed '/<metadata/,/<\/metadata>/d' "$tmp/idle.svg" >"$tmp/idle.drawn"
	has_not "the idle task is not drawn ($options)" "$tmp/idle.drawn" swapper
	has "... nor in the total" "$tmp/idle.svg" '"total":'"$(case $options in
		--total\ *) echo 2000000000 ;; *) echo 601000000 ;; esac)"
done
draw $data/idle.folded >"$tmp/idle.svg"
has "three threads" "$tmp/idle.svg" '3 threads · 5 runs, 601 ms in all'
draw --by cpu $data/idle.folded >"$tmp/idle.svg"
has "busy without idle time" "$tmp/idle.svg" 'CPU 1 was busiest: 30.1 % of 1 s, 2 threads.'
for options in "" "--by cpu"; do
	# shellcheck disable=SC2086
	draw $options $data/idle.folded | lines - | LC_ALL=C sort >"$tmp/idle.back"
	LC_ALL=C sort $data/idle.folded >"$tmp/idle.wanted"
	same "its lines come back ($options)" "$tmp/idle.back" "$tmp/idle.wanted"
done
grep -e '^#' -e swapper $data/idle.folded >"$tmp/only"
status "nothing but idle time" 2 $render tenancy "$tmp/only"
has "... is told" "$tmp/err" "--by cpu shows it"
status "... and shown by CPU" 0 $render tenancy -q --by cpu "$tmp/only"

# worker-2 appears on another CPU, though its column says that it did not move.
has "a change of the CPU is a move" "$tmp/idle-cpu.svg" 'worker-2'
draw $data/idle.folded >"$tmp/idle.svg"
is "... once" "$(sed -n 's/.*\["\(java-7[^"]*\)","\([^"]*\)".*/\1 \2/p' "$tmp/idle.svg" | grep -c '1 move$')" 2
draw --total $data/idle.folded >"$tmp/idle.svg"
has "... in sums as well" "$tmp/idle.svg" '1 move, 2 CPUs'
printf '# pyrograph: root=thread,cpu columns=time,count,longest,migrations unit=ns\n%s\n%s\n' \
	'a-1/a;cpu0 5 1 5 0' 'a-1/a;cpu1 5 1 5 0' | draw - >"$tmp/idle.svg"
has "... and where switches were hidden" "$tmp/idle.svg" '1 move, 2 CPUs'
has_not "clocks that are off by a nanosecond do not alarm" "$tmp/idle-cpu.svg" 'before the one before'

has "who waited, for whom" "$tmp/waits.svg" \
	'java-7/matcher waited for a CPU longest: 650 ms, 65 % of the time; 92.3 % of that for java-7/reporter.'
has "... at its part" "$tmp/waits.svg" '>for reporter<'
has "... in its tip" "$tmp/waits.svg" '<title>java-7/matcher: preempted, for kworker/0:0H-kblockd-10&#10;'
has "shares of waiting and running" "$tmp/waits.svg" '>65 % waiting · 35 % running<'
has "the process is told once" "$tmp/waits.svg" 'Names without a process belong to java-7.'
is "who waited longest is first" "$(sed -n 's/.*\["\(java-7[^"]*\)","[^"]*waiting.*/\1/p' "$tmp/waits.svg" | head -1)" java-7/matcher
status "states of lines without them" 2 $render tenancy --by state $data/time.folded
has "... say how to get them" "$tmp/err" "pyrograph collapse --states -t rec.data | pyrograph render tenancy --by state"

# 256 CPUs, all of other colours.
awk 'BEGIN { printf "# pyrograph: root=thread,cpu topology=\"";
	for (c = 0; c < 256; c++) printf "%s%d package=%d core=%d node=0", c ? "; " : "", c, c / 64, c / 2
	print "\" spans=start unit=ns"
	for (c = 0; c < 256; c++) printf "@%d t-1/t;cpu%d 1000000000\n", 1795342502 + c, c }' >"$tmp/256.folded"
draw "$tmp/256.folded" >"$tmp/256.svg"
is "256 CPUs: as many colours" "$(sed -n '/id="legend"/,/<\/g>/s/.*fill="\(#[0-9a-f]*\)".*/\1/p' "$tmp/256.svg" |
	grep -v 5c5c5c | sort -u | wc -l)" 256
is "... and spans" "$(grep -c '<title>t-1: CPU ' "$tmp/256.svg")" 256
draw "$tmp/256.folded" | lines - >"$tmp/256.back"
is "... and the whole topology comes back" "$(head -1 "$tmp/256.back")" "$(head -1 "$tmp/256.folded")"

# ---- other formats -----------------------------------------------------------------

for format in png pdf; do
	status "$format" 0 $render tenancy -q -f $format $data/time.folded
	cp "$tmp/out" "$tmp/one.$format"
	$render tenancy -q -f $format $data/time.folded >"$tmp/two.$format"
	same "... the same twice" "$tmp/one.$format" "$tmp/two.$format"
done
if command -v rsvg-convert >/dev/null; then
	status "librsvg draws it" 0 rsvg-convert "$tmp/a.svg" -o "$tmp/rsvg.png"
	status "... with hostile names" 0 rsvg-convert "$tmp/hostile.svg" -o "$tmp/rsvg.png"
else
	skip "librsvg" "no rsvg-convert"
fi
$render script timeline >"$tmp/t.js"
if command -v node >/dev/null; then
	status "the script is one" 0 node --check "$tmp/t.js"
else
	skip "the script is one" "no node"
fi
has_not "it does not end its CDATA section" "$tmp/t.js" ']]>'

# ---- bad days ------------------------------------------------------------------------

status "bad lines are skipped" 0 $render tenancy $data/hostile.folded
has "... told by line" "$tmp/err" 'hostile.folded:5: fewer frames than the header'
has "... and counted" "$tmp/err" "skipped 9 bad lines of 18"
status "... an error with --strict" 1 $render tenancy --strict $data/hostile.folded
is "... that draws nothing" "$(wc -c <"$tmp/out")" 0
grep -v '^#' $data/time.folded >"$tmp/headless"
status "spans without a header are sums of nothing known: bad" 2 $render tenancy "$tmp/headless"
sed 's/root=thread,cpu/root=thread,state/' $data/time.folded >"$tmp/nocpu"
status "--by cpu of lines without CPUs" 2 $render tenancy --by cpu "$tmp/nocpu"
has "... says what to do" "$tmp/err" "collapse --tenancy"
for empty in "" "# only" "a;cpu0 0" "junk"; do
	echo "$empty" >"$tmp/empty"
	status "nothing usable ('$empty') is an error" 2 $render tenancy "$tmp/empty"
	xmllint --noout "$tmp/out" 2>"$tmp/err" && ok "... with a picture" || not_ok "... with a picture" "$tmp/err"
done
printf '# pyrograph: root=thread,cpu spans=start unit=ns\n@1 a;cpu0 5\n@99999999 a;cpu0 5\n' >"$tmp/years"
status "more than 104 days" 2 $render tenancy "$tmp/years"
has "... says what to do" "$tmp/err" "--from, --to"
status "... a part of them" 0 $render tenancy --to 1s "$tmp/years"
printf '# pyrograph: root=thread,cpu spans=start unit=ns\n@1 a;cpu0 5\n' >"$tmp/spans"
printf 'a;cpu0 7\n' >"$tmp/sum"
status "spans and sums together" 0 $render tenancy "$tmp/spans" "$tmp/sum"
has "... are sums" "$tmp/err" "drawn as sums"
# As recorded by collect --events=1ms: shorter runs were summed.
draw "$data/short.folded" >"$tmp/short.svg"
has "short runs that were summed are told" "$tmp/short.svg" "Spans under 1ms are not drawn singly: "
has "... their number and time are in the heading" "$tmp/short.svg" \
	"$(awk '!/^#|swapper/ { n += $(NF - 2) } END { print n " runs" }' $data/short.folded)"
lines "$tmp/short.svg" | grep -v '^#' | sort >"$tmp/short.back"
grep -v '^#' $data/short.folded | sort >"$tmp/short.lines"
same "... and come back" "$tmp/short.back" "$tmp/short.lines"
draw --total "$data/short.folded" >"$tmp/total.svg"
is "... in sum, they are as long" "$(lines "$tmp/total.svg" | awk '!/^#/ { n += $(NF - 3) } END { print n }')" \
	"$(awk '!/swapper/ { n += $(NF - 3) } END { print n }' "$tmp/short.lines")"
# The times of events overlap.
sed '1s/event=[^ ]*/event=cpu-clock,sched,offcpu/' $data/time.folded >"$tmp/events"
grep -q 'event=cpu-clock,sched' "$tmp/events" || sed '1s/root=/event=cpu-clock,sched,offcpu root=/' $data/time.folded >"$tmp/events"
status "lines of several events" 1 $render tenancy "$tmp/events"
has "... which are named" "$tmp/err" "several events (cpu-clock,sched,offcpu)"
has "... say how to choose" "$tmp/err" "collapse --tenancy -t REC"
sed '1s/cpu-clock,sched,offcpu/cpu,event=0x3c/' "$tmp/events" >"$tmp/comma"
status "... an event whose name has a comma is one" 0 $render tenancy "$tmp/comma"
status "a missing file" 1 $render tenancy /nonexistent
status "no place on the device" 1 sh -c "$started tenancy $data/time.folded >/dev/full"
while read -r options <&3; do
	# shellcheck disable=SC2086
	status "wrong usage: $options" 2 $render tenancy $options $data/time.folded
	is "... writes nothing" "$(cat "$tmp/out")" ""
done 3<<'CASES'
--by core
--sort colour
--from yesterday
--pools
--row comm
--colors nosuch
--total --from 1s
CASES

# Pictures come from anywhere.
cat >"$tmp/mutate.py" <<'PY'
import random, subprocess, sys
render, picture, out = sys.argv[1:4]
svg = open(picture, "rb").read()
first = svg.index(b'<metadata id="timeline">')
random.seed(7)
bad = 0
for n in range(150):
    text = bytearray(svg)
    for _ in range(random.randrange(1, 6)):
        at = random.randrange(first, len(text))
        if random.random() < 0.3:
            del text[at:at + random.randrange(1, 400)]
        else:
            text[at] = random.choice(b"~?_0 9\n<>[]{}\",\xff")
    open(out, "wb").write(text)
    status = subprocess.run([render, "folded", out], capture_output=True, timeout=120).returncode
    if status not in (0, 1):
        bad += 1
        print("mutation", n, "status", status)
print("bad:", bad)
PY
is "damaged pictures give lines, or a reason" "$(python3 "$tmp/mutate.py" "$started" "$tmp/a.svg" "$tmp/mutant.svg" | tail -1)" "bad: 0"

# ---- rows that are not drawn -----------------------------------------------------------

draw --top 2 $data/time.folded >"$tmp/top.svg"
has "--top: rows that are not drawn are told" "$tmp/top.svg" '3 more threads, which ran for 1.09 s in total, are not drawn here'
lines "$tmp/top.svg" | LC_ALL=C sort >"$tmp/top.back"
same "... and are in the data" "$tmp/top.back" "$tmp/wanted.sorted"
is "--min-share: small ones come last, as one row" "$(draw --total --min-share 20% $data/time.folded |
	grep -oE '>(poller-99|spin-a-4711|late-8|net-7|… 2 more threads)</text' | tr -d '>' | paste -sd,)" 'poller-99</text,spin-a-4711</text,… 2 more threads</text'

# ---- many threads ------------------------------------------------------------------------

awk 'BEGIN { print "# pyrograph: root=thread,cpu spans=start unit=ns"
	for (n = 0; n < 40000; n++) printf "@1795342502.%09d t-%d/t;cpu%d 30000\n", n * 4900, n, n % 8 }' >"$tmp/many.folded"
for options in "" "--by cpu" "--total" "--total --by cpu"; do
	# shellcheck disable=SC2086
	status "40,000 threads $options" 0 timeout 300 $started tenancy -q $options -o "$tmp/many.svg" "$tmp/many.folded"
	is "... nothing is missing" "$(lines "$tmp/many.svg" | awk '!/^#/ { n += $NF } END { print n }')" 1200000000
done
has "topology for a browser" "$tmp/time-sums.svg" '"about":"package 1, core 1, node 1, isolated, nohz_full, interrupts 25:eth0-rx-1"'

# ---- recordings of the whole machine, and others -------------------------------------------------------

has "the whole machine: who is busiest" "$tmp/time-cpu.svg" 'CPU 3 was busiest: over 99.9 % of 2 s, 1 thread.'
has_not "... nothing is other people's" "$tmp/time-cpu.svg" 'not these threads'
has "some threads: no CPU is called busy" "$tmp/sums-cpu.svg" '>These threads ran most on CPU 0: 80 % of the time, 2 threads.</text>'
has "... nor idle" "$tmp/sums-cpu.svg" '<title>CPU 2&#10;not these threads: 2 s, 100 % of this row</title>'
is "... nowhere" "$(grep -Ec '^<text.*(busy|busiest|idle)' "$tmp/sums-cpu.svg")" 0
while IFS='|' read -r command filter word <&3; do
	sed "1s|command=\"[^\"]*\"|command=\"$command\" filter=\"$filter\"|" $data/time.folded | draw --by cpu - >"$tmp/whole.svg"
	has "$command, $filter: $word" "$tmp/whole.svg" "<title>CPU 1, $word: 1.3 s</title>"
done 3<<'CASES'
pyrograph collect sched -a|--state running|idle
pyrograph-collect cpu,sched -qa -d 3|--state running --from +1s|idle
/usr/bin/pyrograph collect --all-cpus sched|--to -1s|idle
/usr/bin/perf sched record -o x|--state running|idle
pyrograph collect sched -a|--state running --thread spin|not these threads
pyrograph collect sched -a|--state sleeping|not these threads
pyrograph collect sched -a -C 0-3|--state running|not these threads
pyrograph collect sched -p 7|--state running|not these threads
pyrograph collect sched -- sh -a|--state running|not these threads
pyrograph collect sched -a -d 3, pyrograph collect sched -p 7|--state running|not these threads
perf record -e sched:sched_switch|--state running|not these threads
CASES
draw --by cpu --exclude poller $data/time.folded >"$tmp/whole.svg"
has "lines left out are no idle time" "$tmp/whole.svg" '<title>CPU 3*°, not these threads: 2 s</title>'

# ---- without a wall clock ----------------------------------------------------------------

sed '1s/start=[^ ]* end=[^ ]*/clock=monotonic/; s/^@1795342/@9/' $data/time.folded | draw - >"$tmp/clock.svg"
has "no wall clock: times are from the start on" "$tmp/clock.svg" '>from the start on</text>'
has "... on the axis" "$tmp/clock.svg" '>00:00:00.5</text>'
has "... in the tooltips" "$tmp/clock.svg" '00:00:00.000000000 after the start, 2 s'
is "... nowhere a date" "$(grep -Ec '1970|UTC' "$tmp/clock.svg")" 0
sed 's/^@1795342/@9/' $data/time.folded | sed '1s/start=[^ ]* end=[^ ]*/clock=monotonic/' | LC_ALL=C sort >"$tmp/wanted"
lines "$tmp/clock.svg" | LC_ALL=C sort >"$tmp/back"
same "... and the lines come back" "$tmp/back" "$tmp/wanted"

# ---- states: who waits ---------------------------------------------------------------------

printf '%s\n' 's-1/s;sleeping 9000' 's-1/s;woken 1' 'v-2/v;preempted 500' 'v-2/v;running 100' >"$tmp/states"
sed -i '1i # pyrograph: root=thread,state unit=ns' "$tmp/states"
names() { sed -n 's/.*"rows":\[{"name":\([01]\).*/\1/p; s/^"names":\["\([^"]*\).*/\1/p' "$1" | head -1; }
draw --by state "$tmp/states" >"$tmp/states.svg"
is "who waited longest comes first" "$(names "$tmp/states.svg")" v-2/v
draw --by state --sort time "$tmp/states" >"$tmp/states.svg"
is "... or who is there longest" "$(names "$tmp/states.svg")" s-1/s
