import ContextCore
import Foundation
import LoopbackServer
import Testing

@testable import StoreAdmin

/// A studio on the contents of ``ShopExport``, without a server.
struct StudioBench {
    static let port = 8080
    static let page = "<!doctype html>"

    let bench: AdminBench
    let access = StudioAccess()
    let site: StudioSite

    /// A response with its body read to the end.
    struct Outcome {
        let status: Int
        let text: String
        private let headers: [HTTPRequestHead.Item]

        init(_ response: HTTPResponse) throws {
            status = response.status
            headers = response.headers
            switch response.body {
            case .bytes(let bytes): text = String(decoding: bytes, as: UTF8.self)
            case .stream(let stream):
                var all: [UInt8] = []
                while let part = try stream.next() { all += part }
                text = String(decoding: all, as: UTF8.self)
            }
        }

        func header(_ name: String) -> String? { headers.last { $0.name == name }?.value }

        /// The body as a JSON document.
        var json: JSONValue { (try? JSONDocument(text)).map { JSONValue($0.root) } ?? .null }
    }

    /// - Parameters:
    ///   - change: What a change does, instead of saving it.
    ///   - commands: Commands instead of those with the same names, or beside all.
    init(
        _ place: TestPlace = .sqlite, selection: [String] = [], canWrite: Bool = false,
        change: StudioSite.Change? = nil, commands: [any Command] = [],
        source: (any StudioEventSource)? = nil,
        prepare: (AdminBench) throws -> Void = { _ in }
    ) throws {
        let bench = try AdminBench()
        self.bench = bench
        _ = try bench.makeShop(place)
        try prepare(bench)
        let arguments = try ArgumentParser.parse(selection, for: StudioCommand().declaration)
        let tool = bench.tool
        let names = Set(commands.map(\.declaration.name))
        let others = CommandTree.all.commands.filter { !names.contains($0.declaration.name) }
        let tree = CommandTree(commands: others + commands, groups: [], sections: [])
        let commands = StudioCommands(
            tool: tool, tree: tree, selection: arguments,
            address: try tool.address(arguments["store"], config: arguments["config"]))
        site = StudioSite(
            port: Self.port, access: access, commands: commands,
            change: change ?? (canWrite ? commands.change : nil),
            files: [
                "index.html": (Array(Self.page.utf8), "text/html; charset=utf-8"),
                "grid.js": (Array("let a".utf8), "text/javascript; charset=utf-8"),
            ], source: source)
    }

    /// The headers that the page's own requests have.
    var pageHeaders: [String: String] {
        [
            "Host": "127.0.0.1:\(Self.port)", "Cookie": "storectl-studio-\(Self.port)=\(access.token.text)",
            "Sec-Fetch-Site": "same-origin",
        ]
    }

    /// The headers of the page's changes.
    var changeHeaders: [String: String] {
        pageHeaders.merging([
            "Origin": "http://127.0.0.1:\(Self.port)", "Content-Type": "application/json",
            "X-Studio-Token": access.changeToken.text,
        ]) { $1 }
    }

    /// Answers a request as a server does: first its head, and then the whole, if the head isn't refused.
    ///
    /// - Parameter target: The target below the random path.
    func send(_ method: String, _ target: String, headers: [String: String], body: String = "") throws
        -> Outcome
    {
        try sendOutside(method, "/\(access.path.text)" + target, headers: headers, body: body)
    }

    /// Answers a request for any path.
    func sendOutside(_ method: String, _ target: String, headers: [String: String], body: String = "") throws
        -> Outcome
    {
        guard let target = RequestTarget(target) else {
            return try Outcome(site.response(to: .invalidTarget))
        }
        let head = HTTPRequestHead(
            method: method, target: target,
            headers: headers.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) })
        if let refusal = site.refusal(of: head) { return try Outcome(refusal) }
        return try Outcome(site.response(to: HTTPRequest(head: head, body: Array(body.utf8))))
    }

    /// Sends a request of the page.
    func get(_ path: String, _ items: KeyValuePairs<String, String> = [:]) throws -> Outcome {
        try send("GET", Self.target(path, items.map { ($0.key, $0.value) }), headers: pageHeaders)
    }

    func change(_ body: String) throws -> Outcome {
        try send("POST", "/api/change", headers: changeHeaders, body: body)
    }

    /// Returns a target with encoded items.
    static func target(_ path: String, _ items: [(String, String)]) -> String {
        let plain = CharacterSet.alphanumerics
        let query = items.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: plain) ?? "")"
        }
        return query.isEmpty ? path : path + "?" + query.joined(separator: "&")
    }
}
