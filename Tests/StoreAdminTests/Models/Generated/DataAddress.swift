import ContextCore

/// A value whose parts are stored in separate columns.
@Composite struct DataAddress {
    var city: String
}
