# Outputs of ours that were concatenated: cat a.folded b.folded.
. tests/tap.sh
python3 tests/collapse/concatenated.py "$tmp"
