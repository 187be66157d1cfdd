# Stripped code: functions without names are told apart by their beginnings, in every recording of the same build.
# live: a recording of a stripped program
. tests/tap.sh
. tests/symbols/common.sh
. tests/collect/common.sh

pid=4194303 # that of no process

# address FILE FUNCTION: its address in the tables of the file
address() { nm "$1" | awk -v name="$2" '$3 == name { sub(/^0*/, "", $1); print "0x" $1 }'; }
# offset FILE FUNCTION: in the file
offset() { functions "$1" | awk -v name="$2" '$2 == name { print "0x" $1 }'; }

# recorded FILE AT START [ID [MORE]]: makes 20 (or MORE) samples, 4 bytes apart, in the file mapped at START, as if
# recorded on another machine
recorded()
{
	last=1 step=4
	[ -z "${5:-}" ] || last=19 step=$5
	{
		echo "event cpu-clock"
		[ -z "${4:-}" ] || echo "build-id $4 $1"
		echo "comm 0 $pid $pid app"
		echo "mmap 0 $pid $3 0x200000 0 $1"
		for sample in $(seq 0 $last); do
			echo "sample 1$sample $pid $pid 0 $(printf '0x%x' $(($3 + $2 + sample * step)))"
		done
	} >"$tmp/text"
	python3 tests/collapse/make_recording.py "$tmp/made.data" <"$tmp/text"
}

for how in -pie -static; do
	build "$tmp/whole" $how || not_ok "build"
	id=$(build_id "$tmp/whole")
	at=$(offset "$tmp/whole" hidden_two) begins=$(address "$tmp/whole" hidden_two)
	cp "$tmp/whole" "$tmp/bare"
	strip "$tmp/bare"
	for start in 0x10000000 0x7f0000000000; do
		recorded "$tmp/bare" "$at" $start "$id"
		status "$how, stripped, at $start" 0 "$pyrograph" collapse "$tmp/made.data"
		is "... each function by its address in the file" "$(grep -v '^#' "$tmp/out")" "app;bare+$begins 2"
	done
	has "... whose share is said, and what gives names" "$tmp/err" \
		"100 % of the samples are in functions without a name, of bare: install debug packages, or set DEBUGINFOD_URLS=https://"
	is "... once" "$(grep -c 'functions without a name' "$tmp/err")" 1
	status "--merge-unnamed" 0 "$pyrograph" collapse -q --merge-unnamed "$tmp/made.data"
	is "... merges them" "$(grep -v '^#' "$tmp/out")" "app;[bare] 2"
	recorded "$tmp/bare" "$at" 0x10000000 0123456789abcdef0123456789abcdef01234567
	"$pyrograph" collapse -q "$tmp/made.data" >"$tmp/out"
	is "... another build is not looked at" "$(grep -v '^#' "$tmp/out")" "app;[bare] 2"
done

# Two files of one name, as cc1 of two versions of a compiler
mkdir -p "$tmp/one" "$tmp/two"
cp "$tmp/bare" "$tmp/one/same"
cp "$tmp/bare" "$tmp/two/same"
{
	echo "event cpu-clock"
	echo "build-id $id $tmp/one/same"
	echo "build-id $id $tmp/two/same"
	echo "comm 0 $pid $pid app"
	echo "mmap 0 $pid 0x10000000 0x200000 0 $tmp/one/same"
	echo "mmap 0 $pid 0x20000000 0x200000 0 $tmp/two/same"
	echo "sample 10 $pid $pid 0 $(printf '0x%x' $((0x10000000 + at)))"
	echo "sample 11 $pid $pid 0 $(printf '0x%x' $((0x20000000 + at)))"
} | python3 tests/collapse/make_recording.py "$tmp/made.data"
"$pyrograph" collapse "$tmp/made.data" >"$tmp/out" 2>"$tmp/err"
has "two files of one name are named once" "$tmp/err" "functions without a name, of same: "

# Debian's own: the package is named.
library=$(realpath /usr/lib/*/liblzma.so.5 2>/dev/null | head -1)
if [ -n "$library" ] && grep -qs liblzma /var/lib/dpkg/info/liblzma5*.list && ! [ -e /var/lib/dpkg/info/liblzma5-dbgsym.list ]; then
	where=$(readelf -SW "$library" | awk '$2 == ".text" { print "0x" $5 }')
	recorded "$library" "$where" 0x10000000 "$(build_id "$library")" 2048
	status "a library of Debian" 0 "$pyrograph" collapse "$tmp/made.data"
	if grep -q "without a name" "$tmp/err"; then
		has "... its debug package" "$tmp/err" "install liblzma5-dbgsym, or set DEBUGINFOD_URLS=https://debuginfod.debian.net"
	else
		skip "... its debug package" "it has names"
	fi
else
	skip "a library of Debian" "no liblzma5 without its debug package"
fi

# Recorded by us, wherever it was loaded.
strip -o "$tmp/bare_spin" "${BUILD:-build}/tests/workloads/thread_body"
stripped()
{
	for run in 1 2; do
		status "a stripped program, recording $run" 0 "$pyrograph" collect cpu -F 999 -o "$tmp/$run.data" -- "$tmp/bare_spin" 0.3
		has "... what gives names is said" "$tmp/err" "functions without a name, of bare_spin"
		# Not functions with a sample or two: where page faults are slow, one may be in main().
		"$pyrograph" collapse -q "$tmp/$run.data" | sed -n 's/.*;\(bare_spin+0x[0-9a-f]*\)\(;.*\)\{0,1\} \([0-9]*\)$/\1 \3/p' |
			awk '{ n[$1] += $2; all += $2 } END { for (name in n) if (10 * n[name] >= all) print name }' | sort >"$tmp/$run.names"
	done
	some "... its functions" "$(wc -l <"$tmp/1.names")" 1
	is "... are the same in both" "$(cat "$tmp/2.names")" "$(cat "$tmp/1.names")"
	is "... where work() begins" "$(cat "$tmp/1.names")" \
		"bare_spin+$(address "${BUILD:-build}/tests/workloads/thread_body" work)"
	"$pyrograph" collapse -q --merge-unnamed "$tmp/1.data" >"$tmp/out"
	has "--merge-unnamed: as one" "$tmp/out" "[bare_spin]"
	has_not "... and nothing else" "$tmp/out" "bare_spin+0x"
}
need_sampling "a stripped program"
live stripped
