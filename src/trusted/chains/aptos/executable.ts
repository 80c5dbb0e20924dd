import { invalidTransaction } from '../failures.ts'
import { ADDRESS_LENGTH, type BcsReader } from './bcs-reader.ts'
import { shownAddress } from './move-address.ts'
import { readIdentifier, readTypeTag, TYPE_ARGUMENTS_MAX } from './type-tag.ts'

/** The code that a transaction runs. Arguments are in BCS; for `voted`, the payload is stored on chain. */
export type Executable =
  | {
      readonly kind: 'entryFunction'
      /** `0x1::aptos_account::transfer` */
      readonly name: string
      readonly typeArguments: readonly string[]
      readonly args: readonly Uint8Array[]
    }
  | {
      readonly kind: 'script'
      readonly code: Uint8Array
      readonly typeArguments: readonly string[]
      readonly args: readonly Uint8Array[]
    }
  | { readonly kind: 'voted' }

export function readEntryFunction(reader: BcsReader): Executable {
  const address = shownAddress(reader.address('the module'))
  const module = readIdentifier(reader, 'the module')
  const name = `${address}::${module}::${readIdentifier(reader, 'the function')}`
  const typeArguments = readTypeArguments(reader)
  const args = reader.list('arguments', ARGUMENTS_MAX, (index) => reader.bytes(`arguments[${index}]`))
  return { kind: 'entryFunction', name, typeArguments, args }
}

export function readScript(reader: BcsReader): Executable {
  const code = reader.bytes('the script')
  const typeArguments = readTypeArguments(reader)
  const args = reader.list('arguments', ARGUMENTS_MAX, (index) =>
    readScriptArgument(reader, `arguments[${index}]`),
  )
  return { kind: 'script', code, typeArguments, args }
}

function readTypeArguments(reader: BcsReader): readonly string[] {
  return reader.list('type arguments', TYPE_ARGUMENTS_MAX, (index) =>
    readTypeTag(reader, `type_arguments[${index}]`),
  )
}

/** The value alone; the script knows its type. */
function readScriptArgument(reader: BcsReader, what: string): Uint8Array {
  const variant = reader.uleb128(what)
  if (variant === BYTES || variant === SERIALIZED) return reader.bytes(what)
  if (variant === BOOL) return Uint8Array.of(reader.bool(what) ? 1 : 0)
  const length = LENGTHS.get(variant)
  if (length === undefined) throw invalidTransaction({ what: `${what} is a value of number ${variant}` })
  return reader.take(length, what)
}

/** The highest number of arguments that the chain allows. */
const ARGUMENTS_MAX = 128
const BYTES = 4
const BOOL = 5
const SERIALIZED = 9
/** In bytes, by the number of the type. */
const LENGTHS: ReadonlyMap<number, number> = new Map([
  [0, 1],
  [1, 8],
  [2, 16],
  [3, ADDRESS_LENGTH],
  [6, 2],
  [7, 4],
  [8, 32],
  [10, 1],
  [11, 2],
  [12, 4],
  [13, 8],
  [14, 16],
  [15, 32],
])
