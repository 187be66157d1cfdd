# Debug files from a debuginfod server: only when DEBUGINFOD_URLS asks for it.
. tests/tap.sh
. tests/symbols/common.sh
unset DEBUGINFOD_URLS

if ! ldconfig -p 2>/dev/null | grep -q libdebuginfod; then
	skip "debuginfod" "no libdebuginfod"
	exit 0
fi
build "$tmp/whole" || not_ok "build"
functions "$tmp/whole" >"$tmp/wanted"
objcopy --only-keep-debug "$tmp/whole" "$tmp/debug"
strip -o "$tmp/bare" "$tmp/whole"
mkfifo "$tmp/in" "$tmp/port"
: >"$tmp/log"
python3 tests/symbols/debuginfod.py "$(build_id "$tmp/whole")" "$tmp/debug" "$tmp/log" <"$tmp/in" >"$tmp/port" &
server=$!
exec 8>"$tmp/in"
read -r port <"$tmp/port"

export DEBUGINFOD_CACHE_PATH="$tmp/cache" HOME="$tmp"
named "$tmp/bare" <"$tmp/wanted" >"$tmp/got"
has_not "not asked: no names" "$tmp/got" hidden
is "... and nobody was asked" "$(cat "$tmp/log")" ""

export DEBUGINFOD_URLS="http://127.0.0.1:$port"
names_all "from the server" "$tmp/bare"
is "... by the build-id, once" "$(cat "$tmp/log")" "/buildid/$(build_id "$tmp/whole")/debuginfo"
named "$tmp/whole" <"$tmp/wanted" >"$tmp/got"
is "... and not for a file that has its symbols" "$(wc -l <"$tmp/log")" 1

if command -v script >/dev/null; then
	rm -rf "$tmp/cache"
	head -1 "$tmp/wanted" | cut -d' ' -f1 >"$tmp/offsets"
	script -qec "$names $tmp/bare - 0 0 <$tmp/offsets" /dev/null </dev/null >"$tmp/screen" 2>&1
	has "... and that is shown on a terminal" "$tmp/screen" "asking debuginfod for bare"
else
	skip "... and that is shown on a terminal" "no script(1)"
fi

# What the server has is another build's, or no ELF file at all.
for bad in other text; do
	rm -rf "$tmp/cache"
	case $bad in
	other) build "$tmp/other" -Wl,--build-id=0x0123456789abcdef && cp "$tmp/other" "$tmp/debug" ;;
	text) cp tests/symbols/program.c "$tmp/debug" ;;
	esac
	named "$tmp/bare" <"$tmp/wanted" >"$tmp/got"
	has_not "a server that answers with $bad: not used" "$tmp/got" hidden
	has "... the rest goes on" "$tmp/got" " _start"
done
exec 8>&-
wait $server

# Nobody listens there any more.
rm -rf "$tmp/cache"
named "$tmp/bare" <"$tmp/wanted" >"$tmp/got"
has "no server: as if there were none" "$tmp/got" " _start"
