import { invalidTransaction, unsupportedTransactionType } from '../failures.ts'
import type { BcsReader } from './bcs-reader.ts'
import { type Executable, readEntryFunction, readScript } from './executable.ts'

/** The content of an unsigned transaction; addresses have 32 bytes. */
export type RawTransaction = TransactionPayload & {
  readonly sender: Uint8Array
  readonly sequenceNumber: bigint
  readonly maxGasAmount: bigint
  readonly gasUnitPrice: bigint
  readonly expirationTimestampSecs: bigint
  readonly chainId: number
}

type TransactionPayload = {
  readonly executable: Executable
  /** The account that acts; undefined where the sender acts itself. */
  readonly multisigAddress: Uint8Array | undefined
  readonly replayProtectionNonce: bigint | undefined
}

/**
 * Reads a `RawTransaction`.
 *
 * @throws Failure `unreadableTransaction`, `invalidTransaction`; `unsupportedTransactionType` for a kind of payload
 *         that is not known here
 * @see    `types/src/transaction/mod.rs` of aptos-core; AIP-129 for the payload with extra configuration
 */
export function readRawTransaction(reader: BcsReader): RawTransaction {
  const sender = reader.address('sender')
  const sequenceNumber = reader.u64('sequence_number')
  return {
    sender,
    sequenceNumber,
    ...readPayload(reader),
    maxGasAmount: reader.u64('max_gas_amount'),
    gasUnitPrice: reader.u64('gas_unit_price'),
    expirationTimestampSecs: reader.u64('expiration_timestamp_secs'),
    chainId: reader.byte('chain_id'),
  }
}

function readPayload(reader: BcsReader): TransactionPayload {
  const variant = reader.uleb128('the payload')
  switch (variant) {
    case SCRIPT:
      return alone(readScript(reader))
    case ENTRY_FUNCTION:
      return alone(readEntryFunction(reader))
    case MULTISIG:
      return readMultisig(reader)
    case WITH_CONFIGURATION:
      return readWithConfiguration(reader)
  }
  throw unsupportedTransactionType({ what: `a payload of number ${variant}` })
}

function alone(executable: Executable): TransactionPayload {
  return { executable, multisigAddress: undefined, replayProtectionNonce: undefined }
}

/** Without a payload of its own it runs the payload that was approved on chain. */
function readMultisig(reader: BcsReader): TransactionPayload {
  const multisigAddress = reader.address('multisig_address')
  const executable = reader.optional('a payload', () => {
    const variant = reader.uleb128('the payload of the multisig account')
    if (variant !== 0) throw unsupportedTransactionType({ what: `a multisig payload of number ${variant}` })
    return readEntryFunction(reader)
  })
  return { ...alone(executable ?? { kind: 'voted' }), multisigAddress }
}

function readWithConfiguration(reader: BcsReader): TransactionPayload {
  const version = reader.uleb128('the version of the payload')
  if (version !== 0) throw unsupportedTransactionType({ what: `a payload of version ${version + 1}` })
  const executable = readExecutable(reader)
  const configuration = reader.uleb128('the configuration')
  // It stands beside the executable: nodes could accept it while policies do not see it.
  if (configuration !== 0)
    throw invalidTransaction({ what: `a configuration of version ${configuration + 1}` })
  const multisigAddress = reader.optional('a multisig_address', () => reader.address('multisig_address'))
  const nonce = reader.optional('a nonce', () => reader.u64('replay_protection_nonce'))
  if (executable.kind === 'voted' && multisigAddress === undefined) {
    throw invalidTransaction({ what: 'the payload has nothing to run' })
  }
  return { executable, multisigAddress, replayProtectionNonce: nonce }
}

function readExecutable(reader: BcsReader): Executable {
  const variant = reader.uleb128('what is run')
  switch (variant) {
    case 0:
      return readScript(reader)
    case 1:
      return readEntryFunction(reader)
    case 2:
      return { kind: 'voted' }
  }
  throw unsupportedTransactionType({ what: `an executable of number ${variant}` })
}

// 1 was a bundle of modules, which nodes no longer accept.
const SCRIPT = 0
const ENTRY_FUNCTION = 2
const MULTISIG = 3
const WITH_CONFIGURATION = 4
