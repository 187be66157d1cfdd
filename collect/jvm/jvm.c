#include "collect/jvm/jvm.h"

#include <string.h>

int jvm_open(struct jvm *jvm, int pid, const char **why)
{
	uint32_t magic;

	*jvm = (struct jvm){ .remote.pid = pid };
	*why = "no libjvm.so mapped";
	if (!libjvm_find(pid, &jvm->lib))
		return -1;
	jvm->has_lib = true;
	*why = "no right to read its memory";
	if (!remote_u32(&jvm->remote, jvm->lib.start, &magic))
		return -1;
	*why = "no vmStructs";
	jvm->tables = vm_tables_read(&jvm->remote, &jvm->lib);
	return jvm->tables ? 0 : -1;
}

/* In Java 8, _vm_major_version is HotSpot's own version number: 25.  The fields of JDK_Version were dropped when
 * the two numbers became the same. */
int jvm_version(const struct jvm *jvm)
{
	uint64_t current = vm_static(jvm->tables, "JDK_Version", "_current");
	uint64_t vm = vm_static(jvm->tables, "Abstract_VM_Version", "_vm_major_version");
	int64_t major_at = vm_offset(jvm->tables, "JDK_Version", "_major");
	int32_t version;
	uint8_t major;

	if (current && major_at >= 0)
		return remote_u8(&jvm->remote, current + (uint64_t)major_at, &major) ? major : 0;
	return vm && remote_i32(&jvm->remote, vm, &version) ? version : 0;
}

bool jvm_is_untried(const struct jvm *jvm)
{
	return jvm_version(jvm) > JVM_NEWEST_TRIED;
}

/* "OpenJDK 64-Bit Zero VM (17.0.17+10-Debian-1) for linux-amd64 JRE ..." */
bool jvm_is_zero(const struct jvm *jvm)
{
	uint64_t at = vm_static(jvm->tables, "Abstract_VM_Version", "_s_internal_vm_info_string"), text;
	char info[512];

	return at && remote_u64(&jvm->remote, at, &text) && remote_text(&jvm->remote, text, info, sizeof(info)) &&
	       strstr(info, " Zero VM ");
}

bool jvm_has_ended(const struct jvm *jvm)
{
	uint32_t magic;

	return !remote_u32(&jvm->remote, jvm->lib.start, &magic);
}

void jvm_close(struct jvm *jvm)
{
	if (!jvm)
		return;
	vm_tables_free(jvm->tables);
	*jvm = (struct jvm){ 0 };
}
