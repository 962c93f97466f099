import ContextCore
import Foundation
import LoopbackServer

/// Streams the objects of an entity to the page as a file, with `data export`.
struct StudioExport {
    let call: StudioCall

    private static let words = ["data", "export"]
    private static let formats = [
        "csv": "text/csv; charset=utf-8", "jsonl": "application/jsonl; charset=utf-8",
    ]

    /// Starts the export, and returns its response as soon as its first part is there.
    func response() throws -> HTTPResponse {
        guard let command = call.commands.command(Self.words) else {
            throw StudioSite.unknownPath(call.target.path)
        }
        let arguments = try self.arguments()
        let pipe = StreamPipe()
        let thread = Thread { [commands = call.commands] in
            do {
                try commands.export(command, arguments) { try pipe.write(Array($0.utf8)) }
                pipe.finish()
            } catch {
                pipe.finish(error)
            }
        }
        thread.enlargeStack()
        thread.start()
        try pipe.waitForStart()
        return .studio(
            200, Self.formats[try format()], .stream(pipe),
            headers: [.init("Content-Disposition", "attachment; filename=\"\(try fileName())\"")])
    }

    private func arguments() throws(AdminError) -> [String] {
        let known: Set = ["request", "where", "order", "fields", "format"]
        for item in call.target.query where !known.contains(item.name) {
            throw .usage(
                "an export takes no “\(item.name)”.",
                hint: "It takes \(known.sorted().joined(separator: ", ")).")
        }
        var arguments = ["--entity=\(try call.required("request"))", "--format=\(try format())"]
        for name in ["where", "order", "fields"] {
            if let value = try call.value(name) { arguments.append("--\(name)=\(value)") }
        }
        return arguments
    }

    private func format() throws(AdminError) -> String {
        let format = try call.value("format") ?? "csv"
        if Self.formats[format] != nil { return format }
        throw .usage(
            "“\(format)” is no format of an export.",
            hint: "Use \(Self.formats.keys.sorted().joined(separator: " or ")).")
    }

    /// Returns a name of letters and digits, because it goes into a header.
    private func fileName() throws(AdminError) -> String {
        let entity = try call.required("request").prefix(64).filter {
            $0.isASCII && ($0.isLetter || $0.isNumber)
        }
        return "\(entity.isEmpty ? "objects" : entity).\(try format())"
    }
}
