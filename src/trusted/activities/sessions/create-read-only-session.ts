import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { label, object, text, uuid } from '../../catalogue/shape.ts'
import { knownUser, memberFailures } from '../../charter/members.ts'
import { withoutSignature } from '../../crypto/jwt.ts'
import { sealReadOnlySession } from '../../crypto/read-only-session.ts'

const SECONDS = 3_600

/** The holder of the session's text may make all queries of its user for an hour, but no activities. */
export const createReadOnlySession = defineActivity({
  operation: 'create_read_only_session',
  summary: 'Open a session that can only read',
  forms: form('ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION', object({}), {
    key: 'createReadOnlySessionResult',
    shape: object({
      organizationId: uuid,
      organizationName: label,
      userId: uuid,
      username: label,
      session: text({ max: 4_096 }),
      sessionExpiry: text({ max: 20 }),
    }),
  }),
  resource: 'AUTH',
  action: 'CREATE',
  authority: { kind: 'ownCredentials', owner: () => undefined },
  amends: false,
  logsIn: true,
  personal: { of: 'one' },
  findsSubOrganization: true,
  fails: memberFailures,
  example: {
    intent: {},
    result: {
      organizationId: '0198c5a0-7d3c-7000-8000-000000000001',
      organizationName: 'Customer 4711',
      userId: '0198c5a0-7d3c-7000-8000-000000000002',
      username: 'Ada',
      session: 'eyJpZCI6IjAxOThjNWEwIn0.c2VhbA',
      sessionExpiry: '1795222800',
    },
  },
  withoutBearer: (result) => ({ ...result, session: withoutSignature(result.session) }),

  execute({ charter, requester, now, newId, service }) {
    const { organizationId, organizationName } = charter
    const { userId, userName } = knownUser(charter, requester.userId)
    const expiresAt = now + SECONDS * 1000
    const opened = { id: newId(), organizationId, userId, expiresAt }
    return {
      result: {
        organizationId,
        organizationName,
        userId,
        username: userName,
        session: sealReadOnlySession(opened, service.readSessionKey),
        sessionExpiry: String(Math.floor(expiresAt / 1000)),
      },
    }
  },
})
