/* oop_fields: offsets of fields in objects, which the JVM computes for each class: read from
 * InstanceKlass::_fields, from JDK 21 on a stream in UNSIGNED5 (hotspot/share/oops/fieldInfo.hpp,
 * utilities/unsigned5.hpp). */
#ifndef COLLECT_JVM_OOP_FIELDS_H
#define COLLECT_JVM_OOP_FIELDS_H

#include "collect/jvm/oops.h"

/* The offset of a field that is neither inherited nor static; -1 if there is none. */
int64_t oop_field(const struct oops *o, uint64_t klass, const char *name, const char *signature);

#endif
