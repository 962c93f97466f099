import Foundation

/// The location of a secret, which is never in the configuration itself or on the command line.
package enum SecretSource: Sendable, Hashable {
    /// The first line of a file.
    case file(String)
    /// An environment variable.
    case variable(String)
    /// The first line of the output of a command.
    case command([String])
    /// A password file that libpq reads; nil for the default one.
    case passwordFile(String?)

    /// The location for people, without the secret.
    package var description: String {
        switch self {
        case .file(let path): "from the file \(path)"
        case .variable(let name): "from the variable \(name)"
        case .command(let words): "from the command \(words.first ?? "")"
        case .passwordFile(let path): "from the password file \(path ?? "~/.pgpass")"
        }
    }

    /// Returns the address with the secret, or with the path of the password file in which libpq looks it up.
    ///
    /// - Throws: ``StoreError/Code/configuration``, without any of the secret.
    func adding(
        to url: StoreURL, _ surroundings: ConfigurationEnvironment, named origin: SettingOrigin
    ) throws -> StoreURL {
        do {
            if case .passwordFile(let path) = self {
                let file = try PasswordFile(
                    path.map { surroundings.resolved($0, from: origin) }, surroundings)
                return url.adding(PasswordFile.setting, file.path)
            }
            let secret = try readSecret(surroundings, origin)
            if secret.isEmpty { throw StoreError(.configuration, "the password \(description) is empty.") }
            surroundings.secrets.register(secret)
            return url.replacingPassword(secret)
        } catch let error as StoreError {
            throw StoreError(
                .configuration, "\(origin): \(error.message)", remedy: error.remedy, detail: error.detail)
        }
    }

    private func readSecret(_ surroundings: ConfigurationEnvironment, _ origin: SettingOrigin) throws
        -> String
    {
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

    /// Throws if a user other than this one and root can write to a configuration file, because its commands run as this user.
    private static func checkTrust(inFile path: String) throws(StoreError) {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let owner = (attributes?[.ownerAccountID] as? NSNumber)?.uint32Value
        let permissions = (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0
        guard owner == geteuid() || owner == 0, permissions & 0o002 == 0 else {
            throw StoreError(
                .configuration, "another user can write to \(path), so its commands aren't run.",
                remedy:
                    "Change its owner and permissions with chown and chmod, or keep the password in a file or a variable."
            )
        }
    }

    static func firstLine(ofFile path: String) throws(StoreError) -> String {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw StoreError(
                .configuration, "the file \(path) with the password can't be read.",
                remedy: "Check the path and its permissions.")
        }
        return firstLine(of: data)
    }

    static func firstLine(of data: Data) -> String {
        String(decoding: data, as: UTF8.self).linesByBytes.first.map(String.init) ?? ""
    }
}
