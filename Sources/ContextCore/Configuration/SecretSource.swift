import Foundation

/// Says where a secret is kept: anywhere but in the configuration and on the command line.
package enum SecretSource: Sendable, Hashable {
    /// The first line of a file.
    case file(String)
    /// A variable of the environment.
    case variable(String)
    /// The first line that a command prints.
    case command([String])
    /// A file of passwords as libpq has it, and reads it by itself; nil for the usual one.
    case passwordFile(String?)

    /// What people call it; it tells nothing of the secret.
    package var description: String {
        switch self {
        case .file(let path): "from the file \(path)"
        case .variable(let name): "from the variable \(name)"
        case .command(let words): "from the command \(words.first ?? "")"
        case .passwordFile(let path): "from the password file \(path ?? "~/.pgpass")"
        }
    }

    /// The address with the secret, or with the file of passwords in which the server's own library looks it up.
    ///
    /// - Throws: ``StoreError/Code/configuration``, without any of the secret.
    func adding(
        to url: StoreURL, _ surroundings: ConfigurationSurroundings, named origin: SettingOrigin
    ) throws -> StoreURL {
        do {
            if case .passwordFile(let path) = self {
                let file = try PasswordFile(
                    path.map { surroundings.resolved($0, from: origin) }, surroundings)
                return url.adding(PasswordFile.setting, file.path)
            }
            let secret = try look(surroundings, origin)
            if secret.isEmpty { throw StoreError(.configuration, "the password \(description) is empty.") }
            surroundings.secrets.note(secret)
            return url.replacingPassword(secret)
        } catch let error as StoreError {
            throw StoreError(
                .configuration, "\(origin): \(error.message)", remedy: error.remedy, detail: error.detail)
        }
    }

    private func look(_ surroundings: ConfigurationSurroundings, _ origin: SettingOrigin) throws -> String {
        switch self {
        case .file(let path): return try Self.firstLine(ofFile: surroundings.resolved(path, from: origin))
        case .variable(let name):
            if let value = surroundings.variables[name] { return value }
            throw StoreError(
                .configuration, "the environment has no variable \(name) with the password.",
                remedy: "Set it.")
        case .command(let words):
            if case .file(let path, _) = origin { try Self.checkTrust(inFile: path) }
            return try SecretCommand(words: words, surroundings).firstLine()
        case .passwordFile: return ""
        }
    }

    /// Whoever may write a configuration would run his commands as the user, so it must be the user, or root.
    private static func checkTrust(inFile path: String) throws(StoreError) {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let owner = (attributes?[.ownerAccountID] as? NSNumber)?.uint32Value
        let permissions = (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0
        guard owner == geteuid() || owner == 0, permissions & 0o002 == 0 else {
            throw StoreError(
                .configuration, "somebody else may write \(path), so no command of it is run.",
                remedy: "Make it yours with chown and chmod, or keep the password in a file or a variable.")
        }
    }

    static func firstLine(ofFile path: String) throws(StoreError) -> String {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw StoreError(
                .configuration, "the file \(path) with the password can't be read.",
                remedy: "Check the path, and whether you may read it.")
        }
        return firstLine(of: data)
    }

    static func firstLine(of data: Data) -> String {
        String(decoding: data, as: UTF8.self).linesByBytes.first.map(String.init) ?? ""
    }
}
