#include "collect/jvm/jvm.h"

#include <stddef.h>

int jvm_open(struct jvm *jvm, int pid, const char **why)
{
	uint32_t magic;

	*jvm = (struct jvm){ .remote.pid = pid };
	*why = "no libjvm.so mapped";
	if (!libjvm_find(pid, &jvm->lib))
		return -1;
	*why = "no right to read its memory";
	if (!remote_u32(&jvm->remote, jvm->lib.start, &magic))
		return -1;
	*why = "no vmStructs";
	jvm->tables = vm_tables_read(&jvm->remote, &jvm->lib);
	return jvm->tables ? 0 : -1;
}

void jvm_close(struct jvm *jvm)
{
	if (!jvm)
		return;
	vm_tables_free(jvm->tables);
	*jvm = (struct jvm){0};
}
