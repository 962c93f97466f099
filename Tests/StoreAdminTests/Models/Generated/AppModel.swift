import ContextCore

/// The classes of the model.
let appModel: [ManagedObject.Type] = [
    Author.self,
    Book.self,
    DataObject.self,
    Film.self,
    Medium.self,
    Passport.self,
    Tag.self,
    Team.self,
]

/// The transformers of the model.
let appTransformers: [any AttributeTransformer] = [CompressedImageTransformer(), SealedTransformer()]
