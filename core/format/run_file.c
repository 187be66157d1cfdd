#include "core/format/run_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/hash.h"

void run_file_name(char name[RUN_FILE_NAME], const char *run, const char *ending)
{
	snprintf(name, RUN_FILE_NAME, "run-%016" PRIx64 "%s", hash_bytes(run, strlen(run)), ending);
}
