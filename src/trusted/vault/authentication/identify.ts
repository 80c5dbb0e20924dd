import { fromBase64url } from '../../base/bytes.ts'
import type { Work } from '../../base/work.ts'
import type { Ms } from '../../base/world.ts'
import type { Activity, Requester } from '../../catalogue/activity.ts'
import type { Answers, Question } from '../../catalogue/question.ts'
import type { Service } from '../../catalogue/service.ts'
import { featureOf, type User } from '../../charter/charter.ts'
import { audiencesHere } from '../../charter/identity-audiences.ts'
import { isAddressAllowed } from '../../charter/ip-allowlist.ts'
import { isExpired } from '../../charter/ways-in.ts'
import type { Expression } from '../../policy/expression.ts'
import { requireOneStamp, signatureNotVerified, type Stamp, type StampHeaders } from '../../crypto/stamp.ts'
import { type StampVerifier, verifyStamp } from '../../crypto/stamp-verify.ts'
import { isUserVerified } from '../../crypto/webauthn-consent.ts'
import { type Attested, attest } from './attested.ts'
import {
  addressNotAllowed,
  apiKeyExpired,
  authenticatorNotFound,
  publicKeyNotFound,
  stampNotAccepted,
  userNotVerified,
} from '../failures.ts'
import type { Proof } from '../seals/proof.ts'
import type { CompiledCharter } from '../charters/compiled-charter.ts'
import type { Holder } from '../charters/holders.ts'
import type { OwnAndParent } from '../charters/compiled-charters-of.ts'

/** The sender of a request, proven by its stamp. */
export type Identity = {
  readonly user: User
  /** The organization that the user belongs to: the one addressed, or its parent. */
  readonly compiled: CompiledCharter
  readonly credential: Holder['credential']
  /** The parts of the stamp in the vote record, with which it can be verified again. */
  readonly proof: { readonly publicKey: string; readonly signature: string; readonly scheme: string }
  /** The credential in the terms of MFA policies. */
  readonly method: Proof
  readonly provenContact?: Requester['provenContact']
  /** Present for a limited session. */
  readonly scope?: () => Expression | undefined
  readonly snapshot: () => string
}

type IdentifyResult =
  | { readonly kind: 'identity'; readonly identity: Identity }
  | { readonly kind: 'needs'; readonly charters: readonly string[] }
  | { readonly kind: 'asks'; readonly questions: readonly Question[] }

export const WEBAUTHN_SCHEME = 'SIGNATURE_SCHEME_TK_WEBAUTHN'
export const ATTESTED_SCHEME = 'SIGNATURE_SCHEME_TK_ATTESTED_P256'

type Stamped = {
  readonly body: Uint8Array
  readonly headers: StampHeaders
  readonly organizationId: string
  readonly clientAddress: string | undefined
  readonly answers: Answers
}

/** What a stamp is for, as far as it decides which stamps are accepted. */
export type Operation = Pick<Activity, 'operation' | 'attestable' | 'vote'>

/**
 * Finds the signer of the stamp in the addressed organization, then in its parent, and verifies the stamp.
 *
 * @param operation  the requested activity, or the query where it may be stamped with a token
 */
export async function identify(
  means: { readonly verifyStamp: StampVerifier; readonly service: Service; readonly work: Work },
  request: Stamped,
  operation: Operation | undefined,
  charters: OwnAndParent,
  now: Ms,
): Promise<IdentifyResult> {
  const stamp = requireOneStamp(request.headers)
  if (stamp.kind === 'session')
    throw stampNotAccepted({ kind: 'X-Session', operation: operation?.operation ?? '' })
  const result =
    stamp.kind === 'attested'
      ? await byToken(means, stamp, request, operation, charters, now)
      : await byCredential(verifierFor(means), stamp, request, charters, now)
  if (result.kind === 'identity') checkAddress(result.identity, request)
  return result
}

/** Work that goes before all others does not leave this thread: to come back, it would wait for a turn of theirs. */
function verifierFor(means: { readonly verifyStamp: StampVerifier; readonly work: Work }): StampVerifier {
  return means.work.goesFirst ? verifyStamp : means.verifyStamp
}

type TokenStamp = Extract<Stamp, { kind: 'attested' }>
type CredentialStamp = Extract<Stamp, { kind: 'apiKey' | 'webauthn' }>

async function byToken(
  { service, work }: { readonly service: Service; readonly work: Work },
  stamp: TokenStamp,
  { body, answers }: Stamped,
  operation: Operation | undefined,
  { own: compiled, parent }: OwnAndParent,
  now: Ms,
): Promise<IdentifyResult> {
  if (operation?.attestable !== true)
    throw stampNotAccepted({ kind: 'X-Stamp-Attested', operation: operation?.operation ?? 'a query' })
  const { parentId } = compiled.charter
  // The parent decides which identity tokens are accepted.
  if (parentId !== null && parent === undefined) return { kind: 'needs', charters: [parentId] }
  const audiences = audiencesHere(compiled.charter, parent?.charter)
  const result = await attest(stamp, body, operation, compiled, { service, audiences, answers, now, work })
  return result.kind === 'asks'
    ? result
    : { kind: 'identity', identity: attestedIdentity(stamp, compiled, result.attested) }
}

function attestedIdentity(stamp: TokenStamp, compiled: CompiledCharter, attested: Attested): Identity {
  const { user, credential, proof: method, provenContact } = attested
  const { publicKeyAttestation, scheme, publicKey, signature } = stamp
  return {
    user,
    compiled,
    credential,
    proof: {
      publicKey: credential.publicKey,
      signature: JSON.stringify({ publicKeyAttestation, scheme, publicKey, signature }),
      scheme: ATTESTED_SCHEME,
    },
    method,
    ...(provenContact === undefined ? {} : { provenContact }),
    snapshot: () => compiled.snapshot(user),
  }
}

async function byCredential(
  verifyStamp: StampVerifier,
  stamp: CredentialStamp,
  request: Stamped,
  { own, parent }: OwnAndParent,
  now: Ms,
): Promise<IdentifyResult> {
  const { organizationId } = request
  const name = stamp.kind === 'webauthn' ? stamp.credentialId : stamp.publicKey.toLowerCase()
  const compiled = own.holders.has(name) ? own : parent
  const holder = compiled?.holders.get(name)
  const { parentId } = own.charter
  // An unknown signer may be known to the parent, and the parent's setting of passkey origins applies too.
  if (
    parentId !== null &&
    parent === undefined &&
    (compiled === undefined || (stamp.kind === 'webauthn' && own.origins === undefined))
  )
    return { kind: 'needs', charters: [parentId] }
  if (
    compiled === undefined ||
    holder === undefined ||
    (holder.credential.credentialId !== undefined) !== (stamp.kind === 'webauthn')
  )
    throw notFound(stamp, organizationId)
  const origins = own.origins ?? parent?.origins
  if (!(await verifyStamp(stamp, request.body, holder.verification(), origins)))
    throw signatureNotVerified(stamp)
  if (stamp.kind === 'webauthn') checkUserVerified(stamp, compiled)
  if (holder.apiKey !== undefined && isExpired(holder.apiKey, now))
    throw apiKeyExpired({ organizationId, publicKey: holder.apiKey.publicKey })
  return { kind: 'identity', identity: identityOf(stamp, compiled, holder) }
}

/** Applies where the organization of the passkey requires user verification. */
function checkUserVerified(
  { authenticatorData }: Extract<CredentialStamp, { kind: 'webauthn' }>,
  { charter }: CompiledCharter,
): void {
  if (featureOf(charter, 'FEATURE_NAME_WEBAUTHN_USER_VERIFICATION') === undefined) return
  if (!isUserVerified(fromBase64url(authenticatorData) ?? new Uint8Array()))
    throw userNotVerified({ organizationId: charter.organizationId })
}

function identityOf(stamp: CredentialStamp, compiled: CompiledCharter, holder: Holder): Identity {
  const { user, credential, proof: method, scope } = holder
  const proof =
    stamp.kind === 'webauthn'
      ? {
          publicKey: credential.publicKey,
          signature: JSON.stringify(webauthnJson(stamp)),
          scheme: WEBAUTHN_SCHEME,
        }
      : { publicKey: credential.publicKey, signature: stamp.signature, scheme: stamp.scheme }
  return {
    user,
    compiled,
    credential,
    proof,
    method,
    ...(scope === undefined ? {} : { scope }),
    snapshot: () => compiled.snapshot(user),
  }
}

/** The list of the credential's organization. Requests of the service itself have no address. */
function checkAddress({ compiled, credential }: Identity, { clientAddress }: Stamped): void {
  if (clientAddress === undefined) return
  if (!isAddressAllowed(compiled.charter, credential.publicKey, clientAddress))
    throw addressNotAllowed({ organizationId: compiled.charter.organizationId })
}

function webauthnJson({
  credentialId,
  authenticatorData,
  clientDataJson,
  signature,
}: Extract<Stamp, { kind: 'webauthn' }>) {
  return { credentialId, authenticatorData, clientDataJson, signature }
}

function notFound(stamp: CredentialStamp, organizationId: string): Error {
  return stamp.kind === 'webauthn'
    ? authenticatorNotFound({ organizationId, credentialId: stamp.credentialId })
    : publicKeyNotFound({ organizationId, publicKey: stamp.publicKey })
}

/** The sender of the request, as the activity sees it. */
export function requesterOf({ user, compiled, credential, provenContact }: Identity): Requester {
  return {
    userId: user.userId,
    organizationId: compiled.charter.organizationId,
    credentialType: credential.type,
    credentialId: credential.id,
    ...(provenContact === undefined ? {} : { provenContact }),
  }
}
