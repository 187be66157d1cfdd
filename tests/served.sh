# served: runs commands for tests/tap.sh without starting a process each time; use ". tests/served.sh" after it.
#
# A program beside the test (tests/served.py) runs collapse and render in forked children (tests/served/served.c),
# compares files, and looks for text in them; a check then costs only a third.  There is one difference from programs
# that the shell starts: environment, limits and signals are those at the time of ". tests/served.sh".  (env NAME=VALUE
# "$pyrograph" ... is really started.)  So anything that depends on how a program is started also needs a test without
# this.  Python scripts in tests/ run in children of that program, too.
mkfifo "$tmp/served.ask" "$tmp/served.answer"
python3 tests/served.py 5>&1 <"$tmp/served.ask" >"$tmp/served.answer" &
served_pid=$!
exec 8>"$tmp/served.ask" 9<"$tmp/served.answer"
trap 'printf "1\0end\0" >&8 && wait $served_pid' EXIT # so that tests/run.sh sees what it cost

# served_ask WORD...: prints the answer's text, and returns its status.
served_ask()
{
	printf '%s\0' $# "$@" >&8
	while IFS= read -r served_line <&9; do
		case $served_line in
		=*) return "${served_line#=}" ;;
		*)  printf '%s\n' "$served_line" ;;
		esac
	done
	not_ok "tests/served.py has ended"
	exit 1
}

# served_as COMMAND...: sets $run_stage to the stage that runs the command, "python" for a script, or empty if it must
# be started.
served_as()
{
	run_stage=
	case $1 in
	"$pyrograph")          run_stage=$2 run_words=2 ;;
	*/pyrograph-collapse | */pyrograph-render)
		case $1 in "${BUILD:-build}"/* | "$served_from/${BUILD:-build}"/*) run_stage=${1##*/pyrograph-} run_words=1 ;; esac ;;
	python3)
		case $2 in tests/*.py) run_stage=python run_words=1 ;; esac ;;
	esac
	case $run_stage in collapse | render | python) ;; *) run_stage= ;; esac
}
served_from=$PWD

run_to()
{
	run_out=$1 run_err=$2
	shift 2
	[ "$1" != served ] || shift
	served_as "$@"
	if [ -z "$run_stage" ]; then
		if [ "$run_out" = "$run_err" ]; then "$@" >"$run_out" 2>&1; else "$@" >"$run_out" 2>"$run_err"; fi
		return
	fi
	shift $run_words
	read -r run_shell _ </proc/self/stat # of a subshell, too
	served_ask run "$run_shell" "$run_stage" "$run_out" "$run_err" "$@" 7<&0
}

# served COMMAND...: runs the command with this shell's stdin, stdout and stderr.  If stdin is a pipe, the command is
# started as a process of its own, since another served command may write to that pipe.  Output to a file is appended,
# so no other command in a { } may write to the same file.
served()
{
	[ -p /dev/stdin ] && run_stage= || served_as "$@"
	[ "$run_stage" ] || { "$@"; return; }
	shift $run_words
	read -r run_shell _ </proc/self/stat
	# The program finds both as descriptors of this shell; the descriptors of served_ask are different ones.
	served_ask run "$run_shell" "$run_stage" 5 6 "$@" 7<&0 5>&1 6>&2
}

same_bytes() { served_ask same_bytes "$1" "$2"; }
holds()      { served_ask holds "$1" "$2"; }
unstyled()   { served_ask unstyled "$1" "$2"; }
