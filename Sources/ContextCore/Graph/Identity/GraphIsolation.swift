import Dispatch
import Foundation

/// The isolation of a graph, which debug builds check when objects are released.
///
/// Row groups count their objects without atomic operations (``RowGroup``), and contexts look up objects without a
/// lock. So the last reference to an object must be released in the isolation of its context, which the compiler can't
/// check for classes that reference objects.
enum GraphIsolation {
    /// The graph belongs to a block or to an unknown isolation: nothing is checked.
    case unknown
    /// The graph belongs to the main actor.
    case mainActor
    /// The graph belongs to a context actor or to a child of one.
    case executor(any IsolatingExecutor)

    /// Whether the calling thread runs in the isolation; true if that is unknown.
    var isCurrent: Bool {
        switch self {
        case .unknown: true
        case .mainActor: MainQueue.isCurrent
        case .executor(let executor): executor.isCurrent
        }
    }
}

/// The part of a context actor's executor that its context uses.
protocol IsolatingExecutor: AnyObject, Sendable {
    /// Whether the calling thread runs the context's work.
    var isCurrent: Bool { get }
    /// Runs a block in the isolation, after the work that was submitted before.
    func enqueue(_ block: @escaping @Sendable () -> Void)
}

extension ObjectGraph {
    /// Whether an object may be released on the calling thread; true on any thread once the context is deallocated.
    var isInIsolation: Bool { context == nil || isolation.isCurrent }
}

/// Checks whether code runs on the main thread or on a thread that serves the main queue.
private enum MainQueue {
    private static let key = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true }
}
