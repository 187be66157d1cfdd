# Recordings of which every byte is known are compared with expected folded text.
. tests/tap.sh
. tests/served.sh
dir=tests/collapse/golden

for cases in $dir/*.cases; do
	base=${cases%.cases}
	if ! run_to "$tmp/made" "$tmp/err" python3 tests/collapse/make_recording.py "$tmp/rec.data" <"$base.txt"; then
		not_ok "make ${base##*/}"
		continue
	fi
	while read -r name options; do
		case $name in ''|'#') continue ;; esac
		# shellcheck disable=SC2086 # options are words
		run_to "$tmp/got" "$tmp/err" "$pyrograph" collapse -q $options "$tmp/rec.data" ||
			cat "$tmp/err" >>"$tmp/got"
		same "${base##*/} $name: $options" "$tmp/got" "$base.$name.folded"
	done <"$cases"
done
