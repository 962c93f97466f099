#if Postgres
/// What a connection interrupts on the server when its task is cancelled.
enum CancellationScope {
    case nothing
    /// A statement that waits for a lock; any other statement may commit.
    case lockWaits
    case statements
}
#endif
