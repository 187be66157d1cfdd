# python: finds interpreters for tests; use with ". tests/python/python.sh" after tests/tap.sh and tests/collect/common.sh.
# PYTHONS: the interpreters that are tried.  Without it, those of the machine.
pythons=${PYTHONS:-$(for found in /usr/bin/python3.[0-9]* /root/.pyenv/versions/3.*/bin/python3; do
	case $found in
	*[!0-9.]) [ "${found##*/}" = python3 ] || continue ;;
	esac
	[ -x "$found" ] && echo "$found"
done)}

# version_of PYTHON: "3.11"
version_of()
{
	"$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])'
}

# is_read VERSION: do we read it?
is_read()
{
	case $1 in 3.9 | 3.1[0-5]) return 0 ;; esac
	return 1
}

# with_each_python WHAT FUNCTION [FROM]: calls FUNCTION for each interpreter that we read, from version FROM on: $python,
# "Python 3.11" in $v.  Skips WHAT if there is none, or if BPF programs may not be loaded.
with_each_python()
{
	if ! "$pyrograph" collect usable offcpu >"$tmp/usable" 2>&1; then
		skip "$1" "$(tail -1 "$tmp/usable")"
		return
	fi
	tried= from=${3:-3.9}
	from=${from#3.}
	for python in $pythons; do
		v=$(version_of "$python")
		is_read "$v" && [ "${v#3.}" -ge "$from" ] || continue
		tried=yes
		v="Python $v"
		$2
	done
	[ "$tried" ] || skip "$1" "there is no Python from 3.$from on that can be read"
}

# python_frames: of folded lines with annotations, only Python's frames, without them: "COUNT NAME;NAME"
python_frames()
{
	awk '/^# /{ next }
	{
		count = $NF; sub(/ [0-9]+$/, "")
		frames = split($0, frame, ";"); line = ""
		for (i = 2; i <= frames; i++)
			if (sub(/_\[p\]$/, "", frame[i])) line = line (line == "" ? "" : ";") frame[i]
		print count, line
	}'
}
