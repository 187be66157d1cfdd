# served: what tests/tap.sh asks, answered without starting a process each time; ". tests/served.sh" after it.
#
# A program beside the test (tests/served.py) runs collapse and render in children that need no start
# (tests/served/served.c), compares files, and looks for text in them: a check costs a third.  The program is as the shell
# would start it, but for this: its environment is that of ". tests/served.sh" (env NAME=VALUE "$pyrograph" ... is started),
# limits and signals, too.  Each kind of thing that depends on how a program is started needs a test without this.
mkfifo "$tmp/served.ask" "$tmp/served.answer"
(exec python3 tests/served.py <"$tmp/served.ask" >"$tmp/served.answer" &)
exec 8>"$tmp/served.ask" 9<"$tmp/served.answer"

# served_ask WORD...: prints what the answer has; its status is the answer's.
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

run_to()
{
	run_out=$1 run_err=$2 run_stage=
	shift 2
	case $1 in
	"$pyrograph")           run_stage=$2 run_words=2 ;;
	"${BUILD:-build}"/pyrograph-*) run_stage=${1##*/pyrograph-} run_words=1 ;;
	esac
	case $run_stage in
	collapse | render) ;;
	*)
		if [ "$run_out" = "$run_err" ]; then "$@" >"$run_out" 2>&1; else "$@" >"$run_out" 2>"$run_err"; fi
		return ;;
	esac
	shift $run_words
	read -r run_shell _ </proc/self/stat # of a subshell, too
	served_ask run "$run_shell" "$run_stage" "$run_out" "$run_err" "$@" 7<&0
}

same_bytes() { served_ask same_bytes "$1" "$2"; }
holds()      { served_ask holds "$1" "$2"; }
unstyled()   { served_ask unstyled "$1" "$2"; }
