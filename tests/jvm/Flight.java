import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Does what flight recordings have events for, until its input ends. */
public class Flight {
	static volatile long sink;
	static final Object lock = new Object();
	static volatile int owner = 1, entered;

	interface Work {
		void run() throws Exception;
	}

	static Thread start(String name, Work work)
	{
		Thread thread = new Thread(() -> {
			try {
				work.run();
			} catch (Exception e) {
				throw new RuntimeException(e);
			}
		}, name);
		thread.setDaemon(true);
		thread.start();
		return thread;
	}

	static void spin()
	{
		long sum = 0;
		for (int i = 0; i < 100000; i++)
			sum += Long.hashCode(i) * 31L;
		sink = sum;
	}

	static void deep(int depth)
	{
		if (depth == 0)
			for (int i = 0; i < 20; i++)
				spin();
		else
			deep(depth - 1);
	}

	static void allocate() throws Exception
	{
		List<Object> list = new ArrayList<>();
		for (int i = 0; i < 2000; i++)
			list.add(i % 2 == 0 ? new byte[1000] : new Object[100]);
		sink += list.size();
		Thread.sleep(2);
	}

	/** Monitors are not fair: without turns, one of two threads can have the lock all the time, and nothing is recorded of the other. */
	static void takeTurns(int me) throws Exception
	{
		synchronized (lock) {
			owner = me;
			entered++;
			Thread.sleep(25);
		}
		while (owner == me)
			Thread.sleep(1);
	}

	public static void main(String[] args) throws Exception
	{
		start("spin-1", () -> { while (true) spin(); });
		start("d\u00fcnn; 7", () -> { while (true) deep(90); });
		ServerSocket server = new ServerSocket(0);
		start("accept", server::accept);
		start("alloc-3", () -> { while (true) allocate(); });
		start("park", () -> { while (true) LockSupport.parkNanos(lock, 25000000); });
		for (int i = 0; i < 2; i++) {
			int me = i;
			start("lock-" + me, () -> { while (true) takeTurns(me); });
		}
		Object never = new Object();
		Thread waits = start("wait", () -> { synchronized (never) { never.wait(); } });
		while (waits.getState() != Thread.State.WAITING)
			Thread.sleep(10);
		Thread.sleep(500);
		while (entered < 10)
			Thread.sleep(10);
		System.out.println("ready");
		while (System.in.read() >= 0)
			continue;
	}
}
