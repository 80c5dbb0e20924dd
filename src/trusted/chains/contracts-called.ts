import { fromHex } from '../base/bytes.ts'
import { Failure } from '../base/failure.ts'
import { chains } from './list.ts'
import { type RawPayload, structuredEncoding } from './payload.ts'
import { rawBytes } from './raw-bytes.ts'
import { transactionRule, type TransactionType } from './read-transaction.ts'
import { unprefixed } from './unprefixed.ts'

/**
 * The called contracts and programs for which an interface may be uploaded: Ethereum addresses in lowercase, Solana
 * addresses in base58. Empty where the transaction cannot be read; the later reading gives the reason.
 */
export function contractsCalled(type: TransactionType, unsignedTransaction: string): readonly string[] {
  const rule = transactionRule(type)
  if (rule.contractsCalled === undefined) return []
  const bytes = fromHex(unprefixed(unsignedTransaction))
  return bytes === undefined ? [] : orNone(() => rule.contractsCalled?.(bytes))
}

/** The same for raw bytes that are such a transaction before hashing. */
export function contractsCalledIn(raw: Pick<RawPayload, 'payload' | 'encoding' | 'hashFunction'>) {
  if (structuredEncoding(raw.encoding) !== undefined) return []
  const rules = rulesByHashFunction.get(raw.hashFunction) ?? []
  return rules.flatMap((rule) => orNone(() => rule.contractsCalled?.(rawBytes(raw))))
}

const rulesByHashFunction = Map.groupBy(
  chains.flatMap(({ payload }) => (payload?.contractsCalled === undefined ? [] : [payload])),
  ({ hashFunction }) => hashFunction,
)

function orNone(read: () => readonly string[] | undefined): readonly string[] {
  try {
    return read() ?? []
  } catch (error) {
    if (error instanceof Failure) return []
    throw error
  }
}
