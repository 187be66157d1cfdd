# tap: shell functions for tests; use with ". tests/tap.sh" from the root.
# Each function prints one TAP line.  $pyrograph is the program, $tmp a private directory that tests/run.sh removes.
pyrograph=${BUILD:-build}/pyrograph
tmp=$(mktemp -d)
export LC_ALL=C.UTF-8

# perf keeps copies of programs in ~/.debug; the tests' programs must not be among them.
perf() { HOME=$tmp command perf "$@"; }

# When perf 6.1 runs in a chroot and looks at a program of another mount namespace, it leaves the chroot for good, and
# then uses other files than ours; it prints "assertion failed at util/namespaces.c".  Checks that fail after that are
# skipped.
perf_left=$tmp/perf.left
chrooted=
export perf_left
if [ "$(id -u)" = 0 ] && ! [ / -ef /proc/1/root ]; then
	chrooted=yes
	perf()
	{
		rm -f "$perf_left"
		perf_said=$(mktemp "$tmp/perf.said.XXXXXX")
		HOME=$tmp command perf "$@" 2>"$perf_said"
		perf_status=$?
		if [ -s "$perf_said" ]; then
			! grep -q 'assertion failed at util/namespaces.c' "$perf_said" || : >"$perf_left"
			cat "$perf_said" >&2
		fi
		rm -f "$perf_said"
		return $perf_status
	}
fi

ok()     { echo "ok - $1"; }
skip()   { echo "ok - $1 # SKIP $2"; }

# not_ok WHAT [FILE_OR_TEXT ...]: prints the files or texts below, as comments.
not_ok()
{
	if [ "$chrooted" ] && { [ -e "$perf_left" ] || seen "$@" | grep -q 'assertion failed at util/namespaces.c'; }; then
		skip "$1" "perf asserts in a chroot (util/namespaces.c)"
		return
	fi
	echo "not ok - $1"
	seen "$@"
}

# seen WHAT [FILE_OR_TEXT ...]: prints all arguments but the first as comments
seen()
{
	shift
	for seen; do
		if [ -f "$seen" ]; then head -40 "$seen"; else echo "$seen"; fi | sed 's/^/#   /'
	done
}

# is WHAT GOT WANTED
is()
{
	if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "got:    $2" "wanted: $3"; fi
}

newline='
'
# lines_of FILE [SEPARATOR]: sets $listed to the file's lines without headers, with SEPARATOR [a newline] between them.
lines_of()
{
	listed= listed_between=
	while IFS= read -r listed_next || [ "$listed_next" ]; do
		case $listed_next in "# pyrograph"*) continue ;; esac
		listed=$listed$listed_between$listed_next listed_between=${2-$newline}
	done <"$1"
}

# live CHECK [ARG ...]: the shell function CHECK makes a recording of this machine and judges it by TAP lines.
# If one of them is "not ok", the machine may be the reason, so CHECK is called again, with a new recording, up to three
# times.  Only the lines of the last try count; those of earlier tries become comments, and tests/run.sh counts the
# tries.  CHECK must take its bounds from what its own recording saw, and must not depend on files of an earlier try:
# with AGAIN=1, each check is called once more than necessary.
live()
{
	[ -z "${AGAIN:-}" ] || "$@" >"$tmp/live.tap"
	for try in 1 2 3; do
		"$@" >"$tmp/live.tap"
		grep -q '^not ok' "$tmp/live.tap" || break
		[ $try = 3 ] || sed "s/^/# try $try of $1: /" "$tmp/live.tap" >>"$tmp/live.failed"
	done
	[ $try = 1 ] || { echo "# tries: $try $*"; cat "$tmp/live.failed"; }
	rm -f "$tmp/live.failed"
	cat "$tmp/live.tap"
}

# inconclusive WHAT WHY: inside live, a recording proves nothing, for reasons outside of our code; it is repeated, and
# in the end becomes a SKIP.
inconclusive() { if [ "$try" = 3 ]; then skip "$@"; else not_ok "$@"; fi; }

# judged COMMAND...: runs a command whose stdout is TAP lines
judged()
{
	run_to "$tmp/judged" "$tmp/judged.err" "$@"
	judged_status=$?
	while IFS= read -r judged_line; do printf '%s\n' "$judged_line"; done <"$tmp/judged"
	[ ! -s "$tmp/judged.err" ] || cat "$tmp/judged.err" >&2
	[ $judged_status = 0 ] || not_ok "status $judged_status: $*" "$tmp/judged.err"
}

# The following functions ask for three things that tests/served.sh does without starting processes.

# run_to OUT ERR COMMAND...: returns the command's exit status; its output goes to these files, which may be the same.
run_to()
{
	run_out=$1 run_err=$2
	shift 2
	if [ "$run_out" = "$run_err" ]; then "$@" >"$run_out" 2>&1; else "$@" >"$run_out" 2>"$run_err"; fi
}

# total FILE...: the sum of the values of folded lines
total() { awk '!/^#/ { n += $NF } END { printf "%.0f\n", n }' "$@"; }

# same_bytes FILE FILE
same_bytes() { cmp -s "$1" "$2"; }

# unstyled PICTURE.svg TO: copies a picture without its style sheets, without its images in dark colours (those of
# --theme dark), and without the text about a missing script.
unstyled()
{
	sed -e '/^<style>/,/<\/style>/d' -e '/^<image class="dark"/d' -e '/^<g id="missing"/,/^<\/g>/d' -e 's/^<svg id="chart"/<svg/' "$1" >"$2"
}

# are_xml FILE...: "NAME is XML" for each (NAME without $xml_suffix); one xmllint checks all of them; each is checked
# alone only if that fails
are_xml()
{
	xml_bad=
	xmllint --noout "$@" 2>"$tmp/xml.err" || xml_bad=yes
	for xml; do
		xml_name=${xml##*/}
		xml_name=${xml_name%"${xml_suffix:-}"}
		if [ -z "$xml_bad" ] || xmllint --noout "$xml" 2>"$tmp/xml.err"; then
			ok "$xml_name is XML"
		else
			not_ok "$xml_name is XML" "$tmp/xml.err"
		fi
	done
}

# same WHAT GOT_FILE WANTED_FILE; BLESS=1 rewrites the wanted file.
same()
{
	if [ -n "${BLESS:-}" ]; then cp "$2" "$3"; fi
	if [ ! -f "$3" ]; then
		not_ok "$1" "no expected file $3 (make bless writes it)"
	elif same_bytes "$2" "$3"; then
		ok "$1"
	else
		diff "$3" "$2" >"$tmp/same.diff"
		not_ok "$1" "$tmp/same.diff"
	fi
}

same_picture()
{
	unstyled "$2" "$tmp/unstyled.svg"
	same "$1" "$tmp/unstyled.svg" "$3"
}

# status WHAT WANTED COMMAND...: checks the command's exit status; its output is in $tmp/out and $tmp/err.
status()
{
	what=$1 wanted=$2
	shift 2
	run_to "$tmp/out" "$tmp/err" "$@"
	got=$?
	if [ "$got" = "$wanted" ]; then
		ok "$what"
	else
		not_ok "$what" "exit status $got, wanted $wanted" "$tmp/err"
	fi
}

# has WHAT FILE FIXED_TEXT and has_not
has()     { if holds "$2" "$3"; then ok "$1"; else not_ok "$1" "no '$3' in:" "$2"; fi; }
has_not() { if holds "$2" "$3"; then not_ok "$1" "found '$3' in:" "$2"; else ok "$1"; fi; }

# holds FILE FIXED_TEXT: does the file contain the text?  A message is mostly in the first lines, and is then found
# without starting a process.  grep gives the same result without a locale, and starts faster.
holds()
{
	case $1 in *err)
		held=0
		while [ $held -lt 9 ] && IFS= read -r held_line; do
			case $held_line in *"$2"*) return 0 ;; esac
			held=$((held + 1))
		done <"$1"
	esac
	LC_ALL=C grep -qF -e "$2" "$1"
}
