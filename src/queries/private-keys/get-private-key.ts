import { privateKeyNotFound, privateKeys } from '../../activities/private-keys/private-key.ts'
import { defineQuery } from '../../catalogue/query.ts'
import { object, organizationIdText, uuid } from '../../catalogue/shape.ts'
import { privateKeyShape } from '../shapes.ts'
import { privateKeyView } from './private-key-view.ts'

export const getPrivateKey = defineQuery({
  operation: 'get_private_key',
  summary: 'Show a private key, without the key itself',
  request: object({ organizationId: organizationIdText, privateKeyId: uuid }),
  response: object({ privateKey: privateKeyShape }),
  answer: async ({ privateKeyId }, { charter: { organizationId }, object }) => {
    const key = await object(privateKeys, privateKeyId)
    if (key === undefined) throw privateKeyNotFound({ privateKeyId, organizationId })
    return { privateKey: privateKeyView(key) }
  },
})
