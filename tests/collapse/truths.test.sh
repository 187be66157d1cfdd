#!/bin/sh
# The table of truths (tests/collapse/truths.txt): explain and headlines make each statement where it is true, and not
# where it would be false; and the table has all of their words.
. tests/tap.sh
golden=tests/collapse/golden

# row WORDS TRUE FALSE
row()
{
	case $2 in
	*": "*) has "'$1' is said of a planted fault" "tests/${2%%: *}" "${2#*: }" ;;
	*) has "'$1' is said where it is true" "$golden/$2.folded" "$1" ;;
	esac
	has_not "'$1' is not said where it is false" "$golden/$3.folded" "$1"
}

while IFS='|' read -r words yes no; do
	case $words in '#'*) continue ;; esac
	no=${no# } yes=${yes# }
	row "${words% }" "${yes% }" "$no"
done <tests/collapse/truths.txt

is "no sentence is missing in the table" "$(python3 - <<'END'
import glob
import re

words = [row.split("|")[0].strip() for row in open("tests/collapse/truths.txt") if not row.startswith("#")]
for name in glob.glob("collapse/cause/*.c"):
    text = re.findall(r"""/\*.*?\*/|'(?:[^'\\]|\\.)'|"(?:[^"\\]|\\.)*\"""", open(name).read(), flags=re.S)
    for literal in (one[1:-1] for one in text if one[0] == '"'):
        for part in re.split(r"%[-.0-9a-z]*", literal):
            part = part.strip(" ,;:.(")
            if len(part.split()) > 2 and not any(w in part or part in w for w in words):
                print(part)
END
)" ""
