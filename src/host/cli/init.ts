import { assert } from '../../trusted/base/assert.ts'
import { Failure } from '../../trusted/base/failure.ts'
import { label } from '../../trusted/catalogue/shape.ts'
import { readApiKey } from '../../trusted/charter/api-keys.ts'
import type { Config } from '../app/config.ts'
import { withService } from '../app/open-service.ts'
import type { Store } from '../store/store.ts'
import { readArguments } from './arguments.ts'
import { foundFirst } from './found-first.ts'
import { say, sayJson } from './root-key/say.ts'
import { ensureRootKeyFile } from './root-key-file.ts'
import { UsageError } from './usage.ts'
import type { ExitCode } from './exit-codes.ts'

const CURVES = ['P256', 'SECP256K1', 'ED25519']

/**
 * `claviger init`: makes the missing root key, and an organization whose root user has the given public key. If an
 * organization exists, the command changes nothing and succeeds, because a container runs it at every start.
 */
export async function init(config: Config, args: readonly string[]): Promise<ExitCode<'init'>> {
  const { organization, user, publicKey, curveType, another, json } = optionsOf(args)
  // A separate vault has its root key already, and this user may not even see it.
  const made = config.vaultPath === undefined ? await ensureRootKeyFile(config) : 'elsewhere'
  const out = { isJson: json }
  const rootKey = {
    made: made === 'made',
    ...(config.vaultPath === undefined ? { file: config.rootKeyPath } : { vault: config.vaultPath }),
  }
  return await withService(config, async ({ host, store }): Promise<0> => {
    const found = async () => {
      const made = await host.vault.establish({
        organizationName: organization,
        userName: user,
        apiKeyName: firstKeyName(user),
        publicKey,
        curveType,
      })
      const outcome = await host.commits.commit(made)
      assert(outcome.kind === 'committed', 'nobody else has this new id')
      return made
    }
    const established = another ? await found() : await foundFirst(store, found)
    if (established === undefined) {
      const firstOrganizationId = await firstOrganization(store)
      say(out, [
        `Nothing was made: there are organizations here already, and the first is ${firstOrganizationId}. With --another, init makes one beside them.`,
      ])
      sayJson(out, { made: false, rootKey, firstOrganizationId })
      return 0
    }
    const keys = await host.vault.serviceKeys()
    say(out, [
      {
        made: `Made the root key ${config.rootKeyPath}. This data cannot be read without it: back it up.`,
        there: `Root key: ${config.rootKeyPath}`,
        elsewhere: `Root key: that of the vault at ${config.vaultPath}`,
      }[made],
      `ORGANIZATION_ID=${established.organizationId}`,
      `ROOT_USER_ID=${established.userId}`,
      `SIGNER_PUBLIC_KEY=${keys.signer}`,
    ])
    const { organizationId, userId: rootUserId } = established
    sayJson(out, { made: true, rootKey, organizationId, rootUserId, signerPublicKey: keys.signer })
    return 0
  })
}

/** Ids begin with their time. An operator who has lost this one needs it for every request. */
async function firstOrganization({ scan }: Pick<Store, 'scan'>): Promise<string | undefined> {
  const { rows } = await scan('charters', { limit: 1 })
  return rows[0]?.organizationId
}

function firstKeyName(user: string): string {
  return `${user}: first key`
}

function optionsOf(args: readonly string[]) {
  const text = { type: 'string' } as const
  const values = readArguments(args, {
    organization: text,
    user: text,
    'public-key': text,
    curve: text,
    another: { type: 'boolean' },
    json: { type: 'boolean' },
  })
  const missing = (['organization', 'user', 'public-key'] as const).filter(
    (name) => values[name] === undefined,
  )
  if (missing.length > 0) throw new UsageError(`missing: ${missing.map((name) => `--${name}`).join(', ')}`)
  const curve = (values.curve ?? 'P256').toUpperCase()
  if (!CURVES.includes(curve)) throw new UsageError(`--curve is one of ${CURVES.join(', ')}`)
  const curveType = `API_KEY_CURVE_${curve}`
  try {
    const publicKey = readApiKey(curveType, values['public-key'] ?? '')
    const { another = false, json = false } = values
    // Under other names, queries would answer what clients do not take.
    const organization = label.read(values.organization, '--organization', 'strict')
    const user = label.read(values.user, '--user', 'strict')
    label.read(firstKeyName(user), '--user, as the name of its key,', 'strict')
    return { organization, user, publicKey, curveType, another, json }
  } catch (error) {
    throw error instanceof Failure ? new UsageError(error.message) : error
  }
}
