# Of the lines of spans.py, sorted by thread and time: says where a thread is in no state, or in
# two at once; then how many spans follow another.
$3 == 0 { next } # one for each CPU
$3 == tid && state != 13 {
	follow++
	if ($8 != end && wrong++ < 5)
		print "tid", tid, "state", state, "ends at", end, "state", $11, "begins at", $8
}
{ tid = $3; state = $11; end = $9 }
# Threads that are found twice just when the recording begins are none of the matter: there are more on a
# busy machine.
END { print (follow > 0 && wrong <= 2 + follow / 1000 ? "nearly all" : wrong + 0 " not"), "of", follow + 0, "spans follow the one before" }
