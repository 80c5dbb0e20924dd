import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { takenNames } from '../../catalogue/objects.ts'
import { list, object, uuid } from '../../catalogue/shape.ts'
import { invalidAddressFormat } from '../../chains/failures.ts'
import { checkTags, tagNotFound } from '../../charter/tags.ts'
import {
  checkNewPrivateKeys,
  newPrivateKeys,
  PRIVATE_KEYS_AT_ONCE_MAX,
  privateKeyMade,
  privateKeyParams,
} from './new-private-key.ts'
import { checkNewNames, privateKeyNameTaken } from '../../objects/private-key.ts'

const intent = object({ privateKeys: list(privateKeyParams, { min: 1, max: PRIVATE_KEYS_AT_ONCE_MAX }) })
const made = object({ privateKeys: list(privateKeyMade, { max: PRIVATE_KEYS_AT_ONCE_MAX }) })
const madeV1 = object({ privateKeyIds: list(uuid, { max: PRIVATE_KEYS_AT_ONCE_MAX }) })

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
  // Many are created concurrently. Only a deletion of tags looks for all keys of a kind, namely with a tag.
  amends: 'seldom',
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
  validate: ({ privateKeys: wanted }) => checkNewPrivateKeys(wanted),

  async execute({ intent, charter, rows, now, newId, randomBytes, work }) {
    checkNewNames(
      intent.privateKeys.map(({ privateKeyName }) => privateKeyName),
      rows.taken,
    )
    const tagIds = intent.privateKeys.flatMap(({ privateKeyTags }) => privateKeyTags)
    checkTags(charter, 'TAG_TYPE_PRIVATE_KEY', tagIds)
    const { made, placed } = await newPrivateKeys({
      wanted: intent.privateKeys,
      now,
      newId,
      randomBytes,
      work,
    })
    return { result: { privateKeys: made }, put: placed, ...(tagIds.length === 0 ? {} : { charter }) }
  },
})
