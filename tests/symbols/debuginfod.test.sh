# Debug files from a debuginfod server: only when DEBUGINFOD_URLS asks for it.
# live: a recording that is interrupted; sanitized, too
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

# The server's file belongs to another build, or is not an ELF file.
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

# An error is reported once, with the reason.
# tells WHAT URLS TEXT
tells()
{
	rm -rf "$tmp/cache"
	export DEBUGINFOD_URLS="$2"
	named "$tmp/bare" <"$tmp/wanted" 2>"$tmp/err" >"$tmp/got"
	is "$1: the rest goes on" "$(grep -c " _start" "$tmp/got")" 1
	is "... and it is said, once" "$(grep -c "$3" "$tmp/err")" 1
}
tells "nobody listens" "http://127.0.0.1:$port" "debuginfod.*: Connection refused (http://127.0.0.1:$port)"
tells "a protocol that nobody speaks" "gopher://127.0.0.1:$port" "debuginfod.*gopher://127.0.0.1:$port"
mkdir "$tmp/empty"
export DEBUGINFOD_URLS="file://$tmp/empty"
named "$tmp/bare" <"$tmp/wanted" 2>"$tmp/err" >"$tmp/got"
is "nothing is said of a server that does not have it" "$(cat "$tmp/err")" ""

silent_begins()
{
	rm -rf "$tmp/cache" "$tmp/in" "$tmp/asked"
	mkfifo "$tmp/in" "$tmp/asked"
	python3 tests/symbols/silent_server.py <"$tmp/in" >"$tmp/asked" &
	server=$!
	exec 8>"$tmp/in" 9<"$tmp/asked"
	read -r port <&9
	export DEBUGINFOD_URLS="http://127.0.0.1:$port"
}
silent_ends()
{
	exec 8>&- 9<&-
	wait $server
}
silent_begins
export DEBUGINFOD_TIMEOUT=2
tells "a server that never answers" "http://127.0.0.1:$port" "debuginfod does not answer, and is no longer asked"
silent_ends

# A signal during a download ends the download, and the recording is complete.
export DEBUGINFOD_TIMEOUT=100000
if ! "$pyrograph" collect cpu -q -o "$tmp/try.data" -- true 2>"$tmp/err"; then
	skip "interrupted" "$(tail -1 "$tmp/err")"
else
	cat >"$tmp/spin.c" <<-'END'
		#include <stdio.h>
		static volatile unsigned long n;
		__attribute__((noinline)) static void turn(void) { for (int i = 0; i < 1000000; i++) n++; }
		int main(void)
		{
			for (int i = 0; i < 500; i++) turn();
			puts("warm"); fflush(stdout);
			for (;;) turn();
		}
	END
	$compiler -O1 -s -Wl,--build-id "$tmp/spin.c" -o "$tmp/spin" || not_ok "build"
	interrupted()
	{
		silent_begins
		rm -f "$tmp/warm.$1"
		mkfifo "$tmp/warm.$1"
		# (A shell starts the server with SIGINT ignored, which python undoes.)
		timeout -s KILL 60 python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
open(sys.argv[1], "w").write(str(os.getpid()))
os.execv(sys.argv[2], sys.argv[2:])' "$tmp/pid.$1" \
			"$pyrograph" collect cpu -F 999 -o "$tmp/rec.data" -- "$tmp/spin" >"$tmp/warm.$1" 2>"$tmp/err" &
		job=$!
		exec 7<"$tmp/warm.$1"
		read -r warm <&7
		collector=$(cat "$tmp/pid.$1")
		kill -s $1 "$collector" # ends the recording
		read -r answer <&9
		kill -s $1 "$collector"
		wait $job
		is "interrupted by $1 while it waits: it ends" "$?" 0
		has "... and says so" "$tmp/err" "interrupted: debuginfod is no longer asked"
		has "... where most names are missing, and what helps" "$tmp/err" "of the samples are in functions \
without a name, of spin: install debug packages, or set DEBUGINFOD_URLS="
		status "... the recording can be read" 0 timeout 60 "$pyrograph" collapse "$tmp/rec.data"
		exec 7<&-
		silent_ends
	}
	for signal in INT TERM; do
		live interrupted $signal
	done
fi
