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

/// What a pipeline takes from outside: threads and the time.
///
/// Tests give it threads that run one at a time, in an order that a seed chooses, and a time of their own.
package struct PipelineSurroundings: Sendable {
    /// Makes what lends threads: so many at the most, called by a name.
    let makeThreads: @Sendable (_ name: String, _ limit: Int) -> any WorkThreads
    /// The present moment.
    let now: @Sendable () -> ContinuousClock.Instant

    /// Gives it threads and a time.
    package init(
        makeThreads: @escaping @Sendable (_ name: String, _ limit: Int) -> any WorkThreads,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.makeThreads = makeThreads
        self.now = now
    }

    /// The system's.
    static let system = PipelineSurroundings {
        ThreadCache(name: $0, limit: $1)
    } now: {
        .now
    }
}
