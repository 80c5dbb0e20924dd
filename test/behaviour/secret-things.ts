import { encryptSecretToBundle } from '@turnkey/crypto'
import type { Member, TestService } from '../support/service.ts'

type In = { readonly service: TestService; readonly by: Member }

const encryptionSuite = 'TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1'

/** A secret, encrypted by the published client to an import target of this user. */
export async function anEncryptedSecret(
  { service, by }: In,
  plaintext: string,
): Promise<{ readonly secretPayload: string; readonly targetPublicKey: string }> {
  const begun = { encryptionSuite, numSecrets: 1 }
  const { enclaveTargetMessages } = await service.done(by, 'ACTIVITY_TYPE_INIT_IMPORT_SECRETS', begun)
  const [ingressTargetBundle] = enclaveTargetMessages
  return await encryptSecretToBundle({
    plaintext,
    ingressTargetBundle,
    organizationId: by.organizationId,
    dangerouslyOverrideSignerPublicKey: JSON.parse(ingressTargetBundle).enclaveQuorumPublic,
  })
}

/** The id of a secret that was imported. */
export async function aSecret(setting: In, plaintext = 'correct horse battery staple'): Promise<string> {
  const encrypted = await anEncryptedSecret(setting, plaintext)
  const { secretIds } = await setting.service.done(setting.by, 'ACTIVITY_TYPE_IMPORT_SECRETS', {
    secrets: [{ ...encrypted, encryptionSuite }],
  })
  return secretIds[0]
}
