#!/bin/sh
# Timelines that must not change by a byte: tests/golden/timeline/NAME.folded drawn with the options below, and what
# these pictures contain.
. tests/tap.sh
. tests/served.sh
started=${BUILD:-build}/pyrograph-render
render="served $started"
data=tests/golden/timeline

# FILE PICTURE OPTIONS...
while read -r file picture options <&3; do
	# shellcheck disable=SC2086
	if $render timeline -q --script t.js $options "$data/$file" >"$tmp/$picture" 2>"$tmp/err"; then
		same_picture "$picture" "$tmp/$picture" "$data/$picture"
		set -- "$@" "$tmp/$picture"
	else
		not_ok "$picture" "$tmp/err"
	fi
done 3<<'CASES'
made.folded made.svg
made.folded dark.svg --theme dark --colors safe --top 2 --width 700
made.folded part.svg --from 100ms --to 300ms --sort name
CASES
are_xml "$@"

draw() { $render timeline -q --script t.js "$@"; }
lines() { $render folded "$@"; }

# ---- the lines come back --------------------------------------------------------

draw $data/made.folded >"$tmp/a.svg"
lines "$tmp/a.svg" >"$tmp/back"
LC_ALL=C sort "$tmp/back" >"$tmp/back.sorted"
LC_ALL=C sort $data/made.folded >"$tmp/wanted.sorted"
same "all lines come back: header, stalls, samples, sums" "$tmp/back.sorted" "$tmp/wanted.sorted"
lines "$tmp/a.svg" | draw - >"$tmp/b.svg"
same "... and give the same picture" "$tmp/b.svg" "$tmp/a.svg"
{ grep '^#' $data/made.folded; grep -v '^#' $data/made.folded | sort -r | sed 's/$/\r/'; } | draw - >"$tmp/b.svg"
same "another order, CRLF: the same bytes" "$tmp/b.svg" "$tmp/a.svg"

# ---- what is said ---------------------------------------------------------------

has "the headline: who made whom wait" "$tmp/a.svg" '3 threads waited while &lt;b&gt;&amp;quoted:_7 ran rebuild&lt;index&gt;&amp;: 1 time, up to 150 ms'
has "... at the stall" "$tmp/a.svg" '3 threads waited 150 ms; &lt;b&gt;&amp;quoted:_7 ran rebuild&lt;index&gt;&amp;'
sed 's/u003e\\u0026" did/u003e\\u0026_[i]" did/' $data/made.folded >"$tmp/inlined.folded"
draw "$tmp/inlined.folded" >"$tmp/inlined.svg"
has "... by its name, without how it was compiled" "$tmp/inlined.svg" ' ran rebuild&lt;index&gt;&amp;: 1 time'
has "sums are not drawn singly" "$tmp/a.svg" 'Spans under 1ms are not drawn singly: 121 were recorded as sums, 7.6 ms in all'
has "threads that were hardly active are folded" "$tmp/a.svg" 'Not drawn: 2 threads active under 0.1 % of the time; a browser'
has "a cap on rows" "$tmp/dark.svg" 'Not drawn: 2 more threads, and 2 threads active under'
has "the stack at a span" "$tmp/a.svg" 'pthread_mutex_lock&#10;serve&#10;main&#10;woken by exec-2'
is "the guilty thread is the first row" "$(grep -o '"rows":\[\["[^,]*' "$tmp/a.svg")" '"rows":[["shop-10/\u003cb\u003e\u0026quoted:_7"'

# The threads of the headline are first, whoever else made others wait; a wait of another kind at the time of a stall is no
# part of it.
cat >"$tmp/first.folded" <<'END'
# pyrograph: root=thread,doing columns=time,count,longest spans=start guilty=shop-1/batch victims="shop-1/exec-1;shop-1/exec-2" unit=ns
# stall: start=1475682100.100000000 end=1475682100.300000000 threads=2 longest=200000000 waits=400000000 for=lock by=shop-1/writer did=ran
@1475682100.000000000 shop-1/batch;running 900000000 1 900000000
@1475682100.000000000 shop-1/exec-1;woken 800000000 1 800000000
@1475682100.000000000 shop-1/exec-2;throttled 700000000 1 700000000
@1475682100.100000000 shop-1/writer;running 200000000 1 200000000
@1475682100.100000000 shop-1/reader;[lock] 200000000 1 200000000
@1475682100.100000000 shop-1/bystander;[process] 190000000 1 190000000
@1475682100.300000000 shop-1/busy;running 650000000 1 650000000
END
draw "$tmp/first.folded" >"$tmp/first.svg"
is "the threads of the headline come first, then those of stalls" "$(sed -n '/timeline-names/,/<\/g>/s/<text[^>]*class="details"[^>]*>\([^<]*\)<.*/\1/p' "$tmp/first.svg" | tr '\n' ' ')" \
	"batch exec-1 exec-2 writer reader busy bystander "
has "a thread whose CPU limit stopped it" "$tmp/first.svg" '73.7 % throttled<'
has_not "... which hardly ran" "$tmp/first.svg" 'ran · 73.7 % throttled'
has "a thread that ran" "$tmp/first.svg" '>21.1 % ran<'
lines "$tmp/first.svg" | draw - >"$tmp/b.svg"
same "... and again when drawn from the picture" "$tmp/b.svg" "$tmp/first.svg"

# A stall of the headline's thread is red, and that thread's row has a frame; other stalls are grey.
marks() { sed -n '/timeline-stalls/,/<\/g>/p' "$1" | grep -c "$2"; }
is "without a stall of the headline's thread, all are red" "$(marks "$tmp/first.svg" '<rect[^>]*#d0362a')" 1
{
	sed 2q "$tmp/first.folded"
	echo '# stall: start=1475682100.400000000 end=1475682100.700000000 threads=1 longest=300000000 waits=300000000 for=events by=shop-1/batch in=load_[i] did=network'
	sed 1,2d "$tmp/first.folded"
} >"$tmp/lead.folded"
draw "$tmp/lead.folded" >"$tmp/lead.svg"
is "the headline's stall is red, the other one is not" "$(marks "$tmp/lead.svg" '<rect[^>]*#d0362a')" 1
is "... and its thread has a frame" "$(marks "$tmp/lead.svg" '<path[^>]*#d0362a')" 1
has "... and words" "$tmp/lead.svg" '>event loop blocked 300 ms; batch waited for the network in load<'
sed 's/did=network/did=ran/; s/waits=300/waits=900/' "$tmp/lead.folded" | draw - >"$tmp/loop.svg"
has "... which is summed up" "$tmp/loop.svg" 'An event loop was blocked while batch ran load: 1 time, up to 300 ms'
lines "$tmp/lead.svg" | draw - >"$tmp/b.svg"
same "... and again when drawn from the picture" "$tmp/b.svg" "$tmp/lead.svg"

# A busy thread's spans are short: the gaps between the others show what these mostly are, and the rest of the height is free.
cat >"$tmp/busy.folded" <<'END'
# pyrograph: root=thread,doing columns=time,count,longest spans=start short=1ms unit=ns
@1475682100.000000000 a-1/web;[network] 100000000 1 100000000
@1475682100.300000000 a-1/web;[network] 100000000 1 100000000
@1475682100.000000000 a-1/idler;[lock] 100000000 1 100000000
@1475682100.300000000 a-1/idler;[lock] 100000000 1 100000000
a-1/web;running 150000000 400 900000
a-1/web;[network] 20000000 400 900000
a-1/idler;running 10000000 400 900000
a-1/idler;[work] 180000000 400 900000
END
draw "$tmp/busy.folded" >"$tmp/busy.svg"
gaps() { sed -n '/timeline-rows/,/<\/g>/p' "$1" | grep -o 'fill="#[7b][^>]*v[0-9]*h-' | sed 's/"#\([^"]*\)".*v\([0-9]*\)h-/\1 \2/'; }
is "the time between spans: what its short ones mostly are" "$(grep -o '"gaps":.*' "$tmp/busy.svg")" '"gaps":[[0,850,0,400000000],[3,950,0,400000000]],'
is "... drawn, as high as their share; low, if these are waits for work" "$(gaps "$tmp/busy.svg" | tr '\n' ' ')" \
	"fill=7fb2e5 14 fill=b9bec8 5 "
has "... and told" "$tmp/busy.svg" 'The time between longer spans shows what took most of'
lines "$tmp/busy.svg" | draw - >"$tmp/b.svg"
same "... and again when drawn from the picture" "$tmp/b.svg" "$tmp/busy.svg"

# ---- many spans -------------------------------------------------------------------

# 4,000 spans with 400 stacks, and 3,000 samples, take no more than about 900 bytes: sums stay exact.
awk 'BEGIN {
	print "# pyrograph: root=thread,doing,by columns=time,count,longest spans=start unit=ns"
	for (n = 0; n < 4000; n++) {
		state = n % 2 ? "running" : "[lock];main;f" n % 400
		printf "@1795342502.%09d a-1/t%d;%s %d 1 %d\n", n * 100000, n % 4, state, 50000 + n, 50000 + n
		if (n < 3000)
			printf "@1795342502.%09d a-1/t%d;sampled;main;g 0 1 0\n", n * 100000 + 5, n % 4
	}
}' >"$tmp/many.folded"
sums() { awk '/^@/ && !/;sampled;/ { split($2, f, ";"); time[f[1] f[2]] += $(NF - 2); count[f[1] f[2]] += $(NF - 1)
	longest[f[1] f[2]] = $NF > longest[f[1] f[2]] ? $NF : longest[f[1] f[2]] }
	END { for (k in time) print k, time[k], count[k], longest[k] }' "$1" | sort; }
draw --detail 900 "$tmp/many.folded" >"$tmp/merged.svg"
lines "$tmp/merged.svg" >"$tmp/merged.folded"
sums "$tmp/many.folded" >"$tmp/wanted"
sums "$tmp/merged.folded" >"$tmp/got"
same "merged spans have the same sums" "$tmp/got" "$tmp/wanted"
[ "$(grep -c '^@' "$tmp/merged.folded")" -le 200 ] && ok "... and are few" || not_ok "... and are few" "$(grep -c '^@' "$tmp/merged.folded")"
[ "$(wc -c <"$tmp/merged.svg")" -lt 60000 ] && ok "... and the picture is small" || not_ok "... and the picture is small" "$(wc -c <"$tmp/merged.svg")"
has "... and it says so" "$tmp/merged.svg" "samples of what ran are left out"
draw --detail 0 "$tmp/many.folded" | lines - >"$tmp/whole.folded"
LC_ALL=C sort "$tmp/many.folded" >"$tmp/wanted"
LC_ALL=C sort "$tmp/whole.folded" >"$tmp/got"
same "nothing is merged with --detail 0" "$tmp/got" "$tmp/wanted"

# ---- bad days -------------------------------------------------------------------

sed 's/^@1795342502.100000000 shop-10.exec-1/@17953425(2.1 shop-10\/exec-1/' $data/made.folded >"$tmp/broken.folded"
status "a time that is none" 0 $render timeline -o "$tmp/broken.svg" "$tmp/broken.folded"
has "... is reported, and not taken for a sum" "$tmp/err" "no time before a span"
printf 'a;running 5\n' >"$tmp/sums.folded"
status "no spans" 2 $render timeline "$tmp/sums.folded"
has "... says how to get them" "$tmp/err" "collapse --timeline"
printf '# pyrograph: root=thread,doing,by columns=time,count,longest spans=start short=1ms unit=ns\na-1;sleeping 900 1 900\n' >"$tmp/short.folded"
status "only sums, and nothing that says when" 2 $render timeline "$tmp/short.folded"
has "... says so" "$tmp/err" "only sums of short spans, without a time"
