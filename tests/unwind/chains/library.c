/* library: shared code. */
#include "chains.h"

#define sink lib_sink
static volatile uint64_t lib_sink;

LEAF(lib_spin)

KEEP void lib_burn(uint64_t turns);
KEEP void lib_burn(uint64_t turns)
{
	lib_spin(turns);
	AND_RETURN();
}

KEEP void lib_nothing(void);
KEEP void lib_nothing(void)
{
}
