#include "ship/http.h"

#include <ctype.h>
#include <curl/curl.h>
#include <string.h>

#include "core/error.h"
#include "core/lines.h"

/* A server that takes and says less than that a second, for so long, is away. */
enum { CONNECT_S = 10, SLOW_S = 120, SLOW_BYTES = 1000 };

struct request {
	const struct http_piece *pieces;
	size_t count, at, offset; /* the next byte to send */
	struct http *http;
	http_take *take;
	void *argument;
	struct http_answer *answer;
};

static int read_password(struct http *h, const char *path)
{
	struct lines lines = { .fd = -1 };
	char *text;
	size_t len;

	if (lines_open(&lines, path) < 0)
		return -1;
	if (lines_next(&lines, &text, &len))
		str_add(&h->password, text, len);
	lines_close(&lines);
	return h->password.len ? 0 : error("%s: has no password in its first line", path);
}

int http_open(struct http *h, const struct http_access *access)
{
	*h = (struct http){ .access = access };
	if (access->password_file && read_password(h, access->password_file) < 0)
		return -1;
	h->curl = curl_easy_init();
	return h->curl ? 0 : error("libcurl cannot be used");
}

static size_t send_some(char *to, size_t size, size_t count, void *argument)
{
	struct request *r = argument;
	size_t room = size * count, sent = 0;

	while (sent < room && r->at < r->count) {
		const struct http_piece *piece = &r->pieces[r->at];
		size_t n = piece->len - r->offset < room - sent ? piece->len - r->offset : room - sent;

		if (n)
			memcpy(to + sent, (const char *)piece->bytes + r->offset, n);
		sent += n;
		r->offset += n;
		if (r->offset == piece->len) {
			r->at++;
			r->offset = 0;
		}
	}
	return sent;
}

/* libcurl sends it again if a connection that it kept open was closed meanwhile. */
static int send_again(void *argument, curl_off_t offset, int origin)
{
	struct request *r = argument;

	if (offset || origin != SEEK_SET)
		return CURL_SEEKFUNC_CANTSEEK;
	r->at = r->offset = 0;
	return CURL_SEEKFUNC_OK;
}

static size_t receive_some(char *bytes, size_t size, size_t count, void *argument)
{
	struct request *r = argument;
	long status = 0;

	curl_easy_getinfo(r->http->curl, CURLINFO_RESPONSE_CODE, &status);
	if (r->take && status == 200)
		return r->take(r->argument, bytes, size * count) ? size * count : 0;
	str_add(&r->answer->text, bytes, size * count);
	return size * count;
}

static void set_options(struct http *h, const char *url, struct request *r, struct curl_slist *lines, size_t total)
{
	CURL *curl = h->curl;

	curl_easy_reset(curl);
	curl_easy_setopt(curl, CURLOPT_URL, url);
	curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_S);
	curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, (long)SLOW_BYTES);
	curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, (long)SLOW_S);
	curl_easy_setopt(curl, CURLOPT_POST, 1L);
	curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)total);
	curl_easy_setopt(curl, CURLOPT_UPLOAD_BUFFERSIZE, 1024L * 1024);
	curl_easy_setopt(curl, CURLOPT_BUFFERSIZE, 256L * 1024);
	curl_easy_setopt(curl, CURLOPT_READFUNCTION, send_some);
	curl_easy_setopt(curl, CURLOPT_READDATA, r);
	curl_easy_setopt(curl, CURLOPT_SEEKFUNCTION, send_again);
	curl_easy_setopt(curl, CURLOPT_SEEKDATA, r);
	curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, receive_some);
	curl_easy_setopt(curl, CURLOPT_WRITEDATA, r);
	curl_easy_setopt(curl, CURLOPT_HTTPHEADER, lines);
	if (h->access->ca)
		curl_easy_setopt(curl, CURLOPT_CAINFO, h->access->ca);
	if (h->access->user) {
		curl_easy_setopt(curl, CURLOPT_USERNAME, h->access->user);
		curl_easy_setopt(curl, CURLOPT_PASSWORD, str_text(&h->password));
	}
}

static void add_reason(CURLcode code, const char *details, struct str *out)
{
	const char *what = *details ? details : curl_easy_strerror(code);

	switch (code) {
	case CURLE_PEER_FAILED_VERIFICATION: str_addf(out, "%s; see --ca", what); break;
	case CURLE_SSL_CONNECT_ERROR: str_addf(out, "%s: does it speak TLS?", what); break;
	case CURLE_OPERATION_TIMEDOUT: /* a server of plain HTTP may wait for the rest of what it takes for a request */
		str_addf(out, "it takes too long: %s%s", what, strstr(what, "SSL") ? ": does it speak TLS?" : "");
		break;
	default: str_puts(out, what);
	}
}

bool http_post(struct http *h, const char *url, const struct http_piece *pieces, size_t count,
	       const char *const *headers, size_t header_count, http_take *take, void *argument,
	       struct http_answer *answer)
{
	struct request r = {
		.pieces = pieces, .count = count, .http = h, .take = take, .argument = argument, .answer = answer
	};
	struct curl_slist *lines = curl_slist_append(NULL, "Expect:");
	size_t total = 0;
	char reason[CURL_ERROR_SIZE] = "";
	CURLcode code;

	for (size_t i = 0; i < header_count; i++)
		lines = curl_slist_append(lines, headers[i]);
	for (size_t i = 0; i < count; i++)
		total += pieces[i].len;
	answer->status = 0;
	str_clear(&answer->text);
	set_options(h, url, &r, lines, total);
	curl_easy_setopt(h->curl, CURLOPT_ERRORBUFFER, reason);
	code = curl_easy_perform(h->curl);
	curl_easy_setopt(h->curl, CURLOPT_ERRORBUFFER, NULL);
	curl_slist_free_all(lines);
	if (code == CURLE_OK) {
		curl_easy_getinfo(h->curl, CURLINFO_RESPONSE_CODE, &answer->status);
		return true;
	}
	str_clear(&answer->text);
	add_reason(code, reason, &answer->text);
	return false;
}

void http_escape(struct str *out, const char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (isalnum(c) || strchr("-._~", c))
			str_addc(out, (char)c);
		else
			str_addf(out, "%%%02X", c);
	}
}

void http_close(struct http *h)
{
	if (h->curl)
		curl_easy_cleanup(h->curl);
	str_free(&h->password);
	*h = (struct http){ 0 };
}
