import { signsPayload, signsStructured, signsTransaction } from './asks.ts'
import { allow, decided, deny, SIGN } from './decision.ts'
import type { Organization } from './organization.ts'

/** Rows 39 to 43: typed data, digests and authorizations. */
export const rowsOfPayloads = [
  decided(39, 'type, chain and an address of typed data are compared', (o) => ({
    policies: [allow(permit)],
    requests: [
      { ask: permits(o, { spender: SPENDER }), comesTo: ['completed', 'ALLOW'] },
      { ask: permits(o, { spender: SPENDER.toLowerCase() }), comesTo: ['completed', 'ALLOW'] },
      { ask: permits(o, { spender: OTHER }), comesTo: ['denied', 'DENY_IMPLICIT'] },
    ],
  })),
  decided(40, 'a number that was sent as a text compares as one, and one that was not has no value', (o) => ({
    policies: [allow(`${permit} && eth.eip_712.message['value'] == '5'`)],
    requests: [
      { ask: permits(o, { value: '5' }), comesTo: ['completed', 'ALLOW'] },
      { ask: permits(o, { value: 5 }), comesTo: ['denied', 'ERROR'] },
    ],
  })),
  decided(41, 'signing digests is denied, and signing what is hashed here is not', (o) => ({
    policies: [noDigests, allow(SIGN)],
    requests: [
      {
        ask: signsPayload(o.K1, {
          payload: '11'.repeat(32),
          encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
          hashFunction: 'HASH_FUNCTION_NO_OP',
        }),
        comesTo: ['denied', 'DENY_EXPLICIT', 'ALLOW'],
      },
      { ask: signsPayload(o.K1), comesTo: ['completed', 'DENY_IMPLICIT', 'ALLOW'] },
    ],
  })),
  // Our DENY policies are skipped too when they name a parameter that this kind of activity does not have:
  // docs/decisions/policy-language.md.
  decided(42, 'a transaction has no encoding, and the DENY about one is skipped', (o) => ({
    policies: [noDigests, allow(SIGN)],
    requests: [
      { ask: signsTransaction(o.E1, 'ETHEREUM', TRANSACTION), comesTo: ['completed', 'ERROR', 'ALLOW'] },
    ],
  })),
  decided(43, 'the code of an authorization is compared without regard to case', (o) => ({
    policies: [allow(`eth.eip_7702_authorization.address == '${SPENDER}'`)],
    requests: [
      { ask: authorizes(o, SPENDER.toLowerCase()), comesTo: ['completed', 'ALLOW'] },
      { ask: authorizes(o, OTHER), comesTo: ['denied', 'DENY_IMPLICIT'] },
    ],
  })),
]

const SPENDER = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
// Type 2, to 0x3c44…93bc, value 1000, chain 1.
const TRANSACTION = '02e90180843b9aca008477359400825208943c44cdddb6a900fa2b585dd299e03d12fa4293bc8203e880c0'

const permit = `eth.eip_712.primary_type == 'Permit' && eth.eip_712.domain.chain_id == 1 && eth.eip_712.message['spender'] == '0x${SPENDER.slice(2).toUpperCase()}'`

const noDigests = deny(
  "activity.params.encoding in ['PAYLOAD_ENCODING_HEXADECIMAL','PAYLOAD_ENCODING_TEXT_UTF8'] && activity.params.hash_function == 'HASH_FUNCTION_NO_OP'",
)

function permits(
  { E1 }: Organization,
  { spender = SPENDER, value = '5' }: { spender?: string; value?: string | number },
) {
  return signsStructured(E1, 'EIP712', {
    domain: { name: 'USD Coin', chainId: 1, verifyingContract: SPENDER },
    primaryType: 'Permit',
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
      Permit: [
        { name: 'spender', type: 'address' },
        { name: 'value', type: 'uint256' },
      ],
    },
    message: { spender, value },
  })
}

function authorizes({ E1 }: Organization, address: string) {
  return signsStructured(E1, 'EIP7702_AUTHORIZATION', { address, chainId: 1, nonce: 0 })
}
