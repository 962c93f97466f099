/// The location from which a setting was read.
package enum SettingOrigin: Sendable, Hashable, CustomStringConvertible {
    /// The caller: a program's code, or an option of a command.
    case call
    /// An environment variable.
    case variable(String)
    /// A position in a file.
    case file(String, JSONPosition)
    /// The built-in default.
    case builtIn

    package var description: String {
        switch self {
        case .call: "command line"
        case .variable(let name): "environment, \(name)"
        case .file(let path, let position): "\(path):\(position)"
        case .builtIn: "built in"
        }
    }
}
