/// A thread pool whose threads may block.
package protocol BlockingThreadPool: Sendable {
    /// The number of threads.
    var count: Int { get }
    /// Runs work on a thread, as soon as one is available.
    func run(_ work: @escaping @Sendable () -> Void)
    /// Announces that the calling thread is about to be free, so that new work waits for it instead of waking another thread.
    ///
    /// Until then the thread must not block; if it blocks on a ``ThreadSignal``, a ``ThreadCache`` withdraws the announcement. The call
    /// does nothing on a thread of another pool.
    func willBeFree()
    /// Ends each thread once it is idle, and then calls a function.
    ///
    /// Later work still gets a thread.
    func close(whenEmpty: @escaping @Sendable () -> Void)
}

extension BlockingThreadPool {
    /// Ends each thread once it is idle.
    func close() { close {} }
}
