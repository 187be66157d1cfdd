# Converting any format to any other and back gives the same stacks; whatever goes in comes out, or is reported.
. tests/tap.sh
python3 tests/collapse/round_trip.py "$tmp"
