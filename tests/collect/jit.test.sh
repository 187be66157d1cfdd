# Code that is made at run time is named by the process's own perf map, also when
# the map is gone, with its process or its container, before the recording ends.
. tests/tap.sh
jit=$PWD/$BUILD/tests/workloads/jit

if ! "$pyrograph" collect cpu -q -d 0.1 -o "$tmp/try.data" -- true 2>"$tmp/err"; then
	skip "JIT" "cannot sample here: $(tail -1 "$tmp/err")"
	exit 0
fi

# share FILE PATTERN: per cent of the process's samples whose stack matches
share()
{
	"$pyrograph" collapse -q --jit "$1" | awk -v p="$2" \
		'!/^#/ && /^jit;/ { n += $NF; if ($0 ~ p) m += $NF } END { printf "%d", n ? 100 * m / n : -1 }'
}

# near_all WHAT SHARE
near_all() { if [ "$2" -ge 90 ]; then ok "$1"; else not_ok "$1" "$2 %"; fi; }

"$pyrograph" collect cpu -q -F 499 -o "$tmp/jit.data" -- "$jit" 2 "Lcom/example/App;::run" >"$tmp/map" 2>"$tmp/err" ||
	not_ok "record" "$tmp/err"
rm -f "$(cat "$tmp/map")"
near_all "named after the map was removed" "$(share "$tmp/jit.data" ';com/example/App::run_.j.')"

# Its own pid, its own /tmp, and gone before the recording ends.
case $jit in
/tmp/*) hidden=1; echo "the tree is below /tmp, which is hidden from it" >"$tmp/err" ;;
*) hidden= ;;
esac
if [ -z "$hidden" ] && unshare --pid --mount --fork --mount-proc mount -t tmpfs none /tmp 2>"$tmp/err"; then
	mkfifo "$tmp/started"
	"$pyrograph" collect cpu -q -a -F 499 -o "$tmp/ns.data" --name '^jit$' --wait --until-exit 2>"$tmp/err" &
	collector=$!
	unshare --pid --mount --fork --mount-proc sh -c "mount -t tmpfs none /tmp && exec '$jit' 3 in_a_container" >/dev/null
	wait $collector
	is "a process in its own namespaces: recorded" "$?" 0
	near_all "... is named" "$(share "$tmp/ns.data" ';in_a_container_.j.')"
else
	skip "a process in its own namespaces" "$(tail -1 "$tmp/err")"
fi

# A map that belongs to somebody else is no source of names.
if [ "$(id -u)" = 0 ]; then
	"$jit" 2 forged >"$tmp/forged" &
	while ! [ -s "$tmp/forged" ]; do :; done
	chown 12345 "$(cat "$tmp/forged")"
	"$pyrograph" collect cpu -F 499 -d 0.5 -p $! -o "$tmp/forged.data" 2>"$tmp/err"
	is "a map of another user is not used" "$(share "$tmp/forged.data" forged)" 0
	has "... and that is said" "$tmp/err" "belongs to another user"
	wait
	rm -f "$(cat "$tmp/forged")"
else
	skip "a map of another user is not used" "needs root"
fi
