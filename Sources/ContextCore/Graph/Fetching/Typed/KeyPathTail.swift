/// The part of a key path after the properties of objects.
enum KeyPathTail: Equatable {
    /// Stored properties of values: parts of composites.
    case names([String])
    /// The `count` of a to-many relationship.
    case count

    /// Parses the debug description of a key path, such as `\Person.<computed 0x1234 (Address)>.city`.
    init(_ keyPath: AnyKeyPath, after accessors: Int) {
        let components = Self.components(of: keyPath.debugDescription)
        var computed = 0
        var rest: [String] = []
        for (index, component) in components.enumerated() {
            guard component.hasPrefix("<computed") else {
                if component != "self" { rest.append(component) }
                continue
            }
            computed += 1
            if computed <= accessors { continue }
            let owner = index > 0 ? Self.type(of: components[index - 1]) : ""
            let isCollection = owner.hasPrefix("Set<") || owner.hasPrefix("Array<")
            if isCollection, Self.type(of: component) == "Int", index == components.count - 1 {
                self = .count
                return
            }
            rest.append("<\(Self.type(of: component))>")
        }
        self = .names(rest)
    }

    /// Splits a description at its dots, and omits the root type and the `?` and `!` of optional chaining.
    private static func components(of description: String) -> [String] {
        var components = [""]
        var depth = 0
        for character in description {
            switch character {
            case "<", "(": depth += 1
            case ">", ")": depth -= 1
            default: break
            }
            if character == ".", depth == 0 {
                components.append("")
            } else if depth > 0 || character != "?" && character != "!" {
                components[components.count - 1].append(character)
            }
        }
        return Array(components.dropFirst())
    }

    /// Returns the type in a component such as `<computed 0x1234 (Address)>`.
    private static func type(of component: String) -> String {
        guard let start = component.firstIndex(of: "("), let end = component.lastIndex(of: ")") else {
            return ""
        }
        return String(component[component.index(after: start)..<end])
    }
}
