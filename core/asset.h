/* asset: files embedded byte for byte (scripts, styles).
 *
 *     ASSET(flame_js, "render/flame.js");
 *     struct asset js = flame_js_asset();
 *
 * Belongs in one .c file of a stage; in the Makefile its object depends
 * on the files. */
#ifndef CORE_ASSET_H
#define CORE_ASSET_H

#include <stddef.h>

struct asset {
	const char *bytes;
	size_t len;
};

/* path is relative to the root of the sources, where the compiler runs. */
#define ASSET(name, path) ASSET_OF(name, ".incbin \"" path "\"\n")

/* Two files, concatenated. */
#define ASSETS(name, path, path2) ASSET_OF(name, ".incbin \"" path "\"\n.incbin \"" path2 "\"\n")

#define ASSET_OF(name, incbins)                                                                     \
	__asm__(".section .rodata\n"                                                                \
		"asset_" #name ":\n" incbins "asset_" #name "_end:\n"                               \
		".byte 0\n"                                                                         \
		".previous\n");                                                                     \
	extern const char asset_##name[] __attribute__((visibility("hidden"))),                     \
		asset_##name##_end[] __attribute__((visibility("hidden")));                         \
	struct asset name##_asset(void);                                                            \
	struct asset name##_asset(void)                                                             \
	{                                                                                           \
		return (struct asset){ asset_##name, (size_t)(asset_##name##_end - asset_##name) }; \
	}

#endif
