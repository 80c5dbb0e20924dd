import { present } from '../../src/trusted/base/assert.ts'
import { Commits } from '../../src/host/pipeline/commits.ts'
import { serializeTransaction } from 'viem'
import { stampKeyFrom } from '../support/stamper.ts'
import type { Service } from '../tampering/harness.ts'
import { done, type Person, submission } from '../tampering/populated.ts'
import type { Store } from '../../src/host/store/store.ts'

/** An organization whose users spend from accounts of wallets, through any of several hosts. */
export type Spending = {
  readonly root: Person
  readonly user: (userName: string) => Promise<Person>
  /** The address of a new account. */
  readonly account: () => Promise<string>
  readonly policy: (
    effect: 'EFFECT_ALLOW' | 'EFFECT_DENY',
    condition: string,
    consensus?: string,
  ) => Promise<string>
}

export async function spending(service: Service, store: Store): Promise<Spending> {
  const key = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', service.world.randomBytes)
  const established = await service.vault.establish({
    organizationName: 'Spending',
    userName: 'Root',
    apiKeyName: 'Key',
    publicKey: key.publicKey,
    curveType: 'API_KEY_CURVE_P256',
  })
  await new Commits({ store, vault: service.vault }).commit(established)
  const { organizationId, userId } = established
  const root = { organizationId, userId, key }
  let names = 0
  return {
    root,
    user: async (userName) => {
      const own = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', service.world.randomBytes)
      const apiKeys = [{ apiKeyName: 'Key', publicKey: own.publicKey, curveType: 'API_KEY_CURVE_P256' }]
      const users = [{ userName, apiKeys, authenticators: [], oauthProviders: [], userTags: [] }]
      const { userIds } = await done(service, root, 'CREATE_USERS_V3', { users })
      return { organizationId, userId: present<string>(userIds[0], 'a user'), key: own }
    },
    account: async () => {
      const { addresses } = await done(service, root, 'CREATE_WALLET', {
        walletName: `Wallet ${names++}`,
        accounts: [
          {
            curve: 'CURVE_SECP256K1',
            pathFormat: 'PATH_FORMAT_BIP32',
            path: "m/44'/60'/0'/0/0",
            addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
          },
        ],
      })
      return present<string>(addresses[0], 'an address')
    },
    policy: async (effect, condition, consensus) => {
      const policyName = `Policy ${names++}`
      const policy = { policyName, effect, condition, notes: '', ...(consensus && { consensus }) }
      const made = await done(service, root, 'CREATE_POLICY_V3', policy)
      return made.policyId
    },
  }
}

const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** An unsigned transaction that sends so many wei, to an account unless told otherwise. */
export function transfer(
  value: bigint,
  nonce: number,
  call: { readonly to: `0x${string}`; readonly data?: `0x${string}` } = { to: TO },
): string {
  const fees = { gas: 21_000n, maxFeePerGas: 2n, maxPriorityFeePerGas: 1n }
  return serializeTransaction({ type: 'eip1559', chainId: 1, nonce, ...fees, ...call, value })
}

/** What a person has signed at once: one transaction, or as many payloads as there are values. */
export async function spend(
  through: Service,
  by: Person,
  {
    signWith,
    values,
    nonce,
  }: { readonly signWith: string; readonly values: readonly bigint[]; readonly nonce: number },
): Promise<number> {
  const [value, ...more] = values
  const single = value !== undefined && more.length === 0
  const sent = single
    ? submission(through.world, by, 'SIGN_TRANSACTION_V2', {
        signWith,
        type: 'TRANSACTION_TYPE_ETHEREUM',
        unsignedTransaction: transfer(value, nonce),
      })
    : submission(through.world, by, 'SIGN_RAW_PAYLOADS', {
        signWith,
        payloads: values.map((value, at) => transfer(value, nonce + at)),
        encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
        hashFunction: 'HASH_FUNCTION_KECCAK256',
      })
  const { status, text, bug } = await through.send(sent)
  if (![200, 403, 429].includes(status)) throw new Error(`${status} ${text}`, { cause: bug })
  return status
}
