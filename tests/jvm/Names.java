import java.util.concurrent.CountDownLatch;

/* Threads with all sorts of names, that wait until the input ends.  Names [COUNT]: so many more. */
public class Names {
	static final String[] NAMES = {
		"short", "a pool with a very long name, thread number 17", "dw-20 - GET /api/v1/orders",
		"\u00fcml\u00e4ut-\u00df", "\u65e5\u672c\u8a9e\u306e\u30b9\u30ec\u30c3\u30c9", "emoji-\ud83d\ude00-\ud83d\udd25",
		"\"; DROP</script>", "semi;colon & <angle> 'quote'", "back\\slash\ttab", "trailing blank ", "",
		"half-\ud83d-surrogate", "control-\u0001-\u001b", "kombi-e\u0301",
	};

	public static void main(String[] args) throws Exception {
		int more = args.length > 0 ? Integer.parseInt(args[0]) : 0;
		CountDownLatch started = new CountDownLatch(NAMES.length + more), end = new CountDownLatch(1);

		for (int i = 0; i < NAMES.length + more; i++) {
			Thread t = new Thread(() -> {
				started.countDown();
				try {
					end.await();
				} catch (InterruptedException e) {
				}
			}, i < NAMES.length ? NAMES[i] : "worker-of-a-large-pool-" + (i - NAMES.length));
			t.setDaemon(true);
			t.start();
		}
		started.await();
		System.out.println("ready");
		while (System.in.read() >= 0)
			;
		end.countDown();
	}
}
