/// Reads the location of a secret from a configuration file.
struct SecretSourceReader {
    let path: String
    let problems: JSONProblems

    func source(_ node: JSONNode) -> SecretSource? {
        if case .string = node.content {
            problems.report(
                "A password can't be written in this file: specify its location, {\"file\": …}, {\"env\": …}, "
                    + "{\"command\": […]} or {\"passfile\": true}.", at: node.position)
            return nil
        }
        guard var reader = JSONObjectReader(node, as: "a password", problems) else { return nil }
        var sources: [SecretSource] = []
        if let file = reader.string("file") { sources.append(.file(file)) }
        if let name = reader.string("env") { sources.append(.variable(name)) }
        if reader.member("command") != nil { sources += command(&reader) }
        if let member = reader.member("passfile") { sources += passwordFile(member.value) }
        reader.reportUnknownMembers()
        if sources.count == 1 { return sources[0] }
        problems.report(
            "“password” must have exactly one member: “file”, “env”, “command” or “passfile”.",
            at: node.position)
        return nil
    }

    private func command(_ reader: inout JSONObjectReader) -> [SecretSource] {
        let nodes = reader.array("command")
        let words = nodes.compactMap { if case .string(let word) = $0.content { word } else { nil } }
        return words.isEmpty || words.count != nodes.count ? [] : [.command(words)]
    }

    private func passwordFile(_ node: JSONNode) -> [SecretSource] {
        switch node.content {
        case .bool(true): [.passwordFile(nil)]
        case .string(let path): [.passwordFile(path)]
        default: []
        }
    }
}
