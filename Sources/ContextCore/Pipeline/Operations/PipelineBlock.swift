/// A block of the program that runs with a new context over its own session, on one thread.
struct PipelineBlock {
    let pipeline: Pipeline
    let label: OperationLabel
    /// The call site of the block.
    let site: CallSite

    private var options: SessionOptions { .forContext(named: label.identifier) }
    private var model: ObjectModel { pipeline.coordinator.model }

    /// Runs a block that reads one snapshot of the store.
    func read<Value>(_ body: (ObjectContext) throws -> Value) throws -> Value {
        try checkCancellation()
        let session = try pipeline.coordinator.openReadSession(options)
        defer { session.end() }
        let context = context(
            SessionParent(reading: session, pipeline.identifiers, model: model), isReadOnly: true)
        return try RunningOperation.run(label, context: context, of: pipeline) {
            try finishRead(context, body)
        }
    }

    /// Runs a read block inside a write block; it sees all changes of the write block so far.
    func read<Value>(inside writing: ObjectContext, _ body: (ObjectContext) throws -> Value) throws -> Value {
        try finishRead(context(ParentContextAdapter(writing), isReadOnly: true), body)
    }

    /// Runs a write block in its share of a write session, and returns the changes to commit.
    func write(_ share: any WriteShare, _ body: (ObjectContext) throws -> Void) throws -> WriteOutcome {
        try checkCancellation()
        let parent = SessionParent(
            writing: share, pipeline.identifiers, model: model, pipeline.coordinator.capabilities
        ) {
            pipeline.lanes.recordLockWait(of: label.identifier)
        }
        let context = context(parent, isReadOnly: false)
        var deferred: DeferredWork?
        try RunningOperation.run(label, context: context, of: pipeline) {
            try finish(context) { context in
                try body(context)
                try context.saveLast(
                    deferringTo: SavePipeline.DeferredSaveReceiver(accepts: share.canDeferSave) {
                        deferred = makeDeferredWork($0, context, parent)
                    }
                )
            }
        }
        try checkCancellation()
        if let deferred { return .deferred(deferred) }
        return WriteOutcome(parent.changes)
    }

    /// Wraps a block's deferred save, which a later write of the lane applies.
    private func makeDeferredWork(_ save: DeferredSave, _ context: ObjectContext, _ parent: SessionParent)
        -> DeferredWork
    {
        DeferredWork(changes: save.changes) {
            RunningOperation.run(label, context: context, of: pipeline, save.markSaved)
        } published: {
            parent.changes(with: save.changes)
        } saveAlone: {
            try RunningOperation.run(label, context: context, of: pipeline, save.saveAlone)
            return parent.changes
        }
    }

    private func context(_ parent: any ContextParent, isReadOnly: Bool) -> ObjectContext {
        let context = ObjectContext(model: model, parent: parent, isReadOnly: isReadOnly)
        context.name = label.isNamed ? label.identifier : nil
        context.graph.faulting.block = site
        return context
    }

    /// Runs a block, and throws afterwards if a property access in it failed.
    private func finish<Value>(
        _ context: ObjectContext, _ body: (ObjectContext) throws -> Value
    ) throws -> Value {
        let value = try body(context)
        try context.graph.throwDeferredError()
        return value
    }

    /// Runs a read block, and throws afterwards if it changed objects.
    private func finishRead<Value>(
        _ context: ObjectContext, _ body: (ObjectContext) throws -> Value
    ) throws -> Value {
        let value = try finish(context, body)
        let count = context.graph.changes.objects.count(where: \.hasChangesToSave)
        if count == 0 { return value }
        throw StoreError(
            .readOnly,
            "The \(label) changed \(count.counted("object", "objects")), and a read block can't save. "
                + "Nothing was saved.",
            remedy:
                "Change objects in a block of store.write. To discard changes, call rollback() in the block.")
    }

    /// Throws if the task is cancelled; an operation can be cancelled until its commit starts.
    private func checkCancellation() throws {
        if Task.isCancelled { throw StoreError.cancelled(label) }
    }
}
