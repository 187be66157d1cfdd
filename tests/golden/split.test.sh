#!/bin/sh
# --split: the frame that decides, the files, and the page above them.
. tests/tap.sh
. tests/served.sh
started=${BUILD:-build}/pyrograph-render
render="served $started"
data=tests/golden/flame
files() { ls -A "$1" | tr '\n' ' '; }
split() { $render flame -q --script s.js "$@"; }

cat >"$tmp/in" <<'END'
# pyrograph: host=db1 root=host,pid,thread lost=1/20 unit=samples
db1;java-8;java-8/main;run;read 5
db1;java-8;java-8/GC Thread#0;run 3
db1;sh-9;sh-9/sh;main 7
db2;java-8;java-8/main;run;write 2
END

# DIMENSION FILES
while read -r dimension pictures <&3; do
	status "--split $dimension" 0 $render flame -q --split "$dimension" --script s.js -o "$tmp/$dimension" "$tmp/in"
	is "... its pictures" "$(files "$tmp/$dimension")" "$pictures "
done 3<<'CASES'
host db1.svg db2.svg index.html
pid index.html java-8.svg sh-9.svg
thread index.html java-8_GC_Thread_0.svg java-8_main.svg sh-9_sh.svg
2 index.html java-8.svg sh-9.svg
5 _none_.svg index.html read.svg write.svg
CASES
has "of several hosts, the same process" "$tmp/pid/java-8.svg" '"title":"Flame Graph: java-8","unit":"samples","total":10,'
has "... with its other root frames" "$tmp/pid/java-8.svg" '<title>db2 (2 samples, 20 %)</title>'
has "... whose new order the picture tells" "$tmp/pid/java-8.svg" '"root":"pid,host,thread"'
has_not "... and which is of no thread" "$tmp/pid/java-8.svg" '"thread":'
has "a picture of a thread says so" "$tmp/thread/java-8_main.svg" '"thread":"java-8/main"'
split --reverse --split thread -o "$tmp/reversed" "$tmp/in"
is "--reverse: the same pictures" "$(files "$tmp/reversed")" "$(files "$tmp/thread")"
has "... merged from the leaves" "$tmp/reversed/java-8_main.svg" '<title>read (5 samples, 71.4 %)</title>'

# --base cuts after the frame that decides the picture.
lines() { $render folded "$1" | grep -v '^#' | tr '\n' '|'; }
for options in '' --reverse; do
	split $options --split thread --base run -o "$tmp/base$options" "$tmp/in"
	is "--base${options:+, $options}: the pictures of those that have it" "$(files "$tmp/base$options")" \
		"index.html java-8_GC_Thread_0.svg java-8_main.svg "
	is "... cut there" "$(lines "$tmp/base$options/java-8_main.svg" | tr '|' '\n' | sort | tr '\n' '|')" \
		"java-8/main;run;read 5|java-8/main;run;write 2|"
done
split --split thread --base java-8/main -o "$tmp/own" "$tmp/in"
is "--base with the picture's own frame: all of it" "$(lines "$tmp/own/java-8_main.svg")" \
	"java-8/main;db1;java-8;run;read 5|java-8/main;db2;java-8;run;write 2|"
split --split host --base java-8 -o "$tmp/second" "$tmp/in"
is "--base with another root frame" "$(lines "$tmp/second/db1.svg")" \
	"db1;java-8;java-8/GC Thread#0;run 3|db1;java-8;java-8/main;run;read 5|"
split --split 5 --base run -o "$tmp/fifth" "$tmp/in"
is "--base with some that have no such frame" "$(files "$tmp/fifth") $(lines "$tmp/fifth/_none_.svg")" \
	"_none_.svg index.html read.svg write.svg  [none];run 3|"

# Those that are too small for a picture of their own.
split --split-least 30 --split thread -o "$tmp/least" "$tmp/in"
is "--split-least: one alone that is small keeps its picture" "$(files "$tmp/least")" \
	"index.html java-8_GC_Thread_0.svg java-8_main.svg sh-9_sh.svg "
sed 's/main 7/main 9/' "$tmp/in" >"$tmp/uneven"
split --split-least 45 --split thread -o "$tmp/two" "$tmp/uneven"
is "... several share one" "$(files "$tmp/two")" "index.html others.svg sh-9_sh.svg "
is "... the last row of the page, which says how many they are" "$(grep -o '<th scope="row"><a [^/]*' "$tmp/two/index.html" | sed 's/.*>//' | tr '\n' ' ')" \
	"sh-9 2 others, each below 45 %< "
split --split-least 45 --split thread -o "$tmp/least" "$tmp/in"
is "... in which each has its frame" "$(lines "$tmp/least/others.svg" | tr '\n' ' ')" \
	"3 others, each below 45 %;java-8/GC Thread#0;db1;java-8;run 3|3 others, each below 45 %;java-8/main;db1;java-8;run;read 5|3 others, each below 45 %;java-8/main;db2;java-8;run;write 2|3 others, each below 45 %;sh-9/sh;db1;sh-9;main 7|"
status "--split-least of a differential" 0 $render flame --split thread --split-least 45 --diff "$tmp/in" -o "$tmp/least-diff" "$tmp/uneven"
has "... has no effect, which is said" "$tmp/err" "--split-least has no effect on a differential"

# ---- what is not there ---------------------------------------------------------------

status "--split cpu" 2 $render flame --split cpu -o "$tmp/cpu" "$tmp/in"
has "... says what there is" "$tmp/err" "the root frames are host,pid,thread"
grep -v '^#' "$tmp/in" >"$tmp/bare"
status "no header: a thread is the first frame" 0 $render flame -q --split thread -o "$tmp/bare.d" "$tmp/bare"
is "... its pictures" "$(files "$tmp/bare.d")" "db1.svg db2.svg flame.js index.html "
status "no header: --split pid" 2 $render flame --split pid -o "$tmp/x" "$tmp/bare"
has "... says what to do" "$tmp/err" "does not name the root frames: give a number"
status "a header is for its lines only" 2 $render flame --split pid -o "$tmp/x" "$tmp/in" "$tmp/bare"
sed 's/root=[^ ]*/root=none/' "$tmp/in" >"$tmp/none"
status "no root frames" 2 $render flame --split thread -o "$tmp/x" "$tmp/none"
status "--split 0" 2 $render flame --split 0 -o "$tmp/x" "$tmp/in"
is "nothing is written then" "$(ls -d "$tmp/x" 2>&1 | grep -c 'No such')" 1

# Two files, whose frames stand elsewhere.
sed 's/root=host,/root=/; s/^db[12];//; s/java/perl/' "$tmp/in" >"$tmp/other"
split --split pid -o "$tmp/both" "$tmp/in" "$tmp/other"
is "several inputs, each by its header" "$(files "$tmp/both")" "index.html java-8.svg perl-8.svg sh-9.svg "

# What collapse writes.
if python3 tests/collapse/make_recording.py "$tmp/rec.data" <tests/collapse/golden/basics.txt 2>"$tmp/err"; then
	$pyrograph collapse -q --root comm,thread "$tmp/rec.data" >"$tmp/rec"
	has "collapse tells its root frames" "$tmp/rec" " root=comm,thread "
	for dimension in comm thread; do
		split --split $dimension -o "$tmp/rec.$dimension" "$tmp/rec"
		$pyrograph collapse -q --root $dimension "$tmp/rec.data" | grep -v '^#' | sed 's/;.*//; s/[^A-Za-z0-9._-]/_/g' |
			sort -u | tr '\n' ' ' >"$tmp/wanted"
		is "... --split $dimension" "$(files "$tmp/rec.$dimension" | sed 's/index.html //; s/\.svg//g')" "$(cat "$tmp/wanted")"
	done
	$pyrograph collapse -q --root none "$tmp/rec.data" >"$tmp/rec"
	has "... or that there are none" "$tmp/rec" " root=none "
else
	skip "collapse tells its root frames" "no recording: $(tail -1 "$tmp/err")"
fi

# ---- the page --------------------------------------------------------------------------

page=$tmp/thread/index.html
is "the largest first" "$(grep -o '<th scope="row"><a href="[^"]*"' "$page" | sed 's/.*href=//' | tr '\n' ' ')" \
	'"java-8_main.svg" "sh-9_sh.svg" "java-8_GC_Thread_0.svg" '
has "... name, value, share" "$page" '">java-8/GC Thread#0</a></th><td class="number">3 samples</td><td class="number">17.6 %</td>'
has "... the small picture is no second link for keys and readers" "$page" '<td><a tabindex="-1" aria-hidden="true" href="sh-9_sh.svg"><img'
has "... a landmark" "$page" '<main>'
has "... a small picture" "$page" '<img src="sh-9_sh.svg" alt="" loading="lazy"/>'
has "... where it comes from" "$page" 'db1 · 17 samples'
has "... what was lost" "$page" '<p class="alarm">Lost 1 of 20 samples (5 %)</p>'
has "... the sum" "$page" '3 pictures</th><td class="number">17 samples</td><td class="number">100 %</td>'
has_not "... no script" "$page" '<script'
split --split thread --title '<b>&' -o "$tmp/hostile" $data/hostile.folded $data/java.folded
for f in "$page" "$tmp/hostile/index.html"; do
	xmllint --noout "$f" 2>"$tmp/err" && ok "${f#"$tmp/"} is well-formed" || not_ok "${f#"$tmp/"} is well-formed" "$tmp/err"
done
has "hostile names are escaped" "$tmp/hostile/index.html" '>&lt;script&gt;alert(1)&lt;/script&gt;</a>'
for format in svgz png pdf; do
	status "hostile names in $format" 0 $render flame -q -f $format --split thread -o "$tmp/h.$format" $data/hostile.folded
done
split -f pdf --split thread -o "$tmp/pdf" "$tmp/in"
is "in PDF" "$(files "$tmp/pdf")" "index.html java-8_GC_Thread_0.pdf java-8_main.pdf sh-9_sh.pdf "
has_not "... which are no images of a page" "$tmp/pdf/index.html" '<img'
cp "$page" "$tmp/first"
split --split thread -o "$tmp/thread" "$tmp/in"
same "the same page twice" "$page" "$tmp/first"
for name in index.html flame.js; do
	mkdir "$tmp/taken-$name"
	echo "somebody's" >"$tmp/taken-$name/$name"
	status "somebody's $name" 1 $render flame --split thread -o "$tmp/taken-$name" "$tmp/in"
	has "... which is said" "$tmp/err" "$name was not written by --split: nothing written"
	is "... it stays, alone" "$(cat "$tmp/taken-$name"/*)" "somebody's"
done

# ---- the script ------------------------------------------------------------------------

status "the pictures share a script" 0 $render flame -q --split thread -o "$tmp/shared" "$tmp/in"
is "... beside them" "$(files "$tmp/shared")" "flame.js index.html java-8_GC_Thread_0.svg java-8_main.svg sh-9_sh.svg "
has "... and refer to it" "$tmp/shared/sh-9_sh.svg" '<script href="flame.js"/>'
$render script >"$tmp/wanted"
same "... which is the one of render script" "$tmp/shared/flame.js" "$tmp/wanted"
status "... written again" 0 $render flame -q --split thread -o "$tmp/shared" "$tmp/in"
for options in --self-contained --no-javascript '-f png'; do
	# shellcheck disable=SC2086
	status "$options" 0 $render flame -q $options --split thread -o "$tmp/with$options" "$tmp/in"
	is "... no script beside" "$(files "$tmp/with$options" | sed 's/\.[a-z]* / /g')" "index java-8_GC_Thread_0 java-8_main sh-9_sh "
done
has "... it is within" "$tmp/with--self-contained/sh-9_sh.svg" 'var pyrograph = '
has_not "... or nowhere" "$tmp/with--no-javascript/sh-9_sh.svg" '<script'
has_not "... nor a style sheet for it" "$tmp/with--no-javascript/sh-9_sh.svg" '.pyrograph '
$render folded "$tmp/with--no-javascript/sh-9_sh.svg" >"$tmp/out"
has "... but the profile" "$tmp/out" "sh-9/sh;db1;sh-9;main 7"
status "the page of a directory of ours may become web's" 0 $pyrograph web "$tmp/pid"
has "... it is" "$tmp/pid/index.html" 'content="pyrograph web"'
status "... and stays that" 0 $render flame --split pid -o "$tmp/pid" "$tmp/in"
has "... it does" "$tmp/pid/index.html" 'content="pyrograph web"'
