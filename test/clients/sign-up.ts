import { present } from '../../src/trusted/base/assert.ts'
import { type Proven, signUpSignature } from './one-time-code.ts'
import type { Person, Setting } from './setting.ts'

/** A sub-organization whose root user has proven a mail address, and holds an API key of its own. */
export async function signUp({ root, someone }: Setting, proven: Proven): Promise<Person> {
  const { verificationToken, contact } = proven
  const owner = someone('')
  const apiKeys = [
    { apiKeyName: 'Own', publicKey: owner.publicKey, curveType: 'API_KEY_CURVE_P256' as const },
  ]
  const { activity } = await root.client.createSubOrganization(
    root.activity('ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8', {
      subOrganizationName: contact,
      rootQuorumThreshold: 1,
      rootUsers: [
        { userName: 'Somebody', userEmail: contact, apiKeys, authenticators: [], oauthProviders: [] },
      ],
      verificationToken,
      clientSignature: await signUpSignature(proven, { email: contact, apiKeys }),
    }),
  )
  const made = present(activity.result.createSubOrganizationResultV8, 'the result')
  return {
    ...someone(made.subOrganizationId, owner),
    userId: present(made.rootUserIds?.[0], 'the root user'),
  }
}
