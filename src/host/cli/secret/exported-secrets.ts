import { toHex } from '../../../trusted/base/bytes.ts'
import type { World } from '../../../trusted/base/world.ts'
import { isJsonObject } from '../../../trusted/base/strict-json.ts'
import { generateP256Secret, p256UncompressedKeyOf } from '../../../trusted/crypto/p256.ts'
import { isCompleted, signedActivity } from '../signed-activity.ts'
import { type Caller, ServiceError } from '../signed-query.ts'
import { CommandError } from '../command-error.ts'
import { openExportBundle } from './open-export-bundle.ts'
import type { WantedSecret } from './wanted-secrets.ts'

/**
 * Reads secrets, each encrypted to a temporary key of its own: bundles do not name their secrets, and a host could
 * exchange two that are for one key. From here on they are texts, which cannot be wiped.
 *
 * @param signerPublicKey  of the service
 * @returns  their texts by the names of their variables
 * @throws   ServiceError, CommandError
 */
export async function exportedSecrets(
  wanted: readonly WantedSecret[],
  signerPublicKey: string,
  caller: Caller,
  world: World,
): Promise<{ readonly [variable: string]: string }> {
  const awaited = wanted.map((one) => ({ ...one, key: generateP256Secret(world.randomBytes) }))
  try {
    const encryptionSuite = 'TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1'
    const secrets = awaited.map(({ secretId, key }) => {
      const targetPublicKey = toHex(p256UncompressedKeyOf(key))
      return { secretId, targetPublicKey, encryptionSuite }
    })
    const asked = { type: 'ACTIVITY_TYPE_EXPORT_SECRETS', parameters: { secrets }, now: world.now() }
    const activity = await signedActivity(caller, asked)
    if (!isCompleted(activity))
      throw new CommandError(
        `the export needs an approval (activity ${activity.id}), but the key to decrypt it is not kept until then`,
      )
    const { organizationId } = caller
    const bundles = bundlesIn(activity.result)
    return Object.fromEntries(
      awaited.map(({ variable, key: secret }, at) => {
        const bytes = openExportBundle(bundles[at] ?? '', { signerPublicKey, organizationId, secret })
        const text = Buffer.from(bytes).toString('utf8')
        bytes.fill(0)
        if (text.includes('\0'))
          throw new CommandError(`${variable} has a zero byte, which an environment variable cannot contain`)
        return [variable, text]
      }),
    )
  } finally {
    for (const { key } of awaited) key.fill(0)
  }
}

function bundlesIn(result: { readonly [name: string]: unknown }): readonly string[] {
  const under = result['exportSecretsResult']
  const bundles = isObject(under) ? under['secretPayloads'] : undefined
  if (!Array.isArray(bundles))
    throw new ServiceError(
      'export_secrets returned an answer of an unknown form: the service may run another version',
    )
  return bundles.map(String)
}

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  // The request was read as JSON.
  return isJsonObject(value as Parameters<typeof isJsonObject>[0])
}
