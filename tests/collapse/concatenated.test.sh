# Outputs of ours that were put one behind another: cat a.folded b.folded.
. tests/tap.sh
python3 tests/collapse/concatenated.py "$tmp"
