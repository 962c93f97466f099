// expected: 'creation' is borrowed and cannot be consumed
import ContextCore

struct KeptCreation: ~Copyable {
    let creation: ObjectCreation
}

final class Keeper: ManagedObject {
    var kept: KeptCreation?

    required init(creation: borrowing ObjectCreation) {
        kept = KeptCreation(creation: creation)
        super.init(creation: creation)
    }
}
