import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Paths;

/* Maps FILE: reads the pages of a mapped file, again and again, in a method that a compiler inlines.  Prints "ready" once
 * it is compiled, and goes on until its input ends. */
public class Maps {
	static volatile boolean ended;
	static long sum;

	static void readPage(MappedByteBuffer file, int at) {
		sum += file.get(at);
	}

	static void readPages(MappedByteBuffer file) {
		for (int at = 0; at < file.capacity(); at += 4096)
			readPage(file, at);
	}

	static void untilTheEnd() {
		try {
			while (System.in.read() >= 0)
				;
		} catch (java.io.IOException e) {
			/* the end as well */
		}
		ended = true;
	}

	public static void main(String[] args) throws Exception {
		new Thread(Maps::untilTheEnd).start();
		for (int i = 0; !ended; i++) {
			try (FileChannel file = FileChannel.open(Paths.get(args[0]))) {
				readPages(file.map(FileChannel.MapMode.READ_ONLY, 0, file.size()));
			}
			if (i == 100)
				System.out.println("ready");
		}
	}
}
