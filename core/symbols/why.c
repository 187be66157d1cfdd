#include "core/symbols/why.h"

const char *const why_words[WHY_COUNT] = {
#define WHY_WORD(name, word, text, remedy) word,
	WHY_TABLE(WHY_WORD)
};

const char *const why_texts[WHY_COUNT] = {
#define WHY_TEXT(name, word, text, remedy) text,
	WHY_TABLE(WHY_TEXT)
};

const char *const why_remedies[WHY_COUNT] = {
#define WHY_REMEDY(name, word, text, remedy) remedy,
	WHY_TABLE(WHY_REMEDY)
};
