# Heat maps of lines that may mislead: sums over a second, spans that had not ended when the recording did.
. tests/tap.sh
. tests/served.sh

# heat WHAT INPUT OPTIONS: draws; the messages are in $tmp/said, the picture's texts in $tmp/texts.
heat()
{
	# shellcheck disable=SC2086 # options are words
	status "$1" 0 "$pyrograph" render heat -o "$tmp/out.svg" $3 "$2"
	cp "$tmp/err" "$tmp/said"
	sed -n "s/&#39;/'/g; s/^<text [^>]*class=\"\([a-z]*\)\"[^>]*>\(.*\)<\/text>/\1: \2/p" "$tmp/out.svg" >"$tmp/texts"
}
header='# pyrograph: host=db1 start=2026-11-22T10:15:02.000000000Z end=2026-11-22T10:15:04.000000000Z root=comm'

printf '%s event=sched sums=2/2 sums-of=1s open=1 unit=ns\n@1795342502.5 a;x 7000000\n@1795342503.5 a;x 9000000\n' \
	"$header" >"$tmp/sums.folded"
heat "sums of a second" "$tmp/sums.folded"
text="2 of 2 lines are sums of about 1 s, drawn at the time of counting: 'pyrograph collect sched --events' records single spans"
has "... are said" "$tmp/said" "$text"
has "... in red" "$tmp/texts" "alarm: $text"
has_not "... of which nothing was unfinished" "$tmp/texts" "unfinished"
status "a latency heat map of sums" 2 "$pyrograph" render heat -y value -o "$tmp/out.svg" "$tmp/sums.folded"
has "... says why not" "$tmp/err" "2 of 2 lines are sums of about 1 s, whose values are not latencies"
has "... and what to record" "$tmp/err" "'pyrograph collect sched --events'"
has "... in the picture, too" "$tmp/out.svg" "are sums of about 1 s"

sed 's/sched sums=2\/2 sums-of=1s open=1/offcpu sums=1\/2 sums-of=250ms/' "$tmp/sums.folded" >"$tmp/mixed.folded"
heat "sums and spans" "$tmp/mixed.folded"
has "... are counted" "$tmp/said" "1 of 2 lines is a sum of about 250 ms"
has "... with their own command" "$tmp/said" "'pyrograph collect offcpu --events'"
status "a latency heat map of both" 2 "$pyrograph" render heat -y value -o "$tmp/out.svg" "$tmp/mixed.folded"

# Each event has a command that records its single spans, and collect accepts that command.
for event in sched:sched offcpu:offcpu wakeup:wakeup faults:faults syscalls:syscalls io:io locks:locks noise:noise wall:sched,offcpu; do
	sed "s/event=sched/event=${event%:*}/" "$tmp/sums.folded" >"$tmp/of.folded"
	heat "sums of ${event%:*}" "$tmp/of.folded"
	sed -i 's/ CPUS / 0 /' "$tmp/said"
	while IFS= read -r said; do
		case $said in *"'pyrograph collect "*"' records"*)
			said=${said##*"'pyrograph collect "}
			command=${said%"' records"*} ;;
		esac
	done <"$tmp/said"
	is "... have a command of their own" "${command%% *}" "${event#*:}"
	# shellcheck disable=SC2086 # options are words
	status "... which collect takes" 1 "$pyrograph" collect $command -q -o /dev/null/none -- true
	command=
done
sed 's/db1/db2/' "$tmp/mixed.folded" | cat "$tmp/sums.folded" - >"$tmp/two.folded"
heat "two recordings" "$tmp/two.folded"
has "... are added up" "$tmp/said" "3 of 4 lines are sums of some time"

# short WHAT SAID PAIRS: a recording whose short spans were summed, and are not among the lines
short()
{
	printf '%s event=offcpu spans=start %s unit=ns\n@1795342502.5 a;x 7000000\n' "$header" "$3" >"$tmp/short.folded"
	heat "$1" "$tmp/short.folded" "-y value"
	has "... in the picture" "$tmp/texts" "note: $2"
	has "... and said" "$tmp/said" "$2"
}
short "short waits are counted" "Waits under 1 ms are not drawn: 1.23 ms in 890 waits" "short=1ms short-sums=890/1234000"
short "... a single one" "Waits under 250 us are not drawn: 12 µs in 1 wait" "short=250us short-sums=1/12000"
short "those beyond a budget, too" "Waits beyond the limit per second are not drawn: 2 s in 3 waits" "short-sums=3/2000000000 short-more=too-many"
short "... of both kinds" "Waits under 1 ms, and longer ones beyond the limit per second, are not drawn: 2 s in 3 waits" \
	"short=1ms short-sums=3/2000000000 short-more=too-many"
sed 's/db1/db2/' "$tmp/short.folded" | cat "$tmp/short.folded" - >"$tmp/hosts.folded"
heat "of two hosts" "$tmp/hosts.folded" "-y value"
has "... they are added up" "$tmp/texts" "are not drawn: 4 s in 6 waits"
printf '@1795342502.6 b;y 7000000\n' >>"$tmp/hosts.folded"
heat "filtered" "$tmp/hosts.folded" "-y value --exclude y"
has "... it is all that was recorded" "$tmp/texts" "are not drawn: 4 s in 6 waits, before filters"
printf '%s event=offcpu spans=start left-out=1500000000/2500000000 unit=ns\n@1795342502.5 a;x 1000000000\n' "$header" >"$tmp/work.folded"
heat "waits for work" "$tmp/work.folded" "-y value"
has "... are told as in flame graphs" "$tmp/texts" "note: Waits for work: 1.5 s, 60 % of all, left out by collapse (--waits all keeps them)"

for bad in sums=0/2 sums=3/2 sums=x 'sums="<b>/2"'; do
	sed "s|sums=2/2|$bad|" "$tmp/sums.folded" >"$tmp/bad.folded"
	heat "$bad" "$tmp/bad.folded"
	has_not "... is nothing to speak of" "$tmp/texts" "are sums"
done

printf '%s event=offcpu spans=start open=1204 unit=ns\n@1795342502.5 a;x 7000000\n@1795342503.5 a;x 9000000\n' \
	"$header" >"$tmp/open.folded"
text="1,204 waits were unfinished: true durations are longer"
heat "open spans" "$tmp/open.folded"
has "... are said" "$tmp/said" "$text"
has "... in grey, where it does not matter how long they are" "$tmp/texts" "doubt: Details: $text"
text="1,204 waits were unfinished: true durations and percentiles are higher"
heat "open spans, by how long they are" "$tmp/open.folded" "-y value"
has "... are said" "$tmp/said" "warning: $text"
has "... in red" "$tmp/texts" "alarm: $text"
sed 's/open=1204/open=1/' "$tmp/open.folded" >"$tmp/few.folded"
for i in $(seq 200); do echo "@1795342502.$((100 + i)) a;x 7000000"; done >>"$tmp/few.folded"
heat "one open span among many" "$tmp/few.folded" "-y value"
has "... is a detail" "$tmp/texts" "doubt: Details: 1 wait was unfinished: the true duration and percentiles are higher"
sed 's/db1/db2/; s/open=1204/open=1/' "$tmp/open.folded" | cat "$tmp/open.folded" - >"$tmp/two.folded"
heat "of two recordings" "$tmp/two.folded"
has "... they are added up" "$tmp/said" "1,205 waits were unfinished"
sed 's/open=1204/open=99999999999999999999x/' "$tmp/open.folded" >"$tmp/bad.folded"
heat "no count" "$tmp/bad.folded"
has_not "... is none" "$tmp/texts" "unfinished"
sed 's/open=1204 //' "$tmp/open.folded" >"$tmp/ended.folded"
heat "all have ended" "$tmp/ended.folded"
is "... of which there is nothing to say" "$(cat "$tmp/said")" ""

# A sample at time 0, as from before a clock was set, does not turn an axis of an hour into one of days.
awk 'BEGIN { print "@0 a;stray 1"; for (i = 0; i < 2000; i++) printf "@%.1f a;work 1\n", 1795342502 + i * 1.8 }' >"$tmp/stray.folded"
heat "a time far from the others" "$tmp/stray.folded"
text="1 of 2001 events is not drawn: up to 20779 days from all others (--from and --to choose a time)"
has "... is left out, and said" "$tmp/said" "$text"
has "... in the picture, too" "$tmp/texts" "doubt: Details: $text"
is "... whose axis is an hour" "$(served "$pyrograph" render folded "$tmp/out.svg" | grep -c '^@179534')" 2000
heat "... unless a time is wanted" "$tmp/stray.folded" "--from 1970-01-01T00:00:00Z"
has_not "... is drawn" "$tmp/said" "not drawn"

# The other charts with an axis of time do the same, and report what is left out, also in the header of "render folded".
# CHART HEADER LINES (a format for awk's printf, of time and number)
while IFS='|' read -r chart what header line <&3; do
	awk -v header="$header" -v line="$line" 'BEGIN {
		print header
		for (i = 0; i < 2000; i++) printf line "\n", 1795342502 + i * 1.8, i % 7
		printf line "\n", 0, 7 }' >"$tmp/stray.folded"
	served "$pyrograph" render "$chart" -o "$tmp/out.svg" "$tmp/stray.folded" 2>"$tmp/said"
	has "$chart: strays are left out" "$tmp/said" "1 of 2001 $what is not drawn: up to 20779 days from all others"
	has "... in the picture, too" "$tmp/out.svg" "1 line, hours from all others, is not drawn"
	served "$pyrograph" render folded "$tmp/out.svg" >"$tmp/back"
	has "... whose lines say so" "$tmp/back" 'losses="strays 1"'
	has "... and are all but one" "$tmp/back" "@1795346100"
	is "... which is not there" "$(grep -c '^@0' "$tmp/back")" 0
	served "$pyrograph" render "$chart" --from 1970-01-01 --to 1970-01-02 -o "$tmp/out.svg" "$tmp/stray.folded" 2>"$tmp/said"
	has_not "... unless its time is wanted" "$tmp/said" "not drawn"
done 3<<'CHARTS'
lanes|values|# pyrograph: unit=value|@%.1f lane;q 1%d
timeline|spans|# pyrograph: root=thread,doing columns=time,count,longest spans=start unit=ns|@%.1f a-1/a;running 1000%d 1 10000
tenancy|spans|# pyrograph: root=thread,cpu columns=time,count,longest spans=start unit=ns|@%.1f a-1/a;cpu0 1000%d 1 10000
processes|spans|# pyrograph: columns=time,count,cpu,peak unit=ns|@%.1f a-1%d;ppid:1;exec;exit:0;awaited;a 1000 1 900 4096
CHARTS
