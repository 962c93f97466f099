import Foundation

/// What callgrind has counted between two moments, by whose code it was.
struct CallgrindProfile {
    /// Instructions of the program itself, and of Swift's libraries: what the object graph can do something about.
    private(set) var own = 0
    /// Instructions of everything: with the databases' libraries, and the system's.
    private(set) var all = 0
    /// Calls of the system's functions that allocate, made by the program and Swift's libraries.
    private(set) var allocations = 0

    private static let allocators: Set<String> = [
        "malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc",
    ]

    /// Reads a file of callgrind's (<https://valgrind.org/docs/manual/cl-format.html>).
    init(path: String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        var names: [Substring: Substring] = [:]
        var isOwn = false
        var isInclusive = false
        var callee: Substring = ""
        for line in text.split(separator: "\n") {
            guard let first = line.first else { continue }
            if let name = line.value(of: "ob=") {
                isOwn = Self.isOwn(Self.resolved(name, "ob", &names))
            } else if let name = line.value(of: "cfn=") {
                callee = Self.resolved(name, "fn", &names)
            } else if let name = line.value(of: "fn=") {
                _ = Self.resolved(name, "fn", &names)
            } else if let name = line.value(of: "cob=") {
                _ = Self.resolved(name, "ob", &names)
            } else if let call = line.value(of: "calls=") {
                if isOwn, Self.allocators.contains(String(callee)) {
                    allocations += call.split(separator: " ").first.flatMap { Int($0) } ?? 0
                }
                // The line after it says what the callee took, who says so of itself elsewhere.
                isInclusive = true
            } else if first.isNumber || "+-*".contains(first) {
                let cost = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
                if !isInclusive {
                    all += cost
                    if isOwn { own += cost }
                }
                isInclusive = false
            }
        }
    }

    /// A name's text: the file gives it once, and its number from there on.
    private static func resolved(
        _ name: Substring, _ kind: String, _ names: inout [Substring: Substring]
    ) -> Substring {
        guard name.hasPrefix("("), let end = name.firstIndex(of: ")") else { return name }
        let number = kind + name[..<end]
        let text = name[name.index(after: end)...].drop { $0 == " " }
        if !text.isEmpty { names[Substring(number)] = text }
        return names[Substring(number)] ?? ""
    }

    private static func isOwn(_ object: Substring) -> Bool {
        let file = object.split(separator: "/").last ?? ""
        return file == "storebench" || file.hasPrefix("libswift") || file.hasPrefix("libFoundation")
            || file.hasPrefix("lib_Foundation") || file.hasPrefix("libdispatch")
    }
}

extension Substring {
    fileprivate func value(of prefix: String) -> Substring? {
        hasPrefix(prefix) ? dropFirst(prefix.count) : nil
    }
}
