/// The source location of a call to the library.
struct CallSite: Sendable, CustomStringConvertible {
    let fileID: StaticString
    let line: UInt

    var description: String { "\(fileID):\(line)" }
}
