#include "ship/http.h"

#include <ctype.h>
#include <curl/curl.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "core/error.h"
#include "core/lines.h"
#include "core/wallclock.h"

/* A server counts as away if fewer than SLOW_BYTES a second are sent or received for SLOW_S; ... */
enum { CONNECT_S = 10, SLOW_S = 120, SLOW_BYTES = 1000 };
/* ... or if, after PATIENCE_S, both directions together have had fewer than LEAST_BYTES a second.  Rows may take
 * longer, because the server may have to look at many. */
enum { PATIENCE_S = 180, PATIENCE_ROWS_S = 600, LEAST_BYTES = 8000 };
/* The most bytes that a server may send: all headers, an error, any other answer that is kept. */
enum { HEADERS_MAX = 256 << 10, ERROR_MAX = 64 << 10, ANSWER_MAX = 64 << 20 };

/* A request on its way. */
struct posting_state {
	const struct http_request *request;
	size_t at, offset; /* the next byte to send, in the piece at */
	struct http *http;
	struct http_answer *answer;
	uint64_t begin_ns; /* CLOCK_MONOTONIC */
	size_t header_bytes;
	const char *why; /* the reason why we ended the request; NULL: we did not */
};

/* The secret is the first line of path, or in the environment. */
static int read_secret(const char *path, const char *variable, const char *noun, struct str *out)
{
	struct lines lines = { .fd = -1 };
	const char *value = getenv(variable);
	char *text;
	size_t len;

	if (!path) {
		str_puts(out, value ? value : "");
		return 0;
	}
	if (lines_open(&lines, path) < 0)
		return -1;
	if (lines_next(&lines, &text, &len))
		str_add(out, text, len);
	lines_close(&lines);
	return out->len ? 0 : error("%s: has no %s in its first line", path, noun);
}

int http_open(struct http *h, const struct http_access *access)
{
	*h = (struct http){ .access = access };
	if ((access->user || access->password_file) &&
	    read_secret(access->password_file, PASSWORD_VARIABLE, "password", &h->password) < 0)
		return -1;
	if (!access->user && read_secret(access->token_file, TOKEN_VARIABLE, "token", &h->token) < 0)
		return -1;
	if (h->token.len != strcspn(str_text(&h->token), "\r\n \t"))
		return error("the token has blanks in it");
	h->curl = curl_easy_init();
	return h->curl ? 0 : error("libcurl cannot be used");
}

static size_t send_some(char *to, size_t size, size_t count, void *argument)
{
	struct posting_state *p = argument;
	size_t room = size * count, sent = 0;

	while (sent < room && p->at < p->request->count) {
		const struct http_piece *piece = &p->request->pieces[p->at];
		size_t n = piece->len - p->offset < room - sent ? piece->len - p->offset : room - sent;

		if (n)
			memcpy(to + sent, (const char *)piece->bytes + p->offset, n);
		sent += n;
		p->offset += n;
		if (p->offset == piece->len) {
			p->at++;
			p->offset = 0;
		}
	}
	return sent;
}

/* libcurl sends it again if a connection that it kept open was closed meanwhile. */
static int send_again(void *argument, curl_off_t offset, int origin)
{
	struct posting_state *p = argument;

	if (offset || origin != SEEK_SET)
		return CURL_SEEKFUNC_CANTSEEK;
	p->at = p->offset = 0;
	return CURL_SEEKFUNC_OK;
}

static long status_so_far(const struct posting_state *p)
{
	long status = 0;

	curl_easy_getinfo(p->http->curl, CURLINFO_RESPONSE_CODE, &status);
	return status;
}

static size_t receive_some(char *bytes, size_t size, size_t count, void *argument)
{
	struct posting_state *p = argument;
	size_t len = size * count, most = ERROR_MAX;
	struct str *text = &p->answer->text;
	long status = status_so_far(p);

	if (p->request->take && status == 200)
		return p->request->take(p->request->argument, bytes, len) ? len : 0;
	if (status / 100 == 2)
		most = ANSWER_MAX;
	if (len <= most - text->len) {
		str_add(text, bytes, len);
		return len;
	}
	str_add(text, bytes, most - text->len);
	p->why = "its answer does not end";
	return 0;
}

static size_t receive_header(char *bytes, size_t size, size_t count, void *argument)
{
	struct posting_state *p = argument;

	(void)bytes;
	p->header_bytes += size * count;
	if (p->header_bytes <= HEADERS_MAX)
		return size * count;
	p->why = "the headers of its answer do not end";
	return 0;
}

static int look_at_progress(void *argument, curl_off_t down_total, curl_off_t down, curl_off_t up_total, curl_off_t up)
{
	struct posting_state *p = argument;
	uint64_t s = (clock_ns(CLOCK_MONOTONIC) - p->begin_ns) / NS_PER_SEC;
	uint64_t patience = p->request->take ? PATIENCE_ROWS_S : PATIENCE_S;

	(void)down_total;
	(void)up_total;
	if (s <= patience || (uint64_t)(down + up) / LEAST_BYTES >= s - patience)
		return 0;
	p->why = "it takes and answers too slowly";
	return 1;
}

/* If a connection that it had kept open ends before the answer begins, libcurl silently sends the request again,
 * although the server may have executed it.  A request on a new connection, for HTTP/1.1, is never repeated
 * (Curl_retry_request() in lib/transfer.c of curl); nor can a body be repeated that cannot be rewound. */
static void set_repetition(CURL *curl, bool writes, struct posting_state *p)
{
	curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	if (writes) {
		curl_easy_setopt(curl, CURLOPT_FRESH_CONNECT, 1L);
		curl_easy_setopt(curl, CURLOPT_FORBID_REUSE, 1L);
	} else {
		curl_easy_setopt(curl, CURLOPT_SEEKFUNCTION, send_again);
		curl_easy_setopt(curl, CURLOPT_SEEKDATA, p);
	}
}

static void set_limits(CURL *curl, struct posting_state *p)
{
	curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_S);
	curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, (long)SLOW_BYTES);
	curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, (long)SLOW_S);
	curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, receive_header);
	curl_easy_setopt(curl, CURLOPT_HEADERDATA, p);
	curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
	curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, look_at_progress);
	curl_easy_setopt(curl, CURLOPT_XFERINFODATA, p);
}

/* The way curl opens its sockets; but it hides why it cannot. */
static curl_socket_t http_open_socket(void *posting, curlsocktype purpose, struct curl_sockaddr *address)
{
	int fd = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
	struct posting_state *p = posting;

	(void)purpose;
	if (fd < 0 && (errno == EMFILE || errno == ENFILE))
		p->why = "too many files are open here (ulimit -n)";
	return fd < 0 ? CURL_SOCKET_BAD : fd;
}

static void http_set_options(struct http *h, struct posting_state *p, struct curl_slist *lines, size_t total)
{
	CURL *curl = h->curl;

	curl_easy_reset(curl);
	curl_easy_setopt(curl, CURLOPT_URL, p->request->url);
	curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	set_limits(curl, p);
	set_repetition(curl, p->request->writes, p);
	curl_easy_setopt(curl, CURLOPT_POST, 1L);
	curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)total);
	curl_easy_setopt(curl, CURLOPT_UPLOAD_BUFFERSIZE, 1024L * 1024);
	curl_easy_setopt(curl, CURLOPT_BUFFERSIZE, 256L * 1024);
	curl_easy_setopt(curl, CURLOPT_READFUNCTION, send_some);
	curl_easy_setopt(curl, CURLOPT_READDATA, p);
	curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, receive_some);
	curl_easy_setopt(curl, CURLOPT_WRITEDATA, p);
	curl_easy_setopt(curl, CURLOPT_HTTPHEADER, lines);
	curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, http_open_socket);
	curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, p);
	if (h->access->ca)
		curl_easy_setopt(curl, CURLOPT_CAINFO, h->access->ca);
	if (h->token.len) {
		curl_easy_setopt(curl, CURLOPT_HTTPAUTH, CURLAUTH_BEARER);
		curl_easy_setopt(curl, CURLOPT_XOAUTH2_BEARER, h->token.buf);
	}
	if (h->access->user) {
		curl_easy_setopt(curl, CURLOPT_USERNAME, h->access->user);
		curl_easy_setopt(curl, CURLOPT_PASSWORD, str_text(&h->password));
	}
}

static void http_add_reason(CURLcode code, const char *details, struct str *out)
{
	const char *what = *details ? details : curl_easy_strerror(code);

	switch (code) {
	case CURLE_PEER_FAILED_VERIFICATION: str_addf(out, "%s; see --ca", what); break;
	case CURLE_SSL_CONNECT_ERROR: str_addf(out, "%s: does it speak TLS?", what); break;
	case CURLE_OPERATION_TIMEDOUT: /* a server of plain HTTP may wait for the rest of something that it takes for a
				        * request */
		str_addf(out, "it takes too long: %s%s", what, strstr(what, "SSL") ? ": does it speak TLS?" : "");
		break;
	default: str_puts(out, what);
	}
}

/* The result of a request.  An error that is cut short still is an answer. */
static bool take_outcome(struct posting_state *p, CURLcode code, const char *details)
{
	struct http_answer *a = p->answer;
	long status = status_so_far(p);

	if (code == CURLE_OK || (p->why && status / 100 > 2)) {
		a->status = status;
		return true;
	}
	a->in_doubt = p->at == p->request->count;
	str_clear(&a->text);
	if (p->why)
		str_puts(&a->text, p->why);
	else
		http_add_reason(code, details, &a->text);
	return false;
}

bool http_post(struct http *h, const struct http_request *request, struct http_answer *answer)
{
	struct posting_state p = {
		.request = request, .http = h, .answer = answer, .begin_ns = clock_ns(CLOCK_MONOTONIC)
	};
	struct curl_slist *lines = curl_slist_append(NULL, "Expect:");
	size_t total = 0;
	char details[CURL_ERROR_SIZE] = "";
	CURLcode code;

	for (size_t i = 0; i < request->header_count; i++)
		lines = curl_slist_append(lines, request->headers[i]);
	for (size_t i = 0; i < request->count; i++)
		total += request->pieces[i].len;
	answer->status = 0;
	answer->in_doubt = false;
	str_clear(&answer->text);
	http_set_options(h, &p, lines, total);
	curl_easy_setopt(h->curl, CURLOPT_ERRORBUFFER, details);
	code = curl_easy_perform(h->curl);
	curl_easy_setopt(h->curl, CURLOPT_ERRORBUFFER, NULL);
	curl_slist_free_all(lines);
	return take_outcome(&p, code, details);
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
	str_free(&h->token);
	*h = (struct http){ 0 };
}
