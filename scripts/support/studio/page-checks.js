// Checks the modules of the studio's page that need no server. A browser that shows the page runs this text as a function; it
// returns a promise of the failures, as sentences.
return (async () => {
  const [json, reading, router, rows, values, { Model }, { pending }, { APIError }, { session }, { activityNodes }] = await Promise.all(
    ["json", "reading", "router", "rows", "values", "model", "pending", "api", "session", "activity"].map((name) => import(new URL(`${name}.js`, document.baseURI))));
  const failures = [];
  const expect = (what, found, expected) => {
    const [first, second] = [found, expected].map((value) => json.writeJSON(value ?? null));
    if (first !== second) failures.push(`${what}: expected ${second}, found ${first}`);
  };
  const expectError = (what, call) => {
    try { call(); failures.push(`${what}: expected an error`); } catch (error) { if (!(error instanceof SyntaxError)) throw error; }
  };

  // Numbers keep their digits, with the browser's parser and with ours.
  const text = "{\"a\":9007199254740993,\"b\":[1,2.50,-0,1e400,{\"x\":\"A\\\"}\"}],\"__proto__\":{\"z\":1},\"e\":[],\"t\":true,\"n\":null}";
  for (const parse of [json.parseJSON, (source) => new json.JSONReader(source).document()]) {
    expect("a document read and written", json.writeJSON(parse(text)), text);
    for (const wrong of ["[1,]", "{", "01", "\"a", "[1 2]", "nul", "", "{\"a\" 1}", "1 2"]) expectError(`the text ${wrong}`, () => parse(wrong));
  }
  expect("equal numbers", json.isEqual(json.parseJSON("[9223372036854775807]"), json.parseJSON("[9223372036854775807]")), true);
  expect("numbers that JavaScript would confuse", json.isEqual(json.parseJSON("9007199254740993"), json.parseJSON("9007199254740992")), false);

  // Values are read by their types.
  const property = (type, declaration = {}) => ({
    type, declaration, isOptional: Boolean(declaration.optional), isText: type === "string" || type === "url", isReference: false,
  });
  const read = (type, source, declaration) => {
    const result = reading.readValue(property(type, declaration), source);
    return result.problem ? "problem" : result.value;
  };
  for (const [type, source, expected] of [
    ["int64", "9223372036854775807", json.numberOf("9223372036854775807")], ["int64", "9223372036854775808", "problem"], ["int16", "-32768", -32768],
    ["int16", "32768", "problem"], ["int32", "1.5", "problem"], ["int64", "+007", 7], ["int64", "", "problem"],
    ["decimal", "12.50", json.numberOf("12.50")], ["decimal", ".5", 0.5], ["decimal", "00012345678901234567890.1", json.numberOf("12345678901234567890.1")],
    ["decimal", "1,5", "problem"], ["double", "1e6", json.numberOf("1e6")], ["double", "1e400", "problem"], ["double", "-Infinity", "-infinity"],
    ["bool", "true", true], ["bool", "yes", "problem"], ["string", " a ", " a "], ["string", "", ""],
    ["date", "2026-08-01", "2026-08-01T00:00:00Z"], ["date", "2026-08-01 12:30", "2026-08-01T12:30:00Z"],
    ["date", "2026-08-01T12:30:15.123456Z", "2026-08-01T12:30:15.123456Z"], ["date", "2026-08-01 12:30:15 +02:00", "2026-08-01T10:30:15Z"],
    ["date", "2026-02-30", "problem"], ["date", "tomorrow", "problem"],
    ["uuid", "921bbd38-644b-4749-8740-0e8086749125", "921BBD38-644B-4749-8740-0E8086749125"], ["uuid", "921bbd38", "problem"],
    ["data", "AAEC", "AAEC"], ["data", "AAE", "problem"], ["codable", "{\"a\": 9007199254740993}", json.parseJSON("{\"a\": 9007199254740993}")], ["codable", "{a}", "problem"],
  ]) expect(`${type} “${source}”`, read(type, source), expected);
  expect("an empty optional number", read("int64", "", { optional: true }), null);
  const reference = { isReference: true, isOptional: true, destination: "Game" };
  for (const [source, expected] of [["Game:12", "Game:12"], ["12", "Game:12"], ["new3", "new3"], ["", null], ["Go", "problem"]]) {
    const result = reading.readValue(reference, source);
    expect(`the reference “${source}”`, result.problem ? "problem" : result.value, expected);
  }
  const dateText = reading.editingText(property("date"), "2026-08-01T12:30:15.123456Z");
  expect("a date edited without a change", read("date", dateText), "2026-08-01T12:30:15.123456Z");

  // Orders, addresses and texts.
  expect("the first click on a column", rows.nextOrder("", "score", false), "score");
  expect("the second click", rows.nextOrder("score", "score", false), "score DESC");
  expect("the third click", rows.nextOrder("score DESC", "score", false), "");
  expect("another column with the shift key", rows.nextOrder("score DESC", "name", true), "score DESC, name");
  expect("an address", router.link("objects", "Player", { where: "name == \"a&b\"", order: "" }), "#/objects/Player?where=name+%3D%3D+%22a%26b%22");
  expect("sizes", [0, 1023, 1024, 380928, 5e9].map(values.sizeText), ["0 B", "1023 B", "1.0 KiB", "372 KiB", "4.7 GiB"]);
  expect("dates", ["2026-08-01T12:30:15.123456Z", "2026-08-01T12:30:15Z"].map(values.dateText), ["2026-08-01 12:30:15.123", "2026-08-01 12:30:15"]);
  expect("bytes of base64", ["", "AA==", "AAE=", "AAEC"].map(values.byteCount), [0, 1, 2, 3]);

  // The model inherits properties, and spreads composites.
  const model = new Model({ version: 1, fingerprint: "f", model: { entities: {
    Person: { abstract: true, attributes: { address: { type: "composite", optional: true, parts: { city: { type: "string" } } }, name: { type: "string" } } },
    Player: { superentity: "Person", attributes: { score: { type: "int64", minimum: 0 } }, relationships: { games: { to: "Game", toMany: true } } },
    Game: { attributes: { title: { type: "string" } }, unique: [["title"]] },
  } } });
  expect("inherited properties", model.entity("Player").properties.map(({ name }) => name), ["address.city", "name", "score", "games"]);
  expect("an optional composite", model.entity("Player").property("address.city").isOptional, true);
  expect("the labels", model.entities.map((entity) => entity.label?.name), ["title", "name", "name"]);
  expect("the tree of entities", model.hierarchy.map(({ entity, depth }) => `${entity.name} ${depth}`), ["Game 0", "Person 0", "Player 1"]);

  // An export has the columns that are shown.
  const shop = new Model({ version: 1, fingerprint: "f", model: { entities: {
    Game: { attributes: { title: { type: "string" }, code: { type: "string" } }, unique: [["title"], ["code"], ["title", "code"]],
      relationships: { players: { to: "Player", toMany: true, inverse: "game" } } },
    Club: { attributes: { name: { type: "string" } }, relationships: { members: { to: "Player", toMany: true, inverse: "club" } } },
    Badge: { attributes: { number: { type: "int64" } }, unique: [["number"]], relationships: { player: { to: "Player", inverse: "badge" } } },
    Player: { attributes: { home: { type: "composite", parts: { city: { type: "string" } } }, age: { type: "int16", transient: true } },
      relationships: { game: { to: "Game", inverse: "players" }, club: { to: "Club", inverse: "members" },
        badge: { to: "Badge", inverse: "player" } } },
  } } });
  const former = session.model;
  session.model = shop;
  expect("the fields of an export", rows.exportFields(shop.entity("Player").properties), ["home.city", "game.code"]);
  expect("the fields of an export of an object with members", rows.exportFields(shop.entity("Game").properties), ["title", "code"]);
  session.model = former;

  // Slow statements, of which the server may hide the text.
  const activity = document.createElement("div");
  activity.append(...activityNodes({
    bytes: null, sessions: [{ pid: 7, program: "app", state: "active", blockers: [], statement: "SELECT ? FROM a" }], limits: ["Sentence."],
    statements: [
      { statement: "UPDATE a SET b = ?", calls: 1500, totalMilliseconds: 2500, meanMicroseconds: 1667 },
      { statement: null, calls: 1, totalMilliseconds: 2, meanMicroseconds: 2000 },
    ],
  }).filter(Boolean));
  const cells = (name) => [...activity.querySelectorAll(`[aria-label="${name}"] td`)].map((cell) => cell.textContent);
  expect("slow statements", cells("Slow statements"),
    ["1,500", "2,500 ms", "1,667 µs", "UPDATE a SET b = ?", "1", "2 ms", "2,000 µs", "hidden"]);
  expect("the statement of a session", cells("Sessions").at(-1), "SELECT ? FROM a");
  expect("what is missing", activity.querySelector(".plain-list").textContent, "Sentence.");

  // Pending changes, their undo, and what is sent.
  const player = { entity: "Player", id: 1, version: 3, properties: { name: "Ann", score: 5, games: [1] } };
  pending.discardAll();
  pending.forget();
  pending.setValue("Player:1", "score", 7, player);
  pending.setMember("Player:1", "games", "Game:2", true, player);
  const added = pending.insert("Game", { title: "Go" });
  expect("the changes, insertions first", pending.changes(), [
    { insert: "Game", as: added, set: { title: "Go" } },
    { update: "Player:1", version: 3, set: { score: 7 }, base: { score: 5 }, add: { games: ["Game:2"] } },
  ]);
  pending.fail([{ place: "changes[1].set.score", object: "Player:1", property: "score", message: "is too high" }]);
  expect("a failure at its property", pending.failuresOf("Player:1", "score").length, 1);
  pending.undo();
  expect("the number of changes after undo", pending.count, 1);
  pending.redo();
  expect("the number of changes after redo", pending.count, 2);
  pending.remove(added, null);
  pending.setMember("Player:1", "games", "Game:2", false, player);
  pending.setValue("Player:1", "score", 5, player);
  expect("a change that was taken back", pending.count, 0);
  pending.setValue("Player:1", "score", 7, player);
  pending.setValue("Player:1", "name", "Bob", player);
  pending.rebase("Player:1", { ...player, version: 4, properties: { name: "Ann", score: 9 } }, (name) => name !== "name");
  expect("a change after a decided conflict", pending.changes(), [{ update: "Player:1", version: 4, set: { score: 7 }, base: { score: 9 } }]);
  pending.forget();

  pending.remove("Player:1", player);
  expect("a deletion with what the person saw", pending.changes(), [{ delete: "Player:1", version: 3, base: { name: "Ann", score: 5 } }]);
  pending.forget();
  pending.setValue("Player:1", "score", 7, player);
  const { entries } = pending;
  pending.remove("Player:2", player);
  pending.forget(entries);
  expect("a change that came while others were saved", pending.changes().map((change) => change.delete), ["Player:2"]);
  expect("the changes to undo after a save", pending.canUndo, false);
  pending.forget();

  // The place of an error.
  const syntax = new APIError(400, {
    message: "the predicate has a syntax error: expected a value.\n    score >\n           ^",
    position: { line: 1, column: 8, text: "score >", clause: "where" },
  });
  expect("an error with a caret in its text", syntax.place, { column: 8, clause: "where", sentence: "expected a value." });
  const known = new APIError(400, { message: "“scor”: Player has no property “scor”.", position: { line: 1, column: 1, text: "scor > 1", clause: "where" } });
  expect("an error with a position", known.place.column, 1);
  return failures;
})();
