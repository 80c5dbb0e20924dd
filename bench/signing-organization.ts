import { p256PublicKeyOf } from '../src/trusted/crypto/p256.ts'
import { ethereumAccount } from './load-activities.ts'
import { policySet } from './policy-set.ts'
import { type BenchService, secretOf, type Signer } from './service.ts'
import { RECIPIENT, TOKEN, TOKEN_INTERFACE } from './transfers.ts'

export type SigningOrganization = {
  readonly root: Signer
  /** Not of the root quorum: may do what policies allow. */
  readonly user: Signer
  readonly walletId: string
  /** Addresses of wallet accounts. */
  readonly accounts: readonly string[]
  /** Addresses of private keys. */
  readonly privateKeys: readonly string[]
}

/** A sub-organization with a user who may sign, by policies, with the accounts of a wallet and with private keys. */
export async function signingOrganization(
  service: BenchService,
  of: {
    readonly name: string
    readonly policies: number
    readonly limit?: 'an account'
    readonly keys: number
  },
): Promise<SigningOrganization> {
  const root = signerOf(`${of.name} root`)
  const made = await done(service, 'create_sub_organization', 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7', {
    subOrganizationName: of.name,
    rootUsers: [userOf('Root', root)],
    rootQuorumThreshold: 1,
  })
  const organizationId = String(made['subOrganizationId'])
  const asRoot = { organizationId, ...root }
  const submit = async (type: string, parameters: object) =>
    await done(service, operationOf(type), `ACTIVITY_TYPE_${type}`, parameters, asRoot)

  const user = signerOf(`${of.name} user`)
  const { userIds } = await submit('CREATE_USERS_V3', { users: [{ ...userOf('Ada', user), userTags: [] }] })
  const tag = await submit('CREATE_PRIVATE_KEY_TAG', { privateKeyTagName: 'Hot', privateKeyIds: [] })
  const privateKeyTagId = String(tag['privateKeyTagId'])
  await submit('CREATE_SMART_CONTRACT_INTERFACE', {
    smartContractAddress: TOKEN,
    smartContractInterface: TOKEN_INTERFACE,
    type: 'SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM',
    label: 'Token',
  })
  const wallet = await submit('CREATE_WALLET', {
    walletName: 'Hot',
    accounts: Array.from({ length: of.keys }, (_, index) => ethereumAccount(index)),
  })
  const walletId = String(wallet['walletId'])
  const policies = policySet(
    of.policies,
    // The result of this activity, as its declaration has it.
    {
      userId: (userIds as readonly string[])[0] ?? '',
      walletId,
      privateKeyTagId,
      token: TOKEN,
      recipient: RECIPIENT,
    },
    of.limit,
  )
  await submit('CREATE_POLICIES', {
    policies: policies.map((policy, at) => ({ policyName: `Policy ${at}`, notes: '', ...policy })),
  })
  const privateKeys: string[] = []
  while (privateKeys.length < of.keys) {
    const count = Math.min(100, of.keys - privateKeys.length)
    privateKeys.push(...(await createKeys(submit, { from: privateKeys.length, count, privateKeyTagId })))
  }
  return {
    root: asRoot,
    user: { organizationId, ...user },
    walletId,
    // As above.
    accounts: wallet['addresses'] as readonly string[],
    privateKeys,
  }
}

type Result = Readonly<Record<string, unknown>>

async function createKeys(
  submit: (type: string, parameters: object) => Promise<Result>,
  of: { readonly from: number; readonly count: number; readonly privateKeyTagId: string },
): Promise<readonly string[]> {
  const { privateKeys } = await submit('CREATE_PRIVATE_KEYS_V2', {
    privateKeys: Array.from({ length: of.count }, (_, at) => ({
      privateKeyName: `Key ${of.from + at}`,
      curve: 'CURVE_SECP256K1',
      privateKeyTags: [of.privateKeyTagId],
      addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
    })),
  })
  // The result of this activity, as its declaration has it.
  const keys = privateKeys as readonly { readonly addresses: readonly { readonly address: string }[] }[]
  return keys.map(({ addresses }) => addresses[0]?.address ?? '')
}

/** Submits, and takes the result from under its name. */
async function done(
  service: BenchService,
  operation: string,
  type: string,
  parameters: object,
  as?: Signer,
): Promise<Result> {
  const { activity } = await service.submit(operation, type, parameters, as)
  return Object.values(activity.result)[0] ?? {}
}

function operationOf(type: string): string {
  return type.replace(/_V\d+$/, '').toLowerCase()
}

function signerOf(name: string): Omit<Signer, 'organizationId'> {
  const secret = secretOf(name)
  return { publicKey: p256PublicKeyOf(secret), privateKey: secret.toString('hex') }
}

function userOf(userName: string, { publicKey }: Pick<Signer, 'publicKey'>) {
  return {
    userName,
    apiKeys: [{ apiKeyName: 'Key', publicKey, curveType: 'API_KEY_CURVE_P256' }],
    authenticators: [],
    oauthProviders: [],
  }
}
