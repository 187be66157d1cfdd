/* opened: a library that is opened and closed; -DOPENED=one makes one_burn of it. */
#include "chains.h"

#define sink opened_sink
static volatile uint64_t opened_sink;

#define JOIN(a, b) a##b
#define NAMED(a, b) JOIN(a, b)
#define BURN NAMED(OPENED, _burn)
#define SPIN NAMED(OPENED, _spin)

LEAF(SPIN)

KEEP void BURN(uint64_t turns);
KEEP void BURN(uint64_t turns)
{
	SPIN(turns);
	AND_RETURN();
}
