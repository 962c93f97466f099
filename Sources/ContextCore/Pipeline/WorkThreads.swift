/// Lends threads on which work may block.
package protocol WorkThreads: Sendable {
    /// The number of threads there are.
    var count: Int { get }
    /// Runs work on a thread, as soon as there is one for it.
    func run(_ work: @escaping @Sendable () -> Void)
    /// Says on one of these threads that it is about to be free: a piece of work that comes now waits for it, so that no other has to be
    /// woken.
    ///
    /// What the thread still does must neither block nor wait for such work; one of a ``ThreadCache`` that does so by a
    /// ``ThreadSignal`` takes back what it said. On any other thread nothing is said.
    func willBeFree()
    /// Lets every thread go once it has nothing to do, and then runs a last piece of work.
    ///
    /// Work that comes later still gets a thread.
    func close(whenEmpty: @escaping @Sendable () -> Void)
}

extension WorkThreads {
    /// Lets every thread go once it has nothing to do.
    func close() { close {} }
}
