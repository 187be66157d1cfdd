# How a collection ends (by a signal, a full disk, or the command's end), and what is left then.
# live: recordings that end
. tests/tap.sh
. tests/collect/common.sh
need_sampling "endings of collect cpu"
trap 'kill -KILL $started 2>/dev/null; [ -z "$mounted" ] || umount "$mounted"' EXIT
started= mounted=
"$spin" 600 1 >/dev/null & started=$!
rest $started

# ---- signals; a shell has its background jobs ignore SIGINT ----
by_signal()
{
	rm -f "$tmp/a.data"
	env --default-signal=$1 $collect -a -F 999 -o "$tmp/a.data" 2>"$tmp/err" & collector=$!
	resume $started
	grows "$tmp/a.data" 50000 || not_ok "SIG$1: the file grows" "$tmp/err"
	kill -$1 $collector
	rest $started
	finished $collector
	is "SIG$1: status 0" $? 0
	perf_reads "SIG$1" "$tmp/a.data" "$tmp/err"
	some "SIG$1: keeps what there is" "$(samples "$tmp/a.data")" 50
}
for signal in INT TERM HUP; do
	live by_signal $signal
done
rm -f "$tmp/a.data"
# A shell without job control makes its background jobs ignore SIGINT.  SIGINT ends the collection all the same, and the
# command gets the signal handling that was set for it.
ignored_int()
{
	rm -f "$tmp/ignored"
	(trap '' INT; exec $collect -a -F 999 -o "$tmp/a.data" 2>"$tmp/err" -- \
		sh -c 'grep SigIgn: /proc/self/status >"$0"; exec sleep 60' "$tmp/ignored") & collector=$!
	before 30 test -s "$tmp/ignored"
	kill -INT $collector
	finished $collector
	is "SIGINT where it was ignored: status 0" $? 0
	perf_reads "SIGINT where it was ignored" "$tmp/a.data" "$tmp/err"
	is "... its command goes on ignoring it" "$(sed -n 's/.*\(.\)$/\1/p' "$tmp/ignored" | tr 2367abef 22222222)" 2
}
live ignored_int
rm -f "$tmp/a.data"
(trap '' HUP; exec $collect -a -F 999 -o "$tmp/a.data" 2>"$tmp/err") & collector=$!
before 30 begun "$tmp/a.data"
kill -HUP $collector
resume $started
grows "$tmp/a.data" 50000 || not_ok "under nohup, after SIGHUP: the file grows" "$tmp/err"
rest $started
is "under nohup, SIGHUP does not end it" "$(gone $collector || echo lives)" lives
kill -TERM $collector
finished $collector

# ---- killed ----

killed()
{
	rm -f "$tmp/b.data"
	$collect -a -F 4999 -o "$tmp/b.data" 2>"$tmp/err" & collector=$!
	resume $started
	grows "$tmp/b.data" 400000 || not_ok "SIGKILL: the file grows" "$tmp/err"
	kill -KILL $collector
	rest $started
	finished $collector
	perf script --symfs "$tmp" -i "$tmp/b.data" >"$tmp/perf.out" 2>"$tmp/perf.err"
	no_loss "$tmp/perf.err" # nobody is left to tell of them
	is "SIGKILL: perf opens it without a warning" "$(cat "$tmp/perf.err")" ""
	some "SIGKILL: what was flushed is there" "$(samples "$tmp/b.data")" 500
	data=$(od -A n -t u8 -j 40 -N 16 "$tmp/b.data")
	# shellcheck disable=SC2086
	set -- $data
	some "SIGKILL: at most one flush is missing" $(($1 + $2 + 2000000)) "$(stat -c %s "$tmp/b.data")"
	od -A n -c -j 104 -N 84 "$tmp/b.data" | tr -d ' \n' >"$tmp/clock"
	is "SIGKILL: it knows the wall clock" "$(grep -cE '^([0-9]{40}\\n){2}' "$tmp/clock")" 1
}
live killed

# ---- a disk that is full ----
full()
{
	what=$1
	has "$what: says so" "$tmp/err" "cannot write: $2"
	is "$what: once" "$(grep -c 'cannot write' "$tmp/err")" 1
	perf_reads "$what" "$3" "$tmp/err"
	some "$what: what is whole is kept" "$(samples "$3")" 200
	has "$what: the rest is counted" "$tmp/err" "records that could not be written"
	perf report -i "$3" --header-only 2>/dev/null >"$tmp/header"
	has "$what: there was room for the sections" "$tmp/header" "# hostname"
}
# Not the whole machine, which may have more modules and symbols than fit.
end_spinners $started
"$spin" 600 2 >/dev/null & filler=$! started=$!
rest $filler
size_limit()
{
	resume $filler
	sh -c "ulimit -f 1000; exec $collect -F 9999 -p $filler -d 60 -o $tmp/c.data" 2>"$tmp/err"
	is "a file size limit: status 1" $? 1
	rest $filler
	full "a file size limit" "File too large" "$tmp/c.data"
}
live size_limit
mkdir "$tmp/disk"
if mount -t tmpfs -o size=600k none "$tmp/disk" 2>/dev/null; then
	mounted=$tmp/disk
	full_disk()
	{
		rm -f "$tmp"/disk/*
		resume $filler
		$collect -F 9999 -p $filler -d 60 -o "$tmp/disk/d.data" 2>"$tmp/err"
		is "a full disk: status 1" $? 1
		rest $filler
		full "a full disk" "No space left on device" "$tmp/disk/d.data"
	}
	live full_disk
	umount "$tmp/disk" && mounted=
	mount -t tmpfs -o size=8k none "$tmp/disk" && mounted=$tmp/disk
	status "a disk that was full before" 1 $collect -F 99 -a -d 1 -o "$tmp/disk/e.data"
	has "... is said" "$tmp/err" "cannot write: No space left on device"
	has_not "... and no hint is beside it" "$tmp/err" hint
	is "... nothing is left" "$(ls -A "$tmp/disk")" ""
	status "report, on that disk" 1 "$pyrograph" report -a -d 1 -o "$tmp/disk/new/charts"
	has "... says what is wrong" "$tmp/err" "cannot write: No space left on device"
	is "... and nothing else but how it samples here" \
		"$(grep -v 'cannot write: No space left\|no hardware cycle counter\|is a JVM: ' "$tmp/err")" ""
	is "... nothing is left" "$(ls -A "$tmp/disk")" ""
	umount "$tmp/disk" && mounted=
else
	skip "a full disk" "cannot mount a tmpfs"
fi
end_spinners $filler
started=
status "no such directory" 1 $collect -a -d 0.1 -o "$tmp/nowhere/e.data"
has "... is said" "$tmp/err" "cannot create: No such file or directory"
status "a directory" 1 $collect -a -d 0.1 -o "$tmp"

# ---- the command ----
status "a command that fails is not our failure" 0 $collect -o "$tmp/f.data" -- sh -c 'exit 7'
has "... its status is told" "$tmp/err" "sh exited with status 7"
status "a command that is killed" 0 $collect -o "$tmp/f.data" -- sh -c 'kill -9 $$'
has "... is told" "$tmp/err" "killed by signal 9"
echo 'PERFILE2 older' >"$tmp/g.data"
status "a command that is not there" 1 $collect -o "$tmp/g.data" -- no-such-command
has "... is told" "$tmp/err" "no-such-command: command not found"
is "... the older file is untouched" "$(cat "$tmp/g.data")" "PERFILE2 older"
status "... no program" 1 $collect -o "$tmp/g.data" -- /etc/passwd
is "... the older file is untouched" "$(cat "$tmp/g.data" "$tmp/g.data.old" 2>/dev/null)" "PERFILE2 older"
status "a command, cut short by -d" 0 $collect -d 0.3 -o "$tmp/h.data" -- "$spin" 60
has "... is stopped" "$tmp/err" "stopped "
status "a command reads our stdin" 0 sh -c "echo word | $collect -q -o $tmp/h.data cat"
is "... and writes our stdout" "$(cat "$tmp/out")" word
status "an option of the command is the command's" 0 $collect -q -o "$tmp/h.data" ls -d /
is "... indeed" "$(cat "$tmp/out")" /
status "a command's limits are those of the shell" 0 sh -c "ulimit -Sn 77; $collect -q -o $tmp/h.data sh -c 'ulimit -Sn'"
is "... indeed" "$(cat "$tmp/out")" 77
status "... and its priority" 0 $collect -q -o "$tmp/h.data" nice
is "... which we raise for ourselves" "$(cat "$tmp/out")" "$(nice)"

# ---- the file ----
status "an older recording" 0 $collect -o "$tmp/g.data" -- true
is "... is kept as .old" "$(cat "$tmp/g.data.old")" "PERFILE2 older"
is "... and the new one is for our eyes only" "$(stat -c %a "$tmp/g.data")" 600
: >"$tmp/k.data"
chmod 644 "$tmp/k.data"
status "an empty file in its place" 0 $collect -q -o "$tmp/k.data" -- true
is "... is no older recording" "$(ls "$tmp"/k.data*)" "$tmp/k.data"
is "... nor are its rights those of the recording" "$(stat -c %a "$tmp/k.data")" 600
status "-q" 0 $collect -q -o "$tmp/g.data" -- true
is "... says nothing" "$(cat "$tmp/out" "$tmp/err")" ""

status "a command knows nothing of who asked for it" 0 env PYROGRAPH_CALLER=x $collect -q -o "$tmp/h.data" -- \
	sh -c 'echo "${PYROGRAPH_CALLER-none}"'
is "... indeed" "$(cat "$tmp/out")" none

# ---- names are data ----

odd_name()
{
	cp "$spin" "$tmp/$(printf 'a\033[31m\nb')"
	status "a command with an escape sequence for a name" 0 $collect -F 499 -o "$tmp/i.data" \
		-- "$tmp/$(printf 'a\033[31m\nb')" 0.2
	is "... does not reach the terminal" "$(tr -d '\n' <"$tmp/err" | grep -c "$(printf '\033')")" 0
	perf_reads "such a name" "$tmp/i.data" "$tmp/err"
}
live odd_name
status "... that is not found" 1 $collect -o "$tmp/j.data" "$(printf 'no\033[31m')"
is "... either" "$(grep -c "$(printf '\033')" "$tmp/err")" 0
