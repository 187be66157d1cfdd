#include "collect/recording/file_list.h"

uint32_t file_list_add(struct file_list *l, const char *path, size_t len)
{
	struct str line = { 0 };
	uint32_t number;

	str_add(&line, path, len);
	for (size_t i = 0; i < line.len; i++) {
		if (line.buf[i] == '\n')
			line.buf[i] = '?';
	}
	number = l->first + intern_add(&l->now, str_text(&line), line.len);
	str_free(&line);
	return number;
}

void file_list_key(struct file_list *l)
{
	l->keys++;
}

uint32_t file_list_again(struct file_list *l, uint32_t number)
{
	uint32_t at = number - l->first_before;

	if (number >= l->first)
		return number;
	if (number < l->first_before || at >= l->before.count)
		return FILE_LIST_GONE;
	file_list_key(l);
	return file_list_add(l, intern_text(&l->before, at), intern_len(&l->before, at));
}

bool file_list_turn(struct file_list *l)
{
	if (l->has_before || (l->now.count < FILE_LIST_MANY && l->keys < FILE_LIST_MANY))
		return false;
	l->has_before = true;
	l->keys = 0;
	l->before = l->now;
	l->first_before = l->first;
	l->first += (uint32_t)l->now.count;
	l->now = (struct intern){ 0 };
	return true;
}

void file_list_drop(struct file_list *l)
{
	l->forgotten += l->before.count;
	intern_free(&l->before);
	l->has_before = false;
	l->first_before = l->first;
}

static void format(const struct intern *files, uint32_t first, struct str *out)
{
	for (uint32_t i = 0; i < files->count; i++) {
		str_addf(out, "%u ", first + i);
		str_add(out, intern_text(files, i), intern_len(files, i));
		str_addc(out, '\n');
	}
}

void file_list_format(const struct file_list *l, struct str *out)
{
	format(&l->before, l->first_before, out);
	format(&l->now, l->first, out);
}

void file_list_free(struct file_list *l)
{
	intern_free(&l->now);
	intern_free(&l->before);
	*l = (struct file_list){ 0 };
}
