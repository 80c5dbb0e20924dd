import { type Facts, list, string, struct, type Value, type Vocabulary } from './types.ts'

/** A user as a consensus sees them. */
type Approver = {
  readonly id: string
  /** Ids of tags. */
  readonly tags: readonly string[]
  /** '' where the user has none. */
  readonly email: string
  readonly alias: string
}

/** A credential with which an approval was signed. */
type ApproverCredential = {
  readonly id: string
  readonly userId: string
  /** A `CREDENTIAL_TYPE_…`. */
  readonly type: string
  /** For passkeys; '' for every other type, so that naming it never turns one approval into a failure. */
  readonly credentialId: string
  readonly publicKey: string
}

/** A user's approval, with the credentials it was given with. */
export type Approval = { readonly user: Approver; readonly credentials: readonly ApproverCredential[] }

/** The approvals of one user as one, with all credentials of them. */
export function togetherOf(approvals: readonly Approval[], user: Approver): Approval {
  const own = approvals.filter((approval) => approval.user.id === user.id)
  return { user, credentials: own.flatMap(({ credentials }) => credentials) }
}

/** All keywords of a consensus: a condition sees the activity, a consensus sees the people. */
export const consensusVocabulary: Vocabulary = {
  approvers: list(struct({ id: string, tags: list(string), email: string, alias: string })),
  credentials: list(
    struct({ id: string, user_id: string, type: string, credential_id: string, public_key: string }),
  ),
}

/** The facts of these approvals. A user, and a credential, counts once however often it approves. */
export function peopleFacts(approvals: readonly Approval[]): Facts {
  const approvers = unique(approvals.map(({ user }) => user))
  const credentials = unique(approvals.flatMap((approval) => approval.credentials))
  return { approvers, credentials: credentials.map(credentialFact) }
}

/** People who join one at a time. The facts of each moment share their parts. */
export class Crowd {
  readonly #approvers = new Map<string, Value>()
  readonly #credentials = new Map<string, Value>()

  constructor(approvals: readonly Approval[]) {
    for (const approval of approvals) this.add(approval)
  }

  add({ user, credentials }: Approval): void {
    if (!this.#approvers.has(user.id)) this.#approvers.set(user.id, user)
    for (const credential of credentials) {
      if (!this.#credentials.has(credential.id))
        this.#credentials.set(credential.id, credentialFact(credential))
    }
  }

  facts(): Facts {
    return { approvers: [...this.#approvers.values()], credentials: [...this.#credentials.values()] }
  }
}

function credentialFact({ id, userId, type, credentialId, publicKey }: ApproverCredential): Value {
  return { id, user_id: userId, type, credential_id: credentialId, public_key: publicKey }
}

function unique<T extends { readonly id: string }>(items: readonly T[]): readonly T[] {
  if (items.length < 2) return items
  const byId = new Map<string, T>()
  for (const item of items) if (!byId.has(item.id)) byId.set(item.id, item)
  return [...byId.values()]
}
