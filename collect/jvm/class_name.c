#include "collect/jvm/class_name.h"

#include <stddef.h>

void java_class_name(struct str *out, const char *name, size_t len)
{
	str_add(out, name, len);
}
