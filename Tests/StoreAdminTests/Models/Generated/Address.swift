import ContextCore

/// A value whose parts are stored in separate columns.
@Composite struct Address {
    @Attribute(.length(...80)) var city: String
    var `default`: Bool = false
    @Attribute(.decimal(precision: 9, scale: 6), renamedFrom: "position") var geo: Decimal?
    var street: String
}
