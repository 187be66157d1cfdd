# A JVM may change or end while it is recorded, run in unusual places, and be recorded by another user.  In each case,
# its frames are right, or a message says why they are less detailed; no program crashes; and the JVM works, prints and
# ends as usual.
# live: JVMs on bad days
. tests/tap.sh
. tests/collect/common.sh
. tests/jvm/java.sh
need_java
"$pyrograph" collect usable cpu >/dev/null 2>&1 || { skip "JVMs on bad days" "no perf events"; exit 0; }

# sizes FILE: for a recording that is under way, or done
sizes()
{
	of=${1##*/}
	set -- $(wc -c "$1" "${1%"$of"}.$of".* 2>/dev/null | tail -1)
	echo "${1:-0}"
}
recorded() { gone "$1" || [ "$(sizes "$2")" -ge "$3" ]; } # COLLECTOR FILE BYTES

# begin [OPTION ...]: starts to record $jvm in the background, $collector, and returns when it takes samples.
begin()
{
	rm -f "$tmp/day.data"
	"$pyrograph" collect cpu -p "${target:-$jvm}" -F 499 -o "$tmp/day.data" "$@" 2>"$tmp/said" 9>&- &
	collector=$!
	before 60 recorded "$collector" "$tmp/day.data" 20000
}

# end WHAT: the collector ends without an error, while Spin rests; the stacks go to $tmp/stacks.
end()
{
	java_tell p
	kill -INT "$collector" 2>/dev/null
	wait "$collector"
	is "$1: recorded" "$?" 0
	target=
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

# The JVM's launcher starts the program's thread while the collector gets ready.  A moment remains between the last look
# at the threads and the opening of events.
just_started()
{
	without=0
	for _ in 1 2 3 4 5; do
		java_start_only Spin
		"$pyrograph" collect cpu -p "$jvm" -F 499 -o "$tmp/day.data" 2>"$tmp/said" 9>&- &
		collector=$!
		java_ready
		before 60 used 20
		java_tell p
		kill -INT "$collector"
		wait "$collector"
		"$pyrograph" collapse --root thread --all "$tmp/day.data" 2>>"$tmp/said" | grep -q '/spinner;' || without=$((without + 1))
		java_stop
	done
	if [ "$without" -le 1 ]; then
		ok "it has just been started: its program is recorded"
	else
		not_ok "it has just been started: its program is recorded" "$without of 5 are without" "$tmp/said"
	fi
}
used() { gone "$jvm" || [ "$(cpu_used)" -ge "$1" ]; }

exits()
{
	java_start Spin
	begin
	unharmed "it exits"
	end "it exits"
	has_stack "... its frames have names" "$java_frames"
}

goes_on()
{
	java_start Spin
	begin
	kill -STOP "$jvm"
	before 20 are_stopped
	kill -CONT "$jvm"
	end "it is stopped and goes on"
	has_stack "... its frames have names" "$java_frames"
	unharmed "it is stopped and goes on"
}
are_stopped() { ! cat "/proc/$jvm/task/"*/stat | grep -qv ') T '; }

stopped()
{
	java_start Spin
	begin
	kill -STOP "$jvm"
	end "it is stopped, until after the end"
	has_stack "... its frames have names" "$java_frames"
	kill -CONT "$jvm"
	unharmed "it is stopped, until after the end"
}

unloads()
{
	java_start -Xmx64m Unload
	begin
	before 60 used $(($(cpu_used) + 100))
	end "collections, and classes that are unloaded"
	has_stack "... its frames have names" 'java-[0-9]*/unloader;.*Unload\.unload'
	is "... and no other class has got into them" "$(tr ';' '\n' <"$tmp/stacks" | sed 's/ [0-9]*$//' | grep '_\[[0-9ji]\]$' |
		grep '^[A-Za-z]*\.\|\.[A-Za-z]' | grep -v '^Unload\|^java\.\|^jdk\.\|^sun\.\|^StubRoutines' | head -5)" ""
	unharmed "collections, and classes that are unloaded"
}

live just_started
live exits
live goes_on
live stopped
live unloads

# When preloaded, it makes the process execute another program on signal 44.
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
becomes_another()
{
	java=$tmp/become
	java_start Spin
	java=
	begin
	kill -44 "$jvm"
	wait "$jvm"
	is "it becomes another program, which ends" "$?" 0
	exec 9>&-
	end "it becomes another program"
	has_stack "... its frames have names" "$java_frames"
}
if ${CC:-cc} -shared -fPIC -o "$tmp/exec.so" "$tmp/exec.c" 2>/dev/null; then
	printf '#!/bin/sh\nLD_PRELOAD=%s exec java "$@"\n' "$tmp/exec.so" >"$tmp/become"
	chmod +x "$tmp/become"
	live becomes_another
else
	skip "it becomes another program" "no compiler"
fi

collector_killed()
{
	java_start Spin
	begin
	kill -KILL "$collector"
	wait "$collector" 2>/dev/null
	"$pyrograph" collapse --quality "$tmp"/.day.data.* "$tmp/day.data" >"$tmp/stacks" 2>/dev/null ||
		"$pyrograph" collapse --quality "$tmp/day.data" >"$tmp/stacks" 2>"$tmp/said"
	has_stack "the collector is killed: that is why names are missing" ' unfinished .*SIGKILL'
	unharmed "the collector is killed"
}
live collector_killed

# ---- when it comes ----

# input FILE: lasts until the recording has samples of a JVM that has printed "ready", however slowly the JVM starts.
input()
{
	before 60 grep -q '^ready' "$tmp/java.out"
	before 60 recorded $$ "$1" $(($(sizes "$1") + 100000)) # over a second, the period of looking for JVMs
}

# fed FILE COMMAND ...: runs the command with such an input; its output goes to $tmp/java.out.
fed()
{
	: >"$tmp/java.out"
	rm -f "$1"
	input "$1" | {
		shift
		"$@" >>"$tmp/java.out" 2>"$tmp/said"
	}
}

command_is_a_jvm()
{
	fed "$tmp/command.data" "$pyrograph" collect cpu -F 499 -o "$tmp/command.data" -- java -cp "$classes" Spin
	is "a command that is a JVM: as ever" "$? $(paste -sd' ' "$tmp/java.out")" "0 ready found 1"
	"$pyrograph" collapse --root thread --all "$tmp/command.data" >"$tmp/stacks" 2>>"$tmp/said"
	has_stack "... its frames have names" "$java_frames"
}

command_starts_a_jvm()
{
	fed "$tmp/late.data" "$pyrograph" collect cpu -F 499 -m 64k -o "$tmp/late.data" -- \
		timeout 60 sh -c "cat | java -cp '$classes' Spin"
	is "a JVM that a command starts: as ever" "$? $(paste -sd' ' "$tmp/java.out")" "0 ready found 1"
	is "... by frame pointers: what would have been better is said" "$(grep -c 'hint: process .* is a JVM that started after' "$tmp/said")" 1
	fed "$tmp/late.data" "$pyrograph" collect cpu -F 499 -o "$tmp/late.data" -- \
		timeout 60 sh -c "cat | java -cp '$classes' Spin"
	"$pyrograph" collapse --root thread --all "$tmp/late.data" >"$tmp/stacks" 2>>"$tmp/said"
	has_stack "... and is, by default" "$java_frames"
}

cat >"$tmp/start.sh" <<END
#!/usr/bin/env sh
exec "\${JAVA:-java}" -cp '$classes' Spin
END
chmod +x "$tmp/start.sh"
script_becomes_a_jvm()
{
	fed "$tmp/script.data" "$pyrograph" collect cpu -F 499 -o "$tmp/script.data" -- "$tmp/start.sh"
	is "a script that becomes a JVM: as ever" "$? $(paste -sd' ' "$tmp/java.out")" "0 ready found 1"
	"$pyrograph" collapse --root thread --all "$tmp/script.data" >"$tmp/stacks" 2>>"$tmp/said"
	has_stack "... its frames have names" "$java_frames"
}

live command_is_a_jvm
live command_starts_a_jvm
live script_becomes_a_jvm

# ---- what it is called ----

name_is_markup()
{
	java_start Spin '"; DROP</script>'
	begin
	end "a name that is markup"
	rm -rf "$tmp/pictures"
	"$pyrograph" render flame --split thread -o "$tmp/pictures" "$tmp/stacks" 2>"$tmp/said"
	is "... is text" "$(cat "$tmp"/pictures/*.svg "$tmp"/pictures/index.html | grep -c 'DROP</script>')" 0
	is "... and there" "$(cat "$tmp"/pictures/*.svg | grep -q 'DROP&lt;/script&gt;' && echo yes)" yes
	unharmed "a name that is markup"
}
live name_is_markup

if [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null; then
	skip "other users, namespaces" "wants root and setpriv"
	exit 0
fi

# ---- where it is ----

umask 022
for_others
printf '#!/bin/sh\nexec setpriv --reuid=65534 --regid=65534 --clear-groups java "$@"\n' >"$tmp/nobody"
cat >"$tmp/contained" <<'END'
#!/bin/sh
shift 2
exec unshare $how --mount --pid --fork sh -c '
	mount --bind "$0" /mnt && mount -t tmpfs none /tmp && exec java -cp /mnt "$@"' "$classes" "$@"
END
chmod +x "$tmp/nobody" "$tmp/contained"
anothers()
{
	java_start Spin
	begin
	end "another user's"
	has_stack "... its frames have names" "$java_frames"
	unharmed "another user's"
}
java=$tmp/nobody
live anothers

export classes how
contained()
{
	java_start Spin
	read -r target _ <"/proc/$jvm/task/$jvm/children"
	begin
	end "in namespaces $how"
	has_stack "... its frames have names" "$java_frames"
	has_stack "... its threads, too" "/spinner;"
	unharmed "in namespaces $how"
}
java=$tmp/contained
for how in "" "--user --map-root-user"; do
	unshare $how --mount --pid --fork true 2>/dev/null || { skip "containers $how" "no namespaces"; continue; }
	live contained
done
java=

# ---- who records it ----

mkdir "$open/programs"
chmod 777 "$open/programs"
cp "${BUILD:-build}"/pyrograph* "$open/programs"
cat >"$open/programs/limited" <<'END'
#!/bin/sh
cd "$(dirname "$0")" && exec setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps +perfmon --ambient-caps +perfmon 	./pyrograph "$@"
END
chmod +x "$open/programs/limited"

without_its_memory()
{
	java_start Spin
	for_cpu_rest 25 "$open/programs/limited.data" "$open/programs/limited" collect cpu -p "$jvm" -F 499 >"$tmp/said" 2>&1
	is "with the right to sample, but not to read its memory: recorded" "$?" 0
	"$pyrograph" collapse --root thread "$open/programs/limited.data" >"$tmp/stacks" 2>>"$tmp/said"
	has_stack "... native frames have names" "JavaThread::\|\[jit\]\|\[libjvm"
	is "... and why not more, is said" "$(grep -o 'no right to look into it: use root' "$tmp/said")" \
		"no right to look into it: use root"
	unharmed "... and it"
}
live without_its_memory
