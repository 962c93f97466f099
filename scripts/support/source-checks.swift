// Reads Swift sources with the toolchain's own parser, for check-sizes.sh and check-unsafe.sh.
//
//   source-checks sizes EXCEPTIONS FILE...    files over 500 lines, functions over 60
//   source-checks unsafe FILE...              unsafe constructs without a reason beside them
import Foundation
import SwiftParser
import SwiftSyntax

/// An error at a line of a file, printed in the format of compilers.
struct Finding {
    let path: String
    let line: Int
    let message: String

    func print() {
        Swift.print("\(path):\(line): error: \(message)")
    }
}

struct SourceFile {
    let path: String
    let lines: [Substring]
    let tree: SourceFileSyntax
    let locations: SourceLocationConverter

    init(path: String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        tree = Parser.parse(source: text)
        locations = SourceLocationConverter(fileName: path, tree: tree)
    }

    var lineCount: Int {
        lines.last == "" ? lines.count - 1 : lines.count
    }

    func line(of position: AbsolutePosition) -> Int {
        locations.location(for: position).line
    }
}

/// Measures each function, initializer and accessor from its first keyword to its last brace.
final class FunctionMeter: SyntaxVisitor {
    private let file: SourceFile
    private(set) var functions: [(name: String, line: Int, length: Int)] = []

    init(file: SourceFile) {
        self.file = file
        super.init(viewMode: .sourceAccurate)
    }

    private func measure(_ name: String, from keyword: TokenSyntax, body: (some SyntaxProtocol)?) {
        guard let body else { return }
        let first = file.line(of: keyword.positionAfterSkippingLeadingTrivia)
        let last = file.line(of: body.endPositionBeforeTrailingTrivia)
        functions.append((name, first, last - first + 1))
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        measure(node.name.text, from: node.funcKeyword, body: node.body)
        return .visitChildren
    }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        measure("init", from: node.initKeyword, body: node.body)
        return .visitChildren
    }

    override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        measure("deinit", from: node.deinitKeyword, body: node.body)
        return .visitChildren
    }

    override func visit(_ node: AccessorDeclSyntax) -> SyntaxVisitorContinueKind {
        measure(node.accessorSpecifier.text, from: node.accessorSpecifier, body: node.body)
        return .visitChildren
    }

    override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
        if let block = node.accessorBlock, case .getter = block.accessors,
            let token = node.firstToken(viewMode: .all)
        {
            measure(node.pattern.trimmedDescription, from: token, body: block)
        }
        return .visitChildren
    }

    override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
        measure("subscript", from: node.subscriptKeyword, body: node.accessorBlock)
        return .visitChildren
    }
}

/// Reads `path  reason` lines of files that may exceed the limits.
func exceptions(in path: String) throws -> [String: String] {
    var reasons: [String: String] = [:]
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    where !line.hasPrefix("#") {
        let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        reasons[String(words[0])] = words.count > 1 ? words[1].trimmingCharacters(in: .whitespaces) : ""
    }
    return reasons
}

func checkSizes(_ files: [SourceFile], exceptions: [String: String]) -> [Finding] {
    var findings: [Finding] = []
    var needed: Set<String> = []
    var lengths: [Int] = []
    for file in files {
        let meter = FunctionMeter(file: file)
        meter.walk(file.tree)
        lengths += meter.functions.map(\.length)
        var found = meter.functions.filter { $0.length > 60 }.map { function in
            let size = "'\(function.name)' has \(function.length) lines; a function has at most 60"
            return Finding(path: file.path, line: function.line, message: size)
        }
        if file.lineCount > 500 {
            found.append(
                Finding(path: file.path, line: 1, message: "\(file.lineCount) lines; a file has at most 500"))
        }
        if let reason = exceptions[file.path], !reason.isEmpty, !found.isEmpty {
            needed.insert(file.path)
        } else {
            findings += found
        }
    }
    for path in exceptions.keys.sorted() where !needed.contains(path) {
        findings.append(
            Finding(path: path, line: 1, message: "the exception is not needed or has no reason"))
    }
    summarize(files: files.map(\.lineCount).sorted(), functions: lengths.sorted())
    return findings
}

func summarize(files: [Int], functions: [Int]) {
    func figures(_ lengths: [Int]) -> String {
        guard let longest = lengths.last else { return "none" }
        return
            "median \(lengths[lengths.count / 2]), 90% within \(lengths[lengths.count * 9 / 10]), longest \(longest)"
    }
    print(
        "lines of \(files.count) files: \(figures(files)); of \(functions.count) functions: \(figures(functions))"
    )
}

/// The tokens of each construct that disables a check of the compiler.
let unsafeMarks: [[String]] = [
    ["@", "unchecked"], ["nonisolated", "(", "unsafe", ")"], ["unsafeBitCast"], ["unsafeDowncast"],
    ["unsafelyUnwrapped"], ["assumingMemoryBound"], ["bindMemory"], ["withMemoryRebound"],
    ["takeUnretainedValue"], ["takeRetainedValue"], ["as", "!"], ["try", "!"],
    ["unowned", "(", "unsafe", ")"], ["@", "exclusivity", "(", "unchecked", ")"],
    ["_withUnsafeGuaranteedRef"],
]

func unsafeLines(of file: SourceFile) -> [(line: Int, mark: String)] {
    let tokens = Array(file.tree.tokens(viewMode: .sourceAccurate))
    let texts = tokens.map(\.text)
    return tokens.indices.compactMap { index in
        guard let mark = unsafeMarks.first(where: { texts[index...].starts(with: $0) }) else { return nil }
        return (file.line(of: tokens[index].positionAfterSkippingLeadingTrivia), mark.joined())
    }
}

/// Returns whether a `//` comment ends the line, or is directly above it or above an `#if` before it.
func hasReason(_ line: Int, in file: SourceFile) -> Bool {
    if file.lines[line - 1].contains("// ") { return true }
    let above = file.lines[..<(line - 1)].reversed().map { $0.trimmingCharacters(in: .whitespaces) }
    return above.drop { $0.hasPrefix("#if") }.first?.hasPrefix("// ") ?? false
}

func checkUnsafe(_ files: [SourceFile]) -> [Finding] {
    var findings: [Finding] = []
    var count = 0
    for file in files {
        for (line, mark) in unsafeLines(of: file) {
            count += 1
            if !hasReason(line, in: file) {
                let message =
                    "'\(mark)' has no reason: explain in a comment above it, or at the end of the line, why it is safe"
                findings.append(Finding(path: file.path, line: line, message: message))
            }
        }
    }
    print("unsafe constructs: \(count), without a reason: \(findings.count)")
    return findings
}

var arguments = CommandLine.arguments.dropFirst()
let check = arguments.popFirst()
let allowed = check == "sizes" ? try exceptions(in: arguments.popFirst() ?? "") : [:]
let files = try arguments.map(SourceFile.init)
let findings = check == "sizes" ? checkSizes(files, exceptions: allowed) : checkUnsafe(files)
findings.forEach { $0.print() }
exit(findings.isEmpty ? 0 : 1)
