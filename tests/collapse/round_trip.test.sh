# Any format to any format and back gives the same stacks; what goes in comes out, or is reported.
. tests/tap.sh
python3 tests/collapse/round_trip.py "$tmp"
