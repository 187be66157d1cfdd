import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/* Threads that block, each in a method of its own, most of their time: again and again for some
 * milliseconds, and one for as long as the program runs. */
class Blocked {
	static final Object monitor = new Object(), contended = new Object(), never = new Object();
	static final ReentrantLock lock = new ReentrantLock();
	static volatile long sum;

	interface Block { void once() throws Exception; }

	static void start(String name, final Block block) {
		Thread t = new Thread(name) {
			public void run() {
				try {
					for (;;)
						again(block);
				} catch (Exception e) {
					e.printStackTrace();
				}
			}
		};
		t.setDaemon(true);
		t.start();
	}

	static void again(Block block) throws Exception {
		block.once();
		sum++;
	}

	static void sleeps() throws Exception { Thread.sleep(1); }
	static void parks() { LockSupport.parkNanos(1000000); }
	static void waits() throws Exception { synchronized (monitor) { monitor.wait(1); } }
	static void waitsForever() throws Exception { synchronized (never) { never.wait(); } }

	static void locks() throws Exception {
		lock.lock();
		try {
			Thread.sleep(1);
		} finally {
			lock.unlock();
		}
	}

	static void contends() throws Exception {
		synchronized (contended) {
			Thread.sleep(1);
		}
	}

	static void reads(InputStream in, OutputStream out) throws Exception {
		out.write(1);
		in.read();
	}

	static void answers(InputStream in, OutputStream out) throws Exception {
		int c = in.read();
		Thread.sleep(1);
		out.write(c);
	}

	public static void main(String[] args) throws Exception {
		ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
		final Socket a = new Socket(listener.getInetAddress(), listener.getLocalPort());
		final Socket b = listener.accept();
		final InputStream ain = a.getInputStream(), bin = b.getInputStream();
		final OutputStream aout = a.getOutputStream(), bout = b.getOutputStream();

		start("sleeps", new Block() { public void once() throws Exception { sleeps(); } });
		start("parks", new Block() { public void once() { parks(); } });
		start("waits", new Block() { public void once() throws Exception { waits(); } });
		start("forever", new Block() { public void once() throws Exception { waitsForever(); } });
		for (int i = 0; i < 2; i++) {
			start("locks", new Block() { public void once() throws Exception { locks(); } });
			start("contends", new Block() { public void once() throws Exception { contends(); } });
		}
		start("reads", new Block() { public void once() throws Exception { reads(ain, aout); } });
		start("answers", new Block() { public void once() throws Exception { answers(bin, bout); } });
		System.out.println("ready");
		System.out.flush();
		System.in.read();
	}
}
