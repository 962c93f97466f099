/// Lends threads on which work may block.
package protocol WorkThreads: Sendable {
    /// The number of threads there are.
    var count: Int { get }
    /// Runs work on a thread, as soon as there is one for it.
    ///
    /// `takesOver` says that the caller is on one of these threads and about to be done, so that no other has to be woken.
    func run(takesOver: Bool, _ work: @escaping @Sendable () -> Void)
    /// Lets every thread go once it has nothing to do, and then runs a last piece of work.
    ///
    /// Work that comes later still gets a thread.
    func close(whenEmpty: @escaping @Sendable () -> Void)
}

extension WorkThreads {
    /// Runs work on a thread, as soon as there is one for it.
    func run(_ work: @escaping @Sendable () -> Void) { run(takesOver: false, work) }
    /// Lets every thread go once it has nothing to do.
    func close() { close {} }
}
