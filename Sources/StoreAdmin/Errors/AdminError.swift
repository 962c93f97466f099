import ContextCore
import Foundation

/// The error of a command, with its exit code and a remedy.
struct AdminError: Error, Equatable {
    /// The stable identifier of the kind of error, such as `SC3001`, for scripts.
    let code: String
    let exit: ExitCode
    var message: String
    /// The remedy.
    var hint: String?
    /// The database's error message.
    var detail: String?
    /// Whether the same command may succeed later.
    var isRetryable = false
    /// The place of the error in a text that the user wrote; nil if it is unknown.
    var position: TextPosition?

    static func usage(_ message: String, hint: String? = nil) -> AdminError {
        AdminError(code: "SC1001", exit: .usage, message: message, hint: hint)
    }

    static func configuration(_ message: String, hint: String? = nil) -> AdminError {
        AdminError(code: "SC1002", exit: .configuration, message: message, hint: hint)
    }

    static func badData(_ message: String, hint: String? = nil) -> AdminError {
        AdminError(code: "SC3001", exit: .badData, message: message, hint: hint)
    }

    static func refused(_ message: String, hint: String? = nil) -> AdminError {
        AdminError(code: "SC3003", exit: .refused, message: message, hint: hint)
    }
}

extension AdminError {
    /// Converts any error.
    init(_ error: any Error) {
        switch error {
        case let error as AdminError: self = error
        case let error as StoreError: self.init(error)
        case let error as PredicateSyntaxError: self.init(error)
        case let error as ModelFileError:
            self.init(code: "SC3002", exit: .badData, message: error.description)
        case let error as ModelError:
            self.init(code: "SC3002", exit: .badData, message: error.description)
        case let error as CocoaError where Self.isAboutWriting(error):
            self.init(
                code: "SC3010", exit: .inputOutput,
                message: "the output can't be written: \(error.localizedDescription)")
        default:
            self.init(
                code: "SC9001", exit: .internalFault, message: "an unexpected error occurred: \(error)",
                hint: "This is a bug. Please report it.")
        }
    }

    /// Creates an error about the syntax of a request, or of one of its clauses.
    init(_ error: PredicateSyntaxError, in clause: TextPosition.Clause? = nil) {
        self.init(
            code: "SC1003", exit: .usage,
            message: "the \(clause?.title ?? "request") has a syntax error: \(error.message).",
            hint: error.suggestion,
            position: TextPosition(line: error.line, column: error.column, text: error.text, clause: clause))
    }

    private static func isAboutWriting(_ error: CocoaError) -> Bool {
        (CocoaError.fileWriteUnknown.rawValue...CocoaError.fileWriteVolumeReadOnly.rawValue).contains(
            error.code.rawValue)
    }

    private init(_ error: StoreError) {
        let kind = Self.kinds[error.code] ?? Kind("SC2000", .failure)
        self.init(
            code: kind.code, exit: kind.exit, message: Self.message(of: error), hint: error.remedy,
            detail: error.detail, isRetryable: kind.exit == .temporary || kind.exit == .unavailable,
            position: (error.cause as? StatementPosition).map(TextPosition.init))
    }

    private static func message(of error: StoreError) -> String {
        let more = error.failures.map(\.description) + error.conflicts.map(\.description)
        let position = (error.cause as? StatementPosition).map { [text(of: $0)] } ?? []
        return ([error.message] + position + more.prefix(20)).joined(separator: "\n")
    }

    /// Returns the line of a statement with a caret under the error, below the line's number if there are several lines.
    private static func text(of position: StatementPosition) -> String {
        let line = marked(MarkedLine(text: position.text, column: position.column))
        return position.lineCount == 1
            ? line : "Line \(position.line), column \(position.column):\n\(line)"
    }

    /// Returns a line of text and the line with its caret, both indented.
    static func marked(_ line: MarkedLine) -> String {
        line.lines().map { "    " + $0 }.joined(separator: "\n")
    }

    private struct Kind {
        let code: String
        let exit: ExitCode

        init(_ code: String, _ exit: ExitCode) {
            self.code = code
            self.exit = exit
        }
    }

    /// The code and the exit code for each code of `StoreError`.
    private static let kinds: [StoreError.Code: Kind] = [
        .configuration: Kind("SC1002", .configuration), .accessDenied: Kind("SC2012", .permission),
        .unknownProperty: Kind("SC1004", .usage), .unsupportedRequest: Kind("SC1005", .usage),
        .storeNotFound: Kind("SC2001", .inputMissing), .notAStore: Kind("SC2002", .badData),
        .notADatabase: Kind("SC2003", .badData), .newerFormat: Kind("SC2004", .badData),
        .storeIncomplete: Kind("SC2005", .inputMissing), .corrupt: Kind("SC2006", .badData),
        .modelMismatch: Kind("SC2007", .badData), .objectNotFound: Kind("SC2008", .inputMissing),
        .readOnly: Kind("SC2009", .permission), .historyExpired: Kind("SC2010", .inputMissing),
        .migrationRefused: Kind("SC2011", .refused), .migrationUnfinished: Kind("SC2106", .temporary),
        .busy: Kind("SC2101", .temporary), .contention: Kind("SC2102", .temporary),
        .timeout: Kind("SC2103", .temporary), .overloaded: Kind("SC2104", .temporary),
        .connectionLost: Kind("SC2105", .unavailable), .diskFull: Kind("SC2201", .inputOutput),
        .inputOutput: Kind("SC2202", .inputOutput), .storeMoved: Kind("SC2203", .inputOutput),
        .validation: Kind("SC3004", .badData), .conflict: Kind("SC3005", .failure),
        .duplicate: Kind("SC3006", .badData), .missingReference: Kind("SC3007", .badData),
    ]
}

extension AdminError {
    /// Returns the error as text for a terminal.
    ///
    /// - Parameter program: The name of the program that prints the error.
    func text(_ style: TextStyle, isVerbose: Bool, program: String = Tool.defaultName) -> String {
        let lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var text = "\(program): \(style.red("error")) \(code): \(lines[0])\n"
        for line in lines.dropFirst() { text += "  \(line)\n" }
        if isVerbose, let detail { text += "  \(style.dim(detail))\n" }
        if let hint { text += "  \(hint)\n" }
        return text
    }

    /// Returns the error with secrets removed from its texts.
    func redacted(_ secrets: SecretLedger) -> AdminError {
        AdminError(
            code: code, exit: exit, message: secrets.redacted(message), hint: hint.map(secrets.redacted),
            detail: detail.map(secrets.redacted), isRetryable: isRetryable,
            position: position?.redacted(secrets))
    }

    /// Returns the error with `storectl` replaced by the program's name in the commands that it suggests.
    func naming(_ tool: Tool) -> AdminError {
        AdminError(
            code: code, exit: exit, message: tool.withProgramName(message),
            hint: hint.map(tool.withProgramName), detail: detail,
            isRetryable: isRetryable, position: position)
    }

    /// The error as a JSON document on one line.
    var json: String { JSONValue.object(jsonMembers).text + "\n" }

    /// The members of the error's JSON document.
    var jsonMembers: [String: JSONValue] {
        var members: [String: JSONValue] = [
            "schema": .string("storectl.error/1"), "code": .string(code), "exit": .int(Int(exit.rawValue)),
            "message": .string(message), "retryable": .bool(isRetryable),
        ]
        members["hint"] = hint.map(JSONValue.string)
        members["detail"] = detail.map(JSONValue.string)
        members["position"] = position?.json
        return members
    }
}
