import { fromUtf8 } from '../../base/bytes.ts'
import { defineFailure, INVALID_ARGUMENT } from '../../base/failure.ts'
import { Secret } from '../../base/secret.ts'
import type { Ms } from '../../base/world.ts'
import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { type Opened, place } from '../../catalogue/objects.ts'
import { label, list, object, optional, text, type TypeOf, uuid } from '../../catalogue/shape.ts'
import { bundleNotOpened, bundleNotRead, openClientBundle } from '../../crypto/bundles.ts'
import { encryptionSuite } from './encryption-suite.ts'
import { SECRETS_AT_ONCE_MAX, secrets } from '../../objects/secret.ts'
import {
  isOpen,
  noSecretTarget,
  type SecretTarget,
  secretTargetsOf,
  targetIdOf,
} from '../../objects/secret-target.ts'
import { propertiesOf, staticProperties } from '../../objects/static-properties.ts'

const SECRET_BYTES_MAX = 16_384

const params = object({
  name: optional(label),
  // Hex of the longest secret with its tag, of the encapsulated key, and the JSON around them.
  secretPayload: text({ min: 1, max: 2 * SECRET_BYTES_MAX + 2_048 }),
  targetPublicKey: text({ min: 1, max: 256 }),
  encryptionSuite,
  staticProperties: optional(staticProperties),
})

/** Decrypted content is never quoted. */
const notASecret = defineFailure<{ readonly index: number; readonly problem: string }>({
  kind: 'notASecret',
  code: INVALID_ARGUMENT,
  say: ({ index, problem }) => `invalid secret: the payload of secrets[${index}] holds ${problem}`,
})

export const importSecrets = defineActivity({
  operation: 'import_secrets',
  summary: 'Import secrets, each encrypted to a key of `init_import_secrets`',
  forms: form(
    'ACTIVITY_TYPE_IMPORT_SECRETS',
    object({ secrets: list(params, { min: 1, max: SECRETS_AT_ONCE_MAX }) }),
    {
      key: 'importSecretsResult',
      shape: object({ secretIds: list(uuid, { max: SECRETS_AT_ONCE_MAX }) }),
    },
  ),
  resource: 'SECRET',
  action: 'IMPORT',
  authority: { kind: 'policies' },
  amends: true,
  fails: [noSecretTarget, bundleNotRead, bundleNotOpened, notASecret],
  example: {
    intent: {
      secrets: [
        {
          name: 'Database password',
          secretPayload: '{"encappedPublic":"040b…7b","ciphertext":"f1d8…fb"}',
          targetPublicKey:
            '0464fb511728122da3b7b8a449c79d7a9e3fb847f4cbf0efbc6c82f68ada0ae5ebd1f9b6a45f5e4b61852c8e293a7b79022422ffff9ea8fba7297271b589cc9ed2',
          encryptionSuite: 'TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1',
          staticProperties: [{ key: 'environment', value: 'production' }],
        },
      ],
    },
    result: { secretIds: ['0198c5a0-7d3c-7000-8000-000000000001'] },
  },
  needs: (intent) => ({
    targets: secretTargetsOf(intent.secrets.map(({ targetPublicKey }) => targetPublicKey)),
  }),

  execute({ intent, requester: { userId }, rows, now, newId }) {
    const own = rows.targets.filter((target) => target.body.userId === userId && isOpen(target, now))
    const awaited = withTargets(intent.secrets, own)
    const made = opened(awaited).map(({ given, secret }) => ({ body: secretOf(given, newId(), now), secret }))
    return {
      result: { secretIds: made.map(({ body }) => body.secretId) },
      put: made.map(({ body, secret }) => place(secrets, body.secretId, body, secret)),
      remove: awaited.map(({ target }) => target),
    }
  },
})

type Given = TypeOf<typeof params>

type Expected = { readonly given: Given; readonly target: Opened<SecretTarget> }

/** Each secret with its target, in their order. A target can be used for one secret only, also within a request. */
function withTargets(given: readonly Given[], own: readonly Opened<SecretTarget>[]): readonly Expected[] {
  const unused = new Map(own.map((target) => [target.objectId, target]))
  return given.map((item) => {
    const targetId = targetIdOf(item.targetPublicKey)
    const target = unused.get(targetId)
    if (target === undefined) throw noSecretTarget({ targetPublicKey: item.targetPublicKey })
    unused.delete(targetId)
    return { given: item, target }
  })
}

/** All secrets or none: where one does not open, those opened before are wiped here. */
function opened(awaited: readonly Expected[]): readonly { readonly given: Given; readonly secret: Secret }[] {
  const all: { readonly given: Given; readonly secret: Secret }[] = []
  try {
    for (const [index, { given, target }] of awaited.entries()) {
      const secret = new Secret(openClientBundle(given.secretPayload, target.secret.reveal()))
      all.push({ given, secret })
      const problem = problemOf(secret.reveal())
      if (problem !== undefined) throw notASecret({ index, problem })
    }
    return all
  } catch (error) {
    for (const { secret } of all) secret.wipe()
    throw error
  }
}

function problemOf(plaintext: Uint8Array): string | undefined {
  if (plaintext.length === 0) return 'nothing'
  if (plaintext.length > SECRET_BYTES_MAX)
    return `${plaintext.length} bytes, and a secret has at most ${SECRET_BYTES_MAX}`
  return fromUtf8(plaintext) === undefined ? 'bytes that are not UTF-8' : undefined
}

function secretOf({ name, staticProperties: properties = [] }: Given, secretId: string, createdAt: Ms) {
  return {
    secretId,
    ...(name === undefined ? {} : { name }),
    staticProperties: propertiesOf(properties),
    createdAt,
  }
}
