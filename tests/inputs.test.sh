# No stage overwrites its input, whether given by name, through links of both kinds, or as standard input.
. tests/tap.sh

golden=$(ls tests/collapse/golden/*.txt | head -1)
python3 tests/collapse/make_recording.py "$tmp/whole.data" <"$golden"
printf 'main;work 3\nmain;wait 2\n' >"$tmp/whole.folded"
printf '@1000000000.5 main;work 3\n@1000000001.25 main;wait 2\n' >"$tmp/whole.timed"
printf 'thread-1;running 3\nthread-1;blocked 2\n' >"$tmp/whole.states"
"$pyrograph" render flame -o "$tmp/whole.svg" "$tmp/whole.folded"

# keeps KIND VERB...: the file is unchanged.
keeps()
{
	kind=$1
	shift
	for how in name link hard stdin; do
		mkdir "$tmp/there"
		file=$tmp/there/x.svg
		cp -- "$tmp/whole.$kind" "$file"
		out=$file
		[ $how != link ] || { out=$tmp/there/link.svg; ln -s x.svg "$out"; }
		[ $how != hard ] || { out=$tmp/there/link.svg; ln "$file" "$out"; }
		if [ $how = stdin ]; then
			"$pyrograph" "$@" -o "$out" <"$file" >"$tmp/out" 2>"$tmp/err"
		else
			"$pyrograph" "$@" -o "$out" "$file" >"$tmp/out" 2>"$tmp/err"
		fi
		case $? in
		[12]) ok "$*: over its input ($how)" ;;
		*) not_ok "$*: over its input ($how)" "$tmp/err" ;;
		esac
		grep -qE "would overwrite|is the recording itself" "$tmp/err" && ok "... is refused" || not_ok "... is refused" "$tmp/err"
		if cmp -s "$tmp/whole.$kind" "$file"; then ok "... which stays"; else not_ok "... which stays" "$file"; fi
		is "... alone" "$(ls -A "$tmp/there" | grep -cv link)" 1
		rm -r "$tmp/there"
	done
}
keeps data collapse
keeps data collapse --timed
keeps folded render flame
keeps timed render heat
keeps states render states
keeps folded render tenancy
keeps svg render folded

cp "$tmp/whole.folded" "$tmp/both.folded"
"$pyrograph" render flame <"$tmp/both.folded" >>"$tmp/both.folded" 2>"$tmp/err"
is "a picture that is appended to its input" $? 1
cmp -s "$tmp/whole.folded" "$tmp/both.folded" && ok "... is not" || not_ok "... is not" "$tmp/both.folded"
"$pyrograph" render flame "$tmp/whole.folded" >"$tmp/both.folded" 2>"$tmp/err"
is "another file" $? 0
cp "$tmp/whole.folded" "$tmp/base.folded"
status "the other side of a difference" 2 "$pyrograph" render flame --diff "$tmp/base.folded" -o "$tmp/base.folded" "$tmp/whole.folded"
