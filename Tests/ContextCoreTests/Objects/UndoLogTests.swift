import Testing

@testable import ContextCore

struct UndoLogTests {
    @Test func `A step without effect on undo can be redone all the same`() throws {
        let author = Author(in: try Library().context().context, name: "Ann")
        var log = UndoLog()
        for _ in 0..<2 {
            log.record(.inserted(author))
            log.closeImplicitGroup()
        }
        // The first call finds nothing to undo, the second one a group.
        #expect(log.beginUndo() != nil)
        log.finish()
        #expect(log.beginUndo() != nil)
        log.record(.deleted(author))
        log.finish()
        #expect(log.beginRedo()?.entries.count == 1)
        log.finish()
        #expect(log.beginRedo()?.entries.isEmpty == true)
        log.finish()
        #expect(!log.canRedo && log.undoNames.count == 2)
    }

    @Test func `The names of undone groups start with the next one to redo, until another change`() throws {
        let author = Author(in: try Library().context().context, name: "Ann")
        var log = UndoLog()
        for name in ["first", nil, "last"] {
            log.beginGroup(name)
            log.record(.inserted(author))
            log.endGroup()
        }
        #expect(log.redoNames == [])
        for _ in 0..<3 {
            #expect(log.beginUndo() != nil)
            log.record(.deleted(author))
            log.finish()
        }
        #expect(log.undoNames == [] && log.redoNames == ["first", nil, "last"])
        #expect(log.beginRedo()?.name == "first")
        log.record(.inserted(author))
        log.finish()
        #expect(log.undoNames == ["first"] && log.redoNames == [nil, "last"])
        log.record(.inserted(author))
        #expect(log.undoNames == [nil, "first"] && log.redoNames == [])
    }
}
