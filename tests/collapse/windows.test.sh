#!/bin/sh
# collapse --between with a made recording whose windows are known (tests/collapse/golden/windows.txt): comparisons, and
# messages if there are no windows.
. tests/tap.sh
python3 tests/collapse/make_recording.py "$tmp/rec.data" <tests/collapse/golden/windows.txt || not_ok "made"
printf 'comm 0 10 10 shop\nmmap 0 10 0x1000 0x1000 0 /bin/shop\nevent cpu-clock 1 0\nsample 1000 10 10 0 0x1101\n' |
	python3 tests/collapse/make_recording.py "$tmp/none.data" || not_ok "made"
collapse="$pyrograph collapse -q"

# Five windows are fast, four are slow: a slow one weighs 5/4.
is "fast and slow ones are compared as if there were equally many" \
	"$($collapse --diff --between fast,slow "$tmp/rec.data" | grep -v '^#')" "keeper;parse 0 2.5
worker;serve 5 2.5
worker;serve;parse 5 2.5"
is "... or as they are" "$($collapse --diff --between fast,slow --normalize none "$tmp/rec.data" | grep -v '^#')" "keeper;parse 0 2
worker;serve 5 2
worker;serve;parse 5 2"
is "... spans of time, too" "$($collapse --diff --between=-p50,p90- --normalize none --offcpu --root comm "$tmp/rec.data" | grep -v '^#')" \
	"worker;serve;wait 0 12000000
worker;wait 1500000 5900000"
$collapse --diff --between fast,slow "$tmp/rec.data" >"$tmp/diff"
is "... the header says so" "$(head -1 "$tmp/diff")" "# pyrograph: event=cpu-clock normalize=windows columns=before,after unit=samples"
is "... of how many" "$(grep -o 'windows=[0-9/]*' "$tmp/diff" | tr '\n' ' ')" "windows=5/12 windows=4/12 "
"$pyrograph" render flame -o "$tmp/diff.svg" "$tmp/diff"
has "... and so does the picture" "$tmp/diff.svg" "scaled to equally many windows"
status "two recordings by windows" 0 $collapse --diff --normalize windows "$tmp/rec.data" "$tmp/rec.data"
is "... are the same" "$(awk '!/^#/ && $(NF - 1) != $NF' "$tmp/out")" ""
status "... if both have windows" 1 $collapse --diff --normalize windows "$tmp/rec.data" "$tmp/none.data"
has "... which is said" "$tmp/err" "none.data has no windows"

$collapse "$tmp/rec.data" | "$pyrograph" render flame >"$tmp/in.svg"
has "a picture says between what" "$tmp/in.svg" "between begin_request,end_request"
"$pyrograph" collapse "$tmp/rec.data" >"$tmp/out" 2>"$tmp/err"
has "what is left out is told" "$tmp/err" "11 of 33 samples lie outside of windows, and are left out (--between all keeps them)"
"$pyrograph" collapse --between slow "$tmp/rec.data" >"$tmp/out" 2>"$tmp/err"
has_not "... not where it was asked for" "$tmp/err" "left out"
"$pyrograph" collapse --offcpu "$tmp/rec.data" >"$tmp/out" 2>"$tmp/err"
has "sums are split, which is told" "$tmp/err" "windows cut 1 sums of about 1s, which are split pro rata"
is "--event all has the samples, not the windows" "$($collapse -e all --root event --no-stack "$tmp/rec.data" | sed 's/ .*//' | grep -v '#' | tr '\n' ' ')" \
	"cpu-clock offcpu sched "

while IFS='|' read -r wanted words message; do
	# shellcheck disable=SC2086 # words
	status "collapse $words" "$wanted" "$pyrograph" collapse ${words% *} "$tmp/${words##* }"
	has "... says why" "$tmp/err" "$message"
done <<EOF
1|--between 10s- rec.data|no sample of 71 is left after --between 10s-
1|--between slow --threads shop rec.data|no sample of 71 is left after --threads shop --between slow
1|--between in none.data|has no windows (record them with pyrograph collect --between A,B)
3|--if-any --between in none.data|has no windows
3|--if-any --diff --between fast,slow none.data|has no windows
1|--root window none.data|has no windows
1|--lengths none.data|has no windows (record them with pyrograph collect --between A,B)
1|--windows none.data|has no windows
1|--lengths --threads nobody rec.data|no window of 12 is left
2|--between fast,slow rec.data|'fast,slow' is not in, out, all
2|--diff --between fast rec.data|--diff compares two files, not 1
2|--between p- rec.data|'p-' is not in
2|--between - rec.data|'-' is not in
EOF

# Explanations ask about waits in windows; the guilty thread may be outside of them.
{
	cat tests/collapse/golden/outliers.txt
	printf '%s\n' 'window between begin_request,end_request' 'window scope thread' 'span-event windows 1' \
		'span 1390000000 1450000000 10 11 0 60000000 1 60000000 single label:21:0' \
		'span 1195000000 1196000000 10 11 0 1000000 1 1000000 single label:21:0'
} >"$tmp/outliers.txt"
python3 tests/collapse/make_recording.py "$tmp/outliers.data" <"$tmp/outliers.txt" || not_ok "made"
"$pyrograph" explain "$tmp/outliers.data" >"$tmp/all"
has "explain: all waits" "$tmp/all" "- 147 ms at"
has_not "... it says nothing of windows" "$tmp/all" "--between"
"$pyrograph" explain --between slow "$tmp/outliers.data" >"$tmp/in"
has "explain --between slow: what was in such windows" "$tmp/in" "- 40 ms at"
has "... and who made it wait" "$tmp/in" "unmap_segment"
has_not "... not what was outside" "$tmp/in" "- 147 ms at"
has "... of how many" "$tmp/in" "Of waits in windows only: --between slow, 1 of 2 windows."
"$pyrograph" explain --between out "$tmp/outliers.data" >"$tmp/not-in"
has "explain --between out: the others" "$tmp/not-in" "- 147 ms at"
has_not "... not what was in windows" "$tmp/not-in" "- 40 ms at"
is "explain --json --between fast: nothing waited there" \
	"$("$pyrograph" explain --json --between fast "$tmp/outliers.data" | python3 -c 'import json, sys; e = json.load(sys.stdin); print(len(e["outliers"]), e["headline"]["asked"])')" \
	"0 Of waits in windows only: --between fast, 1 of 2 windows."
