/// Checks an attribute's type, storage, default, rules and transformer against each other.
struct AttributeChecking {
    let transformers: [any AttributeTransformer]?

    func check(_ attribute: AttributeDescription, of entity: String, _ problems: inout ModelProblems) {
        let isValid = checkType(attribute, entity, attribute.name, &problems)
        checkTransformer(attribute, of: entity, &problems)
        checkExternalStorage(attribute, of: entity, &problems)
        checkContradiction(in: attribute, entity, attribute.name, &problems)
        if isValid { checkValues(of: attribute, entity, attribute.name, &problems) }
    }

    private func checkContradiction(
        in attribute: AttributeDescription, _ entity: String, _ property: String,
        _ problems: inout ModelProblems
    ) {
        switch attribute.contradiction {
        case nil: break
        case .noPlaceholder(let type):
            problems.report(
                .missingDefault, entity, property,
                "The attribute has no default, and the library can't create a placeholder of type \(type) for objects without a value: "
                    + "give it a default, or make it optional.")
        case .precisionOfNonDecimal:
            problems.report(
                .invalidType, entity, property,
                "Precision and scale are for decimal numbers, and the attribute is \(attribute.type.displayName): remove them, or "
                    + "change the type.")
        }
    }

    /// Checks rules and default; requires a valid type.
    private func checkValues(
        of attribute: AttributeDescription, _ entity: String, _ property: String,
        _ problems: inout ModelProblems
    ) {
        RuleChecking(attribute: attribute, entity: entity, property: property).check(&problems)
        DefaultChecking(attribute: attribute, entity: entity, property: property).check(&problems)
    }

    private func checkType(
        _ attribute: AttributeDescription, _ entity: String, _ property: String,
        _ problems: inout ModelProblems
    ) -> Bool {
        switch attribute.type {
        case .decimal(let precision, let scale):
            guard AttributeType.isValidDecimal(precision, scale) else {
                problems.report(
                    .invalidType, entity, property,
                    "A decimal number has a precision from 1 to 38 and a scale from 0 to its precision, not \(precision) and "
                        + "\(scale): correct them.")
                return false
            }
            return true
        case .composite(let parts):
            return checkParts(parts, of: attribute, entity, &problems)
        default:
            return true
        }
    }

    private func checkParts(
        _ parts: [AttributeDescription], of attribute: AttributeDescription, _ entity: String,
        _ problems: inout ModelProblems
    ) -> Bool {
        if parts.isEmpty {
            problems.report(
                .invalidType, entity, attribute.name, "A composite needs at least one part: declare one.")
        }
        if attribute.isOptional, attribute.storage != .transient, parts.allSatisfy(\.isOptional),
            !parts.isEmpty
        {
            problems.report(
                .invalidType, entity, attribute.name,
                "An optional composite needs a required part, because a store can't distinguish nil from a composite whose parts are "
                    + "all nil: make one part required, or the composite.")
        }
        var isValid = !parts.isEmpty
        for part in parts {
            let path = "\(attribute.name).\(part.name)"
            if let message = Self.invalidPartMessage(ofPart: part) {
                problems.report(.invalidType, entity, path, message)
                isValid = false
                continue
            }
            checkContradiction(in: part, entity, path, &problems)
            if checkType(part, entity, path, &problems) {
                checkValues(of: part, entity, path, &problems)
            } else {
                isValid = false
            }
        }
        return isValid
    }

    private static func invalidPartMessage(ofPart part: AttributeDescription) -> String? {
        if case .composite = part.type {
            return "A composite can't be part of another: declare its parts one by one."
        }
        if part.storage != .stored {
            return
                "A composite's part is stored with it, so it can't be transient or derived: move it out of the composite."
        }
        if part.transformerName != nil || part.externalThreshold != nil || part.preservesValueOnDeletion {
            return
                "Transformers, external storage and preservation on deletion apply to whole attributes only: move the part out of "
                + "the composite."
        }
        return nil
    }

    private func checkTransformer(
        _ attribute: AttributeDescription, of entity: String, _ problems: inout ModelProblems
    ) {
        guard let name = attribute.transformerName else { return }
        if case .composite = attribute.type {
            problems.report(
                .invalidTransformer, entity, attribute.name,
                "A composite is stored in one column per part, so it can't have a transformer: remove it, or change the type."
            )
        } else if case .derived = attribute.storage {
            problems.report(
                .invalidTransformer, entity, attribute.name,
                "The store computes the attribute, so it can't have a transformer: remove the transformer.")
        } else if let transformers {
            guard let transformer = transformers.first(where: { type(of: $0).name == name }) else {
                return problems.report(
                    .invalidTransformer, entity, attribute.name,
                    "The model has no transformer “\(name)”: pass it when you create the model.")
            }
            let stored = type(of: transformer).storedType
            guard stored != attribute.type else { return }
            problems.report(
                .invalidTransformer, entity, attribute.name,
                "The transformer “\(name)” stores \(stored.displayName), but the attribute is \(attribute.type.displayName): use "
                    + "the same type for both.")
        }
    }

    private func checkExternalStorage(
        _ attribute: AttributeDescription, of entity: String, _ problems: inout ModelProblems
    ) {
        guard let threshold = attribute.externalThreshold else { return }
        if ![.string, .data, .codable].contains(attribute.type) {
            problems.report(
                .invalidExternalStorage, entity, attribute.name,
                "Only text, data and codable values can have external storage, not \(attribute.type.displayName): remove the "
                    + "option.")
        } else if attribute.storage != .stored {
            problems.report(
                .invalidExternalStorage, entity, attribute.name,
                "A transient or derived attribute can't have external storage: remove the option.")
        } else if threshold < 1 {
            problems.report(
                .invalidExternalStorage, entity, attribute.name,
                "The threshold of external storage must be at least 1 byte, not \(threshold): correct it."
            )
        }
    }
}
