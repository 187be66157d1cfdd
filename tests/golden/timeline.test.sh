#!/bin/sh
# Timelines that must not change by a byte: tests/golden/timeline/NAME.folded drawn with the options below; what they
# hold.
. tests/tap.sh
render=${BUILD:-build}/pyrograph-render
data=tests/golden/timeline

# FILE PICTURE OPTIONS...
while read -r file picture options; do
	# shellcheck disable=SC2086
	if $render timeline -q --script t.js $options "$data/$file" >"$tmp/$picture" 2>"$tmp/err"; then
		same_picture "$picture" "$tmp/$picture" "$data/$picture"
		xmllint --noout "$tmp/$picture" 2>"$tmp/err" && ok "$picture is XML" ||
			not_ok "$picture is XML" "$tmp/err"
	else
		not_ok "$picture" "$tmp/err"
	fi
done <<'CASES'
made.folded made.svg
made.folded dark.svg --theme dark --colors safe --top 2 --width 700
made.folded part.svg --from 100ms --to 300ms --sort name
CASES

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
has "sums are not drawn singly" "$tmp/a.svg" 'Spans under 1ms are not drawn singly: 121 were recorded as sums, 7.6 ms in all'
has "threads that only waited for work are folded" "$tmp/a.svg" 'Not drawn: 2 threads that only waited for work or a timer; a browser'
has "a cap on rows" "$tmp/dark.svg" 'Not drawn: 2 more threads, and 2 threads that only waited'
has "the stack at a span" "$tmp/a.svg" 'pthread_mutex_lock
serve
main
woken by exec-2'
is "the guilty thread is the first row" "$(grep -o '"rows":\[\["[^,]*' "$tmp/a.svg")" '"rows":[["shop-10/\u003cb\u003e\u0026quoted:_7"'

# ---- bad days -------------------------------------------------------------------

printf 'a;running 5\n' >"$tmp/sums.folded"
status "no spans" 2 $render timeline "$tmp/sums.folded"
has "... says how to get them" "$tmp/err" "collapse --timeline"
