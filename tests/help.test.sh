#!/bin/sh
# --help, --version and manual pages: every command has them, and they agree.
. tests/tap.sh

# Options as "--name" lines, from a command's help, or from a manual page's headings (man: the line after .TP, or .IP
# itself; mdoc: .It).
help_options()   { grep -oE '^ +(-[A-Za-z], )? *--[a-z][a-z-]*' "$1" | grep -oE -e '--[a-z][a-z-]*' | sort -u; }
manual_options()
{
	sed 's/\\-/-/g; s/\\f[BIRP]//g; s/Fl Fl /--/g; s/Fl -/--/g' "$1" | awk 'after || /^\.I[Pt]/; { after = /^\.TP/ }' |
		grep -oE -e '--[a-z][a-z-]*' | sort -u
}
# Options that are in one list and not in the other.
only_in() { comm -23 "$1" "$2" | grep -vx -e --help | tr '\n' ' '; }

for overview in "help" "help help" "help --help" "help -h" "--help"; do
	# shellcheck disable=SC2086
	status "pyrograph $overview" 0 $pyrograph $overview
	has "... is the overview" "$tmp/out" "Verbs, in the order of the data:"
done

# verbs COMMAND: the verbs that its help lists, with the command: "collect cpu"
verbs() { $pyrograph "$1" --help | sed -n "/^Verbs/,/^\$/s/^  \([a-z][a-z]*\) .*/$1 \1/p" | grep -vx "collect usable"; }
for stage in collect collapse render web ship report explain; do
	echo $stage
	verbs $stage
done >"$tmp/stages"
is "the help lists commands" "$(grep -cx -e 'collect wakeup' -e 'render tenancy' -e 'render script' "$tmp/stages")" 3
{ echo; cat "$tmp/stages"; } >"$tmp/commands"
while IFS= read -r command <&3; do
	name="pyrograph${command:+ $command}"
	status "$name --help" 0 $pyrograph $command --help
	cp "$tmp/out" "$tmp/help"
	read -r first <"$tmp/help"
	is "... starts with examples" "$first" "Examples:"
	page=$(awk -v long="$tmp/long" -v unsaid="$tmp/unsaid" 'BEGIN { printf "" >long; printf "" >unsaid }
		length > 80 { print >long }
		/^ +(-.,)? *--.*\[[A-Z_]+\]$/ && !/\[UTC\]/ { print >unsaid }
		/\(more: man .*\)$/ { sub(/.*\(more: man /, ""); sub(/\)$/, ""); page = $0 }
		END { print NR, page }' "$tmp/help")
	count=${page%% *} page=${page#* }
	if [ -s "$tmp/long" ]; then not_ok "... fits 80 columns" "$tmp/long"; else ok "... fits 80 columns"; fi
	what="... has the values of defaults, not what we call them"
	if [ -s "$tmp/unsaid" ]; then not_ok "$what" "$tmp/unsaid"; else ok "$what"; fi
	[ "$count" -le 50 ] && ok "... and 50 lines" || not_ok "... and 50 lines" "$count"
	if [ -s "$tmp/err" ]; then not_ok "... says nothing on stderr" "$tmp/err"; else ok "... says nothing on stderr"; fi
	case $command in
	"" | collect | collapse | render | web | ship) ;;
	report | explain) is "... names its manual page" "$page" pyrograph ;;
	*) is "... names its manual page" "$page" "pyrograph-${command%% *}" ;;
	esac
	has "... has the usage" "$tmp/help" "Usage: $name"
	status "$name --version" 0 $pyrograph $command --version
	is "... is one line" "$(awk '/^pyrograph [0-9]+\.[0-9]+\.[0-9]+$/ { n++ } END { print n ":" NR }' "$tmp/out")" 1:1
	for option in --help --version; do
		status "$name $option to a full disk" 1 sh -c "$pyrograph $command $option >/dev/full"
		has "... is said" "$tmp/err" "could not write: No space left on device"
	done
	status "$name --no-such-option" 2 $pyrograph $command --no-such-option
	has "... points at the help" "$tmp/err" "Try '$name --help'"
	if [ -s "$tmp/out" ]; then not_ok "... writes no product" "$tmp/out"; else ok "... writes no product"; fi
done 3<"$tmp/commands"

version=$(sed -n 's/^VERSION := //p' Makefile)
is "the version is that of the Makefile" "$($pyrograph --version)" "pyrograph $version"
is "... of the changelog" "$(sed -n 's/^## \[\(.*\)\].*/\1/p' CHANGELOG.md | head -1)" "$version"
is "... and of the manual pages that have one" "$(grep -ho '"pyrograph [0-9.]*"' */*.1 | sort -u)" "\"pyrograph $version\""

$pyrograph collect cpu --help >"$tmp/help"
is "the words beside collect cpu's examples stand below each other" \
	"$(sed -n '/^Examples/,/^$/p' "$tmp/help" | awk 'match($0, /.*[^ ]   */) && RLENGTH > 20 { print RLENGTH }' | sort -u | wc -l)" 1
has_not "unwind tables are no debug information" "$tmp/help" "by debug information"

# help VERB is VERB --help.
for command in collect "collect cpu" collapse render "render flame" web report; do
	$pyrograph $command --help >"$tmp/help"
	status "pyrograph help $command" 0 $pyrograph help $command
	cmp -s "$tmp/out" "$tmp/help" && ok "... is pyrograph $command --help" || not_ok "... is pyrograph $command --help" "$tmp/out"
done
status "pyrograph collect help cpu" 0 $pyrograph collect help cpu
has "... the same" "$tmp/out" "Usage: pyrograph collect cpu"

if man -l report/pyrograph.1 >"$tmp/page" 2>&1 && grep -q SYNOPSIS "$tmp/page"; then
	for page in */pyrograph*.1; do
		groff -mandoc -Tutf8 -ww "$page" 2>"$tmp/${page##*/}.err" | grep '’’' >"$tmp/page" # as man does
		is "$page: no quote within a quote" "$(cat "$tmp/page")" ""
	done
else
	skip "manual pages: no quote within a quote" "no man"
fi
# "Ql a , b" puts everything between one pair of quotes.
is "manual pages: each literal has quotes of its own" \
	"$(grep -nE '^\.([A-Z][a-z] )*Ql .* ([,;:] [^],;:)]|No )' */pyrograph*.1)" ""

# Suggestions: arguments | the message.
while IFS='|' read -r args text; do
	status "$args" 2 $pyrograph $args
	has "... suggests" "$tmp/err" "$text"
done <<'END'
collect cpy|Did you mean 'cpu'?
render flmae|Did you mean 'flame'?
render scirpt|Did you mean 'script'?
render flame --titel x|Did you mean '--title'?
render flame --colours=java|Did you mean '--colors'?
collapse --exlcude x|Did you mean '--exclude'?
web --hepl|Did you mean '--help'?
report --pdi 7|Did you mean '--pid'?
collect -a|the verb must come first: 'pyrograph collect cpu -a'
collect -p 7|the verb must come first: 'pyrograph collect cpu -p ...'
render -o x.svg|the verb must come first: 'pyrograph render flame -o ...'
END
for args in "render frobnicate" "collapse --frobnicate" "collapse --xyzzy=1"; do
	status "$args" 2 $pyrograph $args
	has_not "... is like nothing" "$tmp/err" "Did you mean"
done

# knows COMMAND OPTION: does the command accept it, even if its help does not list it?
# shellcheck disable=SC2086
knows() { ! $pyrograph $1 "$2=1" --no-such-option 2>&1 </dev/null | grep -q "unknown option $2"; }

# manual PAGE COMMAND...: every option of the help is in the page, and the other
# way round.  The page may have an option that the help does not list, if the command accepts it.
manual()
{
	page=$1
	shift
	[ -f "$page" ] || { not_ok "$page" "there is no such page"; return; }
	: >"$tmp/helps"
	for command; do
		$pyrograph $command --help 2>/dev/null >"$tmp/help"
		help_options "$tmp/help" >>"$tmp/helps"
	done
	sort -u "$tmp/helps" >"$tmp/in_help"
	manual_options "$page" >"$tmp/in_page"
	is "$page has every option of $*" "$(only_in "$tmp/in_help" "$tmp/in_page")" ""
	unknown=
	for option in $(only_in "$tmp/in_page" "$tmp/in_help"); do
		known=
		for command; do
			knows "$command" "$option" && known=1
		done
		[ -n "$known" ] || [ "$option" = --version ] || unknown="$unknown $option"
	done
	is "... and none that does not exist" "$unknown" ""
	if command -v groff >/dev/null; then
		[ -e "$tmp/${page##*/}.err" ] || groff -mandoc -Tutf8 -ww -z "$page" >"$tmp/${page##*/}.err" 2>&1
		is "... without a formatting error" "$(cat "$tmp/${page##*/}.err")" ""
	fi
}
manual report/pyrograph.1 report explain
# Whatever collectors there are.
manual collect/pyrograph-collect.1 "collect $($pyrograph collect --help | sed -n '/^Verbs/,/^$/s/^  \([a-z][a-z]*\) .*/\1/p' |
	tr '\n' ',' | sed 's/,usable,.*//')" "collect watch"
manual collapse/pyrograph-collapse.1 collapse
IFS='
' # verbs are two words
manual render/pyrograph-render.1 $(verbs render)
unset IFS
manual web/pyrograph-web.1 web

# The report passes its target options on, so names and letters are the same.
letters() { grep -oE '^ +(-[A-Za-z], )? *--[a-z][a-z-]*' | tr -s ' ' | sort; }
$pyrograph collect cpu,offcpu --help | letters >"$tmp/collect"
$pyrograph report --help | letters | grep -v -e --output -e --only -e --each -e --alloc -e --faults -e --syscalls -e --io -e --locks -e --lanes -e --processes -e --self-contained -e --keep -e --recording -e --verbose >"$tmp/report"
is "report's options are those of collect cpu,offcpu" "$(only_in "$tmp/report" "$tmp/collect")" ""

# Every verb that the help names exists.
for verb in $($pyrograph --help | sed -n '/^Verbs/,/^$/s/^  \([a-z][a-z]*\) .*/\1/p'); do
	status "the verb $verb" 0 $pyrograph "$verb" --help
done

# README, docs/ and the examples give each command only options that the command has.
sed -n '/^```sh/,/^```/p' README.md docs/*.md examples/README.md examples/heat-maps.md | sed 's/#.*//' |
	tr '|;&()' '\n\n\n\n\n' | grep -oE '(^|[ /])pyrograph .*' | sed 's/^.*pyrograph /pyrograph /; s/ -- .*//' >"$tmp/commands"
is "these pages have commands" "$([ "$(wc -l <"$tmp/commands")" -gt 80 ] && echo yes)" yes
sort "$tmp/commands" >"$tmp/commands.sorted" # so that a verb's help is read once
wrong= asked=
while read -r line; do
	# shellcheck disable=SC2086
	set -- $line
	case $2 in
	collect | render) verb="$2 $3" ;;
	*) verb=$2 ;;
	esac
	if [ "$verb" != "$asked" ]; then
		$pyrograph $verb --help >"$tmp/help" 2>&1 || { wrong="$wrong [$line]"; continue; }
		asked=$verb
		listed=" $(awk '/^ +-/ { n = $1 ~ /,$/ ? 2 : 1; for (i = 1; i <= n; i++) { sub(/[[,].*/, "", $i); printf "%s ", $i } }' "$tmp/help")"
	fi
	for option; do
		case $option in -*) option=${option%%=*} ;; *) continue ;; esac
		case $listed in *" $option "*) ;; *) knows "$verb" "$option" || wrong="$wrong [$verb $option]" ;; esac
	done
done <"$tmp/commands.sorted"
is "... with verbs and options that exist" "$wrong" ""
