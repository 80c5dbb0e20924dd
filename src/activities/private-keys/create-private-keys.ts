import { Secret } from '../../base/secret.ts'
import { addressFormats, addressOf } from '../../chains/address-format.ts'
import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { place, takenNames } from '../../catalogue/objects.ts'
import { label, list, object, oneOf, text, uuid } from '../../catalogue/shape.ts'
import { CURVES } from '../../crypto/curve.ts'
import { curves } from '../../crypto/sign-payload.ts'
import { invalidAddressFormat } from '../../chains/failures.ts'
import { checkAddressFormats } from './address-formats.ts'
import { checkNewNames, type PrivateKey, privateKeyNameTaken, privateKeys } from './private-key.ts'
import { checkTags, tagNotFound } from '../../charter/tags.ts'

const intent = object({
  privateKeys: list(
    object({
      privateKeyName: label,
      curve: oneOf(CURVES),
      privateKeyTags: list(uuid, { max: 100 }),
      addressFormats: list(oneOf(addressFormats), { max: addressFormats.length }),
    }),
    { min: 1, max: 100 },
  ),
})

const address = object({ format: oneOf(addressFormats), address: text({ max: 200 }) })
const made = object({
  privateKeys: list(
    object({ privateKeyId: uuid, addresses: list(address, { max: addressFormats.length }) }),
    { max: 100 },
  ),
})
const madeV1 = object({ privateKeyIds: list(uuid, { max: 100 }) })

export const createPrivateKeys = defineActivity({
  operation: 'create_private_keys',
  summary: 'Create private keys',
  forms: form('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS', intent, {
    key: 'createPrivateKeysResult',
    shape: madeV1,
  }).next('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', intent, {
    up: (older) => older,
    result: {
      key: 'createPrivateKeysResultV2',
      shape: made,
      down: (newer) => ({ privateKeyIds: newer.privateKeys.map(({ privateKeyId }) => privateKeyId) }),
    },
  }),
  resource: 'PRIVATE_KEY',
  action: 'CREATE',
  authority: { kind: 'policies' },
  amends: false,
  fails: [privateKeyNameTaken, tagNotFound, invalidAddressFormat],
  example: {
    intent: {
      privateKeys: [
        {
          privateKeyName: 'Treasury',
          curve: 'CURVE_SECP256K1',
          privateKeyTags: [],
          addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
        },
      ],
    },
    result: {
      privateKeys: [
        {
          privateKeyId: '0198c5a0-7d3c-7000-8000-000000000001',
          addresses: [
            { format: 'ADDRESS_FORMAT_ETHEREUM', address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' },
          ],
        },
      ],
    },
  },
  needs: ({ privateKeys: wanted }) => ({
    taken: takenNames(
      wanted.map(({ privateKeyName }) => ({ kind: 'PRIVATE_KEY_NAME', value: privateKeyName })),
    ),
  }),
  // Formats that do not fit the curve are refused before anyone is asked for approval.
  validate: ({ privateKeys: wanted }) => {
    for (const { curve, addressFormats: formats } of wanted) checkAddressFormats(curve, formats)
  },

  execute({ intent, charter, rows, now, newId, randomBytes }) {
    checkNewNames(
      intent.privateKeys.map(({ privateKeyName }) => privateKeyName),
      rows.taken,
    )
    checkTags(
      charter,
      'TAG_TYPE_PRIVATE_KEY',
      intent.privateKeys.flatMap(({ privateKeyTags }) => privateKeyTags),
    )
    const created = intent.privateKeys.map(({ addressFormats: formats, ...wanted }) => {
      const secret = new Secret(curves[wanted.curve].generate(randomBytes))
      const publicKey = curves[wanted.curve].publicKeyOf(secret.reveal())
      const body: PrivateKey = {
        ...wanted,
        privateKeyId: newId(),
        publicKey,
        addresses: formats.map((format) => ({ format, address: addressOf(format, wanted.curve, publicKey) })),
        exported: false,
        imported: false,
        createdAt: now,
        updatedAt: now,
      }
      return { body, secret }
    })
    return {
      result: {
        privateKeys: created.map(({ body: { privateKeyId, addresses } }) => ({ privateKeyId, addresses })),
      },
      put: created.map(({ body, secret }) => place(privateKeys, body.privateKeyId, body, secret)),
    }
  },
})
