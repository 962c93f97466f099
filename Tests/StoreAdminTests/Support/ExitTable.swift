import Foundation

@testable import StoreAdmin

/// Calls of every command with their exit codes: those for problems of any store, and those of the command alone.
///
/// A line is a code and a call, below a line with the name of the command. After `*` comes a call that opens a store: `STORE` is its
/// address, or `-s STORE` is appended; `NAME` is the name that confirms the command. After `*+` comes a call that creates a store if there
/// is none. After `*?` comes a call that lists the tenants of the address, without opening a store. A code with `!` belongs to a call in
/// an empty folder. A call with the code of an interruption is interrupted.
enum ExitTable {
    struct Case: Sendable {
        let words: [String]
        let exit: ExitCode
        /// Whether the call runs in an empty folder.
        let isFresh: Bool
    }

    /// The cases of each command alone, in order.
    static let cases = parsed.mapValues { block in
        block.compactMap { line -> Case? in
            guard let code = Int32(line.code.filter(\.isNumber)).flatMap(ExitCode.init) else { return nil }
            return Case(words: line.words, exit: code, isFresh: line.code.hasSuffix("!"))
        }
    }

    /// The call of each command that opens a store.
    static let onStores = parsed.compactMapValues { block in block.first { $0.code.hasPrefix("*") }?.words }

    /// The commands that create a store if there is none.
    static let makers = Set(parsed.filter { $0.value.contains { $0.code == "*+" } }.keys)

    /// The commands that list the tenants of an address.
    static let listers = Set(parsed.filter { $0.value.contains { $0.code == "*?" } }.keys)

    private static let parsed: [String: [(code: String, words: [String])]] = {
        var blocks: [String: [(String, [String])]] = [:]
        var command = ""
        for line in text.split(separator: "\n") {
            let words = split(line.trimmingSpaces)
            if !line.hasPrefix(" ") {
                command = words.joined(separator: " ")
                blocks[command] = []
            } else {
                blocks[command]?.append((words[0], Array(words.dropFirst())))
            }
        }
        return blocks
    }()

    /// Splits a line at spaces, except for those between single quotes.
    private static func split(_ line: String) -> [String] {
        line.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
            index.isMultiple(of: 2) ? part.split(separator: " ").map(String.init) : [String(part)]
        }
    }

    private static let text = """
        status
          * status
          0 status
          0 sql --write 'ALTER TABLE sample ADD COLUMN mine integer'
          2 status --check
        doctor
          0 doctor --project none
          2 doctor -s sqlite:none.sqlite
        check
          * check
          0 check
          0 sql --write 'UPDATE game SET title = trim(title, title) WHERE _id = 1'
          2 check
          0 sql --write 'UPDATE round SET game_order = 1'
          3 check --repair
        report
          * report --out report.html
          0 report --out report.html
          73 report --out shop.model.json
        sql
          * sql 'SELECT 1'
          0 sql 'SELECT 1'
          1 sql --write 'UPDATE game SET title = NULL WHERE _id = 1'
          77 sql 'DELETE FROM game'
          3 sql --write 'DELETE FROM game' -s prod
        db ping
          * db ping
          0 db ping
        db wait
          * db wait --timeout 1ms
          0 db wait
          75 db wait --timeout 1ms -s sqlite:none.sqlite
        db create
          *+ db create --model shop.model.json
          0 db create --model shop.model.json -s sqlite:new.sqlite
          66 db create --model none.json -s sqlite:new.sqlite
        db drop
          * db drop --confirm NAME
          3 db drop
          0 db drop --confirm shop
        model list
          * model list
          0 model list
        model show
          * model show
          0 model show
        model diff
          * model diff store store
          0 model diff store store
          2 model diff store other.json
        model import
          * model import
          3 model import
          0 model import -s sqlite:foreign.sqlite
          2 model import -s sqlite:foreign.sqlite --merge edited.json --base import.json
          73 model import -s sqlite:foreign.sqlite --out shop.model.json
        model generate
          * model generate --swift
          0 model generate --swift -s shop
          2 model generate --swift --model odd.model.json
          73 model generate --swift --model shop.model.json --out shop.model.json
        model freeze
          * model freeze V9 --model store
          0 model freeze V9 --model other.json
          73 model freeze V1 --model third.json
          3 model freeze V10 --model other.json
        model check
          * model check --model store
          0 model check --model second.json
          2 model check --model store
        diagram
          * diagram
          0 diagram
          73 diagram --out shop.model.json
        migrate dev
          *+ migrate dev --model second.json --yes
          66 migrate dev --model none.json
          3 migrate dev --model second.json -s prod
          3 migrate dev --model lossy.json
          73 migrate dev --model second.json --yes --backup shop.model.json
          130 migrate dev --model second.json --yes
          143 migrate dev --model second.json --yes
          0 migrate dev --model second.json --yes
          0 sql --write 'ALTER TABLE sample ADD COLUMN mine integer'
          2 migrate dev --model second.json --yes
        migrate new
          0 model freeze V3 --model third.json
          0 migrate new V2 V3
          73 migrate new V2 V3
          66 migrate new V2 V9
          65 migrate new V1 V2 --project bad
          0 model freeze V4 --model renamed.json
          3 migrate new V3 V4
        migrate plan
          * migrate plan
          0 migrate plan
          73 migrate plan --out shop.model.json
          0 migrate apply
          3 migrate plan --out plan.json
        migrate rehearse
          * migrate rehearse
          0 migrate rehearse
          130 migrate rehearse
          143 migrate rehearse
          0 sql --write 'UPDATE game SET title = trim(title, title) WHERE _id = 1'
          2 migrate rehearse
          0 migrate apply --phase expand
          3 migrate rehearse
        migrate lint
          * migrate lint
          0 migrate lint
          0 model freeze V3 --model lossy.json
          0 migrate new V2 V3
          2 migrate lint
        migrate script
          * migrate script
          0 migrate script
        migrate apply
          * migrate apply
          73 migrate apply --backup shop.model.json
          130 migrate apply
          143 migrate apply
          0 migrate apply
          3 migrate apply -s prod
        migrate complete
          * migrate complete
          73 migrate complete --to V2 --backup shop.model.json
          130 migrate complete --to V2
          143 migrate complete --to V2
          0 migrate complete --to V2
          3 migrate complete --to V2 -s prod
        migrate resume
          * migrate resume
          0 migrate resume
          0 migrate apply --phase expand -s prod --confirm prod
          3 migrate resume -s prod
          130 migrate resume -s prod --confirm prod
          143 migrate resume -s prod --confirm prod
        migrate rollback
          * migrate rollback
          0 migrate apply
          3 migrate rollback
          0 migrate rollback --accept-loss Sample.more
        migrate adopt
          * migrate adopt
          0 migrate adopt
          0 sql --write 'ALTER TABLE sample ADD COLUMN mine integer'
          2 migrate adopt
          3 migrate adopt -s prod
        migrate baseline
          * migrate baseline --at V1
          0 migrate baseline --at V1
          2 migrate baseline --at V2
          3 migrate baseline --at V1 -s prod
        migrate status
          * migrate status
          0 migrate status
          2 migrate status --check
        migrate history
          * migrate history
          0 migrate history
        drift
          * drift
          0 drift --check
          0 sql --write 'ALTER TABLE sample ADD COLUMN mine integer'
          2 drift --check
        inspect entities
          * inspect entities
          0 inspect entities
        inspect entity
          * inspect entity Game
          0 inspect entity Game
        inspect relationships
          * inspect relationships
          0 inspect relationships
        inspect counts
          * inspect counts
          0 inspect counts
        inspect sizes
          * inspect sizes
          0 inspect sizes
        inspect indexes
          * inspect indexes
          0 inspect indexes
        inspect settings
          * inspect settings
          0 inspect settings
        activity
          * activity
          0 activity
        query
          * query Game
          0 query Game
        get
          * get Game:1
          0 get Game:1
        change
          * change changes.json
          0 change changes.json --dry-run
          0 change changes.json
          1 change changes.json
          3 change changes.json -s prod
        related
          * related Game:1 players
          0 related Game:1 players
        count
          * count Game
          0 count Game
        explain
          * explain Game
          0 explain Game
        advise
          * advise Game
          0 advise Game
        shell
          * shell
          0 shell
        studio
          * studio
          78 studio
          3 studio --write -s prod
          78 studio --write -s prod --confirm prod
        history list
          * history list
          0 history list
        history show
          * history show 1
          0 history show 1
        history tail
          * history tail --after 0 -n 1
          0 history tail --after 0 -n 1
        history prune
          * history prune --keep 1
          0 history prune --keep 1
          3 history prune --keep 1 -s prod
        data export
          * data export
          0 data export
          73 data export --out shop.model.json
          130 data export --out part.jsonl
          143 data export --out part.jsonl
        data import
          *+ data import shop.jsonl
          0 data import shop.jsonl -s sqlite:new.sqlite
          66 data import none.jsonl -s sqlite:new.sqlite
          3 data import shop.jsonl
          73 data import rows.csv --entity Game --rejects shop.model.json
          2 data import rows.csv --entity Game --rejects bad.csv --dry-run
          130 data import rows.csv --entity Game
          143 data import rows.csv --entity Game --on-error reject
          0 data import --from App.sqlite -s sqlite:imported.sqlite
          73 data import --from App.sqlite -s sqlite:new2.sqlite --dry-run --report shop.model.json
          0 data import --from foreign.sqlite -s sqlite:database.sqlite
          143 data import --from App.sqlite -s sqlite:d.sqlite
          130 data import --from App.sqlite -s sqlite:h.sqlite
          0 sql --write 'UPDATE game SET title = _id' -s sqlite:h.sqlite
          2 data import --from App.sqlite -s sqlite:h.sqlite --resume
        data copy
          * data copy STORE sqlite:copy.sqlite
          0 data copy shop sqlite:c.sqlite
          3 data copy shop sqlite:c.sqlite
          143 data copy shop sqlite:d.sqlite
          130 data copy shop sqlite:h.sqlite
          0 sql --write 'UPDATE game SET title = _id' -s sqlite:h.sqlite
          2 data copy shop sqlite:h.sqlite --resume
        data verify
          * data verify STORE prod
          0 data verify shop prod
          0 sql --write 'DELETE FROM sample WHERE _id = 2'
          2 data verify shop prod
        data checksum
          * data checksum
          0 data checksum
        data sample
          * data sample STORE sqlite:copy.sqlite
          0 data sample shop sqlite:c.sqlite
          3 data sample shop sqlite:c.sqlite
          0 sql --write 'UPDATE game SET title = trim(title, title) WHERE _id = 1'
          2 data sample shop sqlite:d.sqlite
        backup create
          * backup create --out b.sqlite
          0 backup create --out b.sqlite
          73 backup create --out shop.model.json
          130 backup create --out part.sqlite
          143 backup create --out part.sqlite
          0 sql --write 'UPDATE person SET _entity = (SELECT _entity FROM person WHERE _id = 4) WHERE _id = 3'
          2 backup create --out c.sqlite
        backup list
          0 backup list
          78 backup list -s nope:x
        backup verify
          0 backup create --out b.sqlite
          0 backup verify b.sqlite
          66 backup verify none.sqlite
          0 sql --write 'DELETE FROM sample WHERE _id = 2' -s sqlite:b.sqlite
          2 backup verify b.sqlite
          65 backup verify bad.sqlite
        backup restore
          *+ backup restore backup.sqlite --confirm NAME
          0 backup restore backup.sqlite --confirm shop
          3 backup restore backup.sqlite
          66 backup restore none.sqlite --confirm shop
        backup prune
          0 backup prune --keep 1
          3 backup prune --keep 1 -s prod
          78 backup prune --keep 1 -s nope:x
        maintain vacuum
          * maintain vacuum
          0 maintain vacuum
          3 maintain vacuum -s prod
        maintain analyze
          * maintain analyze
          0 maintain analyze
          3 maintain analyze -s prod
        maintain checkpoint
          * maintain checkpoint
          0 maintain checkpoint
          3 maintain checkpoint -s prod
        maintain reindex
          * maintain reindex
          0 maintain reindex
          3 maintain reindex -s prod
        maintain integrity
          * maintain integrity
          0 maintain integrity
          2 maintain integrity -s sqlite:broken.sqlite
        maintain recover
          * maintain recover saved.sqlite
          0 maintain recover r1.sqlite
          2 maintain recover r2.sqlite -s sqlite:broken.sqlite
          73 maintain recover shop.model.json
        fleet list
          *? fleet list
          0 db create --tenant acme --model shop.model.json
          0 fleet list
          66 fleet list --only none
        fleet status
          *? fleet status
          0 db create --tenant acme --model shop.model.json
          0 fleet status
          2 fleet status --check
          130 fleet status
          143 fleet status
        fleet migrate
          *? fleet migrate
          0 db create --tenant acme --model shop.model.json -s prod
          3 fleet migrate -s prod
          0 db create --tenant acme --model shop.model.json
          65 fleet migrate --project bad
          130 fleet migrate
          143 fleet migrate
          0 fleet migrate
          0 db create --tenant broken --model shop.model.json
          0 sql --write 'DROP TABLE sample' --tenant broken
          2 fleet migrate
        fleet check
          *? fleet check
          0 data import shop.jsonl --tenant acme
          0 fleet check
          130 fleet check
          143 fleet check
          0 sql --write 'UPDATE game SET title = trim(title, title) WHERE _id = 1' --tenant acme
          2 fleet check
        fleet backup
          *? fleet backup
          0 db create --tenant acme --model shop.model.json
          0 fleet backup
          130 fleet backup
          143 fleet backup
          73 fleet backup --folder shop.model.json
          0 sql --write 'DROP TABLE sample' --tenant acme
          2 fleet backup
        new
          0 new Notes
          73 new Notes
          66 new Draughts --package none
        init
          0! init
          73 init
          78 init --url sqlit:x
        config show
          0 config show
          78 config show --config shop.model.json
        config check
          0 config check
          78 config check --config shop.model.json
          2 config check --config odd.json
        config path
          0 config path
          66! config path
          78 config path --config shop.model.json
        completion
          0 completion bash
        version
          0 version
        """
}
