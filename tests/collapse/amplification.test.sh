# Small inputs must not take large amounts of memory: deep call trees, and files that unpack to thousands of times their
# size.
# slow: 280 MB are packed and unpacked
. tests/tap.sh

# ---- deep trees: the stacks of all nodes together would take the number of nodes times their depth ----
python3 - "$tmp" <<'PYTHON'
import json, sys
n = 8000
nodes = [dict(id=i, callFrame=dict(functionName="f%d" % (i % 7), url="", lineNumber=-1), hitCount=1, children=[i + 1] if i < n else [])
         for i in range(1, n + 1)]
json.dump(dict(nodes=nodes), open(sys.argv[1] + "/deep.cpuprofile", "w"))
PYTHON
status "a tree of 8,000 levels" 0 "$pyrograph" collapse "$tmp/deep.cpuprofile"
has "... its deep stacks are counted" "$tmp/err" "; their outermost frames are left out"
has "... also in the header" "$tmp/out" 'losses="truncated stacks'
is "... no sample is lost" "$(awk '!/^#/ { n += $NF } END { print n }' "$tmp/out")" 8000
size=$(wc -c <"$tmp/out") # it would take 73 MB if each stack had 4,096 frames
if [ "$size" -lt 62000000 ]; then ok "... and the rest is in proportion"; else not_ok "... and the rest is in proportion" "$size"; fi

# ---- blanks between the tokens of JSON are not kept ----
python3 - "$tmp" <<'PYTHON'
import gzip, json, sys
profile = dict(nodes=[dict(id=1, callFrame=dict(functionName='f " g\\', url="", lineNumber=-1), hitCount=3)])
small = json.dumps(profile).replace("f ", "f" + 5000 * " ")  # in a string they are kept
open(sys.argv[1] + "/small.cpuprofile", "w").write(small)
with gzip.open(sys.argv[1] + "/blanks.gz", "wb") as out:
    for piece in small.replace(": ", ":\0").replace(", ", ",\0").split("\0"):
        out.write(piece.encode())
        for _ in range(10):
            out.write(b" \t\r\n" * (1 << 18))
PYTHON
"$pyrograph" collapse "$tmp/small.cpuprofile" >"$tmp/small.folded"
status "80 MB of blanks in a profile in JSON" 0 \
	sh -c '[ -n "${SAN:-}" ] || ulimit -v 150000; exec "$0" collapse --format cpuprofile "$1"' "$pyrograph" "$tmp/blanks.gz"
same "... are not kept" "$tmp/out" "$tmp/small.folded"

# A long name is copied from text to frame to line; copies that are no longer needed must be freed on the way.
{ printf 'app 10 [000] 1.000001: 1 cpu-clock: \n\t    401136 '; head -c 60000000 /dev/zero | tr '\0' x; printf ' (/bin/a)\n\n'; } >"$tmp/long.txt"
status "a name of 60 MB in the text of perf script" 0 \
	sh -c '[ -n "${SAN:-}" ] || ulimit -v 460000; exec "$0" collapse --jobs 1 "$1"' "$pyrograph" "$tmp/long.txt"
is "... is whole" "$(grep -v '^#' "$tmp/out" | wc -c)" 60000007

if [ -n "${SAN:-}" ]; then skip "a name of 24 MB in inputs of each kind" "the sanitizers take more"; else python3 tests/collapse/long_names.py "$tmp"; fi

# ---- nested brackets: the memory for their ends is in proportion to the text ----
python3 - "$tmp" <<'PYTHON'
import sys
chain = 250000 * "[" + 250000 * "]"
for name, chains in ("chains.json", 40 * [chain]), ("brackets.json", [30000000 * "["]):
    with open(sys.argv[1] + "/" + name, "w") as out:
        out.write('{"head":{"functionName":"f","id":1,"hitCount":1,"x":[')
        out.write(",".join(chains) + '],"children":[]}}')
PYTHON
for input in chains brackets; do
	status "JSON, $input" 0 sh -c '[ -n "${SAN:-}" ] || ulimit -v 190000; exec "$0" collapse "$1"' "$pyrograph" "$tmp/$input.json"
	is "... what is before them" "$(grep -v '^#' "$tmp/out")" "f 1"
done

# ---- compressed inputs ----
yes "$(printf 'a;%01000d 1' 0)" | head -n 278000 >"$tmp/large"
for packer in gzip zstd xz; do
	command -v $packer >/dev/null || { skip "$packer" "not here"; continue; }
	case $packer in xz) level=-0 ;; *) level=-9 ;; esac
	[ $packer != zstd ] || level=-3
	$packer -q $level -c "$tmp/large" >"$tmp/packed.$packer"
	status "$packer: a thousand times its size" 0 "$pyrograph" collapse "$tmp/packed.$packer"
	has "... is said" "$tmp/err" "packed.$packer: unpacks to more than 250 times its size: only the first 256 MiB are read"
	has "... with what to do" "$tmp/err" "unpack it first ($packer -d)"
	status "... and a failure with --strict" 1 "$pyrograph" collapse --strict "$tmp/packed.$packer"
done
status "what is unpacked is read whole" 0 "$pyrograph" collapse --strict "$tmp/large"
head -c 200000000 /dev/zero | gzip -1 >"$tmp/zeros.gz"
status "200 MB of zeros" 1 sh -c "ulimit -f 1000; '$pyrograph' collapse '$tmp/zeros.gz'"
has "... are not unpacked to find that they are nothing" "$tmp/err" "zeros.gz: is not a perf.data file, nor text of a known format"
