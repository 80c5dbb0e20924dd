import { privateKeyNotFound, privateKeys } from '../../../trusted/objects/private-key.ts'
import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { object, organizationIdText, uuid } from '../../../trusted/catalogue/shape.ts'
import { privateKeyShape } from '../shapes.ts'
import { privateKeyView } from './private-key-view.ts'

export const getPrivateKey = defineQuery({
  operation: 'get_private_key',
  summary: 'Get a private key object, without the secret',
  request: object({ organizationId: organizationIdText, privateKeyId: uuid }),
  response: object({ privateKey: privateKeyShape }),
  example: { privateKeyId: '0198c5a0-7d3c-7000-8000-000000000001' },
  answer: async ({ privateKeyId }, { charter: { organizationId }, object }) => {
    const key = await object(privateKeys, privateKeyId)
    if (key === undefined) throw privateKeyNotFound({ privateKeyId, organizationId })
    return { privateKey: privateKeyView(key) }
  },
})
