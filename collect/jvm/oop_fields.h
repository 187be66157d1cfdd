/* oop_fields: where the objects of a class have their fields, which the JVM computes for each class: read from
 * InstanceKlass::_fields, from JDK 21 on a stream in UNSIGNED5 (hotspot/share/oops/fieldInfo.hpp,
 * utilities/unsigned5.hpp). */
#ifndef COLLECT_JVM_OOP_FIELDS_H
#define COLLECT_JVM_OOP_FIELDS_H

#include "collect/jvm/oops.h"

/* Where objects of a class have a field, which is not inherited, not static.  Returns -1 if there is none. */
int64_t oop_field(const struct oops *o, uint64_t klass, const char *name, const char *signature);

#endif
