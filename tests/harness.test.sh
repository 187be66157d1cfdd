# tests/run.sh, load.sh and repeat.sh themselves, with test files made here; and what bare.sh refuses.
. tests/tap.sh
. tests/collect/common.sh
unset LIVE SAN JOBS DEADLINE LOAD COSTS QUICK
tree=$tmp/tree
mkdir -p "$tree/tests"
cp tests/run.sh tests/load.sh tests/repeat.sh tests/tap.sh "$tree/tests"

# file NAME: a test file, from stdin
file() { cat >"$tree/tests/$1.test.sh"; }

# run [WORD ...]: puts its lines, without the times, into $tmp/out
run()
{
	(cd "$tree" && BUILD=build sh tests/run.sh "$@") >"$tmp/whole" 2>"$tmp/err"
	got=$?
	sed -E 's/ +[0-9]+ ms of CPU time, +[0-9]+ ms$//; /^took /d' "$tmp/whole" >"$tmp/out"
}

# running WORD: how many processes of a test have the argument WORD
running() { grep -lzsx "MARK=$1" /proc/[0-9]*/environ | wc -l; }

file good <<'END'
echo "ok - one"; echo "ok - two # SKIP why"; echo "# figure: 7"
END
run
is "a good test: status" "$got" 0
is "... its lines" "$(cat "$tmp/out")" "tests/good.test.sh                             1 passed   0 failed   1 skipped
    skipped - two # SKIP why
    figure: 7
live recordings: 0 needed a second try, 0 a third
1 passed, 0 failed, 1 skipped"

# What fails, and the line that says so.
while IFS='|' read -r name body line; do
	echo "$body" | file bad
	run bad
	is "$name: status" "$got" 1
	has "... is said" "$tmp/out" "$line"
done <<'END'
a test that fails|echo "not ok - three"|    not ok - three
a test that says nothing|:|not ok - tests/bad.test.sh ended with status 0
a test that exits|echo "ok - one"; exit 3|not ok - tests/bad.test.sh ended with status 3
a test that dies|echo "ok - one"; kill -SEGV $$|not ok - tests/bad.test.sh ended with status 139
what it said last|echo "not ok - x"; echo "the reason" >&2|stderr: the reason
END
export DEADLINE=1
file bad <<'END'
echo "ok - one"
MARK=late setsid sleep 100 &
MARK=late sleep 100
END
run bad
has "a test that hangs" "$tmp/out" "not ok - tests/bad.test.sh was killed after 1 s"
is "... with all that it started" "$(running late)" 0
export DEADLINE=30
file bad <<'END'
echo "ok - one"
MARK=left setsid sleep 100 &
END
run bad
is "a test that leaves a process behind: it is ended" "$got $(running left)" "0 0"
rm "$tree/tests/bad.test.sh"
run nothing
is "no test of that name" "$got $(cat "$tmp/out")" "1 no test ran"

file wrong <<'END'
echo "not ok - is it"; echo "#   no"
END
run wrong
has "a failed check is told again at the end" "$tmp/out" "failed: tests/wrong.test.sh: is it"
rm "$tree/tests/wrong.test.sh"

file tried <<'END'
echo "# tries: 2 a"; echo "# tries: 3 b"; echo "# try 1 of b: not ok - b"; echo "# try 1 of b: #   got: 7"; echo "ok - a"
END
run tried
has "tries are counted" "$tmp/out" "live recordings: 1 needed a second try, 1 a third"
has "... and shown" "$tmp/out" "    try 1 of b: not ok - b"
has "... with what it was" "$tmp/out" "    try 1 of b: #   got: 7"
rm "$tree/tests/tried.test.sh"

# Each test reports which others run: two run at once, and those marked alone do not.  Those that run beside others wait
# until they have met one.
for n in 1 2 3 4; do
	file beside$n <<'END'
: >"$PLACES/$$"
case $0 in *beside*)
	for i in $(seq 3000); do
		[ ! -e "$PLACES.met" ] && [ "$(ls "$PLACES" | wc -l)" -lt 2 ] || break
		sleep 0.01
	done
	[ "$(ls "$PLACES" | wc -l)" -lt 2 ] || : >"$PLACES.met" ;;
esac
echo "ok - beside"; echo "# figure: $0 $(ls "$PLACES" | wc -l)"; rm "$PLACES/$$"
END
	{ case $n in [12]) echo "# live: nothing" ;; 3) echo "# live: little; sanitized, too" ;; esac
	echo "# alone: so that it is"; cat "$tree/tests/beside$n.test.sh"; } | file alone$n
done
mkdir "$tmp/places"
PLACES=$tmp/places JOBS=2
export PLACES JOBS
run beside alone
is "two run at once" "$(ls "$tmp/places.met")" "$tmp/places.met"
is "... never three" "$(grep -c 'figure: .* [3-9]' "$tmp/out")" 0
is "... and alone, none" "$(grep -c 'figure: tests/alone.* 1' "$tmp/out")" 4
is "... each output in one piece" "$(grep -A 1 '^tests/' "$tmp/out" | grep -c '^    figure')" 8
is "... these last" "$(sed -n 's/^\(tests[^ ]*\).*/\1/p' "$tmp/out" | tail -4 | paste -sd ' ')" \
	"tests/alone1.test.sh tests/alone2.test.sh tests/alone3.test.sh tests/alone4.test.sh"
awk '{ print (/beside4/ ? 9000 : 10), $2, $3 }' "$tree/build/tests/took" >"$tmp/took" && cp "$tmp/took" "$tree/build/tests/took"
JOBS=1
run beside
is "what takes longest begins" "$(head -1 "$tmp/out" | cut -d' ' -f1)" tests/beside4.test.sh
LIVE=only && export LIVE
run
is "LIVE=only" "$(grep -o '^tests/[^ ]*' "$tmp/out" | paste -sd ' ')" \
	"tests/alone1.test.sh tests/alone2.test.sh tests/alone3.test.sh"
unset LIVE
SAN=1 && export SAN
mkdir "$tree/tests/browser" && echo 'echo "ok - one"' | file browser/alone5
run alone
is "SAN=1" "$(grep -o '^tests/[^ ]*' "$tmp/out" | paste -sd ' ')" "tests/alone3.test.sh tests/alone4.test.sh"
has "... says what it leaves out" "$tmp/out" "left out, as they judge recordings of this machine: alone1 alone2"
has "... and that no browser is asked" "$tmp/out" "left out, as they judge what the browser does: tests/browser"
unset SAN
rm -r "$tree/tests/browser"
rm "$tree"/tests/*[1-4].test.sh

# A signal ends run.sh, with everything that it runs.
are_running() { [ "$(running "$1")" = "$2" ]; }
for n in 1 2; do
	file long$n <<'END'
echo "ok - one"; MARK=long sleep 100 & MARK=long setsid sleep 100
END
done
JOBS=2
for signal in INT TERM HUP; do
	(cd "$tree" && TMPDIR=$tmp BUILD=build exec env --default-signal=INT,HUP sh tests/run.sh long) >"$tmp/out" 2>"$tmp/err" &
	runner=$!
	before 30 are_running long 4 || not_ok "they begin" "$(running long)" "$tmp/err"
	kill -$signal $runner
	finished $runner
	ended=$?
	before 10 are_running long 0 # killed processes are gone a moment later
	is "SIG$signal: status, processes and files left" "$ended $(running long) $(find "$tmp" -mindepth 1 -name 'tmp.*' | wc -l)" "1 0 0"
done

# --- the load ---

is "load.sh: the command's status and input" "$(echo in | MARK=load TMPDIR=$tree sh tests/load.sh sh -c 'cat; exit 7'; echo $?)" "in
7"
is_writing()   { [ -e "$(echo "$tree"/tmp.*/file)" ]; }
nothing_left() { [ "$(running load)" = 0 ] && [ -z "$(find "$tree" -maxdepth 1 -name 'tmp.*')" ]; }
# The last program that the loop started may outlive the loop for a moment.
before 30 nothing_left || not_ok "... something is left" "$(running load)"
for signal in INT TERM KILL; do
	MARK=load TMPDIR=$tree env --default-signal=INT sh tests/load.sh &
	load=$!
	before 30 is_writing || not_ok "load.sh begins"
	kill -$signal $load
	wait $load 2>/dev/null
	before 30 nothing_left && ok "load.sh and SIG$signal: nothing is left" || not_ok "load.sh and SIG$signal" "$(running load)"
done
rm "$tree"/tests/long*
file live <<'END'
# live: nothing
[ ! -e "$FIRST" ] && { : >"$FIRST"; echo "not ok - once"; exit; }
echo "# tries: 2 x"; echo "ok - then"
END
FIRST=$tmp/first && export FIRST
(cd "$tree" && BUILD=build sh tests/repeat.sh 3) >"$tmp/out" 2>&1
is "repeat.sh: one run of three fails" $? 1
is "... the table" "$(tail -1 "$tmp/out" | awk '{ $NF = ""; print }')" "tests/live.test.sh 2 of 3 2 0 1 "
status "... then, none, beside the load" 0 sh -c "cd '$tree' && LOAD=1 BUILD=build sh tests/repeat.sh 2"
is "... is green" "$(tail -1 "$tmp/out" | awk '{ $NF = ""; print }')" "tests/live.test.sh 2 of 2 2 0 0 "

# --- a bare system ---

mkdir -p "$tmp/bare/etc"
echo VERSION_CODENAME=bookworm >"$tmp/bare/etc/os-release"
status "bare.sh: no directory" 2 sh tests/bare.sh -s trixie
status "... a directory of another suite" 2 sh tests/bare.sh -s trixie "$tmp/bare" true
has "... is said" "$tmp/err" "is not trixie"
