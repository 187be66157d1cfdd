#include "core/symbols/demangle.h"

#include <string.h>

#include <libiberty/demangle.h>

/* Longer ones are machine-made beyond use, and cost more than they tell. */
enum { MAX_NAME = 64 * 1024 };

char *demangle(const char *name)
{
	if (name[0] != '_' || (name[1] != 'Z' && name[1] != 'R' && name[1] != '_'))
		return NULL;
	if (name[1] == '_' && name[2] != 'Z' && name[2] != 'R')
		return NULL;
	if (strlen(name) > MAX_NAME)
		return NULL;
	return cplus_demangle(name, DMGL_AUTO);
}
