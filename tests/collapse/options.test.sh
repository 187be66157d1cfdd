# Options of collapse: what they keep, and what is wrong usage.
. tests/tap.sh
python3 tests/collapse/make_recording.py "$tmp/rec" <tests/collapse/golden/basics.txt
rec=$tmp/rec

sum() { awk '!/^#/ { n += $NF } END { print n + 0 }' "$1"; }

status "plain" 0 "$pyrograph" collapse "$rec"
is "every sample is in the sum" "$(sum "$tmp/out")" 7
cp "$tmp/out" "$tmp/plain"
status "again" 0 "$pyrograph" collapse "$rec"
same "the same input gives the same bytes" "$tmp/out" "$tmp/plain"
status "-o" 0 "$pyrograph" collapse -o "$tmp/file" "$rec"
same "... writes the same" "$tmp/file" "$tmp/plain"
status "abbreviated option" 0 "$pyrograph" collapse --inc main "$rec"
is "--include keeps whole lines that match" "$(sum "$tmp/out")" 5
status "--exclude" 0 "$pyrograph" collapse --exclude '^java;' --exclude sh_main "$rec"
is "... drops the rest" "$(sum "$tmp/out")" 3
status "nothing left by --include" 1 "$pyrograph" collapse --include nosuch "$rec"
has "... is said" "$tmp/err" "no stack is left"
status "nothing left by --from" 1 "$pyrograph" collapse --from +5s "$rec"
has "... is said" "$tmp/err" "no sample of its 7 is left"
status "from the end" 0 "$pyrograph" collapse --from -20.5ms "$rec"
is "... counts back" "$(sum "$tmp/out")" 3
for bad in "--root nosuch" "--event nosuch" "--from yesterday" "--include (" "--nosuch" "--weight x" \
	"--e page-faults" "a b"; do
	# shellcheck disable=SC2086 # words
	status "wrong usage: $bad" 2 "$pyrograph" collapse "$rec" $bad
	is "... leaves stdout empty" "$(wc -c <"$tmp/out")" 0
done
status "several roots" 0 "$pyrograph" collapse --root host,comm,pid,tid,thread,cpu,event "$rec"
has "... in their order" "$tmp/out" "db1;java;java-10;java-10/10;java-10/java;cpu0;cpu-clock;main;Foo::bar;leaf 2"
cp "$rec" "$tmp/same"
status "the recording is not overwritten" 2 "$pyrograph" collapse -o "$tmp/same" "$tmp/same"
same "... it is as it was" "$tmp/same" "$rec"
status "a recording is no folded text" 1 "$pyrograph" render flame "$rec"
has "... and collapse is named" "$tmp/err" "pyrograph collapse"
echo precious >"$tmp/text"
status "a file that is no recording is not replaced" 1 "$pyrograph" collect cpu -o "$tmp/text" -- true
is "... it is as it was" "$(cat "$tmp/text")" precious
