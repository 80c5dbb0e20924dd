import { defineFailure, NOT_FOUND } from '../../../trusted/base/failure.ts'
import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { object, organizationIdText, uuid } from '../../../trusted/catalogue/shape.ts'
import { authenticatorView } from '../../../trusted/charter/view.ts'
import { authenticatorShape } from './credential-shapes.ts'

const authenticatorNotFound = defineFailure<{
  readonly authenticatorId: string
  readonly organizationId: string
}>({
  kind: 'authenticatorNotFound',
  code: NOT_FOUND,
  say: ({ authenticatorId, organizationId }) =>
    `unable to find authenticator ${authenticatorId} in organization ${organizationId}`,
})

export const getAuthenticator = defineQuery({
  operation: 'get_authenticator',
  summary: 'Get a passkey',
  request: object({ organizationId: organizationIdText, authenticatorId: uuid }),
  response: object({ authenticator: authenticatorShape }),
  example: { authenticatorId: '0198c5a0-7d3c-7000-8000-000000000005' },
  answer: ({ authenticatorId }, { charter }) => {
    const known = charter.users
      .flatMap((user) => user.authenticators)
      .find((authenticator) => authenticator.authenticatorId === authenticatorId)
    if (known === undefined)
      throw authenticatorNotFound({ authenticatorId, organizationId: charter.organizationId })
    return { authenticator: authenticatorView(known) }
  },
})
