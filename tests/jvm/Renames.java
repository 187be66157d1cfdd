import java.util.ArrayDeque;
import java.util.concurrent.CountDownLatch;

/* Threads that wait and keep their names, while others make garbage, strings like names among it, and
 * rename themselves: Renames [WAITING [MILLISECONDS]].  After so many milliseconds (0: at the end of the input) they
 * make no more, and it prints "quiet"; from "p" in the input to "c", too, they make none.  Every name of its own threads is
 * "idle-NUMBER-waits-for-the-end" or "churn-NUMBER-was-renamed-NUMBER-times". */
public class Renames {
	static final int CHURNING = 2;
	static volatile boolean over, rests;

	static void idle(int number, CountDownLatch started, CountDownLatch end) {
		Thread t = new Thread(() -> {
			started.countDown();
			try {
				end.await();
			} catch (InterruptedException e) {
			}
		}, "idle-" + number + "-waits-for-the-end");
		t.setDaemon(true);
		t.start();
	}

	static void churn(int number, CountDownLatch started) {
		ArrayDeque<Object> kept = new ArrayDeque<>();
		Thread self = Thread.currentThread();
		started.countDown();
		for (long n = 0; !over; n++) {
			self.setName("churn-" + number + "-was-renamed-" + n + "-times");
			for (int i = 0; i < 2000; i++) {
				kept.add("wrong-" + i + "-is-no-name-of-a-thread");
				while (kept.size() > 20000)
					kept.poll();
				if (i % 100 == 0)
					kept.add(new byte[1000]);
			}
			if (rests)
				rest();
		}
	}

	static void rest() {
		try {
			while (rests && !over)
				Thread.sleep(5);
		} catch (InterruptedException e) {
		}
	}

	public static void main(String[] args) throws Exception {
		int waiting = args.length > 0 ? Integer.parseInt(args[0]) : 20;
		long milliseconds = args.length > 1 ? Long.parseLong(args[1]) : 0;
		CountDownLatch started = new CountDownLatch(waiting + CHURNING), end = new CountDownLatch(1);
		Thread[] churning = new Thread[CHURNING];

		for (int i = 0; i < CHURNING; i++) {
			int number = i;
			churning[i] = new Thread(() -> churn(number, started), "churn-" + i + "-was-renamed-0-times");
			churning[i].setDaemon(true);
			churning[i].start();
		}
		for (int i = 0; i < waiting; i++)
			idle(i, started, end);
		started.await();
		System.out.println("ready");
		if (milliseconds > 0) {
			Thread.sleep(milliseconds);
			over = true;
			for (Thread t : churning)
				t.join();
			System.gc();
			System.out.println("quiet");
		}
		for (int c; (c = System.in.read()) >= 0;)
			rests = c == 'p' || c != 'c' && rests;
		over = true;
		end.countDown();
	}
}
