// expected: 'birth' is borrowed and cannot be consumed
import ContextCore

struct KeptBirth: ~Copyable {
    let birth: ObjectBirth
}

final class Keeper: ManagedObject {
    var kept: KeptBirth?

    required init(birth: borrowing ObjectBirth) {
        kept = KeptBirth(birth: birth)
        super.init(birth: birth)
    }
}
