// The model of the store: entities with the properties that they inherit.

/** A property of an entity; parts of a composite are properties named `address.city`. */
class Property {
  constructor(name, kind, declaration, entity) {
    this.name = name;
    this.kind = kind;
    this.entity = entity;
    this.declaration = declaration;
  }

  get isAttribute() { return this.kind === "attribute"; }
  get isReference() { return this.kind === "relationship" && !this.declaration.toMany; }
  get isToMany() { return this.kind === "relationship" && Boolean(this.declaration.toMany); }
  get destination() { return this.declaration.to ?? null; }
  get inverse() { return this.declaration.inverse ?? null; }
  get type() { return this.isAttribute ? this.declaration.type : this.destination; }
  get isOptional() { return Boolean(this.declaration.optional); }
  get isDerived() { return this.declaration.derived !== undefined; }
  get isEditable() { return !this.isDerived && !this.declaration.transient; }
  get isNumeric() { return ["int16", "int32", "int64", "float", "double", "decimal"].includes(this.type); }
  get isText() { return this.type === "string" || this.type === "url"; }
  get isSortable() { return this.isAttribute && this.type !== "codable" && this.type !== "data"; }
  get hasDefault() { return this.declaration.default !== undefined || this.declaration.generated !== undefined; }

  /** The type as a person reads it: `decimal(20, 4)`, `Game`, `many Player`. */
  get typeText() {
    if (this.isToMany) return `many ${this.destination}`;
    if (this.type === "decimal") return `decimal(${this.declaration.precision}, ${this.declaration.scale})`;
    return this.type === "codable" ? "json" : this.type;
  }

  /** The rules in words. */
  get rules() {
    const { minimum, maximum, minimumLength, maximumLength, pattern, derived, generated, deleteRule } = this.declaration;
    return [
      this.isOptional || this.isToMany ? null : "required",
      minimum !== undefined || maximum !== undefined ? `${minimum ?? ""}…${maximum ?? ""}` : null,
      minimumLength !== undefined || maximumLength !== undefined ? `length ${minimumLength ?? 0}…${maximumLength ?? ""}` : null,
      pattern ? `pattern ${pattern}` : null,
      derived ? "derived" : null,
      generated ? `default: ${generated === "now" ? "now" : "new UUID"}` : null,
      this.declaration.default !== undefined ? `default: ${this.declaration.default}` : null,
      deleteRule ? `delete: ${deleteRule}` : null,
    ].filter(Boolean);
  }
}

/** An entity of the model. */
class Entity {
  constructor(name, declaration, model) {
    this.name = name;
    this.declaration = declaration;
    this.model = model;
  }

  get isAbstract() { return Boolean(this.declaration.abstract); }
  get superentity() { return this.declaration.superentity ? this.model.entity(this.declaration.superentity) : null; }
  get subentities() { return this.model.entities.filter((entity) => entity.declaration.superentity === this.name); }
  get unique() { return [...(this.superentity?.unique ?? []), ...(this.declaration.unique ?? [])]; }

  /** The properties with those of the superentities, which come first. */
  get properties() {
    this.cached ??= [...(this.superentity?.properties ?? []), ...this.ownProperties()];
    return this.cached;
  }

  ownProperties() {
    const attributes = Object.entries(this.declaration.attributes ?? {}).flatMap(([name, declaration]) => this.parts(name, declaration));
    const relationships = Object.entries(this.declaration.relationships ?? {})
      .map(([name, declaration]) => new Property(name, "relationship", declaration, this));
    return [...attributes, ...relationships];
  }

  parts(name, declaration) {
    if (declaration.type !== "composite") return [new Property(name, "attribute", declaration, this)];
    return Object.entries(declaration.parts ?? {}).flatMap(([part, inner]) =>
      this.parts(`${name}.${part}`, declaration.optional ? { ...inner, optional: true } : inner));
  }

  property(name) { return this.properties.find((property) => property.name === name) ?? null; }

  /** The attribute by which people distinguish objects: a unique text, then a required one, then any text. */
  get label() {
    const texts = this.properties.filter((property) => property.type === "string" && !property.name.includes("."));
    const unique = new Set(this.unique.filter((names) => names.length === 1).map((names) => names[0]));
    return texts.find((property) => unique.has(property.name)) ?? texts.find((property) => ["name", "title"].includes(property.name))
      ?? texts.find((property) => !property.isOptional) ?? texts[0] ?? null;
  }
}

/** The model that `model show` prints. */
export class Model {
  constructor(document) {
    this.fingerprint = document.fingerprint;
    this.version = document.version;
    this.entities = Object.entries(document.model?.entities ?? {})
      .map(([name, declaration]) => new Entity(name, declaration, this))
      .sort((first, second) => first.name.localeCompare(second.name));
  }

  entity(name) { return this.entities.find((entity) => entity.name === name) ?? null; }

  /** The entities as a tree in one list: each with its depth below the entities without a superentity. */
  get hierarchy() {
    const rows = [];
    const visit = (entity, depth) => {
      rows.push({ entity, depth });
      entity.subentities.forEach((subentity) => visit(subentity, depth + 1));
    };
    this.entities.filter((entity) => !entity.superentity).forEach((entity) => visit(entity, 0));
    return rows;
  }
}

/** The parts of an object's name such as `Player:12`. */
export function partsOf(object) {
  const colon = object.lastIndexOf(":");
  return { entity: object.slice(0, colon), key: object.slice(colon + 1) };
}
