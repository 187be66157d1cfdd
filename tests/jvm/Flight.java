import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Does what flight recordings have events for, until its input ends. */
public class Flight {
	static volatile long sink;
	static final Object lock = new Object();

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

	public static void main(String[] args) throws Exception
	{
		start("spin-1", () -> { while (true) spin(); });
		start("d\u00fcnn; 7", () -> { while (true) deep(90); });
		ServerSocket server = new ServerSocket(0);
		start("accept", server::accept);
		start("alloc-3", () -> { while (true) allocate(); });
		start("park", () -> { while (true) LockSupport.parkNanos(lock, 25000000); });
		for (int i = 0; i < 2; i++)
			start("lock-" + i, () -> { while (true) synchronized (lock) { Thread.sleep(25); } });
		Object never = new Object();
		Thread waits = start("wait", () -> { synchronized (never) { never.wait(); } });
		while (waits.getState() != Thread.State.WAITING)
			Thread.sleep(10);
		Thread.sleep(500);
		System.out.println("ready");
		while (System.in.read() >= 0)
			continue;
	}
}
