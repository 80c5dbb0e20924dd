import { keccak_256 } from '@noble/hashes/sha3.js'
import { toHex, utf8 } from '../../base/bytes.ts'
import { costs } from '../../base/costs.ts'
import type { JsonObject, JsonValue } from '../../base/strict-json.ts'
import { finished, type Steps } from '../../base/work.ts'
import {
  expectList,
  expectMember,
  invalidContractInterface,
  member,
  readInterfaceJson,
} from '../invalid-interface.ts'
import { quote } from '../quote.ts'
import type { SeenFields, SeenValue } from '../transaction.ts'
import { decodeAbi } from './abi-decode.ts'
import { type AbiType, readAbiType } from './abi-types.ts'

/** The functions of a contract by selector: `0x` and 8 lowercase hex digits. */
type EthereumInterface = ReadonlyMap<string, AbiFunction>

type AbiFunction = {
  readonly name: string
  readonly inputs: readonly { readonly name: string; readonly type: AbiType }[]
}

/** A call of a function that the interface has. */
export type ContractCall = {
  readonly functionName: string
  /** `0x` and 4 bytes of lowercase hex. */
  readonly functionSignature: string
  /**
   * By the names in the interface; parameters without a name are left out. Empty when the data after the selector is
   * not exactly an encoder's output: a rule that names an argument then fails, so that no DENY policy is skipped.
   */
  readonly args: SeenFields
}

/**
 * The call in the data of a transaction.
 *
 * @param contract  the result of `readEthereumInterface`, or the text of an ABI, which is then read first
 * @returns         undefined when there is no selector in the data, or no function has it
 * @throws          Failure `invalidContractInterface` for a text that `readEthereumInterface` refuses
 */
export function readCall(contract: string | EthereumInterface, data: Uint8Array): ContractCall | undefined {
  return finished(callSteps(contract, data))
}

/** The same in steps. */
export function* callSteps(
  contract: string | EthereumInterface,
  data: Uint8Array,
): Steps<ContractCall | undefined> {
  if (data.length < SELECTOR_BYTES) return undefined
  const functionSignature = `0x${toHex(data.subarray(0, SELECTOR_BYTES))}`
  const called =
    typeof contract === 'string'
      ? yield* findFunction(contract, functionSignature)
      : contract.get(functionSignature)
  if (called === undefined) return undefined
  return { functionName: called.name, functionSignature, args: readArguments(called, data) }
}

/**
 * Reads the ABI of a contract, and refuses an ambiguous one, in which a call could be of two functions. Entries other
 * than functions are ignored. The result may be cached while the text stays the same.
 *
 * @throws Failure `invalidContractInterface`
 * @see    Solidity documentation, "Contract ABI Specification", sections "Function Selector" and "JSON"
 */
export function readEthereumInterface(text: string): EthereumInterface {
  return finished(ethereumInterfaceSteps(text))
}

/** The same in steps. */
export function* ethereumInterfaceSteps(text: string): Steps<EthereumInterface> {
  const functions = new Map<string, AbiFunction>()
  yield text.length * costs.interfaceCharacter
  for (const { at, read } of functionsOf(text)) {
    const selector = yield* selectorOf(read)
    const earlier = functions.get(selector)
    if (earlier === undefined) functions.set(selector, read)
    else if (!isSame(earlier, read)) {
      const what = `${read.name} has the selector ${selector} of another function, ${earlier.name}`
      throw invalidContractInterface({ at, what })
    }
  }
  return functions
}

/** Stops at the first match, because selectors are unique: hashing is most of the work. */
function* findFunction(text: string, wanted: string): Steps<AbiFunction | undefined> {
  yield text.length * costs.interfaceCharacter
  for (const { read } of functionsOf(text)) if ((yield* selectorOf(read)) === wanted) return read
  return undefined
}

function* functionsOf(text: string): Generator<{ readonly at: string; readonly read: AbiFunction }> {
  let index = 0
  for (const value of expectList(readInterfaceJson(text, 'abi'), 'abi')) {
    const at = `abi[${index++}]`
    const entry = expectMember(value, at)
    if (kindOf(entry, at) !== 'function') continue
    yield { at, read: readFunction(entry, at) }
  }
}

function readArguments({ inputs }: AbiFunction, data: Uint8Array): SeenFields {
  const types = inputs.map(({ type }) => type)
  const values = decodeAbi(types, data.subarray(SELECTOR_BYTES))
  if (values === undefined) return {}
  const named: [string, SeenValue | undefined][] = []
  inputs.forEach(({ name }, index) => {
    if (name !== '') named.push([name, values[index]])
  })
  return Object.fromEntries(named)
}

/** An entry without a type is a function. */
function kindOf(entry: JsonObject, at: string): string {
  const kind = member(entry, 'type') ?? 'function'
  if (typeof kind === 'string' && ENTRY_TYPES.has(kind)) return kind
  throw invalidContractInterface({ at: `${at}.type`, what: `unknown entry type ${quote(kind)}` })
}

function readFunction(entry: JsonObject, at: string): AbiFunction {
  const name = readName(member(entry, 'name'), `${at}.name`)
  if (name === '') throw invalidContractInterface({ at: `${at}.name`, what: 'a function without a name' })
  const names = new Set<string>()
  const inputs = expectList(member(entry, 'inputs'), `${at}.inputs`).map((value, index) => {
    const place = `${at}.inputs[${index}]`
    const input = expectMember(value, place)
    const inputName = readName(member(input, 'name') ?? '', `${place}.name`)
    if (names.has(inputName)) {
      throw invalidContractInterface({ at: place, what: `a second parameter named ${quote(inputName)}` })
    }
    if (inputName !== '') names.add(inputName)
    return { name: inputName, type: readAbiType(input, place) }
  })
  return { name, inputs }
}

function readName(value: JsonValue | undefined, at: string): string {
  if (typeof value === 'string' && NAME.test(value)) return value
  throw invalidContractInterface({
    at,
    what: value === undefined ? 'missing' : `${quote(value)} is not a name`,
  })
}

function* selectorOf({ name, inputs }: AbiFunction): Steps<string> {
  const signature = `${name}(${inputs.map(({ type }) => type.text).join(',')})`
  yield costs.abiFunction + signature.length * costs.keccakByte
  return `0x${toHex(keccak_256(utf8(signature)).subarray(0, SELECTOR_BYTES))}`
}

/** Merged interfaces list a function more than once; it has to be the same each time. */
function isSame(abiFunction: AbiFunction, other: AbiFunction): boolean {
  return (
    abiFunction.name === other.name &&
    abiFunction.inputs.length === other.inputs.length &&
    abiFunction.inputs.every(
      ({ name, type }, index) =>
        name === other.inputs[index]?.name && type.text === other.inputs[index]?.type.text,
    )
  )
}

const SELECTOR_BYTES = 4
const ENTRY_TYPES: ReadonlySet<string> = new Set([
  'function',
  'constructor',
  'receive',
  'fallback',
  'event',
  'error',
])
const NAME = /^(?:[A-Za-z_$][A-Za-z0-9_$]{0,255})?$/
