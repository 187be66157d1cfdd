#include "core/unwind/jit_unwinding.h"

static void add_new(struct unwinder *u, struct jit_file *f, uint32_t module)
{
	for (; f->fed < f->code.unwinding_count; f->fed++) {
		const struct jit_unwinding *w = &f->code.unwinding[f->fed];

		unwinder_add_jit(u, module, w->offset, w->size, (const uint8_t *)f->code.bytes.buf + w->at, w->len,
				 w->eh_frame_address);
	}
}

void jit_unwinding_add(struct unwinder *u, struct jit_files *jit, struct modules *modules)
{
	for (size_t i = 0; i < jit->count; i++) {
		if (jit->items[i].code.unwinding_count)
			add_new(u, &jit->items[i], jit_file_module(&jit->items[i], modules));
	}
}
