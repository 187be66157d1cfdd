#include "collect/symbolize.h"

int symbolize(const char *path, struct str *section, uint64_t losses[])
{
	(void)path;
	(void)section;
	(void)losses;
	return 0;
}
