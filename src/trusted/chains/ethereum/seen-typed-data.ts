import { toHex } from '../../base/bytes.ts'
import { caseless } from '../../base/caseless.ts'
import { checksummed } from '../../crypto/eip55.ts'
import { type SeenFields, type SeenValue, UNANSWERABLE } from '../transaction.ts'
import type { TypedData } from './eip712.ts'
import type { TypedStruct, TypedValue } from './eip712-values.ts'

/**
 * `eth.eip_712` of the policy language: `primary_type`, `domain` and `message`, whose values have the types that the
 * typed data declares. An integer that was sent as a string is a string of decimal digits; addresses and bytes compare
 * without case.
 */
export function seenTypedData({ primaryType, domain, message }: TypedData): SeenFields {
  return { primary_type: primaryType, domain: seenDomain(domain), message: seenStruct(message) }
}

/**
 * The requester chooses the fields of the domain. A string field that is absent, or has another type than in the EIP,
 * is empty, so that a rule that denies all values but one also denies it. A rule that names such a chain id fails,
 * because a message without one is valid on every chain.
 */
function seenDomain({ fields }: TypedStruct): SeenFields {
  const name = fields.get('name')
  const version = fields.get('version')
  const chainId = fields.get('chainId')
  const verifyingContract = fields.get('verifyingContract')
  return {
    name: name?.kind === 'string' ? name.string : '',
    version: version?.kind === 'string' ? version.string : '',
    // The domain has one type for this field, so it is shown as an integer even if sent as a string.
    chain_id: chainId?.kind === 'integer' ? chainId.integer : UNANSWERABLE,
    verifying_contract: caseless(
      verifyingContract?.kind === 'address' ? checksummed(verifyingContract.address) : '',
    ),
  }
}

function seenStruct({ fields }: TypedStruct): SeenFields {
  return Object.fromEntries([...fields].map(([name, value]) => [name, seenValue(value)]))
}

function seenValue(value: TypedValue): SeenValue {
  switch (value.kind) {
    case 'integer':
      return value.text ?? value.integer
    case 'bool':
      return value.bool
    case 'string':
      return value.string
    case 'address':
      return caseless(`0x${toHex(value.address)}`)
    case 'bytes':
    case 'fixedBytes':
      return caseless(`0x${toHex(value.bytes)}`)
    case 'array':
      return value.elements.map(seenValue)
    case 'struct':
      return seenStruct(value)
  }
}
