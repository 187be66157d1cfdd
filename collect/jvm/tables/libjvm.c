#include "collect/jvm/tables/libjvm.h"

#include <string.h>

static bool is_libjvm(const char *name, size_t len)
{
	return len == strlen("libjvm.so") && !memcmp(name, "libjvm.so", len);
}

bool libjvm_find(int pid, struct runtime_file *lib)
{
	return runtime_file_find(pid, is_libjvm, lib);
}
