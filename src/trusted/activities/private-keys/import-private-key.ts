import { defineFailure, INVALID_ARGUMENT } from '../../base/failure.ts'
import { Secret } from '../../base/secret.ts'
import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { objectsById, place, takenNames } from '../../catalogue/objects.ts'
import { label, list, object, oneOf, text, uuid } from '../../catalogue/shape.ts'
import { addressFormats } from '../../chains/address-format.ts'
import { invalidAddressFormat } from '../../chains/failures.ts'
import { userNotFound } from '../../charter/members.ts'
import { bundleNotOpened, bundleNotRead, openClientBundle } from '../../crypto/bundles.ts'
import { type Curve, CURVES } from '../../crypto/curve.ts'
import { curves } from '../../crypto/curves.ts'
import { checkNoLoginKey, heldKeyIsApiKey, heldKeyIsWallet, loginKeysOf } from '../credentials/held-keys.ts'
import { checkAddressFormats } from './address-formats.ts'
import { importTargets, noImportTarget } from '../../objects/import-target.ts'
import { privateKeyMade, privateKeyOf } from './new-private-key.ts'
import {
  checkNewNames,
  privateKeyAlreadyImported,
  privateKeyNameTaken,
  privateKeys,
} from '../../objects/private-key.ts'

const intent = object({
  userId: uuid,
  privateKeyName: label,
  encryptedBundle: text({ min: 1, max: 4_096 }),
  curve: oneOf(CURVES),
  addressFormats: list(oneOf(addressFormats), { max: addressFormats.length }),
})

/** Decrypted content is never quoted. */
const notAPrivateKey = defineFailure<{ readonly curve: Curve; readonly bytes: number }>({
  kind: 'notAPrivateKey',
  code: INVALID_ARGUMENT,
  say: ({ curve, bytes }) =>
    bytes === SECRET_BYTES
      ? `invalid private key: the encrypted bundle holds 32 bytes that are not a private key on ${curve}`
      : `invalid private key: the encrypted bundle holds ${bytes} bytes, and a private key on ${curve} has 32`,
})

const SECRET_BYTES = 32

export const importPrivateKey = defineActivity({
  operation: 'import_private_key',
  summary: 'Import a private key, which is encrypted to the key of `init_import_private_key`',
  forms: form('ACTIVITY_TYPE_IMPORT_PRIVATE_KEY', intent, {
    key: 'importPrivateKeyResult',
    shape: privateKeyMade,
  }),
  resource: 'PRIVATE_KEY',
  action: 'IMPORT',
  authority: { kind: 'onlySelf', self: ({ userId }) => userId },
  amends: true,
  fails: [
    userNotFound,
    noImportTarget,
    bundleNotRead,
    bundleNotOpened,
    notAPrivateKey,
    invalidAddressFormat,
    privateKeyNameTaken,
    privateKeyAlreadyImported,
    heldKeyIsApiKey,
    heldKeyIsWallet,
  ],
  example: {
    intent: {
      userId: '0198c5a0-7d3c-7000-8000-000000000002',
      privateKeyName: 'Old treasury',
      encryptedBundle: '{"encappedPublic":"040b…7b","ciphertext":"f1d8…fb"}',
      curve: 'CURVE_SECP256K1',
      addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
    },
    result: {
      privateKeyId: '0198c5a0-7d3c-7000-8000-000000000001',
      addresses: [
        { format: 'ADDRESS_FORMAT_ETHEREUM', address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' },
      ],
    },
  },
  needs: ({ userId, privateKeyName }) => ({
    target: objectsById(importTargets, [userId]),
    taken: takenNames([{ kind: 'PRIVATE_KEY_NAME', value: privateKeyName }]),
  }),
  validate: ({ curve, addressFormats: formats }) => checkAddressFormats(curve, formats),

  execute({ intent, charter, rows, now, newId }) {
    const { userId, encryptedBundle, addressFormats: formats, ...params } = intent
    const [target] = rows.target
    if (target === undefined) throw noImportTarget({ userId })
    checkNewNames([params.privateKeyName], rows.taken)
    const secret = new Secret(secretIn(encryptedBundle, target.secret.reveal(), params.curve))
    const body = privateKeyOf(
      { ...params, privateKeyTags: [] },
      { secret, formats, privateKeyId: newId(), imported: true, now },
    )
    const { privateKeyId, addresses, publicKey } = body
    try {
      const loginKeys = loginKeysOf(charter)
      checkNoLoginKey({ curve: params.curve, publicKey }, loginKeys)
      if (body.twin !== undefined) checkNoLoginKey(body.twin, loginKeys)
    } catch (error) {
      secret.wipe()
      throw error
    }
    return {
      result: { privateKeyId, addresses },
      put: [place(privateKeys, privateKeyId, body, secret)],
      remove: [target],
    }
  },
})

function secretIn(encryptedBundle: string, target: Uint8Array, curve: Curve): Uint8Array {
  const plaintext = openClientBundle(encryptedBundle, target)
  if (plaintext.length === SECRET_BYTES && curves[curve].isSecret(plaintext)) return plaintext
  plaintext.fill(0)
  throw notAPrivateKey({ curve, bytes: plaintext.length })
}
