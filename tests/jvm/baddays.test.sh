# What may become of a JVM while it is recorded, where it may run, and who may record it: its frames are
# right, or coarser with a reason; nobody crashes; the JVM does, prints and ends as ever.
# live: JVMs on bad days
. tests/tap.sh
. tests/collect/common.sh
. tests/jvm/java.sh
need_java
"$pyrograph" collect usable cpu >/dev/null 2>&1 || { skip "JVMs on bad days" "no perf events"; exit 0; }

# begin [OPTION ...]: record $jvm in the background, $collector, until it is known to take samples.
begin()
{
	rm -f "$tmp/day.data"
	"$pyrograph" collect cpu -p "${target:-$jvm}" -F 499 -o "$tmp/day.data" "$@" 2>"$tmp/said" 9>&- &
	collector=$!
	size=0
	while [ "$size" -lt 40000 ] && kill -0 "$collector" 2>/dev/null; do
		size=$(cat "$tmp"/day.data "$tmp"/.day.data.* 2>/dev/null | wc -c)
		sleep 0.1
	done
}

# end WHAT: the collector ends well; its stacks go to $tmp/stacks.
end()
{
	kill -INT "$collector" 2>/dev/null
	wait "$collector"
	is "$1: recorded" "$?" 0
	"$pyrograph" collapse --root thread --all "$tmp/day.data" >"$tmp/stacks" 2>>"$tmp/said"
}

# has_stack WHAT PATTERN
has_stack()
{
	if grep -q "$2" "$tmp/stacks"; then ok "$1"; else not_ok "$1" "$tmp/said" "$tmp/stacks"; fi
}

unharmed()
{
	java_stop
	is "$1: ends as ever" "$? $(paste -sd' ' "$tmp/java.out")" "0 ready found 1"
	is "$1: says nothing else" "$(cat "$tmp/java.err")" ""
}

java_frames='java\.lang\.Thread\.run_\[[^;]*;.*Spin\.burn'

# ---- what becomes of it ----

# Its launcher starts the thread that is the program while the collector gets ready.  Between the last look at the
# threads and the events there is a moment left.
without=0
for _ in 1 2 3 4 5; do
	java -Xmx64m -cp "$classes" Churn 6 60 2>"$tmp/java.err" &
	"$pyrograph" collect cpu -p $! -F 499 -o "$tmp/day.data" 2>"$tmp/said" || without=$((without + 1))
	grep -q ' 0 samples' "$tmp/said" && without=$((without + 1))
	wait
done
if [ "$without" -le 1 ]; then
	ok "it has just been started: its program is recorded"
else
	not_ok "it has just been started: its program is recorded" "$without of 5 are without" "$tmp/said"
fi

java_start Spin
begin
unharmed "it exits"
end "it exits"
has_stack "... its frames have names" "$java_frames"

java_start Spin
begin
kill -STOP "$jvm"
sleep 0.3
kill -CONT "$jvm"
end "it is stopped and goes on"
has_stack "... its frames have names" "$java_frames"
unharmed "it is stopped and goes on"

java_start Spin
begin
kill -STOP "$jvm"
end "it is stopped, until after the end"
has_stack "... its frames have names" "$java_frames"
kill -CONT "$jvm"
unharmed "it is stopped, until after the end"

java_start -Xmx64m Unload
begin
sleep 1
end "collections, and classes that are unloaded"
has_stack "... its frames have names" 'java-[0-9]*/unloader;.*Unload\.unload'
is "... and no other class has got into them" "$(tr ';' '\n' <"$tmp/stacks" | sed 's/ [0-9]*$//' | grep '_\[[0-9ji]\]$' |
	grep '^[A-Za-z]*\.\|\.[A-Za-z]' | grep -v '^Unload\|^java\.\|^jdk\.\|^sun\.\|^StubRoutines' | head -5)" ""
unharmed "collections, and classes that are unloaded"

# Preloaded, it makes the process another program when signal 44 comes.
cat >"$tmp/exec.c" <<'END'
#include <signal.h>
#include <unistd.h>

static void become(int number)
{
	(void)number;
	execl("/bin/sleep", "sleep", "0.2", (char *)0);
}

__attribute__((constructor)) static void begin(void)
{
	signal(44, become);
}
END
if ${CC:-cc} -shared -fPIC -o "$tmp/exec.so" "$tmp/exec.c" 2>/dev/null; then
	printf '#!/bin/sh\nLD_PRELOAD=%s exec java "$@"\n' "$tmp/exec.so" >"$tmp/become"
	chmod +x "$tmp/become"
	java=$tmp/become java_start Spin
	begin
	kill -44 "$jvm"
	wait "$jvm"
	is "it becomes another program, which ends" "$?" 0
	exec 9>&-
	end "it becomes another program"
	has_stack "... its frames have names" "$java_frames"
else
	skip "it becomes another program" "no compiler"
fi

java_start Spin
begin
kill -KILL "$collector"
wait "$collector" 2>/dev/null
"$pyrograph" collapse --quality "$tmp"/.day.data.* "$tmp/day.data" >"$tmp/stacks" 2>/dev/null ||
	"$pyrograph" collapse --quality "$tmp/day.data" >"$tmp/stacks" 2>"$tmp/said"
has_stack "the collector is killed: that is why names are missing" ' unfinished .*SIGKILL'
unharmed "the collector is killed"

# ---- when it comes ----

# input SECONDS: lasts so long after a JVM has printed "ready", however slowly it comes up.
input()
{
	before 60 grep -q '^ready' "$tmp/java.out"
	sleep "$1"
}

# fed SECONDS COMMAND ...: with such an input; what it prints goes to $tmp/java.out.
fed()
{
	: >"$tmp/java.out"
	input "$1" | {
		shift
		"$@" >>"$tmp/java.out" 2>"$tmp/said"
	}
}

fed 1 "$pyrograph" collect cpu -F 499 -o "$tmp/command.data" -- java -cp "$classes" Spin
is "a command that is a JVM: as ever" "$? $(paste -sd' ' "$tmp/java.out")" "0 ready found 1"
"$pyrograph" collapse --root thread --all "$tmp/command.data" >"$tmp/stacks" 2>>"$tmp/said"
has_stack "... its frames have names" "$java_frames"
fed 2 "$pyrograph" collect cpu -F 499 -o "$tmp/late.data" -- timeout 60 sh -c "cat | java -cp '$classes' Spin"
is "a JVM that a command starts: as ever" "$? $(paste -sd' ' "$tmp/java.out")" "0 ready found 1"
is "... what would have been better is said" "$(grep -c 'hint: process .* is a JVM that came up after' "$tmp/said")" 1
fed 1 "$pyrograph" collect cpu --call-graph dwarf -F 499 -o "$tmp/late.data" -- timeout 60 sh -c "cat | java -cp '$classes' Spin"
"$pyrograph" collapse --root thread --all "$tmp/late.data" >"$tmp/stacks" 2>>"$tmp/said"
has_stack "... and is" "$java_frames"
cat >"$tmp/start.sh" <<END
#!/usr/bin/env sh
exec "\${JAVA:-java}" -cp '$classes' Spin
END
chmod +x "$tmp/start.sh"
fed 1 "$pyrograph" collect cpu -F 499 -o "$tmp/script.data" -- "$tmp/start.sh"
is "a script that becomes a JVM: as ever" "$? $(paste -sd' ' "$tmp/java.out")" "0 ready found 1"
"$pyrograph" collapse --root thread --all "$tmp/script.data" >"$tmp/stacks" 2>>"$tmp/said"
has_stack "... its frames have names" "$java_frames"

# ---- what it is called ----

java_start Spin '"; DROP</script>'
begin
end "a name that is markup"
"$pyrograph" render flame --split thread -o "$tmp/pictures" "$tmp/stacks" 2>"$tmp/said"
is "... is text" "$(cat "$tmp"/pictures/*.svg "$tmp"/pictures/index.html | grep -c 'DROP</script>')" 0
is "... and there" "$(cat "$tmp"/pictures/*.svg | grep -q 'DROP&lt;/script&gt;' && echo yes)" yes
unharmed "a name that is markup"

if [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null; then
	skip "other users, namespaces" "wants root and setpriv"
	exit 0
fi

# ---- where it is ----

umask 022
chmod 755 "$tmp"
printf '#!/bin/sh\nexec setpriv --reuid=65534 --regid=65534 --clear-groups java "$@"\n' >"$tmp/nobody"
cat >"$tmp/contained" <<'END'
#!/bin/sh
shift 2
exec unshare $how --mount --pid --fork sh -c '
	mount --bind "$0" /mnt && mount -t tmpfs none /tmp && exec java -cp /mnt "$@"' "$classes" "$@"
END
chmod +x "$tmp/nobody" "$tmp/contained"
java=$tmp/nobody java_start Spin
begin
end "another user's"
has_stack "... its frames have names" "$java_frames"
unharmed "another user's"
export classes how
for how in "" "--user --map-root-user"; do
	unshare $how --mount --pid --fork true 2>/dev/null || { skip "containers $how" "no namespaces"; continue; }
	java=$tmp/contained java_start Spin
	read -r target _ <"/proc/$jvm/task/$jvm/children"
	begin
	end "in namespaces $how"
	has_stack "... its frames have names" "$java_frames"
	has_stack "... its threads, too" "/spinner;"
	target=
	unharmed "in namespaces $how"
done

# ---- who records it ----

java_start Spin
open=$(TMPDIR=/tmp mktemp -d)
trap 'rm -rf "$open"' EXIT
chmod 777 "$open"
cp "${BUILD:-build}"/pyrograph* "$open"
(
	cd "$open" && exec setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps +perfmon --ambient-caps +perfmon \
		./pyrograph collect cpu -p "$jvm" -d 500ms -F 499 -o limited.data
) >"$tmp/said" 2>&1 9>&-
is "with the right to sample, but not to read its memory: recorded" "$?" 0
"$pyrograph" collapse --root thread "$open/limited.data" >"$tmp/stacks" 2>>"$tmp/said"
has_stack "... native frames have names" "JavaThread::\|\[jit\]\|\[libjvm"
is "... and why not more, is said" "$(grep -o 'no right to look into it: root may' "$tmp/said")" \
	"no right to look into it: root may"
unharmed "... and it"
