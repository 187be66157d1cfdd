# Damaged recordings give a clear error and no crash, and their undamaged parts are kept.
# slow: damaged recordings by the hundred
. tests/tap.sh
. tests/served.sh
deep=$BUILD/tests/workloads/deep
runs=30 # each one is a process, which may read the names of the kernel; memory errors are found by the sanitizers
[ -z "${SAN:-}" ] || runs=40

for made in basics hostile events; do
	run_to "$tmp/made" "$tmp/made" python3 tests/collapse/make_recording.py "$tmp/$made.data" <tests/collapse/golden/$made.txt
	judged python3 tests/collapse/hostile.py "$tmp/$made.data" $((runs * 2))
done
# hostile MADE OPTIONS...: for recordings of the time that threads spend
hostile()
{
	made=$1
	shift
	run_to "$tmp/made" "$tmp/made" python3 tests/collapse/make_recording.py "$tmp/$made.data" <tests/collapse/golden/$made.txt
	judged python3 tests/collapse/hostile.py "$tmp/$made.data" "$runs" "$@"
}
hostile sched --states --timed
hostile switches --states
hostile switches --offcpu --timed
hostile spans --tenancy --from +0.5s --to +1s
hostile gaps --heat
hostile offcpu --event all --root event,thread,state,by,waker --all
hostile offcpu --offcpu --columns time,count,longest,migrations
hostile stacks --event all
hostile walked --event all
hostile inlined --event all --srcline
hostile java --all --srcline
hostile threads --root thread --pool
hostile alloc --root class,thread
if perf record -q -B -F 199 -z -g -o "$tmp/zstd.data" -- "$deep" 100ms >/dev/null 2>&1; then
	judged python3 tests/collapse/hostile.py "$tmp/zstd.data" $((runs / 10))
	perf record -q -B -F 199 -g -o - -- "$deep" 100ms >"$tmp/pipe.data" 2>/dev/null
	judged python3 tests/collapse/hostile.py "$tmp/pipe.data" $((runs / 10))
else
	skip "damaged perf files" "perf record does not work here"
fi

rec=$tmp/basics.data
size=$(wc -c <"$rec")
: >"$tmp/empty"
status "an empty file" 1 "$pyrograph" collapse "$tmp/empty"
has "... is said to be empty" "$tmp/err" "is empty"
status "no file" 1 "$pyrograph" collapse "$tmp/nothing"
has "... is said to be missing" "$tmp/err" "No such file"
status "a directory" 1 "$pyrograph" collapse "$tmp"
has "... is said to be one" "$tmp/err" "is a directory"
status "text" 1 "$pyrograph" collapse Makefile
has "... is said to be no perf.data" "$tmp/err" "is not a perf.data file"
printf '2ELIFREP' | cat - "$rec" >"$tmp/foreign"
status "the other byte order" 1 "$pyrograph" collapse "$tmp/foreign"
has "... is explained" "$tmp/err" "other byte order"
printf 'PERFFILE' | cat - "$rec" >"$tmp/v1"
status "version 1" 1 "$pyrograph" collapse "$tmp/v1"
has "... is explained" "$tmp/err" "version 1"

head -c $((size * 6 / 10)) "$rec" >"$tmp/cut"
status "a file cut off in the middle" 0 "$pyrograph" collapse "$tmp/cut"
has "... is said to be cut" "$tmp/err" "cut off"
has "... and what is whole is kept" "$tmp/out" "java"
has "... and the output says so" "$tmp/out" "file cut off"
status "--strict makes it a failure" 1 "$pyrograph" collapse --strict "$tmp/cut"

status "a full disk" 1 sh -c "'$pyrograph' collapse '$rec' >/dev/full"
has "... is said" "$tmp/err" "No space left"
status "a full disk, by -o" 1 "$pyrograph" collapse -o /dev/full "$rec"
status "a directory that is not there" 1 "$pyrograph" collapse -o "$tmp/no/such" "$rec"
