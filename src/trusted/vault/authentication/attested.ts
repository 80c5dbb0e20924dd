import { present } from '../../base/assert.ts'
import { Failure } from '../../base/failure.ts'
import type { Ms } from '../../base/world.ts'
import type { Work } from '../../base/work.ts'
import { costOfToken, questionsAbout, verifyIdentityToken } from '../../catalogue/identity-tokens.ts'
import { answerTo, type Answers, type Question } from '../../catalogue/question.ts'
import type { Service } from '../../catalogue/service.ts'
import type { Activity, Requester } from '../../catalogue/activity.ts'
import type { Charter, User } from '../../charter/charter.ts'
import { requireFeature } from '../../charter/features.ts'
import { holderOfContact, holderOfIdentity, walletOf } from '../../charter/holders.ts'
import type { Audiences } from '../../charter/identity-audiences.ts'
import { peekOidcToken } from '../../crypto/oidc-token.ts'
import { signatureNotVerified } from '../../crypto/stamp.ts'
import { type AttestedStamp, oidcNonceFor, verifyAttestedSignature } from '../../crypto/stamp-attested.ts'
import { readVerificationToken, type VerificationToken } from '../../crypto/verification-token.ts'
import { attestationNotFound } from '../failures.ts'
import type { Proof } from '../seals/proof.ts'
import type { CompiledCharter } from '../charters/compiled-charter.ts'

/** The user whom a token identifies, in the addressed organization. */
export type Attested = {
  readonly user: User
  readonly credential: { readonly id: string; readonly type: ''; readonly publicKey: string }
  readonly proof: Proof
  readonly provenContact?: Requester['provenContact']
}

type AttestedResult =
  | { readonly kind: 'attested'; readonly attested: Attested }
  | { readonly kind: 'asks'; readonly questions: readonly Question[] }

type Means = {
  readonly service: Service
  readonly audiences: Audiences
  readonly answers: Answers
  readonly now: Ms
  readonly work: Work
}

/** Proves a stamp that was made with the key that a token is bound to, instead of with a registered credential. */
export async function attest(
  stamp: AttestedStamp,
  body: Uint8Array,
  operation: Pick<Activity, 'vote'>,
  compiled: CompiledCharter,
  means: Means,
): Promise<AttestedResult> {
  if (!(await verifyAttestedSignature(stamp, body))) throw signatureNotVerified(stamp)
  if (stamp.scheme === 'STAMP_ATTESTED_SCHEME_P256_OIDC') return await byIdentity(stamp, compiled, means)
  const attested = await byContact(stamp, compiled, means)
  const { organizationId, parentId } = compiled.charter
  if (parentId === null && !isEnough(attested, operation)) throw attestationNotFound({ organizationId })
  return { kind: 'attested', attested }
}

/** Methods that prove only who reads a mailbox, or has a phone. */
const CODES: readonly Proof['type'][] = ['AUTHENTICATION_TYPE_EMAIL_OTP', 'AUTHENTICATION_TYPE_SMS_OTP']

/**
 * In an organization without a parent. Strangers can have an auth proxy send its codes to any address, so that a code
 * opens no session of such a user and reads nothing, and serves for a vote only where an MFA policy of the user names
 * codes as a step.
 */
function isEnough({ user, proof }: Attested, { vote }: Pick<Activity, 'vote'>): boolean {
  if (!isCode(proof)) return true
  const { type } = proof
  const steps = user.mfaPolicies.flatMap(({ required }) => required.flatMap(({ any }) => any))
  return vote !== undefined && steps.some((step) => step.type === type)
}

export function isCode({ type }: Proof): boolean {
  return CODES.includes(type)
}

async function byContact(
  stamp: AttestedStamp,
  { charter }: CompiledCharter,
  { service, now }: Pick<Means, 'service' | 'now'>,
): Promise<Attested> {
  const token = await readVerificationToken(stamp.publicKeyAttestation, service.tokenVerifyKeys(now), now)
  const publicKey = stamp.publicKey.toLowerCase()
  if (token.publicKey?.toLowerCase() !== publicKey) throw signatureNotVerified(stamp)
  const { organizationId, parentId } = charter
  if (token.organizationId !== organizationId && token.organizationId !== parentId)
    throw attestationNotFound({ organizationId })
  const user = holderOfContact(charter.users, token)
  if (user === undefined) throw attestationNotFound({ organizationId })
  return {
    user,
    credential: { id: token.id, type: '', publicKey },
    proof: proofOf(token, user, charter),
    provenContact: provenBy(token),
  }
}

function proofOf(token: VerificationToken, user: User, charter: Charter): Proof {
  if (token.wallet !== undefined) {
    const { walletAuthenticatorId } = present(walletOf(user, token), 'the wallet of its holder')
    return { type: 'AUTHENTICATION_TYPE_WALLET', id: walletAuthenticatorId }
  }
  const isEmail = token.verificationType === 'OTP_TYPE_EMAIL'
  // The parent may have sent the code; this organization's own feature decides whether codes are accepted here.
  requireFeature(isEmail ? 'FEATURE_NAME_OTP_EMAIL_AUTH' : 'FEATURE_NAME_SMS_AUTH', [charter])
  return { type: isEmail ? 'AUTHENTICATION_TYPE_EMAIL_OTP' : 'AUTHENTICATION_TYPE_SMS_OTP', id: '' }
}

/** The proven contact of a token, for the activity. */
export function provenBy(token: VerificationToken): NonNullable<Requester['provenContact']> {
  const { id: tokenId, verificationType, contact, wallet, expiresAt } = token
  return { tokenId, verificationType, contact, ...(wallet === undefined ? {} : { wallet }), expiresAt }
}

async function byIdentity(
  stamp: AttestedStamp,
  { charter }: CompiledCharter,
  { service, audiences, answers, now, work }: Means,
): Promise<AttestedResult> {
  const claimed = peekOidcToken(stamp.publicKeyAttestation)
  const found = claimed && holderOfIdentity(charter.users, claimed)
  const { organizationId } = charter
  // An issuer is contacted only if a user of this organization has registered it.
  if (claimed === undefined || found === undefined) throw attestationNotFound({ organizationId })
  const questions = questionsAbout([stamp.publicKeyAttestation], audiences)
  if (questions.some((question) => answerTo(answers, question) === undefined))
    return { kind: 'asks', questions }
  const answered = (question: Question) =>
    present(answerTo(answers, question), 'the answer to a question that was asked')
  await work.step(costOfToken(stamp.publicKeyAttestation, { answerTo: answered }))
  const means = { now, service, audiences, answerTo: answered }
  const token = await verifyIdentityToken(stamp.publicKeyAttestation, means)
  if (token.nonce !== oidcNonceFor(stamp.publicKey)) throw signatureNotVerified(stamp)
  return { kind: 'attested', attested: identityAttested(stamp, found) }
}

/**
 * The same for an earlier vote: by its own bytes, and with the credentials that its user still holds. A verification
 * token is verified again, as of the time of the vote. The issuer of an identity token is not asked again, because its
 * keys will have changed; the seal of the record proves that it was asked then.
 */
export async function attestedAgain(
  stamp: AttestedStamp,
  body: Uint8Array,
  compiled: CompiledCharter,
  { service, castAt }: { readonly service: Service; readonly castAt: Ms },
): Promise<Attested | undefined> {
  if (!(await verifyAttestedSignature(stamp, body))) return undefined
  if (stamp.scheme === 'STAMP_ATTESTED_SCHEME_P256_OIDC') {
    const claimed = peekOidcToken(stamp.publicKeyAttestation)
    const found = claimed && holderOfIdentity(compiled.charter.users, claimed)
    return found && identityAttested(stamp, found)
  }
  try {
    return await byContact(stamp, compiled, { service, now: castAt })
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

function identityAttested(
  { publicKey }: AttestedStamp,
  { user, provider }: { readonly user: User; readonly provider: { readonly providerId: string } },
): Attested {
  const { providerId } = provider
  return {
    user,
    credential: { id: providerId, type: '', publicKey: publicKey.toLowerCase() },
    proof: { type: 'AUTHENTICATION_TYPE_OAUTH', id: providerId },
  }
}
