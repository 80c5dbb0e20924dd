import { toHex } from '../../../trusted/base/bytes.ts'
import { checksummed } from '../../../trusted/crypto/eip55.ts'
import { ethereum } from '../../../trusted/chains/ethereum/ethereum.ts'
import { parseTypedData, type TypedData } from '../../../trusted/chains/ethereum/eip712.ts'
import type { TypedStruct, TypedValue } from '../../../trusted/chains/ethereum/eip712-values.ts'
import { type Fact, fact, type Reading } from '../fact.ts'
import { textFact } from '../leaves.ts'
import { Unreadable } from '../request.ts'
import { quoted, visible } from '../visible.ts'
import type { ChainWords } from './chain-words.ts'
import { networkOf } from './evm-networks.ts'
import { safeWords } from './safe-words.ts'

/** The words of Ethereum for typed data (EIP-712), which transactions do not need. */
export const typedDataWords: ChainWords = {
  chain: ethereum,
  encoded: { eip_712: saidTypedData },
  say: () => {
    throw new Unreadable('a transaction of its type is not read here')
  },
}

/**
 * The facts of typed data: the whole domain, the whole message and the types, without omission.
 *
 * @throws Failure for typed data that cannot be read completely
 */
function saidTypedData(payload: string, signWith: string): Reading {
  const data = parseTypedData(payload)
  const contract = data.domain.fields.get('verifyingContract')
  const chainId = data.domain.fields.get('chainId')
  const where = contract?.kind === 'address' ? checksummed(contract.address) : 'NO contract'
  const on = chainId?.kind === 'integer' ? networkOf(chainId.integer).name : 'EVERY chain'
  const safe = safeWords(data)
  const meant = safe ?? permitWords(data, where)
  return {
    sentence: `On ${on}: sign typed data ${quoted(data.primaryType)} for ${where}. ${meant.sentence}`,
    facts: [
      fact('Chain', on),
      fact('Contract', where, { nameable: where }),
      fact('Type', visible(data.primaryType)),
      fact('Signed with', signWith, { nameable: signWith }),
      ...(safe?.facts ?? []),
      ...structFacts(data.domain, 'domain'),
      ...structFacts(data.message, 'message'),
      ...[...data.types].flatMap(([name, fields]) =>
        fields.length === 0
          ? [fact(`type ${visible(name)}`, '(nothing)')]
          : fields.map((field, index) =>
              fact(`type ${visible(name)}[${index}]`, visible(`${field.typeText} ${field.name}`)),
            ),
      ),
    ],
    dangers: safe === undefined ? meant.dangers : [EVERYWHERE, ...safe.dangers],
    unknowable: safe?.unknowable ?? [],
  }
}

/**
 * A signature that others submit to the chain: it moves nothing itself, but permits them to make the described
 * transfers.
 */
function permitWords(
  { primaryType, message }: TypedData,
  contract: string,
): Pick<Reading, 'sentence' | 'dangers'> {
  const spender = addressIn(message, 'spender') ?? addressIn(message, 'operator')
  if (spender === undefined || !/permit|allow|approv/i.test(primaryType))
    return { sentence: 'It can be worth as much as a payment.', dangers: [EVERYWHERE] }
  const amount = amountIn(message)
  const isUnlimited = amount === undefined || amount < 0n || amount >= UNLIMITED_FROM
  const what = isUnlimited ? 'tokens WITHOUT LIMIT' : `${amount} smallest units`
  return {
    sentence: `It lets ${spender} take ${what}, by a permit of ${contract}.`,
    dangers: [
      EVERYWHERE,
      `${spender} may take ${isUnlimited ? 'ALL of these tokens' : 'these tokens'} without a transaction of yours.`,
    ],
  }
}

const EVERYWHERE =
  'A signature of typed data can be worth as much as a payment: others can submit it to the chain.'

function addressIn({ fields }: TypedStruct, name: string): string | undefined {
  const value = fields.get(name)
  return value?.kind === 'address' ? checksummed(value.address) : undefined
}

/**
 * The limit of a permit: the only amount of a flat message. Any other message has no limit here. For example, Permit2
 * has its amount in a struct, and its caller names a further field, which may be called `value`.
 */
function amountIn({ fields }: TypedStruct): bigint | undefined {
  const isFlat = [...fields.values()].every(({ kind }) => kind !== 'struct' && kind !== 'array')
  const found = ['value', 'amount'].flatMap((name) => {
    const value = fields.get(name)
    return value?.kind === 'integer' ? [value.integer] : []
  })
  return isFlat && found.length === 1 ? found[0] : undefined
}

function structFacts({ fields }: TypedStruct, path: string): readonly Fact[] {
  if (fields.size === 0) return [fact(path, '(nothing)')]
  return [...fields].flatMap(([name, value]) => valueFacts(value, `${path}.${visible(name)}`))
}

function valueFacts(value: TypedValue, path: string): readonly Fact[] {
  switch (value.kind) {
    case 'integer':
      return [fact(path, String(value.integer))]
    case 'bool':
      return [fact(path, String(value.bool))]
    case 'string':
      return [textFact(path, value.string)]
    case 'address': {
      const address = checksummed(value.address)
      return [fact(path, address, { nameable: address })]
    }
    case 'bytes':
    case 'fixedBytes':
      return [fact(path, `0x${toHex(value.bytes)}`)]
    case 'array':
      return value.elements.length === 0
        ? [fact(path, '(empty list)')]
        : value.elements.flatMap((element, index) => valueFacts(element, `${path}[${index}]`))
    case 'struct':
      return structFacts(value, path)
  }
}

const UNLIMITED_FROM = 2n ** 95n
