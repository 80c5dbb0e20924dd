import { sha256 } from '@noble/hashes/sha2.js'
import { toHex, utf8 } from '../../base/bytes.ts'
import type { JsonObject, JsonValue } from '../../base/strict-json.ts'
import {
  expectList,
  expectMember,
  invalidContractInterface,
  member,
  readInterfaceJson,
} from '../invalid-interface.ts'
import { quote } from '../quote.ts'
import type { SeenFields } from '../transaction.ts'
import { decodeBorsh } from './idl-decode.ts'
import { type IdlField, IdlTypes, readIdlName } from './idl-types.ts'

/** The instructions of a program, from its IDL. */
export type SolanaInterface = {
  /** Base58; undefined when the IDL does not name its program. */
  readonly programId: string | undefined
  /** By discriminator, lowercase hex. */
  readonly instructions: ReadonlyMap<string, IdlInstruction>
  /** The lengths of the discriminators in bytes, each once. */
  readonly discriminatorLengths: readonly number[]
}

type IdlInstruction = {
  readonly name: string
  /** Lowercase hex of at least one byte; not a prefix of another discriminator of the interface. */
  readonly discriminator: string
  /** In order; an account of a group is `group.account`. */
  readonly accountNames: readonly string[]
  readonly args: readonly IdlField[]
}

/** An instruction, read with an interface. */
type ReadInstruction = {
  readonly instructionName: string
  /** Lowercase hex. */
  readonly discriminator: string
  /** By the names in the interface; accounts without a name and names without an account are left out. */
  readonly namedAccounts: SeenFields
  /**
   * By the names in the interface. Empty when the data after the discriminator is not exactly an encoder's output: a
   * rule that names an argument then fails, so that no DENY policy is skipped.
   */
  readonly programCallArgs: SeenFields
}

/**
 * An instruction of a transaction, as the interface of its program reads it.
 *
 * @param contract  the result of `readSolanaInterface`, or the text of an IDL, which is then read first
 * @param accounts  accounts of the instruction, in order, as policies see them
 * @returns         undefined when no instruction of the interface has this discriminator, or the interface is another
 *                  program's
 * @throws          Failure `invalidContractInterface` for a text that `checkSolanaInterface` refuses
 */
export function readInstruction(
  contract: string | SolanaInterface,
  programId: string,
  data: Uint8Array,
  accounts: readonly string[],
): ReadInstruction | undefined {
  const program = typeof contract === 'string' ? readSolanaInterface(contract) : contract
  if (program.programId !== undefined && program.programId !== programId) return undefined
  const called = calledBy(data, program)
  if (called === undefined) return undefined
  const { name, discriminator, accountNames, args } = called
  const named = accountNames
    .slice(0, accounts.length)
    .map((accountName, index) => [accountName, accounts[index]] as const)
  return {
    instructionName: name,
    discriminator,
    namedAccounts: Object.fromEntries(named),
    programCallArgs: decodeBorsh(args, data.subarray(discriminator.length / 2)) ?? {},
  }
}

/**
 * Refuses a text that is not an IDL of this program, or in which a call could be of two instructions.
 *
 * @throws Failure `invalidContractInterface`
 */
export function checkSolanaInterface(text: string, programId: string): void {
  const named = readSolanaInterface(text).programId
  if (named === undefined || named === programId) return
  throw invalidContractInterface({ at: 'idl.address', what: `is of the program ${quote(named)}` })
}

/**
 * Reads an Anchor IDL: the instructions and the types that they use. The result may be cached while the text stays the
 * same.
 *
 * @throws Failure `invalidContractInterface`
 * @see    Anchor documentation, "IDL" and "Discriminators"
 */
export function readSolanaInterface(text: string): SolanaInterface {
  const idl = expectMember(readInterfaceJson(text, 'idl'), 'idl')
  const types = new IdlTypes(member(idl, 'types'))
  const instructions = expectList(member(idl, 'instructions'), 'idl.instructions').map((value, index) => {
    const at = `idl.instructions[${index}]`
    return readIdlInstruction(expectMember(value, at), types, at)
  })
  refuseAmbiguous(instructions)
  const address = member(idl, 'address')
  return {
    programId: address === undefined ? undefined : readIdlName(address, 'idl.address'),
    instructions: new Map(instructions.map((each) => [each.discriminator, each])),
    discriminatorLengths: [...new Set(instructions.map(({ discriminator }) => discriminator.length / 2))],
  }
}

function calledBy(
  data: Uint8Array,
  { instructions, discriminatorLengths }: SolanaInterface,
): IdlInstruction | undefined {
  for (const length of discriminatorLengths) {
    const called = instructions.get(toHex(data.subarray(0, length)))
    if (called !== undefined) return called
  }
  return undefined
}

function readIdlInstruction(instruction: JsonObject, types: IdlTypes, at: string): IdlInstruction {
  const name = readIdlName(member(instruction, 'name'), `${at}.name`)
  if (member(instruction, 'discriminant') !== undefined) {
    // A Shank IDL: the program's discriminators are not those that Anchor would derive.
    throw invalidContractInterface({ at: `${at}.discriminant`, what: 'is not of an IDL of Anchor' })
  }
  const accountNames = readAccountNames(member(instruction, 'accounts'), `${at}.accounts`, 0)
  const seen = new Set<string>()
  for (const each of accountNames) {
    if (seen.has(each)) {
      throw invalidContractInterface({ at: `${at}.accounts`, what: `a second account ${quote(each)}` })
    }
    seen.add(each)
  }
  return {
    name,
    discriminator: readDiscriminator(member(instruction, 'discriminator'), name, `${at}.discriminator`),
    accountNames,
    args: types.namedFields(member(instruction, 'args'), `${at}.args`),
  }
}

/** An entry with `accounts` of its own is a group. Constraints on accounts are ignored, under either set of names. */
function readAccountNames(value: JsonValue | undefined, at: string, depth: number): readonly string[] {
  if (depth === DEPTH_MAX) {
    throw invalidContractInterface({ at, what: `groups nested deeper than ${DEPTH_MAX}` })
  }
  return expectList(value, at).flatMap((each, index) => {
    const place = `${at}[${index}]`
    const account = expectMember(each, place)
    const name = readIdlName(member(account, 'name'), `${place}.name`)
    const inner = member(account, 'accounts')
    if (inner === undefined) return [name]
    return readAccountNames(inner, `${place}.accounts`, depth + 1).map((innerName) => `${name}.${innerName}`)
  })
}

function readDiscriminator(value: JsonValue | undefined, name: string, at: string): string {
  if (value === undefined) return toHex(anchorDiscriminator(name))
  const listed = expectList(value, at)
  const bytes = listed.filter(isByte)
  if (bytes.length !== listed.length || bytes.length === 0 || bytes.length > DISCRIMINATOR_BYTES_MAX) {
    throw invalidContractInterface({ at, what: `expected 1 to ${DISCRIMINATOR_BYTES_MAX} bytes` })
  }
  return toHex(Uint8Array.from(bytes))
}

/** The first 8 bytes of SHA-256 of `global:` and the name in snake case (older IDLs have it in camel case). */
function anchorDiscriminator(name: string): Uint8Array {
  const snakeName = name.replace(/(?<=[^_])[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
  return sha256(utf8(`global:${snakeName}`)).subarray(0, 8)
}

function refuseAmbiguous(instructions: readonly IdlInstruction[]): void {
  // In byte order, a discriminator with another as its prefix follows it directly, or follows one with the same prefix.
  const ordered = instructions.toSorted((a, b) => (a.discriminator < b.discriminator ? -1 : 1))
  ordered.forEach(({ discriminator, name }, index) => {
    const next = ordered[index + 1]
    if (next?.discriminator.startsWith(discriminator) !== true) return
    const what = `the discriminators of ${quote(name)} and ${quote(next.name)} begin alike`
    throw invalidContractInterface({ at: 'idl.instructions', what })
  })
}

function isByte(value: JsonValue): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255
}

const DISCRIMINATOR_BYTES_MAX = 32
const DEPTH_MAX = 8
