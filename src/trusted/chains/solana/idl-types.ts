import { isJsonObject, type JsonObject, type JsonValue } from '../../base/strict-json.ts'
import { expectList, expectMember, invalidContractInterface, member } from '../invalid-interface.ts'
import { quote } from '../quote.ts'

/** A type of an IDL, with the types that it names resolved. */
export type IdlType =
  | { readonly kind: 'uint' | 'int' | 'float'; readonly bytes: number }
  | { readonly kind: 'bool' | 'bytes' | 'string' | 'publicKey' }
  | { readonly kind: 'option' | 'vec'; readonly of: IdlType }
  | { readonly kind: 'array'; readonly of: IdlType; readonly length: number }
  | { readonly kind: 'struct'; readonly fields: IdlFields }
  | { readonly kind: 'enum'; readonly variants: readonly IdlVariant[] }

export type IdlVariant = { readonly name: string; readonly fields: IdlFields }

/** With names, or by position; a variant or struct without fields has an empty `named`. */
export type IdlFields =
  | { readonly kind: 'named'; readonly named: readonly IdlField[] }
  | { readonly kind: 'tuple'; readonly types: readonly IdlType[] }

export type IdlField = { readonly name: string; readonly type: IdlType }

type Definition = { readonly value: JsonObject; readonly at: string }

/**
 * Reads types of one IDL, of Anchor before 0.30 and since. Types of its list `types` are read when they are first
 * named: an IDL also lists the types of accounts and events, which may exceed the limits for instructions.
 */
export class IdlTypes {
  readonly #definitions: ReadonlyMap<string, Definition>
  readonly #known = new Map<string, { readonly type: IdlType; readonly height: number }>()
  /** Names of the types that are being read, from the outermost to the innermost. */
  readonly #around: string[] = []
  /** How many types are nested in each other, at most, in what was read of the innermost of these. */
  #height = 0

  /**
   * @param value  the member `types` of the IDL
   * @throws       Failure `invalidContractInterface`
   */
  constructor(value: JsonValue | undefined) {
    const definitions = new Map<string, Definition>()
    expectList(value, 'idl.types').forEach((each, index) => {
      const at = `idl.types[${index}]`
      const definition = expectMember(each, at)
      const name = readIdlName(member(definition, 'name'), `${at}.name`)
      if (definitions.has(name)) throw invalidContractInterface({ at, what: `a second type ${quote(name)}` })
      definitions.set(name, { value: definition, at })
    })
    this.#definitions = definitions
  }

  /** A list of `{ name, type }`, where no two have one name. */
  namedFields(value: JsonValue | undefined, at: string): readonly IdlField[] {
    const names = new Set<string>()
    return expectList(value, at).map((each, index) => {
      const place = `${at}[${index}]`
      const field = expectMember(each, place)
      const name = readIdlName(member(field, 'name'), `${place}.name`)
      if (names.has(name)) throw invalidContractInterface({ at: place, what: `a second ${quote(name)}` })
      names.add(name)
      return { name, type: this.#type(member(field, 'type'), `${place}.type`, 0) }
    })
  }

  #type(value: JsonValue | undefined, at: string, depth: number): IdlType {
    if (value === undefined) throw invalidContractInterface({ at, what: 'missing' })
    if (depth === DEPTH_MAX) {
      throw invalidContractInterface({ at, what: `types nested deeper than ${DEPTH_MAX}` })
    }
    if (typeof value === 'string') {
      const known = ELEMENTARY.get(value)
      if (known !== undefined) return known
      throw invalidContractInterface({ at, what: `unknown type ${quote(value)}` })
    }
    if (isJsonObject(value)) {
      const [kind, ...others] = Object.keys(value)
      const inner = kind === undefined || others.length > 0 ? undefined : value[kind]
      if (kind !== undefined && inner !== undefined)
        return this.#compound(kind, inner, `${at}.${kind}`, depth)
    }
    throw invalidContractInterface({ at, what: 'expected a type' })
  }

  #compound(kind: string, value: JsonValue, at: string, depth: number): IdlType {
    switch (kind) {
      case 'vec':
      case 'option':
        return { kind, of: this.#type(value, at, depth + 1) }
      case 'array': {
        const [of, length, ...others] = expectList(value, at)
        if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < 0 || others.length > 0) {
          throw invalidContractInterface({ at, what: 'expected a type and a length' })
        }
        return { kind, of: this.#type(of, `${at}[0]`, depth + 1), length }
      }
      case 'defined':
        return this.#defined(value, at)
      default:
        throw invalidContractInterface({ at, what: `unknown type ${quote(kind)}` })
    }
  }

  /** `"Name"`, or since 0.30 `{ "name": "Name" }`. */
  #defined(value: JsonValue, at: string): IdlType {
    const name = isJsonObject(value) ? member(value, 'name') : value
    if (isJsonObject(value)) refuseGenerics(value, at)
    const definition = typeof name === 'string' ? this.#definitions.get(name) : undefined
    if (typeof name !== 'string' || definition === undefined) {
      throw invalidContractInterface({ at, what: `no type ${quote(name ?? null)} among the types` })
    }
    const known = this.#known.get(name)
    if (this.#around.includes(name)) {
      throw invalidContractInterface({ at, what: `the type ${quote(name)} contains itself` })
    }
    // A value is as deep as its types, whichever of them was read first.
    if (this.#around.length + (known?.height ?? 1) > DEPTH_MAX) {
      throw invalidContractInterface({ at, what: `types nested deeper than ${DEPTH_MAX}` })
    }
    const { type, height } = known ?? this.#read(name, definition)
    this.#height = Math.max(this.#height, height)
    return type
  }

  #read(name: string, { value, at }: Definition): { readonly type: IdlType; readonly height: number } {
    const heightBeside = this.#height
    this.#height = 0
    this.#around.push(name)
    const type = this.#definition(value, at)
    this.#around.pop()
    const read = { type, height: this.#height + 1 }
    this.#height = heightBeside
    this.#known.set(name, read)
    return read
  }

  #definition(definition: JsonObject, at: string): IdlType {
    refuseGenerics(definition, at)
    const serialization = member(definition, 'serialization') ?? 'borsh'
    if (serialization !== 'borsh') {
      throw invalidContractInterface({ at, what: `unknown serialization ${quote(serialization)}` })
    }
    const place = `${at}.type`
    const body = expectMember(member(definition, 'type') ?? null, place)
    const kind = member(body, 'kind')
    switch (kind) {
      case 'struct':
        return { kind, fields: this.#fields(member(body, 'fields'), `${place}.fields`) }
      case 'enum':
        return { kind, variants: this.#variants(member(body, 'variants'), `${place}.variants`) }
      case 'alias':
        return this.#type(member(body, 'value'), `${place}.value`, 0)
      case 'type':
        return this.#type(member(body, 'alias'), `${place}.alias`, 0)
      default:
        throw invalidContractInterface({ at: `${place}.kind`, what: `unknown kind ${quote(kind ?? null)}` })
    }
  }

  #variants(value: JsonValue | undefined, at: string): readonly IdlVariant[] {
    const listed = expectList(value, at)
    if (listed.length > VARIANTS_MAX) {
      throw invalidContractInterface({ at, what: `more than ${VARIANTS_MAX} variants` })
    }
    const names = new Set<string>()
    return listed.map((each, index) => {
      const place = `${at}[${index}]`
      const variant = expectMember(each, place)
      const name = readIdlName(member(variant, 'name'), `${place}.name`)
      if (names.has(name)) throw invalidContractInterface({ at: place, what: `a second ${quote(name)}` })
      names.add(name)
      return { name, fields: this.#fields(member(variant, 'fields'), `${place}.fields`) }
    })
  }

  #fields(value: JsonValue | undefined, at: string): IdlFields {
    const listed = expectList(value ?? [], at)
    const first = listed[0]
    const isNamed = first === undefined || (isJsonObject(first) && Object.hasOwn(first, 'name'))
    if (isNamed) return { kind: 'named', named: this.namedFields(listed, at) }
    return {
      kind: 'tuple',
      types: listed.map((each, index) => this.#type(each, `${at}[${index}]`, 0)),
    }
  }
}

/** @throws Failure `invalidContractInterface` */
export function readIdlName(value: JsonValue | undefined, at: string): string {
  if (typeof value === 'string' && NAME.test(value)) return value
  throw invalidContractInterface({
    at,
    what: value === undefined ? 'missing' : `${quote(value)} is not a name`,
  })
}

function refuseGenerics(object: JsonObject, at: string): void {
  const generics = member(object, 'generics')
  if (generics !== undefined && expectList(generics, `${at}.generics`).length > 0) {
    throw invalidContractInterface({ at: `${at}.generics`, what: 'generic types are not supported' })
  }
}

const ELEMENTARY: ReadonlyMap<string, IdlType> = new Map<string, IdlType>([
  ...[1, 2, 4, 8, 16].flatMap((bytes): [string, IdlType][] => [
    [`u${bytes * 8}`, { kind: 'uint', bytes }],
    [`i${bytes * 8}`, { kind: 'int', bytes }],
  ]),
  ['f32', { kind: 'float', bytes: 4 }],
  ['f64', { kind: 'float', bytes: 8 }],
  ['bool', { kind: 'bool' }],
  ['bytes', { kind: 'bytes' }],
  ['string', { kind: 'string' }],
  ['publicKey', { kind: 'publicKey' }],
  ['pubkey', { kind: 'publicKey' }], // since Anchor 0.30
])

const NAME = /^[!-~]{1,256}$/ // printable ASCII but space
const DEPTH_MAX = 16
const VARIANTS_MAX = 256 // a variant is told by one byte
