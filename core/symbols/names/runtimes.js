/* runtimes: whose code a function is: the functions that belong to a language, its runtime or the system, rather than
 * to a program.  Both collapse (core/symbols/names/runtimes.h) and the script of flame graphs
 * (render/browser/flame/known.js) read it.
 *
 * LANGUAGE KIND PATTERN...    "*" stands for any text, "?" for one character, "%" for one of a to z and _
 *
 * main     where a program begins, which is its own
 * begin    where processes, threads and system calls begin, which tells nothing
 * name     functions
 * inner    functions whose names could be anybody's: only where another function of that language is near
 * short    the same, and only where nothing tells their file; those of C may be near everywhere
 * file     files, by the last part of their paths, or the whole path: all that is in them
 * package  files that came with a package, and functions whose names tell one of these */
pyrograph.runtimes = `
any main main main.main

# Linux: arch/x86/entry, arch/arm64/kernel/entry-common.c, kernel/kthread.c, kernel/sched/idle.c
linux begin entry_SYSCALL* entry_SYSENTER* entry_INT80* do_syscall_64 do_fast_syscall_32 do_int80_syscall_32
linux begin x64_sys_call
linux begin __do_fast_syscall_32 el0t_64_sync* el0_64_sync* el0_svc* do_el0_svc* invoke_syscall asm_exc_* asm_sysvec_*
linux begin exc_* sysvec_* ret_from_fork ret_from_fork_asm kthread secondary_startup_64* common_startup_64
linux begin x86_64_start_*
linux begin start_kernel start_secondary arch_call_rest_init rest_init secondary_start_kernel cpu_startup_entry do_idle

# glibc, the dynamic linker, what gcc puts into each program
c begin _start _start_main __libc_start_main* __libc_start_call_main* generic_start_main*
c begin clone clone3 __clone __clone3 __GI___clone __GI___clone3 start_thread
c name __libc_csu_init _init _fini frame_dummy __do_global_dtors_aux register_tm_clones deregister_tm_clones
c name __GI_* __libc_* __pthread_* __lll_* __new_sem_* __futex_* __syscall_cancel* __internal_syscall_cancel
c name __restore_rt
c name __memcpy_* __memmove_* __memset_* __memcmp_* __memchr_* __memrchr_* __strlen_* __strcmp_* __strchr_* __str*_avx*
c name __str*_sse* __str*_evex* __cxa_* __gxx_personality_* _Unwind_* _IO_* _dl_* _nl_*
c short __* _int_* _exit _Exit ld-*.so*
c short malloc calloc realloc aligned_alloc malloc_* free cfree memcpy* memmove* memset* memcmp* memchr* memmem*
c short strlen strcpy strncpy strcmp strncmp strcat strchr strrchr strstr strdup strtol strtoll strtoul strtod strtok*
c short strtou strtoull strtoll read write readv writev read64 write64 pread pwrite preadv pwritev pread64 pwrite64
c short open close fsync fdatasync lseek stat fstat lstat ioctl fcntl openat fstatat open64 openat64 lseek64 stat64
c short fstat64 lstat64 fcntl64 fstatat64 poll epoll select epoll_wait epoll_pwait epoll_pwait2 ppoll pselect
c short fopen fclose fread fwrite fflush fputs fgets printf fprintf puts gets vprintf vfprintf sprintf snprintf*
c short vsnprintf*
c short vsprintf* sprintf* send recv sendto recvfrom sendmsg recvmsg sendmmsg recvmmsg accept accept4 connect futex*
c short syscall pthread_* sem_* nanosleep clock_nanosleep usleep sleep clock_gettime gettimeofday mmap mmap64 munmap
c short madvise mprotect brk sbrk fork vfork exec execl* execv* wait wait3 wait4 waitpid waitid qsort qsort_r
c short msort_with_tmp* exit abort raise sysmalloc unlink_chunk* tcache_* arena_* sched_yield getdents64 readdir
c short readdir64
c short lll_*

c++ begin execute_native_thread_routine std::thread::_State_impl*_M_run*
c++ name std::* __gnu_cxx::* __gthread_* operator?new* operator?delete* <std::* &std::*
rust begin std::rt::lang_start* std::sys::*thread*thread_start*
rust name <core::* <alloc::* &core::* &alloc::* <&core::* <&alloc::* <&std::* rust_begin_unwind __rust_* __rg_*
rust name core::iter::* core::ops::* core::slice::* core::str::* core::ptr::* core::fmt::* core::option::*
rust name core::result::*
rust name alloc::vec::* alloc::string::* alloc::raw_vec::* alloc::alloc::* alloc::boxed::* alloc::sync::* alloc::rc::*
rust inner core::* alloc::*

# Go: packages of its library have no dot in the first part of their paths.
go begin runtime.goexit* runtime.main* runtime.rt0_go*
go name runtime.* runtime/* syscall.* internal/* sync.(* sync/* os.(* net.(* net/http* net/url* net/rpc* net/netip*
go name net/textproto* time.(* bytes.(* bufio.(* fmt.(*
go name encoding/* compress/* crypto/* database/sql* container/* archive/* reflect.Value.* strconv.* vendor/golang.org/*
go name _rt0_* type:.* type..* aeshashbody memeqbody cmpbody indexbytebody gogo callRet gosave_systemstack_switch
go inner bufio.* bytes.* cmp.* context.* embed.* errors.* expvar.* flag.* fmt.* go/* hash.* hash/* html.* html/* image.*
go inner image/* io.(* io.Copy* io.copy* io.Read* io.Write* io/* iter.* log.* log/* maps.* math.* math/* mime.* mime/*
go inner os.* os/* path.* path/* plugin.*
go inner reflect.* regexp.* regexp/* slices.* sort.* strings.* structs.* sync.* testing.* testing/* text/* time.*
go inner unicode.*
go inner net.Dial* net.dial* net.Listen* net.listen* net.Lookup* net.lookup* net.Resolve* net.go* net.sock*
go inner net.internet*
go inner unicode/* unique.* unsafe.* weak.*

# CPython; "py::NAME:FILE" are functions of Python with -X perf, others begin with their module
python name pymain_* Py_BytesMain Py_RunMain
python name _Py* Py_* PyObject_* PyEval_* PyDict_* PyList_* PyUnicode_* PyLong_* PyNumber_* PyTuple_* PyIter_*
python name PyImport_*
python name PyRun_* PyVectorcall_* PyCFunction_* PyMem_* PyErr_* PyGILState_* PyThread_* PyBytes_* PySequence_*
python name PyMapping_*
python name PyFloat_* PySet_* PyCell_* PyModule_* PyArg_* PyType_* PyMethod_* PyFunction_* PyCode_* PyInit_* PyBuffer_*
python name py_trampoline_evaluator py::<module>:<frozen* py::*:<frozen* py::*/lib/python?.* py::*/lib64/python?.*
python name *?(*/lib/python?.*) take_gil drop_gil
python short Py* cfunction_* method_vectorcall* methoddescr_* classmethoddescr_* vectorcall_* object_vacall slot_tp_*
python short slot_nb_*
python short slot_sq_* slot_mp_* type_call builtin_* run_eval_code_obj run_mod pyrun_* call_function list_* dict_*
python short unicode_*
python short long_* tuple_* set_* bytes_* float_* gen_* gc_* subtype_* object_* lookdict* insertdict partial_*
python short context_run
python short bounded_lru_cache_* infinite_lru_cache_* iter_* lock_* thread_run bootstrap* connection_* pysqlite_* stmt_*
python short _pysqlite_* _io_* buffered_* fileio_* textiowrapper_* sock_* time_sleep time_* do_call_core import_* exec_*
python short os_* sys_* math_* bytearray_* _operator_* proxy_* _tmp_* _loop0_* _loop1_* _gather_* compiler_* datetime_*
python short type_*
python short _codecs_* _asyncio_* hamt_* deque_* memory_* _sre_* sre_* ga_* stringlib_* func_* _pickle_* async_*
python short faulthandler_*
python short BaseException* _imp_* complex_* mappingproxy_* frame_* np_* nu_* bu_* lu_* FutureObj_* FutureIter_*
python short TaskObj_* itertools_*
python short obj2ast_* ast2obj_* range_* symtable_* tracemalloc_* _tracemalloc_* odict_* getpath_* hashtable_* iobase_*
python short method_*
python short pattern_* zip_* int_* lru_* meth_* property_* typevar* attrgetter_* itemgetter_* stringio_* bytesio_*
python short coro_* defdict_*
python short instancemethod_* reversed_* bool_* cell_* slice_* super_* tok_* weakref_* Pickler_* Unpickler_*
python short _functools_* _queue_*
python short _abc_* _contextvars_* contextvar_* context_* dequeiter_* dictiter_* dictview* unicodeiter_* listiter_*
python short tupleiter_*
python short setiter_* memoryview_* methodcaller_* union_* enum_* filter_* map_* islice_* tee_* Struct_* structseq_*
python short marshal_*
python short select_* _ssl_* _hashlib_* _socket_* _locale_* _struct_* _json_* encoder_* scanner_* blob_* _winapi_* bp_*
python short binarysort pymalloc_* merge_at merge_hi merge_lo merge_collapse merge_force_collapse found_new_run unsafe_*
python short tuple* *dealloc
python short *_richcompare* *_traverse *_impl dictkeys_* DK_* _DK_* address_in_range tp_new_wrapper do_richcompare
python short getslice
python short current_fast_get deduce_unreachable subtract_refs add_subclass pyinit_* init_interp_* init_tp_*
python short config_init_*
python inner _collections_abc.* _compression.* _frozen_importlib.* _frozen_importlib_external.* _pydecimal.* _pyio.*
python inner _strptime.* _threading_local.* _weakrefset.* abc.* argparse.* array.* ast.* asyncio.* atexit.* base64.*
python inner binascii.* bisect.* builtins.* bz2.* cmath.* codecs.* codeop.* collections.* colorsys.* compileall.*
python inner concurrent.* configparser.* contextlib.* contextvars.* copy.* copyreg.* csv.* ctypes.* curses.*
python inner dataclasses.* datetime.* dbm.* decimal.* difflib.* email.* encodings.* enum.* errno.* faulthandler.*
python inner fcntl.* filecmp.* fileinput.* fnmatch.* fractions.* ftplib.* functools.* gc.* genericpath.* getopt.*
python inner getpass.* glob.* graphlib.* grp.* gzip.* hashlib.* heapq.* hmac.* html.* http.* imaplib.* importlib.*
python inner inspect.* io.* ipaddress.* itertools.* json.* linecache.* locale.* logging.* lzma.* mailbox.* marshal.*
python inner math.* mimetypes.* mmap.* multiprocessing.* netrc.* numbers.* operator.* os.* pathlib.* pickle.*
python inner pickletools.* pkgutil.* platform.* plistlib.* poplib.* posix.* posixpath.* pprint.* pty.* pwd.*
python inner py_compile.* pyexpat.* queue.* quopri.* random.* re.* readline.* reprlib.* resource.* runpy.* secrets.*
python inner select.* selectors.* shelve.* shlex.* shutil.* signal.* smtplib.* socket.* socketserver.* sqlite3.* ssl.*
python inner stat.* string.* struct.* subprocess.* sys.* sysconfig.* syslog.* tarfile.* tempfile.* termios.*
python inner textwrap.* threading.* time.* tokenize.* tomllib.* traceback.* tracemalloc.* tty.* types.* typing.*
python inner unicodedata.* urllib.* uuid.* warnings.* wave.* weakref.* webbrowser.* wsgiref.* xml.* xmlrpc.* zipfile.*
python inner zipimport.* zlib.* zoneinfo.*
python file python python2* python3* libpython* */lib-dynload/*
python package */site-packages/* */dist-packages/*

# V8, libuv, node; "JS:NAME FILE" are functions of JavaScript with --perf-basic-prof
node name node::Start* node::*::SpinEventLoop* node::NodeMainInstance::Run*
node name Builtins_* Builtin:* BytecodeHandler:* Handler:* Stub:* RegExp:* node::* v8::* v8impl::* cppgc::*
node name heap::base::*
node name uv_* uv__* OnUvRead* OnUvAlloc* napi_* llhttp_* non-virtual?thunk?to?node::* non-virtual?thunk?to?v8::*
node name virtual?thunk?to?node::* *?node:%* *?(node:* <node_internals>/*
node short icu_*::* simdutf::* ada::* uvwasi_* uprv_* ucnv_* disasm::* non-virtual?thunk?to* ares_* nghttp2_* worker_*
node short deps_*
node file node nodejs libnode.so* libuv.so* libv8*
node package */node_modules/*

# HotSpot and the JDK
java begin thread_native_entry* Thread::call_run JavaThread::run JavaThread::thread_main_inner thread_entry*
java begin JavaCalls::call
java begin JavaCalls::call_helper JavaCalls::call_virtual JavaCalls::call_static JavaCalls::call_special call_stub
java begin os::os_exception_wrapper StubRoutines StubRoutines?(*) StubRoutines::call_stub java?lang?Thread.run
java begin java?lang?Thread.runWith
java begin java?lang?Thread::run java?lang?Thread::runWith Ljava?lang?Thread.run* Ljava?lang?Thread:*run ThreadJavaMain
java begin Ljava?lang?Thread:*runWith JavaMain jni_invoke_static jni_CallStaticVoidMethod
java name java.* java/* Ljava/* javax.* javax/* Ljavax/* jdk.* jdk/* Ljdk/* sun.* sun/* Lsun/* com.sun.* com/sun/*
java name Lcom/sun/* kotlin.* kotlin/* Lkotlin/* kotlinx.* kotlinx/* scala.* scala/* Lscala/* clojure.* clojure/*
java name Lclojure/*
java name StubRoutines::* *?entry?points *?entry?point method?entry?point* *?entrypoints result?handlers?for*
java name exception?handling error?exits JavaThread::* JavaCalls::* VMThread::* VM_*::* VM_Operation::* G1*::*
java name Shenandoah*::* C1Compiler::*
java name C2Compiler::*
java name CompileBroker::* Compile::* Interpreter InterpreterRuntime::* SharedRuntime::* OptoRuntime::* Runtime1::*
java name ObjectMonitor::* ObjectSynchronizer::* SafepointSynchronize::* SafepointMechanism::* SystemDictionary::*
java name ClassLoader*::* LinkResolver::* Deoptimization::* MemAllocator::* Obj*Allocator::* CollectedHeap::* *Klass::*
java name oopDesc::* vframeStream* itable?stub vtable?stub Unsafe_* JVM_* jni_* Java_java_* Java_jdk_* Java_sun_*
java name PhaseX*
java name ParallelScavengeHeap::* ParallelCompact* PSParallelCompact* PSScavenge* PSPromotion* GCTaskThread::*
java name WorkerThread::*
java name GenCollectedHeap::* DefNewGeneration::* TenuredGeneration::* SerialHeap::* ZHeap::* ZDriver*::* ZMark*::*
java name ZCollected*
java short Thread::* Threads::* Z*::* Parallel*::* PS*::* GC*::* Compile*::* Phase*::* Runtime*::* Monitor::* Mutex*::*
java short Parker::* os::* Unsafe::* Safepoint*::* Klass::* InstanceKlass::* vframe*::* frame::* Mem*::* Heap*::*
java short Gen*::*
java short *Node::* Node::* Type*::* ci*::* GraphKit::* Parse::* Matcher::* Ideal*::* Block*::* LIR*::* LinearScan*::*
java short GraphBuilder::* IR::* Interval*::* ValueMap*::* Register*::* Chaitin* ConnectionGraph::* Bytecode*::*
java short Symbol*::*
java short Dependencies::* CodeCache::* nmethod::* CodeBuffer::* Assembler::* MacroAssembler::* Arena::* Chunk*::*
java short Method*::*
java short ConstantPool*::* StringTable::* Semaphore::* PosixSemaphore::* WorkGang::* GangWorker::* WorkerThreads::*
java short OopStorage::*
java short OopMap*::* Handle*::* Oop*::* *Closure::* *Closure<*>::* *Iterator::* Task*::* StealTask::* WatcherThread::*
java name DeoptimizationBlob SafepointBlob UncommonTrapBlob ExceptionBlob RuntimeStub* g1_pre_barrier_slow
java name g1_post_barrier_slow JNI_*
java short Compilation::* *Generator::* IRScope::* InlineTree::* Relocation::* SuperWord::* Metaspace*::* FileMapInfo::*
java short Mach*::* init_globals universe_init StubGenerator* AccessInternal::* Signature*::* NTarjan::* ReplacedNodes::*
java short resource_allocate_* ArgumentSizeComputer::* Tarjan::* JVMState::* Regex* Live*::* Loop*::* Dict::* Array*::*
java file java libjvm.so libjava.so libjli.so libnio.so libnet.so libzip.so libjimage.so libverify.so libinstrument.so
java file libmanagement*.so libextnet.so libprefs.so libjdwp.so

ruby name rb_main ruby_run_node ruby_exec_node
ruby name rb_* ruby_* vm_exec* vm_call_* vm_sendish vm_yield_* iseq_* thread_do_start_proc thread_start_func_*
ruby file ruby ruby?.* ruby?? libruby*.so*

perl name Perl_* perl_run perl_parse perl_destruct S_run_body
perl file perl perl5* libperl.so*

php name zend_* execute_ex php_* _php_* ZEND_*
php file php php?.* php?? php-fpm* libphp*.so*

dotnet name corehost_main* hostfxr_main* coreclr_execute_assembly
dotnet name System.* Microsoft.* ?instance?System.* JIT_* ThePreStub MethodDesc::* CallDescrWorkerInternal
dotnet file dotnet libcoreclr.so libclrjit.so libhostfxr.so libhostpolicy.so libSystem.*.so

# Libraries that are often linked into programs, and have a beginning of their own
any name [jit] sqlite3* SSL_* EVP_* OPENSSL_* ZSTD_* LZ4_* je_* tc_malloc* tcmalloc::* pcre2_* _pcre2_* XML_* BIO_*
any name ASN1_* asn1_* PEM_*
any name OSSL_* ossl_* X509_* x509_* X509V3_* evp_* CRYPTO_* d2i_* i2d_* BN_* EC_* RSA_* PKCS7_* PKCS12_* OCSP_* CMS_*
any name ENGINE_*
any name PQexec* PQgetResult PQconnect* PQsend* pqWait* mysql_real_* mysql_query mysql_store_result mysql_stmt_* mysqlnd_*
any name curl_easy_* curl_multi_* Curl_* redisCommand* redisGetReply redisBufferRead getaddrinfo gethostby* res_n*
any name WaitLatch WaitLatchOrSocket WaitEventSetWait* ProcSleep LWLockAcquire* LWLockWaitForVar PGSemaphoreLock
`;
