# Frames without a name: collapse tells the reason once for each file.
. tests/tap.sh
. tests/symbols/common.sh

build "$tmp/whole" -static || not_ok "build"
id=$(build_id "$tmp/whole")
at=0x$(functions "$tmp/whole" | awk '$2 == "hidden_two" { print $1 }')
for name in good stripped damaged cut other gone; do cp "$tmp/whole" "$tmp/$name"; done # .symtab, no .dynsym
strip "$tmp/stripped"
head -c 100 "$tmp/whole" >"$tmp/damaged"
head -c 6000 "$tmp/whole" >"$tmp/cut"
build "$tmp/other" -DOTHER -Wl,--build-id=0x0123456789abcdef0123456789abcdef01234567
rm "$tmp/gone"
pid=4194303 # that of no process
{
	echo here
	echo "event cpu-clock"
	start=0x10000000
	for name in good stripped damaged cut other gone; do
		echo "build-id $id $tmp/$name"
		echo "comm 0 $pid $pid app"
		echo "mmap 0 $pid $start 0x10000 0 $tmp/$name"
		echo "sample 10 $pid $pid 0 $(printf '0x%x' $((start + at)))"
		echo "sample 11 $pid $pid 0 $(printf '0x%x 0x%x' $((start + at)) $((start + at + 1)))"
		start=$(printf '0x%x' $((start + 0x100000)))
	done
	echo "sample 12 $pid $pid 0 0x7000"
} >"$tmp/text"
python3 tests/collapse/make_recording.py "$tmp/made.data" <"$tmp/text"

status "collapse goes on" 0 "$pyrograph" collapse --merge-unnamed "$tmp/made.data"
has "a file that is whole is named" "$tmp/out" "app;hidden_two 1"
has "... its callers too" "$tmp/out" "app;hidden_two;hidden_two 1"
for row in "stripped|the file has no symbols: it is stripped" "damaged|the file, or its debug information, is damaged" \
	"cut|the file, or its debug information, is damaged" \
	"other|the file is another build than the one recorded" "gone|the file is gone"; do
	name=${row%%|*}
	has "$name: said" "$tmp/err" "$tmp/$name: ${row#*|}"
	is "... once" "$(grep -c "/$name:" "$tmp/err")" 1
	has "... and its frames have the file's name" "$tmp/out" "app;[$name] 1"
done
has "where most are is said, and what helps" "$tmp/err" "in functions without a name, of stripped: \
install debug packages, or set DEBUGINFOD_URLS=https://"
has_not "nothing is said of the good one" "$tmp/err" "/good:"
has "an address where nothing is mapped" "$tmp/out" "app;[unknown] 1"
status "-q" 0 "$pyrograph" collapse -q "$tmp/made.data"
is "... says nothing" "$(cat "$tmp/err")" ""
