import type { Cast } from './cast.ts'
import {
  comparesLongTexts,
  proposedPolicies,
  structsThatReferToEachOther,
  transactionOf,
  twoLongTexts,
} from './dear-inputs.ts'
import type { Actor, Requested } from './recorded.ts'

/** What was found to hold the vault, and what was looked for beside it. */
export type DearRequest = {
  readonly name: string
  /** Makes the request, of which the vault's own part is recorded. */
  readonly make: () => Promise<Requested>
}

export async function dearRequests({ root, member, stranger }: Cast): Promise<readonly DearRequest[]> {
  const key = await privateKey(root, 'Treasury', 'ADDRESS_FORMAT_ETHEREUM')
  const taproot = await privateKey(root, 'Taproot', 'ADDRESS_FORMAT_BITCOIN_MAINNET_P2TR')
  const { walletId } = await root.done('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', {
    walletName: 'Many accounts',
    accounts: [],
  })
  await root.done('create_policies', 'ACTIVITY_TYPE_CREATE_POLICIES', { policies: comparesLongTexts(10) })
  const typedData = {
    signWith: key.address,
    payloads: Array.from({ length: 11 }, (_, at) => structsThatReferToEachOther(at)),
    encoding: 'PAYLOAD_ENCODING_EIP712',
    hashFunction: 'HASH_FUNCTION_NO_OP',
  }
  const hexadecimal = { encoding: 'PAYLOAD_ENCODING_HEXADECIMAL', hashFunction: 'HASH_FUNCTION_NO_OP' }
  const payloads = (count: number) =>
    Array.from({ length: count }, (_, at) => (at + 1).toString(16).padStart(64, '0'))
  const sign = (actor: Actor, parameters: object) => () =>
    actor.submit('sign_raw_payloads', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', parameters)
  return [
    {
      name: 'a replay by a draft of 1 MiB of policies',
      make: () =>
        member.query('replay_policies', {
          draft: { policies: proposedPolicies(62) },
          paginationOptions: { limit: '100' },
        }),
    },
    { name: 'typed data of structs that refer to each other, by nobody', make: sign(member, typedData) },
    { name: 'typed data of structs that refer to each other', make: sign(root, typedData) },
    {
      name: 'a draft of 1 MiB of policies',
      make: () =>
        member.query('try_activity', {
          type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
          parameters: { userTagName: 'x', userIds: [] },
          draft: { policies: proposedPolicies(62) },
        }),
    },
    {
      name: '100 Schnorr signatures',
      make: sign(root, { signWith: taproot.address, payloads: payloads(100), ...hexadecimal }),
    },
    {
      name: '1,000 ECDSA signatures',
      make: sign(root, { signWith: key.address, payloads: payloads(1_000), ...hexadecimal }),
    },
    {
      name: '1,000 accounts at six levels',
      make: () =>
        root.submit('create_wallet_accounts', 'ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS', {
          walletId,
          accounts: Array.from({ length: 1_000 }, (_, at) => ({
            curve: at % 2 === 0 ? 'CURVE_SECP256K1' : 'CURVE_P256',
            pathFormat: 'PATH_FORMAT_BIP32',
            path: `m/${at}/1/2/3/4/5`,
            addressFormat: at % 2 === 0 ? 'ADDRESS_FORMAT_ETHEREUM' : 'ADDRESS_FORMAT_COMPRESSED',
          })),
        }),
    },
    {
      name: '1 MiB of policies by nobody',
      make: () =>
        member.submit('create_policies', 'ACTIVITY_TYPE_CREATE_POLICIES', {
          policies: proposedPolicies(62).map((proposedPolicy) => ({ ...proposedPolicy, notes: '' })),
        }),
    },
    {
      name: 'texts of 110,000 characters that are compared',
      make: () =>
        member.submit('sign_raw_payload', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
          signWith: key.address,
          payload: twoLongTexts(110_000),
          encoding: 'PAYLOAD_ENCODING_EIP712',
          hashFunction: 'HASH_FUNCTION_NO_OP',
        }),
    },
    {
      name: 'a transaction of 700 inputs',
      make: () =>
        root.submit('sign_transaction', 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
          signWith: key.privateKeyId,
          type: 'TRANSACTION_TYPE_BITCOIN',
          unsignedTransaction: transactionOf(key.publicKey, 'wpkh'),
        }),
    },
    {
      name: 'a transaction of 500 inputs from before segwit',
      make: () =>
        root.submit('sign_transaction', 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
          signWith: key.privateKeyId,
          type: 'TRANSACTION_TYPE_BITCOIN',
          unsignedTransaction: transactionOf(key.publicKey, 'pkh'),
        }),
    },
    {
      name: '1 MiB of escapes by a stranger',
      make: () =>
        stranger.submitText('sign_raw_payloads', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', {
          signWith: key.address,
          ...hexadecimal,
          payloads: `["${'\\u0030'.repeat(170_000)}"]`,
        }),
    },
  ]
}

async function privateKey(root: Actor, privateKeyName: string, addressFormat: string) {
  const made = await root.done('create_private_keys', 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: [
      { privateKeyName, curve: 'CURVE_SECP256K1', privateKeyTags: [], addressFormats: [addressFormat] },
    ],
  })
  const { privateKeyId, addresses } = made.privateKeys[0]
  const { privateKey } = JSON.parse(await root.answer('get_private_key', { privateKeyId }))
  return { privateKeyId, address: addresses[0].address, publicKey: privateKey.publicKey }
}
