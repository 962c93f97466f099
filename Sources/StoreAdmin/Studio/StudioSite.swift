import ContextCore
import Foundation
import LoopbackServer

/// Answers the requests of the page: its files, and documents of the tool's commands.
///
/// It has no state and knows no sockets, so tests call it with values.
struct StudioSite: Sendable {
    typealias Change = @Sendable (Data) throws -> Report

    let gate: RequestGate
    let access: StudioAccess
    let commands: StudioCommands
    /// Saves the changes in a document of the page; nil if the page is read-only.
    let change: Change?
    /// The bodies and media types of the page's files, by their paths.
    let files: [String: (bytes: [UInt8], mediaType: String)]
    /// The events of the store; nil if there are none.
    let events: StudioEvents?

    /// - Parameters:
    ///   - port: The port of the server, which is a part of the page's origin.
    ///   - change: Saves the changes in a document of the page; nil if the page is read-only.
    ///   - files: The page's files, by their names.
    ///   - source: The source of the store's events; nil if there are none.
    init(
        port: Int, access: StudioAccess, commands: StudioCommands, change: Change?,
        files: [String: (bytes: [UInt8], mediaType: String)], source: (any StudioEventSource)? = nil
    ) {
        gate = RequestGate(port: port, token: access.token, path: access.path)
        self.access = access
        self.commands = commands
        self.change = change
        var paths = Dictionary(files.map { ("/" + $0.key, $0.value) }) { first, _ in first }
        paths["/"] = paths.removeValue(forKey: "/index.html")
        self.files = paths
        events = source.map { StudioEvents($0, commands) }
        // A message that repeats an address must not repeat the tokens in it.
        for token in [access.token, access.path] { commands.tool.environment.secrets.register(token.text) }
    }

    private static let changePath = "/api/change"

    static func unknownPath(_ path: String) -> AdminError {
        AdminError(code: "SC2008", exit: .inputMissing, message: "there is nothing at “\(path)”.")
    }
}

// MARK: Refusals

extension StudioSite: HTTPHandler {
    func refusal(of head: HTTPRequestHead) -> HTTPResponse? {
        // The address that the tool prints is for a browser without the cookie.
        let refusal = Self.openingToken(head) == nil ? gate.refusal(of: head) : gate.originRefusal(of: head)
        if let refusal { return response(to: refusal, of: head) }
        return head.method == "POST" ? changeRefusal(of: head).map { .error(commands.error($0)) } : nil
    }

    /// Returns the token in the address; nil if the request doesn't open the page.
    private static func openingToken(_ head: HTTPRequestHead) -> String? {
        head.method == "GET" && head.target.path == "/" ? head.target.values(of: "token").first : nil
    }

    private func response(to refusal: RequestGate.Refusal, of head: HTTPRequestHead) -> HTTPResponse {
        let error: AdminError
        switch refusal {
        case .host, .origin:
            error = .refused(
                "the request comes from another page.",
                hint: "Open the address that '\(commands.tool.name) studio' prints.")
        case .framing, .tooManyHeaders: error = .usage("the request is no valid HTTP.")
        case .method: return .studio(405, nil, .bytes([]), headers: [.init("Allow", "GET, POST")])
        case .notAuthenticated:
            error = .refused(
                "the browser has not opened this page with its token.",
                hint: "Open the address that '\(commands.tool.name) studio' prints.")
        }
        if gate.target(of: head)?.path.hasPrefix("/api/") ?? false { return .error(error) }
        let text = [error.message, error.hint].compactMap(\.self).joined(separator: " ") + "\n"
        return .studio(error.httpStatus, "text/plain; charset=utf-8", .bytes(Array(text.utf8)))
    }

    private func changeRefusal(of head: HTTPRequestHead) -> AdminError? {
        let path = gate.target(of: head)?.path ?? ""
        guard path == Self.changePath else { return Self.unknownPath(path) }
        guard change != nil else {
            return .refused(
                "this studio only reads the store.", hint: "Start it with --write to change objects.")
        }
        let type = head.values(of: "Content-Type").map {
            $0.lowercased().prefix { $0 != ";" }.filter { $0 != " " }
        }
        guard type == ["application/json"] else { return .usage("a change must be application/json.") }
        let tokens = head.values(of: "X-Studio-Token")
        guard tokens.count == 1, access.changeToken.matches(tokens[0]) else {
            return .refused("the change comes from another page.", hint: "Load the page again.")
        }
        return nil
    }

    func stop() { commands.stop() }

    func response(to failure: RequestFailure) -> HTTPResponse {
        switch failure {
        case .invalidTarget: .error(.usage("the address is invalid."))
        case .bodyTooLarge:
            .json(
                AdminError.usage("the change is too large.", hint: "Save fewer objects at once.").json,
                status: 413)
        }
    }
}

// MARK: Responses

extension StudioSite {
    func response(to request: HTTPRequest) -> HTTPResponse {
        do {
            return try answer(request)
        } catch {
            return .error(commands.error(error))
        }
    }

    private func answer(_ request: HTTPRequest) throws -> HTTPResponse {
        if request.head.method == "POST" {
            // The head was refused if the page may not write.
            guard let change else { throw Self.unknownPath(Self.changePath) }
            return try document(change(Data(request.body)))
        }
        if let token = Self.openingToken(request.head) { return try open(token) }
        guard let target = gate.target(of: request.head) else { throw Self.unknownPath("") }
        if let file = files[target.path] { return .studio(200, file.mediaType, .bytes(file.bytes)) }
        let call = StudioCall(commands: commands, access: access, canWrite: change != nil, target: target)
        switch target.path {
        case "/api/export": return try StudioExport(call: call).response()
        case "/api/events":
            guard let events else { throw Self.unknownPath(target.path) }
            return events.response(
                after: request.head.values(of: "Last-Event-ID").first.flatMap { Int64($0) })
        default: break
        }
        if let endpoint = StudioEndpoints.all[target.path] { return try document(endpoint(call)) }
        return try document(report(target))
    }

    /// Sets the cookie and redirects to the page, whose address has no token.
    private func open(_ token: String) throws(AdminError) -> HTTPResponse {
        guard access.accepts(token) else {
            throw .refused(
                "the token in the address is not valid.",
                hint:
                    "Open the address that '\(commands.tool.name) studio' prints; a new start has a new token."
            )
        }
        return .studio(
            303, nil, .bytes([]),
            headers: [.init("Location", gate.pagePath), .init("Set-Cookie", gate.cookie)])
    }

    private func report(_ target: RequestTarget) throws -> Report {
        guard let query = StudioQueries.query(target.path), let command = commands.command(query.words),
            command.declaration.formats.contains(.json)
        else { throw Self.unknownPath(target.path) }
        let items = target.query.map { (name: $0.name, value: $0.value) }
        return try commands.run(command, query.arguments(items, of: command.declaration))
    }

    private func document(_ report: Report) throws -> HTTPResponse {
        .json(try commands.document(report), status: report.httpStatus)
    }
}
