#!/bin/sh
# Processes that must not change by a byte: tests/golden/processes/NAME.folded drawn with the options below; what they hold;
# what happens with damaged input.
. tests/tap.sh
. tests/served.sh
started=${BUILD:-build}/pyrograph-render
render="served $started"
data=tests/golden/processes

# FILE PICTURE OPTIONS...
while read -r file picture options <&3; do
	# shellcheck disable=SC2086
	if $render processes -q --script p.js $options "$data/$file" >"$tmp/$picture" 2>"$tmp/err"; then
		same_picture "$picture" "$tmp/$picture" "$data/$picture"
		xmllint --noout "$tmp/$picture" 2>"$tmp/err" && ok "$picture is XML" || not_ok "$picture is XML" "$tmp/err"
	else
		not_ok "$picture" "$tmp/err"
	fi
done 3<<'CASES'
made.folded made.svg
made.folded part.svg --from +2s --to +4s --pool 0 --include cc --height 24 --title Build --width 700
hostile.folded hostile.svg --theme dark
CASES

draw() { $render processes -q --script p.js "$@"; }
lines() { $render folded "$@"; }
texts() { sed -n 's/.*<text[^>]*>\(.*\)<\/text>.*/\1/p' "$1"; }

# ---- the lines come back ----

draw $data/made.folded >"$tmp/a.svg"
lines "$tmp/a.svg" >"$tmp/back"
same "all lines come back, byte for byte" "$tmp/back" $data/made.folded
draw "$tmp/back" >"$tmp/b.svg"
same "... and give the same picture" "$tmp/b.svg" "$tmp/a.svg"
draw $data/hostile.folded | lines - >"$tmp/back"
draw "$tmp/back" | lines - >"$tmp/again"
same "what is no frame is cleaned once" "$tmp/again" "$tmp/back"
{ head -1 $data/made.folded; grep -v '^#' $data/made.folded | sort -r | sed 's/$/\r/'; } | draw - | lines - >"$tmp/back"
same "another order, CRLF: the same lines" "$tmp/back" $data/made.folded
draw -f svgz $data/made.folded | lines - >"$tmp/again"
same "svgz too" "$tmp/again" $data/made.folded

# ---- what is drawn ----

texts "$tmp/a.svg" >"$tmp/texts"
has "one process" "$tmp/texts" "make 1000"
has "several of one name, pooled" "$tmp/texts" "cc × 4"
has "... and their children" "$tmp/texts" "cc1 × 4"
has "... with their CPU time" "$tmp/texts" "4.17 s CPU"
has "arguments, where there is room" "$tmp/texts" "java -jar größe.jar --x=1:2"
is "a process with an old pid is another one" "$(grep -c '^as 1005$' "$tmp/texts")" 1
is "what was there all the time, idle, is not drawn" "$(grep -c '^sshd 700$' "$tmp/texts")" 0
has "... and that is told" "$tmp/texts" "there all the time, idle"
draw --pool 0 $data/made.folded >"$tmp/n.svg"
texts "$tmp/n.svg" >"$tmp/texts"
is "--pool 0: a row for each" "$(grep -c '^cc1 [0-9]*$' "$tmp/texts")" 4

# Consecutive recordings of pyrograph watch: a process that continues is one process, idle or not; one that comes later,
# or has another name, is a new one.
cat >"$tmp/windows.folded" <<'LINES'
@1475682000.000000000 make-10;ppid:1;exec;runs;-;make 60000000000 1 6000000000 1000
@1475682060.100000000 make-10;ppid:1;before;runs;-;make 60000000000 1 6000000000 1000
@1475682120.200000000 make-10;ppid:1;before;exit:0;-;make 10000000000 1 1000000000 1000
@1475682000.000000000 idle-11;ppid:1;before;runs;-;idle 60000000000 1 0 1000
@1475682060.100000000 idle-11;ppid:1;before;runs;-;idle 60000000000 1 0 1000
@1475682000.000000000 cc-12;ppid:10;before;runs;-;cc 60000000000 1 1000000000 1000
@1475682060.100000000 as-12;ppid:10;before;runs;-;as 60000000000 1 1000000000 1000
@1475682000.000000000 ld-13;ppid:10;fork;runs;-;ld 10000000000 1 1000000000 1000
@1475682060.100000000 ld-13;ppid:10;before;runs;-;ld 60000000000 1 1000000000 1000
LINES
draw --pool 0 "$tmp/windows.folded" >"$tmp/w.svg"
texts "$tmp/w.svg" >"$tmp/texts"
is "recordings one after the other: what goes on is one process" "$(grep -c '^make 10$' "$tmp/texts")" 1
is "... with the CPU time of all" "$(grep -A1 '^make 10$' "$tmp/texts" | tail -1)" "13 s CPU"
is "... which ran once: of make, ld (two), as, cc, idle" \
	"$(sed -n '/>programs</,/>elapsed</s/.*>\([0-9]*\)<.*/\1/p' "$tmp/w.svg" | paste -sd ' ')" "1 2 1 1 1"
is "... also if it is idle" "$(grep -c '^idle 11$' "$tmp/texts")" 0
is "... but not by another name" "$(grep -cE '^(cc|as) 12$' "$tmp/texts")" 2
is "... nor much later" "$(grep -c '^ld 13$' "$tmp/texts")" 2

# The critical path of the build, from its end: make waited for java; java began after d.c had failed; before that, make
# ran a little; cc waited for cc1; ...
sed -n 's/.*"path":\[\(.*\)\],$/\1/p' "$tmp/a.svg" >"$tmp/path"
is "the critical path covers the process, without gaps" "$(tr '[]' '\n\n' <"$tmp/path" | awk -F, 'NF == 3 {
	gaps += n++ && $2 != end; if (n == 1) begin = $2; end = $3 } END { print gaps + 0, begin, end }')" \
	"0 100000000 9101000000"

# A shell that sleeps until its second child ends, while its first child, which it does not wait for, runs longer.
cat >"$tmp/waits" <<'LINES'
@1000000000.000000000 sh-1;ppid:9;exec;exit:0;awaited;sh 1000000000 1 0 0
@1000000000.100000000 background-2;ppid:1;exec;exit:0;-;b 850000000 1 0 0
@1000000000.200000000 awaited-3;ppid:1;exec;exit:0;awaited;a 700000000 1 0 0
LINES
draw "$tmp/waits" >"$tmp/w.svg"
is "only what was waited for is on the path" "$(sed -n 's/.*"path":\(.*\),$/\1/p' "$tmp/w.svg")" \
	"[[0,0,200000000],[2,200000000,900000000],[0,900000000,1000000000]]"

# ---- much ----

awk 'BEGIN { print "@1000000000.000000000 make-1;ppid:9;exec;exit:0;awaited;make -j 60000000000 1 1 1"
	for (i = 0; i < 50000; i++)
		printf "@%d.%09d cc1-%d;ppid:1;exec;exit:0;awaited;cc1 -quiet -I include -O2 src/module%d/file%d.c -o /tmp/cc%06d.s %d 1 %d 41943040\n",
			1000000000 + i / 1000, i % 1000 * 1000000, i + 2, i % 97, i, i * 7, 30000000 + i, 29000000 + i }' >"$tmp/many"
draw "$tmp/many" >"$tmp/many.svg"
$render processes -q "$tmp/many" >"$tmp/whole.svg"
is "50,000 processes are at most 5 MB" "$([ "$(wc -c <"$tmp/whole.svg")" -le 5000000 ] && echo yes)" yes
is "... all of them come back" "$(lines "$tmp/many.svg" | grep -c '^@')" 50001
lines "$tmp/many.svg" | grep '^@' | sed 's/;cc1 .*[s.] / /' | sort >"$tmp/x"
sed 's/;cc1 .*s / /' "$tmp/many" | sort >"$tmp/y"
same "... but for long arguments" "$tmp/x" "$tmp/y"

# ---- bad days ----

status "nothing at all" 2 $render processes -q --script p.js -o "$tmp/x.svg" /dev/null
status "other lines" 2 $render processes -q --script p.js -o "$tmp/x.svg" tests/golden/flame/plain.folded
status "a time in which nothing was" 2 $render processes -q --from +90s --to +91s -o "$tmp/x.svg" $data/made.folded
status "--from after --to" 2 $render processes -q --from +3s --to +2s -o "$tmp/x.svg" $data/made.folded
for i in 1 2 3 4 5 6; do echo "@1.0 a-$i;ppid:0;exec;exit:0;-;a 5 1 1 1"; done >"$tmp/bad"
printf '@2.0 a;ppid:0;exec;exit:0;-;a 5 1 1 1\n@1 a-2;ppid:x;exec;exit:0;-;a 5 1 1 1\na-3;ppid:0;exec;exit:0;-;a 5 1 1 1\n@1 a-1;ppid:0;exec 5 1 1 1\n' >>"$tmp/bad"
status "bad lines are skipped" 0 $render processes --script p.js -o "$tmp/x.svg" "$tmp/bad"
has "... and told, with line and column" "$tmp/err" "bad:7:"
status "... or an error" 1 $render processes --strict --script p.js -o "$tmp/y.svg" "$tmp/bad"
for format in png pdf; do
	draw -f $format $data/made.folded >"$tmp/p" && [ -s "$tmp/p" ] && ok "$format" || not_ok "$format"
done

# ---- damaged pictures ----

while read -r name edit <&3; do
	sed "$edit" "$tmp/a.svg" >"$tmp/d.svg"
	status "damaged: $name" 1 $render folded "$tmp/d.svg"
done 3<<'EDITS'
start s/"start":"[0-9]*"/"start":"x"/
names s/"names":\[/"names":[7,/
rows s/"rows":\[\[[0-9]*/"rows":[[x/
numbers s/^?.\(.\)/?\1\x01/
EDITS
