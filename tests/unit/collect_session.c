/* What wakes a session: a closed fd does not, even if a child still has it open. */
#include "collect/machine/session.h"

#include <unistd.h>

#include "tests/unit/check.h"

int main(void)
{
	enum { ENOUGH_NS = 20000000 };
	struct session s;
	int ends[2], in_a_child;

	session_open(&s);
	s.next_tick_ns = UINT64_MAX; /* on a busy machine, a second may pass */
	if (pipe(ends))
		return 1;
	in_a_child = dup(ends[0]); /* fork() leaves the same: another descriptor of the same open file */
	session_add_data(&s, ends[0]);
	CHECK(session_wait(&s, ENOUGH_NS) == 0);
	CHECK(write(ends[1], "x", 1) == 1);
	CHECK(session_wait(&s, ENOUGH_NS) == SESSION_DATA);
	session_close_data(&s, ends[0]);
	CHECK(session_wait(&s, ENOUGH_NS) == 0);
	session_close_data(&s, -1);
	close(in_a_child);
	close(ends[1]);
	session_close(&s);
	return check_done();
}
