import Foundation

/// The counts in a callgrind file, separated by the code that they belong to.
struct CallgrindProfile {
    /// The instructions of the program and of Swift's libraries, which the object graph can reduce.
    private(set) var own = 0
    /// All instructions, including those of the database's and the system's libraries.
    private(set) var all = 0
    /// The number of calls of allocation functions by the program and Swift's libraries.
    private(set) var allocations = 0

    private static let allocators: Set<String> = [
        "malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc",
    ]

    /// Reads a callgrind file (<https://valgrind.org/docs/manual/cl-format.html>).
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
                // The next line has the inclusive cost of the call, which is already counted for the callee.
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

    /// Returns the text of a name: the file contains it once, and then only its number.
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
