import ContextCore

@main
struct Games {
    static func main() throws {
        let model = try ObjectModel([Game.self, Player.self])
        print(model.fileText, terminator: "")
    }
}
