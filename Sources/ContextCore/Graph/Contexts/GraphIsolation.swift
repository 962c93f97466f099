import Dispatch
import Foundation

/// Where a graph is used, for the check of debug builds that its objects are released there.
///
/// Objects count their holders without atomic operations (``RowGroup``), and their context looks them up without a
/// lock. So the last reference to one has to go where its context is used, which the compiler can't see for classes
/// that hold objects.
enum GraphIsolation {
    /// It belongs to a block, or to whichever isolation made it: nothing is checked.
    case unknown
    /// It belongs to the main actor.
    case mainActor
    /// It belongs to a context actor, or is a child of one that does.
    case executor(ContextExecutor)

    /// Whether the calling thread runs the work of the isolation, as far as can be told.
    var isCurrent: Bool {
        switch self {
        case .unknown: true
        case .mainActor: MainQueue.isCurrent
        case .executor(let executor): executor.isCurrent
        }
    }
}

extension ObjectGraph {
    /// Whether an object may be released on the calling thread; on any thread once the context has gone away.
    var mayReleaseHere: Bool { context == nil || isolation.isCurrent }
}

/// Checks whether code runs on the main actor: on the main thread, or, where that has ended, on a thread that serves its
/// queue.
private enum MainQueue {
    private static let key = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true }
}
