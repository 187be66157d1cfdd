# JVMs are asked for perf maps, wherever they run, and are not affected otherwise.
# live: JVMs that are asked
. tests/tap.sh
. tests/collect/common.sh
. tests/jvm/java.sh
need_java
[ "$(java_version java)" -ge 17 ] || { skip "perf maps" "only Java 17 and newer write them"; exit 0; }
"$pyrograph" collect usable cpu >/dev/null 2>&1 || { skip "perf maps" "no perf events"; exit 0; }

# ask PID [OPTION ...]: records that JVM until it has used 150 ms of CPU time; stacks go to $tmp/stacks, messages to
# $tmp/said.
ask()
{
	target=$1
	shift
	for_cpu_rest 15 "$tmp/map.data" "$pyrograph" collect cpu -p "$target" --call-graph fp -F 499 "$@" 2>"$tmp/said"
	target=
	"$pyrograph" collapse --root comm "$tmp/map.data" >"$tmp/stacks" 2>>"$tmp/said"
}

# named WHAT: the running method has its name.
named()
{
	if grep -q 'Spin\.\(burn\|spin\)' "$tmp/stacks"; then ok "$1"; else not_ok "$1" "$tmp/said" "$tmp/stacks"; fi
}

# refused WHAT REASON: the method has no name, the reason is reported, and the JVM is unharmed.
refused()
{
	if grep -qF "no perf map of its Java code: $2" "$tmp/said" && grep -q . "$tmp/stacks"; then
		ok "$1"
	else
		not_ok "$1" "$tmp/said" "$tmp/stacks"
	fi
}

# unharmed WHAT [PID_IN_ITS_NAMESPACE [ITS_TMP]]: the JVM ends as usual, has printed nothing else, and no file is left.
unharmed()
{
	java_stop
	is "$1: ends as ever" "$? $(paste -sd' ' "$tmp/java.out")" "0 ready found 1"
	is "$1: says nothing else" "$(cat "$tmp/java.err")" ""
	is "$1: leaves nothing" "$(ls -d "${3:-/tmp}"/.attach_pid"${2:-$jvm}" .attach_pid"${2:-$jvm}" \
		"${3:-/tmp}"/perf-"${2:-$jvm}".map 2>/dev/null)" ""
}

# ---- whom ----

twice()
{
	java_start Spin
	ask "$jvm" --jvm perfmap
	named "a JVM is asked for its map"
	rm -f "/tmp/.java_pid$jvm"
	ask "$jvm" --jvm perfmap
	named "... again, its socket was removed"
	unharmed "a JVM that was asked twice"
}

without_signals()
{
	java_start -Xrs Spin
	ask "$jvm" --jvm perfmap
	named "without signal handlers it listens from the start"
	rm -f "/tmp/.java_pid$jvm"
	ask "$jvm" --jvm perfmap
	refused "... and gets no signal that would end it" "it takes no requests"
	unharmed "a JVM without signal handlers"
}

not_to_be_asked()
{
	java_start -XX:+DisableAttachMechanism Spin
	ask "$jvm" --jvm perfmap
	refused "one that is not to be asked" "it runs with -XX:+DisableAttachMechanism"
	unharmed "one that is not to be asked"
}

each_java twice
each_java without_signals
each_java not_to_be_asked

# ---- when nobody said how ----

with_frame_pointers()
{
	java_start -XX:+PreserveFramePointer Spin
	ask "$jvm"
	named "--call-graph fp, frame pointers: it is asked by itself"
	is "... by the names that others have" "$(grep -o 'Spin\.burn\>[^; ]*' "$tmp/stacks" | sort -u)" "Spin.burn"
	is "... which is said" "$(grep -c "process $jvm is a JVM with frame pointers" "$tmp/said")" 1
	rm -f "/tmp/.java_pid$jvm"
	ask "$jvm" --call-graph auto
	is "nobody said how: it is not" "$(ls -d "/tmp/.java_pid$jvm" 2>/dev/null)$(grep 'frame pointers' "$tmp/said")" ""
	is "... its frames have the names of one without" \
		"$(sed 's/_\[.\]//g' "$tmp/stacks" | grep -o 'Spin\.spin;Spin\.burn\>' | sort -u)" "Spin.spin;Spin.burn"
	ask "$jvm" --jvm off
	is "--jvm off: it is not" "$(grep -c 'Spin\.' "$tmp/stacks")" 0
	echo '1000 10 agent_made' >"/tmp/perf-$jvm.map"
	ask "$jvm"
	is "the map of an agent is left alone" "$(cat "/tmp/perf-$jvm.map")" '1000 10 agent_made'
	rm -f "/tmp/perf-$jvm.map" "$tmp/map.data"
	"$pyrograph" collect cpu -p "$jvm" --call-graph fp -F 99 -o "$tmp/map.data" 2>"$tmp/said" 9>&- &
	collector=$!
	# The recording exists when the JVM has answered.
	while [ ! -e "$tmp/map.data" ] && kill -0 $collector 2>/dev/null; do sleep 0.05; done
	is "... which it has where there is none" "$(grep -c agent_made "/tmp/perf-$jvm.map")" 0
	echo '1000 10 agent_made' >"/tmp/perf-$jvm.map"
	kill -INT $collector
	wait $collector
	is "... also of one that comes later" "$(cat "/tmp/perf-$jvm.map")" '1000 10 agent_made'
	rm -f "/tmp/perf-$jvm.map"
	unharmed "a JVM with frame pointers"
}

# ---- states and leftovers ----

are_stopped() { ! cat "/proc/$jvm/task/"*/stat | grep -qv ') T '; }

stopped()
{
	java_start Spin
	ask "$jvm"
	is "no frame pointers, and readable: nobody is asked" "$(ls -d "/tmp/.java_pid$jvm" 2>/dev/null)" ""
	ask "$jvm" --jvm vmstructs
	is "what is only for stacks that are walked is refused where they are not" \
		"$(grep -o 'call-graph auto or dwarf, not fp' "$tmp/said")" "call-graph auto or dwarf, not fp"
	kill -STOP "$jvm"
	before 20 are_stopped || not_ok "it stops"
	"$pyrograph" collect cpu -p "$jvm" --call-graph fp --jvm perfmap -F 499 -d 200ms -o "$tmp/map.data" 2>"$tmp/said"
	is "a stopped one is not asked" "$(grep -o 'it is stopped' "$tmp/said")" "it is stopped"
	is "... and did not come late" "$(grep -c 'started after' "$tmp/said")" 0
	"$pyrograph" collect cpu -p "$jvm" --call-graph auto -F 499 -d 200ms -o "$tmp/map.data" 2>"$tmp/said"
	is "... which is why there are no samples" "$(grep -o "process $jvm is stopped" "$tmp/said")" "process $jvm is stopped"
	kill -CONT "$jvm"
	python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "/tmp/.java_pid$jvm"
	ask "$jvm" --jvm perfmap
	named "a socket of one that had the same number"
	unharmed "... stopped, asked"
}

leftover()
{
	java_start Spin
	touch "/tmp/.attach_pid$jvm"
	ask "$jvm" --jvm perfmap
	named "a file of somebody who asked and died"
	unharmed "... asked"
}

# Another process listens under the JVM's name, with a file of the same user: nothing is sent to it.
cat >"$tmp/listen.py" <<'END'
import os, signal, socket, sys
path, user, owner = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
listener = socket.socket(socket.AF_UNIX)
listener.bind(path)
os.chown(path, owner, -1)
if user:
    os.setuid(user)
listener.listen()
print("listens", flush=True)
while True:
    caller, _ = listener.accept()
    print("heard", caller.recv(100), flush=True)
END

# another_listens WHAT USER: USER does
another_listens()
{
	rm -f "$tmp/listens"
	java_start Spin
	python3 "$tmp/listen.py" "/tmp/.java_pid$jvm" "$2" "$(id -u)" >"$tmp/listens" & listener=$!
	before 20 grep -q listens "$tmp/listens" || not_ok "$1 listens"
	ask "$jvm" --jvm perfmap
	refused "$1 that listens at its socket's name is not asked" "its attach socket is another process's"
	kill $listener
	wait $listener 2>/dev/null
	has_not "... nor told anything" "$tmp/listens" "jcmd"
	rm -f "/tmp/.java_pid$jvm"
	unharmed "... and it"
}

live with_frame_pointers
live stopped
live leftover
live another_listens "another process" 0
[ "$(id -u)" != 0 ] || live another_listens "another user" 65534

# ---- no other JVMs ---- The kernel reports the whole machine to a collector of spans.
somebody_else()
{
	sleep 600 & other=$!
	"$pyrograph" collect offcpu -p "$other" -o "$tmp/other.data" 2>"$tmp/said" &
	collector=$!
	if before 30 begun "$tmp/other.data" && ! gone $collector; then
		java_start -XX:+PreserveFramePointer Spin
		kill -INT $collector
		wait $collector
		is "a JVM that is none of the recorded: it is not asked" \
			"$(ls "/tmp/.java_pid$jvm" "/tmp/perf-$jvm.map" 2>/dev/null)" ""
		is "... nor told of" "$(grep "process $jvm" "$tmp/said")" ""
		java_stop
	else
		kill -INT $collector 2>/dev/null
		wait $collector
		skip "a JVM that is none of the recorded" "$(tail -1 "$tmp/said")"
	fi
	kill $other
}
live somebody_else

# ---- no HotSpot ----

cp "$(command -v sleep)" "$tmp/java"
for lib in libjvm.so libj9vm29.so; do
	cp "$(ls /lib/*/libdl.so.2 /lib64/libdl.so.2 2>/dev/null | head -1)" "$tmp/$lib"
done
LD_PRELOAD="$tmp/libjvm.so $tmp/libj9vm29.so" "$tmp/java" 100 &
other=$!
before 20 grep -q libj9vm "/proc/$other/maps" || not_ok "what looks like OpenJ9 starts"
"$pyrograph" collect cpu -p "$other" --jvm perfmap -d 100ms -o "$tmp/other.data" 2>"$tmp/said"
is "OpenJ9 is known, and left alone" "$(grep -o 'it is an OpenJ9 JVM' "$tmp/said") $(kill -0 $other && echo lives)" \
	"it is an OpenJ9 JVM lives"
kill $other

if [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null; then
	skip "other users, namespaces" "wants root and setpriv"
	exit 0
fi

# ---- other users ----

cat >"$tmp/nobody" <<'END'
#!/bin/sh
exec setpriv --reuid=65534 --regid=65534 --clear-groups java "$@"
END
chmod +x "$tmp/nobody"
umask 022
for_others
java=$tmp/nobody

anothers()
{
	java_start Spin
	ask "$jvm" --jvm perfmap
	named "another user's JVM"
	unharmed "another user's JVM"
}
live anothers
java=

not_its_own()
{
	java_start Spin
	python3 -c 'import os, socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1]); os.chown(sys.argv[1], 65534, 65534)' \
		"/tmp/.java_pid$jvm"
	ask "$jvm" --jvm perfmap
	refused "a socket that is not its own is not talked to" "its attach socket belongs to another user"
	rm -f "/tmp/.java_pid$jvm"
	unharmed "... and it"
}
live not_its_own

# ---- containers ----

cat >"$tmp/contained" <<'END'
#!/bin/sh
# --pid --fork: the JVM is process 1 in its namespace, with its own /tmp.
shift 2
exec unshare $how --mount --pid --fork sh -c '
	mount --bind "$0" /mnt && mount -t tmpfs none /tmp && exec java -cp /mnt "$@"' "$classes" "$@"
END
chmod +x "$tmp/contained"
export classes how
contained()
{
	java_start Spin
	read -r inner _ <"/proc/$jvm/task/$jvm/children"
	ask "$inner" --jvm perfmap
	named "a JVM in its own namespaces${how:+, also of users}"
	is "... nothing is left there" "$(ls -A "/proc/$inner/root/tmp" | grep -v '^\.java_pid1$\|^hsperfdata')" ""
	unharmed "... and it" 1
}
java=$tmp/contained
for how in "" "--user --map-root-user"; do
	unshare $how --mount --pid --fork true 2>/dev/null || { skip "containers $how" "no namespaces"; continue; }
	live contained
done
