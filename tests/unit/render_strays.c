/* Strays: times so far from all others that an axis leaves them out. */
#include "core/wallclock.h"
#include "render/profile/strays.h"
#include "tests/unit/check.h"

#define HOUR_NS (3600 * NS_PER_SEC)
#define DAY_NS (24 * HOUR_NS)

static struct strays strays;

static void see(size_t count, uint64_t from_ns, uint64_t apart_ns)
{
	for (size_t i = 0; i < count; i++)
		strays_see(&strays, from_ns + i * apart_ns);
}

/* How many strays there are among the times seen so far; then forgets these times.  said: the expected message, or
 * NULL. */
static size_t found(uint64_t *from_ns, uint64_t *to_ns, const char *said)
{
	struct str text = { 0 };
	size_t count = strays_find(&strays, from_ns, to_ns);

	strays_say(&strays, "events", &text);
	if (said)
		CHECK_TEXT(str_text(&text), said);
	strays = (struct strays){ 0 };
	str_free(&text);
	return count;
}

int main(void)
{
	uint64_t from = 0, to = 0;

	/* one at time 0, before an hour */
	see(1, 0, 0);
	see(2000, 12 * DAY_NS, HOUR_NS / 2000);
	CHECK(found(&from, &to,
		    "1 of 2001 events is not drawn: up to 12 days from all others (--from and --to choose a time)") ==
	      1);
	CHECK(from == 1 && to == UINT64_MAX);
	/* at both ends, in any order; the order of the other times does not matter */
	see(1000, 100 * DAY_NS, NS_PER_SEC);
	see(2, 900 * DAY_NS, DAY_NS);
	see(1, 5, 0);
	CHECK(found(&from, &to, NULL) == 3 && from == 6 && to == 900 * DAY_NS);
	/* nothing seen, few times, many, close ones: all are drawn */
	CHECK(found(&from, &to, "") == 0);
	see(1, 0, 0);
	see(48, 12 * DAY_NS, NS_PER_SEC);
	CHECK(found(&from, &to, "") == 0);
	see(20, 0, 1);
	see(2000, 12 * DAY_NS, NS_PER_SEC);
	CHECK(found(&from, &to, "") == 0);
	see(1, 0, 0);
	see(2000, HOUR_NS - 1, 1000);
	CHECK(found(&from, &to, "") == 0);
	see(1, 0, 0);
	see(2000, 9 * DAY_NS, DAY_NS / 2000);
	CHECK(found(&from, &to, "") == 0);
	/* a time far after the others is found even if another one is far before */
	see(500, 50 * DAY_NS, 1000);
	see(1, UINT64_MAX - 1, 0);
	CHECK(found(&from, &to, NULL) == 1 && !from && to == UINT64_MAX - 1);
	return check_done();
}
