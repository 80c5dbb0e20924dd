import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { label, object, optional, type Shape, text, type TypeOf, uuid } from '../../catalogue/shape.ts'
import { Problem } from '../../policy/problem.ts'
import { type Facts, string } from '../../policy/types.ts'
import { knownUser } from '../../charter/members.ts'
import { contactNotFound } from '../otp/failures.ts'
import { emailOrNone, invalidEmail } from '../../catalogue/contacts.ts'
import { bundleParams, invalidateParam } from './bundle-params.ts'
import { bundledKeyFailures, checkTargetKey, withBundledKey } from './bundled-key.ts'
import { userByEmail } from './user-by-email.ts'

const result = object({
  organizationId: uuid,
  organizationName: label,
  userId: uuid,
  username: label,
  apiKeyId: uuid,
  credentialBundle: text({ max: 256 }),
})

const intentV1 = object({ ...bundleParams, email: emailOrNone })
// A session without a user would be the caller's, who may have more rights than the intended user.
const intentV2 = object({ ...bundleParams, ...invalidateParam, userId: optional(uuid, 'emptyIsGiven') })
/** The newest form, with the field of the first form that names the user of the session. */
type Intent = TypeOf<typeof intentV2> & { readonly email?: string }
const intent: Shape<Intent> = intentV2

/** Without a named user it is for the caller; for another user it needs the same authority as any activity. */
export const createReadWriteSession = defineActivity({
  operation: 'create_read_write_session',
  summary: 'Create an API key that expires, and answer it in an encrypted bundle',
  forms: form('ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION', intentV1, {
    key: 'createReadWriteSessionResult',
    shape: result,
  }).next('ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2', intent, {
    up: ({ email, ...rest }) => (email === '' ? rest : { ...rest, email }),
    result: { key: 'createReadWriteSessionResultV2', shape: result, down: (newer) => newer },
  }),
  resource: 'AUTH',
  action: 'CREATE',
  // The owner of an address is unknown here, so naming one's own address counts as naming another user.
  authority: { kind: 'ownCredentials', owner: ({ userId, email }) => userId ?? email },
  amends: true,
  logsIn: true,
  personal: { of: 'one' },
  fails: [...bundledKeyFailures, contactNotFound, invalidEmail],
  example: {
    intent: {
      targetPublicKey:
        '046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5',
      userId: '0198c5a0-7d3c-7000-8000-000000000002',
      expirationSeconds: '3600',
    },
    result: {
      organizationId: '0198c5a0-7d3c-7000-8000-000000000001',
      organizationName: 'Customer 4711',
      userId: '0198c5a0-7d3c-7000-8000-000000000002',
      username: 'Ada',
      apiKeyId: '0198c5a0-7d3c-7000-8000-000000000004',
      credentialBundle:
        'w99a5xV6A75TfoAUkZn869fVyDYvgVsKrawMALZXmrauZd8hEv66EkPU1Z42CUaHESQjcA5bqd8dynTGBMLWB9ewtXWPEVbZvocB4Tw2K1vQVp7uwjf',
    },
  },
  params: { types: { user_id: string }, of: whoseSession },
  validate: (wanted) => checkTargetKey(wanted),

  async execute({ intent: wanted, charter, requester, now, newId, randomBytes, work }) {
    const user =
      wanted.email === undefined
        ? knownUser(charter, wanted.userId ?? requester.userId)
        : userByEmail(charter, wanted.email)
    const made = await work.through(
      withBundledKey({
        charter,
        user,
        type: 'CREDENTIAL_TYPE_READ_WRITE_SESSION_KEY_P256',
        kindName: 'Read Write Session',
        intent: wanted,
        now,
        newId,
        randomBytes,
      }),
    )
    return {
      result: {
        organizationId: charter.organizationId,
        organizationName: charter.organizationName,
        userId: user.userId,
        username: user.userName,
        apiKeyId: made.apiKeyId,
        credentialBundle: made.bundle,
      },
      charter: made.charter,
    }
  },
})

const OWNER_UNKNOWN = new Problem(
  'failed',
  'the session is for the owner of an address, who is not known yet',
)

/** A session for its sender names nobody. */
function whoseSession({ userId, email }: Intent): Facts {
  if (userId !== undefined) return { user_id: userId }
  return email === undefined ? {} : { user_id: OWNER_UNKNOWN }
}
