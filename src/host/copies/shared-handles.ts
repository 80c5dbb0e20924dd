import { lowerAscii } from '../../trusted/base/lower-ascii.ts'
import { isJsonObject, type JsonValue } from '../../trusted/base/strict-json.ts'
import { readSignInMessage } from '../../trusted/activities/wallet-authenticators/sign-in-message.ts'
import { activities as allActivities } from '../../trusted/activities/list.ts'
import { Failure } from '../../trusted/base/failure.ts'
import { textsIn } from '../../trusted/catalogue/personal.ts'
import { activitiesByType } from '../../trusted/catalogue/submission.ts'
import type { ActivityRow, CharterRow } from '../../trusted/catalogue/unit.ts'
import { type Lookup, oidcIdentity, walletLogin } from '../../trusted/charter/directory.ts'
import { peekOidcToken } from '../../trusted/crypto/oidc-token.ts'
import type { Handles } from '../../trusted/vault/erasure/handles.ts'
import type { Store } from '../store/store.ts'
import { activityPages } from '../store/activity-pages.ts'

type Means = {
  readonly store: Pick<Store, 'find' | 'activities'>
  readonly paused: (rows: number) => Promise<void>
}

/**
 * Of the handles of a user, those that users of another sub-organization have as well: a request of the parent may have
 * been for these users. A top-level organization is the parent of its sub-organizations here. The directory knows
 * contacts alone. It knows an identity elsewhere and a wallet together with an application or a domain, which the
 * records of the parent name.
 */
export async function sharedHandles(
  { store, paused }: Means,
  { organizationId }: CharterRow,
  parent: CharterRow,
  handles: Handles,
): Promise<readonly string[]> {
  const shared = new Set<string>()
  const look = async (handle: string, { kind, value }: Lookup): Promise<void> => {
    const found = await store.find({ scope: parent.organizationId, kind, value }, { limit: 2 })
    if (found.some((target) => target !== organizationId)) shared.add(handle)
  }
  for (const value of handles)
    for (const kind of ['EMAIL', 'PHONE_NUMBER'] as const) await look(value, { kind, value })
  if (handles.size === 0) return []
  for await (const page of activityPages(store, parent.organizationId, { types: BY_CONTACT })) {
    for (const row of page)
      for (const { handle, lookup } of loginsIn(row))
        if (handles.has(handle) && !shared.has(handle)) await look(handle, lookup)
    await paused(page.length)
  }
  return [...shared]
}

/** Requests that identify a person without an id. */
const BY_CONTACT = [...activitiesByType(allActivities)]
  .filter(([, { activity }]) => activity.personal?.of === 'contact')
  .map(([type]) => type)

type Login = { readonly handle: string; readonly lookup: Lookup }

/** The identities and the wallets of logins, in the form of the directory. */
function loginsIn({ intent, result }: ActivityRow): readonly Login[] {
  // The vault wrote both as JSON.
  const asked = JSON.parse(intent) as JsonValue
  const answered = result === null ? null : (JSON.parse(result) as JsonValue)
  const message = isJsonObject(asked) ? asked['message'] : undefined
  return [
    ...[...textsIn(asked), ...textsIn(answered)].flatMap(identityIn),
    ...(typeof message === 'string' ? walletIn(message) : []),
  ]
}

function identityIn(text: string): readonly Login[] {
  const identity = peekOidcToken(text)
  if (identity === undefined) return []
  const { issuer, subject } = identity
  return [
    { handle: `${issuer} ${subject}`, lookup: { kind: 'OIDC_IDENTITY', value: oidcIdentity(identity) } },
  ]
}

function walletIn(message: string): readonly Login[] {
  try {
    const wallet = readSignInMessage(message)
    return [
      { handle: lowerAscii(wallet.address), lookup: { kind: 'PROVEN_WALLET', value: walletLogin(wallet) } },
    ]
  } catch (error) {
    // It was refused at that time, or has been erased since.
    if (error instanceof Failure) return []
    throw error
  }
}
