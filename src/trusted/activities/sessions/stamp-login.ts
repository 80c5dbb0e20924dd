import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { object } from '../../catalogue/shape.ts'
import { withProvenAccount, withProvenContact } from '../../charter/holders.ts'
import { knownUser } from '../../charter/members.ts'
import { useOf, useToken, verificationTokenUsed } from '../../objects/used-token.ts'
import { loginFacts, loginParams } from './login-params.ts'
import { checkSessionKey, session, sessionFailures, withoutSession, withSession } from './session-key.ts'

/**
 * A login with the stamp of the request: by a registered credential, by a verification token, which is then used up, or
 * by an identity token.
 */
export const stampLogin = defineActivity({
  operation: 'stamp_login',
  summary: 'Log in with the credential that stamps the request, and open a session for a key of the client',
  forms: form('ACTIVITY_TYPE_STAMP_LOGIN', object(loginParams), {
    key: 'stampLoginResult',
    shape: object({ session }),
  }),
  resource: 'AUTH',
  action: 'CREATE',
  authority: { kind: 'ownCredentials', owner: () => undefined },
  amends: true,
  logsIn: true,
  findsSubOrganization: true,
  attestable: true,
  looksAtParent: true,
  fails: [...sessionFailures, verificationTokenUsed],
  example: {
    intent: {
      publicKey: '036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296',
      expirationSeconds: '3600',
      invalidateExisting: true,
    },
    result: { session: 'eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJleHAiOjE3OTUyMjI4MDB9.c2lnbmF0dXJl' },
  },
  withoutBearer: withoutSession,
  params: loginFacts,
  validate: (intent) => checkSessionKey(intent),
  needs: (_, tokenId) => ({ uses: useOf('LOGIN', tokenId) }),

  async execute({ intent, charter, parent, rows, requester, now, newId, randomBytes, service, work }) {
    const known = knownUser(charter, requester.userId)
    const { provenContact } = requester
    if (provenContact === undefined) {
      const user = withProvenAccount(known, requester.credentialId)
      const opened = await work.through(withSession({ charter, parent, user, intent, now, newId, service }))
      return { result: { session: opened.session }, charter: opened.charter }
    }
    const user = withProvenContact(known, provenContact)
    const opened = await work.through(withSession({ charter, parent, user, intent, now, newId, service }))
    return {
      result: { session: opened.session },
      charter: opened.charter,
      put: [useToken(rows.uses, { ...provenContact, purpose: 'LOGIN' }, randomBytes)],
    }
  },
})
