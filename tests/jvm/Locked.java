/* Threads that wait for locks which others have: a monitor, and a ReentrantLock.  Every pair has its own lock. */
import java.util.concurrent.locks.ReentrantLock;

public class Locked {
	static final Object monitor = new Object();
	static final ReentrantLock lock = new ReentrantLock();
	static volatile boolean monitorHeld, lockHeld;

	static void pass(long ms) {
		try {
			Thread.sleep(ms);
		} catch (InterruptedException e) {
			System.exit(1);
		}
	}

	static void holdMonitor() {
		synchronized (monitor) {
			monitorHeld = true;
			pass(30);
			monitorHeld = false;
		}
	}

	static void holdLock() {
		lock.lock();
		lockHeld = true;
		pass(30);
		lockHeld = false;
		lock.unlock();
	}

	static void enterMonitor() {
		while (!monitorHeld)
			pass(1);
		synchronized (monitor) {
			pass(0);
		}
	}

	static void takeLock() {
		while (!lockHeld)
			pass(1);
		lock.lock();
		lock.unlock();
	}

	static void start(String name, Runnable body) {
		Thread thread = new Thread(() -> {
			for (;;) {
				body.run();
				pass(1);
			}
		}, name);

		thread.setDaemon(true);
		thread.start();
	}

	public static void main(String[] arguments) throws Exception {
		start("holds monitor", Locked::holdMonitor);
		start("wants monitor", Locked::enterMonitor);
		start("holds lock", Locked::holdLock);
		start("wants lock", Locked::takeLock);
		Thread.sleep(1000); /* until it is compiled */
		System.out.println("ready");
		while (System.in.read() >= 0)
			;
	}
}
