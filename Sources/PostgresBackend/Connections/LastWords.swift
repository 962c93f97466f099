#if Postgres
import CPostgres

/// What a server said, without having been asked, before it ended a connection.
///
/// libpq has nobody else to tell: the next statement hears only that the connection is gone.
final class LastWords {
    private(set) var state: String?
    private(set) var text = ""

    /// Lets libpq tell it what the server remarks; it must live as long as the connection.
    func listen(to handle: OpaquePointer) {
        PQsetNoticeReceiver(
            handle,
            { context, result in
                guard let context, let result else { return }
                // takeUnretainedValue: the connection owns it for as long as libpq may call this.
                Unmanaged<LastWords>.fromOpaque(context).takeUnretainedValue().note(result)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Keeps what a result says, if it is the last there will be.
    func note(_ result: OpaquePointer) {
        // The severity that is in no other language.
        guard let severity = field(result, "V"), severity == "FATAL" || severity == "PANIC" else { return }
        state = field(result, "C")
        text = field(result, "M") ?? ""
    }

    private func field(_ result: OpaquePointer, _ code: Unicode.Scalar) -> String? {
        PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
    }
}
#endif
