import { privateKeys } from '../../../trusted/objects/private-key.ts'
import { JsonText } from '../../../trusted/catalogue/json-text.ts'
import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { list, object, organizationIdText } from '../../../trusted/catalogue/shape.ts'
import { privateKeyShape } from '../shapes.ts'
import { privateKeyView } from './private-key-view.ts'

/** Without pagination, as in the interface: all are listed, oldest first to the millisecond. */
export const listPrivateKeys = defineQuery({
  operation: 'list_private_keys',
  summary: 'List the private keys of an organization',
  request: object({ organizationId: organizationIdText }),
  response: object({ privateKeys: list(privateKeyShape, { max: Number.MAX_SAFE_INTEGER }) }),
  example: {},
  long: 'answer',
  answer: async (_, { listText }) =>
    new JsonText(`{"privateKeys":${await listText(privateKeys, privateKeyView)}}`),
})
