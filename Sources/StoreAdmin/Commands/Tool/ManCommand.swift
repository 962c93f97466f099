import ContextCore
import Foundation

/// Writes the manual pages, for packages of the tool.
struct ManCommand: Command {
    let declaration = CommandDeclaration(
        words: ["man"], abstract: "Writes the manual pages of all commands into a folder.",
        discussion: """
            It writes a page for the tool, and one for each command. The folder is created if it doesn't exist; pages that are
            there already are replaced. The date of the pages is that of SOURCE_DATE_EPOCH, or else the current one.
            """,
        operands: [.init(name: "FOLDER", help: "The folder, such as share/man/man1.")],
        examples: [
            .init(words: "man share/man/man1", help: "For man -M share/man.")
        ], takesTenant: false, formats: [], exitCodes: [.cannotCreate])

    func run(_ call: CommandCall) throws -> Report {
        let tool = call.tool
        let folder = tool.environment.resolved(call.arguments.operands[0])
        let manual = Manual(
            tree: .all, name: tool.name, source: tool.product,
            date: Self.date(tool.environment.variables["SOURCE_DATE_EPOCH"]))
        let pages = manual.pages
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for page in pages {
                try Data(page.text.utf8).write(
                    to: URL(fileURLWithPath: "\(folder)/\(page.fileName)"), options: .atomic)
            }
        } catch {
            throw AdminError(
                code: "SC3009", exit: .cannotCreate, message: "the pages can't be written into \(folder).",
                hint: "Check the path, and your permission to write there.",
                detail: "\(error.localizedDescription)")
        }
        let text = "\(Quantity.text(pages.count, "page", "pages")) written into \(folder)\n"
        return Report("man", ["pages": .int(pages.count)]) { _ in text }
    }

    /// Returns a date in UTC, such as `2026-08-01`.
    ///
    /// - Parameter seconds: The seconds since 1970; nil for the current date.
    private static func date(_ seconds: String?) -> String {
        let date = seconds.flatMap { TimeInterval($0) }.map(Date.init(timeIntervalSince1970:)) ?? Date()
        return String(date.ISO8601Format().prefix(10))
    }
}
