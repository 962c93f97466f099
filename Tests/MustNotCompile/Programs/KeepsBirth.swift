// expected: 'birth' is borrowed and cannot be consumed
import ContextCore

struct KeptBirth: ~Copyable {
    let creation: ObjectCreation
}

final class Keeper: ManagedObject {
    var kept: KeptBirth?

    required init(creation: borrowing ObjectCreation) {
        kept = KeptBirth(creation: creation)
        super.init(creation: creation)
    }
}
