# collapse --out firefox: what the Firefox Profiler itself makes of our profiles, by its command line program.
# slow: the Profiler starts for each profile
. tests/tap.sh
cli=tests/browser/node_modules/@firefox-devtools/profiler-cli/dist/profiler-cli.js
export PROFILER_CLI_SESSION_DIR="$tmp/sessions" PROFILER_CLI_NO_SYMBOLICATE=1 HOME="$tmp" # it would ask a server for symbols

mkdir "$tmp/sessions"
profiler() { timeout 30 node "$cli" "$@"; }

if ! [ -e "$cli" ] || ! command -v node >/dev/null; then
	skip "the Firefox Profiler" "no node, or no profiler-cli of npm: make check-deps"
	exit 0
fi
# The Profiler needs node 24; if another version cannot run it, there is nothing to test.
if ! profiler --version >"$tmp/version" 2>"$tmp/err"; then
	skip "the Firefox Profiler" "profiler-cli does not run with node $(node --version)"
	exit 0
fi
# The Profiler's own way of beginning a session gives the session's process half a second to start, which is not always
# enough; and a request before the socket exists makes the Profiler forget the session.
begin_session()
{
	rm -rf "$tmp/sessions"
	mkdir "$tmp/sessions"
	node "$cli" --daemon "$tmp/profile.json" --session ours >"$tmp/loaded" 2>&1 &
	session=$!
	for _ in $(seq 300); do
		[ ! -S "$tmp/sessions/ours.sock" ] || break
		kill -0 "$session" 2>/dev/null || return 1
		sleep 0.1
	done
	for _ in 1 2 3; do
		profiler thread list --json --session ours >"$tmp/threads" 2>>"$tmp/loaded" && return 0
		kill -0 "$session" 2>/dev/null || return 1
	done
	return 1
}

end_session()
{
	profiler stop ours >/dev/null 2>&1
	kill "$session" 2>/dev/null
	wait "$session" 2>/dev/null
}

# finds WHAT INPUT WANTED [OPTIONS]: what the Profiler must find; WANTED is a file
finds()
{
	what=$1 input=$2 wanted=$3
	shift 3
	"$pyrograph" collapse -q --out firefox -o "$tmp/profile.json" "$@" "$input" 2>"$tmp/err" || not_ok "$what" "$tmp/err"
	if ! begin_session && { end_session; ! begin_session; }; then
		end_session
		not_ok "$what: it is loaded" "$tmp/loaded"
		return
	fi
	python3 tests/collapse/firefox.py node "$cli" >"$tmp/found" 2>"$tmp/err" || not_ok "$what: it answers" "$tmp/err"
	end_session
	if cmp -s "$tmp/found" "$wanted"; then ok "$what"; else diff "$wanted" "$tmp/found" >"$tmp/differ"; not_ok "$what" "$tmp/differ"; fi
}

# Two threads of the same name, inlined functions, kernel functions, a repeated stack, a sample without a stack.
{
	for i in 1 2 3 4 5 6 7; do
		printf 'app 7/%d [001] %d.00%d000: 1000000 cpu-clock: \n' $((7 + i % 2)) 100 $i
		[ $i = 3 ] || printf '\t        %x leaf%d (/bin/app)\n\t            10 inner (inlined)\n\t            10 outer+0x4 (/bin/app)\n' $((i % 4 + 80)) $((i % 4))
		[ $i = 5 ] && printf '\tffffffff81000000 do_idle ([kernel.kallsyms])\n'
		printf '\t            20 main (/bin/app)\n\n'
	done
} >"$tmp/script.txt"
"$pyrograph" collapse -q --root tid "$tmp/script.txt" | grep -v '^#' | sed 's/_\[[ikj]\]//g; s|^app-7/\([0-9]*\);|app-\1: |' | sort >"$tmp/wanted"
finds "threads, sums" "$tmp/script.txt" "$tmp/wanted"
finds "threads, sample by sample" "$tmp/script.txt" "$tmp/wanted" --timed

# Spans are markers.
printf 'a;b 1.25\na;c 0.5\nb 2.125\n\303\251;\360\237\230\200;x y 11\n' >"$tmp/lines.folded"
name='all threads'
"$pyrograph" collapse -q "$tmp/lines.folded" | grep -v '^#' | sed "s/^/$name: /" | sort >"$tmp/wanted"
finds "folded text, with fractions" "$tmp/lines.folded" "$tmp/wanted" --format folded
