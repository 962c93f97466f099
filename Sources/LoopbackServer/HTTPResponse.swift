/// The response to a request.
package struct HTTPResponse: Sendable {
    package enum Body: Sendable {
        case bytes([UInt8])
        /// Parts that the server requests one after the other, on the thread of the connection.
        case stream(any ResponseStream)
    }

    package var status: Int
    package var headers: [HTTPRequestHead.Item]
    package var body: Body
    /// Whether the server closes the connection after the response.
    package var closesConnection = false

    package init(status: Int, headers: [HTTPRequestHead.Item] = [], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// A body that is made while it is sent.
package protocol ResponseStream: Sendable {
    /// Waits for the next part and returns it; nil at the end.
    ///
    /// - Throws: Any error; the server then breaks the connection, so that the client doesn't take the body for a complete one.
    func next() throws -> [UInt8]?

    /// Ends the stream because the client has the whole body, is gone, or the server stops; it makes a waiting ``next()`` throw.
    func cancel()
}

/// Answers the requests of a server; it is called on many threads at once.
package protocol HTTPHandler: Sendable {
    /// Returns the response to a request that is refused because of its head, before its body is read; nil to read the body.
    func refusal(of head: HTTPRequestHead) -> HTTPResponse?

    /// Returns the response to a request that was not refused. It may block its thread.
    func response(to request: HTTPRequest) -> HTTPResponse

    /// Returns the response to a request that is no valid HTTP, or too large.
    func response(to failure: RequestFailure) -> HTTPResponse

    /// Ends what a request waits for, because the server stops; later requests must not wait either.
    func stop()
}

/// A request that never becomes an ``HTTPRequest``.
package enum RequestFailure: Sendable, Equatable {
    /// The path or the query is invalid.
    case invalidTarget
    /// The body is larger than ``ServerLimits/bodySize``.
    case bodyTooLarge
}
