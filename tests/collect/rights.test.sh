# What an ordinary user may do, and the messages about the rest.
# live: what users may record; sanitized, too
# alone: what nobody may lock in memory is for all of their programs
. tests/tap.sh
. tests/collect/common.sh
if [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null; then
	skip "rights" "needs root, to become an ordinary user"
	exit 0
fi
need_sampling "rights"
paranoid=$(cat /proc/sys/kernel/perf_event_paranoid)
if [ "$paranoid" != 2 ]; then
	skip "rights" "kernel.perf_event_paranoid is $paranoid, not 2"
	exit 0
fi

# A place that an ordinary user reaches.
open=$(TMPDIR=/tmp mktemp -d)
trap 'rm -rf "$open"' EXIT
chmod 777 "$open"
cp "${BUILD:-build}/pyrograph-collect" "$spin" "$open"
as_nobody()
{
	(cd "$open" && ASAN_OPTIONS=detect_leaks=0 setpriv --reuid=65534 --regid=65534 --clear-groups "$@")
}
unprivileged="./pyrograph-collect cpu"

status "-a" 1 as_nobody $unprivileged -a -d 0.1 -o a.data
has "... names the sysctl and its value" "$tmp/err" "kernel.perf_event_paranoid is 2, it must be 0 or less"
has "... names the capability" "$tmp/err" "CAP_PERFMON"
has "... the command for the one" "$tmp/err" "sudo sysctl kernel.perf_event_paranoid=0"
has "... and for the other" "$tmp/err" "sudo setcap cap_perfmon,cap_sys_ptrace,cap_syslog+ep $open/pyrograph-collect"
has "... and by sudo, whose PATH is another" "$tmp/err" "  sudo $open/pyrograph-collect cpu ..."
mkdir "$open/a user's"
cp "$open/pyrograph-collect" "${BUILD:-build}/pyrograph" "$open/a user's"
status "-a, run in place" 1 as_nobody "$open/a user's/pyrograph" collect cpu -a -d 0.1 -o a.data
has "... as it was run, for a shell" "$tmp/err" "  sudo '$open/a user'\''s/pyrograph' collect cpu ..."
has "... and so for setcap" "$tmp/err" "+ep '$open/a user'\''s/pyrograph-collect'"
status "report -a" 1 as_nobody "$open/a user's/pyrograph" report -a -d 0.1 -o charts
has "... wants rights for all that it records" "$tmp/err" "sudo setcap cap_bpf,cap_perfmon,cap_sys_ptrace,cap_syslog+ep"
rm -r "$open/a user's"
is "... and leaves no file" "$(ls "$open/a.data" 2>/dev/null)" ""
status "another's process" 1 as_nobody $unprivileged --user -p $$ -d 0.1 -o a.data
has "... says so" "$tmp/err" "it is another user's process"
status "--kernel" 1 as_nobody $unprivileged --kernel -o a.data ./spin_shares 0.1
has "... says what it takes" "$tmp/err" "it must be 1 or less"

own_command()
{
	rm -f "$open/b.data"
	status "an own command" 0 as_nobody $unprivileged -F 499 -o b.data ./spin_shares 0.8
	has "... says that the kernel is left out" "$tmp/err" "user code only"
	chown 0 "$open/b.data"
	some "... is recorded" "$(field "$open/b.data" comm | grep -c spinner)" 10
	perf_reads "an own command" "$open/b.data" "$tmp/err"
}
live own_command
status "--user" 0 as_nobody $unprivileged --user -F 499 -o c.data ./spin_shares 0.4
has_not "... is nothing to talk about" "$tmp/err" "user code only"
cp "$open/spin_shares" "$open/unreadable"
chmod 711 "$open/unreadable"
status "a program that may not be read" 0 as_nobody $unprivileged --user -F 499 -o u.data ./unreadable 0.1
has "... is why there are no samples" "$tmp/err" "you may not read ./unreadable"
status "... found by its name" 0 as_nobody env "PATH=$open:$PATH" $unprivileged --user -F 499 -o u.data unreadable 0.1
has "... either" "$tmp/err" "you may not read unreadable"
status "more ring than may be locked" 0 as_nobody $unprivileged -m 64M -o d.data ./spin_shares 0.1
has "... is made smaller, and said" "$tmp/err" "kernel.perf_event_mlock_kb"
if [ "$(cat /proc/sys/kernel/perf_event_mlock_kb)" -gt 600 ]; then
	skip "stacks, as many as may be locked" "kernel.perf_event_mlock_kb is not 516"
else
	locked_stacks()
	{
		rm -f "$open/g.data"
		status "stacks, as many as may be locked" 0 sh -c "ulimit -l 0; cd '$open' && ASAN_OPTIONS=detect_leaks=0 \
			setpriv --reuid=65534 --regid=65534 --clear-groups $unprivileged --call-graph dwarf -F 99 -o g.data ./spin_shares 1"
		has "... says how many that are" "$tmp/err" "samples with 32768 bytes of stack"
		chown 0 "$open/g.data"
		"$pyrograph" collapse -q "$open/g.data" >"$tmp/g.folded" 2>/dev/null
		some "... and they are whole: two frames of the C library, which may have no names, and ours" \
			"$(grep -c '^[^;]*;[^;]*;[^;]*;work;run;spin_' "$tmp/g.folded")" 1
	}
	live locked_stacks
fi

# A process puts a pipe where /proc/PID/maps shows the library of a JVM.
cat >"$open/mapped.py" <<'END'
import mmap, os
with open("libjvm.so", "wb+") as file:
    file.write(bytes(4096))
    file.flush()
    code = mmap.mmap(file.fileno(), 4096, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_EXEC)
os.unlink("libjvm.so")
os.mkfifo("libjvm.so (deleted)")
print(os.getpid(), flush=True)
while True:
    pass
END
: >"$tmp/mapped"
as_nobody env PATH=/usr/bin:/bin python3 mapped.py >"$tmp/mapped" & mapper=$!
before 30 test -s "$tmp/mapped"
status "a pipe where a library was keeps nobody waiting" 0 \
	as_nobody timeout -s KILL 60 $unprivileged --user -F 499 -p "$(cat "$tmp/mapped")" -d 0.5 -o m.data
kill "$(cat "$tmp/mapped")"
wait $mapper 2>/dev/null

status "a program in Python" 0 as_nobody $unprivileged --user --call-graph dwarf -F 499 -o m.data -- \
	/usr/bin/python3 -c 'sum(i * i for i in range(3000000))'
has "... has no functions, and why" "$tmp/err" "runs Python, of which stacks show the interpreter only, not its functions: no right"

if command -v setcap >/dev/null && setcap cap_perfmon,cap_sys_ptrace,cap_syslog+ep "$open/pyrograph-collect" 2>/dev/null; then
	status "with the capabilities, -a" 0 as_nobody $unprivileged -a -F 499 -d 0.2 -o e.data
else
	skip "with the capabilities" "cannot set them here"
fi
if ! "${BUILD:-build}/pyrograph-collect" usable sched 2>/dev/null | grep -q sched; then
	skip "BPF with the capabilities" "no BPF here"
elif command -v setcap >/dev/null &&
	setcap cap_bpf,cap_perfmon,cap_sys_ptrace,cap_syslog+ep "$open/pyrograph-collect" 2>/dev/null; then
	status "with those that docs/rights.md names, BPF" 0 as_nobody ./pyrograph-collect sched,offcpu,wakeup,faults,syscalls,io,locks,lanes,processes,wall -a -d 0.3 -o f.data
	has "... sees the machine" "$tmp/err" " spans of sched"
	status "... and noise" 0 as_nobody ./pyrograph-collect noise -C "$(sed 's/[-,].*//' /sys/devices/system/cpu/online)" -d 0.3
	if [ "$(as_nobody sh -c './pyrograph-collect usable alloc' 2>"$tmp/err")" = alloc ]; then
		skip "... but for uprobes" "this kernel gives them to CAP_PERFMON"
	else
		has "... but for uprobes" "$tmp/err" "no right to set uprobes (needs CAP_SYS_ADMIN, or root)"
		status "... of malloc()" 1 as_nobody ./pyrograph-collect alloc --native -o h.data -- true
		has "... which say so" "$tmp/err" "collect alloc --native sets uprobes, for which this kernel requires CAP_SYS_ADMIN"
		status "... of a JVM" 1 as_nobody ./pyrograph-collect alloc -a -o g.data
		has "... which say so" "$tmp/err" "collect alloc sets uprobes, for which this kernel requires CAP_SYS_ADMIN"
		setcap cap_sys_admin,cap_sys_ptrace,cap_syslog+ep "$open/pyrograph-collect"
		status "with cap_sys_admin, as it says" 0 as_nobody ./pyrograph-collect alloc --native -o h.data -- true
		is "... whatever root can use, can be used" "$(as_nobody ./pyrograph-collect usable 2>&1)" \
			"$("${BUILD:-build}/pyrograph-collect" usable 2>&1)"
	fi
else
	skip "BPF with the capabilities" "cannot set them here"
fi
