import ContextCore
import Testing

struct StoreOpeningTests {
    private let step = StoreBackend(name: "step", schemes: ["step", "steps"], optionKeys: ["pace", "width"]) {
        _, model, _ in StepCoordinator(model: model)
    }

    @Test func `The scheme selects the backend`() async throws {
        let store = try await Store.open("steps:anywhere?pace=slow", backends: [step], model: [Remark.self])
        #expect(store.model.layout(named: "Remark") != nil)
        await store.close()
    }

    @Test func `A backend opens on a separate thread with the given options`() async throws {
        let journal = Journal<String>()
        let curious = StoreBackend(name: "curious", schemes: ["curious"]) { url, model, options in
            journal.append("\(url) \(options.readLimit)")
            return StepCoordinator(model: model)
        }
        _ = try await Store.open(
            "curious:here", backends: [step, curious], model: [Remark.self],
            options: StoreOptions(readLimit: 7))
        #expect(journal.entries == ["curious:here 7"])
    }

    @Test func `An unknown scheme is an error that suggests a known one`() async {
        let error = await #expect(throws: StoreError.self) {
            try await Store.open("stpes:x", backends: [step], model: [Remark.self])
        }
        #expect(error?.code == .configuration)
        #expect(error?.message.contains("stpes:") == true)
        #expect(error?.remedy?.hasPrefix("Did you mean steps:?") == true)
    }

    @Test func `An unknown setting is an error that suggests a known one`() async {
        let error = await #expect(throws: StoreError.self) {
            try await Store.open("step:x?witdh=1", backends: [step], model: [Remark.self])
        }
        #expect(error?.code == .configuration)
        #expect(error?.message == "URLs of the backend step have no setting “witdh”.")
        #expect(error?.remedy == "Did you mean width? Their settings are pace, width.")
    }

    @Test func `A backend's error is thrown`() async {
        let broken = StoreBackend(name: "broken", schemes: ["broken"]) { _, _, _ in
            throw StoreError(.notAStore, "The file is no database.")
        }
        let error = await #expect(throws: StoreError.self) {
            try await Store.open("broken:x", backends: [broken], model: [Remark.self])
        }
        #expect(error?.code == .notAStore)
    }

    @Test func `A limit that allows no reads is rejected`() async {
        let error = await #expect(throws: StoreError.self) {
            try await Store.open(
                "step:x", backends: [step], model: [Remark.self], options: StoreOptions(readLimit: 0))
        }
        #expect(error?.code == .configuration)
        #expect(error?.message == "The store option readLimit must be at least 1, but it is 0.")
        #expect(error?.remedy == "Pass a number of at least 1.")
    }
}
