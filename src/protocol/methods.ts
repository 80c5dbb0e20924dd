import { nothing, type Plain, type PlainOf, readPlain } from '../trusted/base/plain.ts'
import {
  announced,
  checked,
  copyKey,
  decision,
  erased,
  established,
  heartbeat,
  identified,
  message,
  isRestored,
  proofOrigin,
  rehearsed,
  resealed,
  rootKeysShown,
  rootProof,
  serviceKeys,
  signedWebhook,
  userErased,
  verified,
} from './answers.ts'
import {
  announceRecoveryRequest,
  announceRequest,
  challenge,
  checkRequest,
  copyKeyRequest,
  decideRequest,
  establishRequest,
  heartbeatRequest,
  identifyRequest,
  rehearseRequest,
  rootProofRequest,
  verifyRequest,
  webhookRequest,
} from './calls.ts'
import { eraseRequest } from './erase.ts'
import { eraseUserRequest } from './erase-user.ts'
import { resealRequest } from './reseal.ts'
import { plainJob } from './rows.ts'

/**
 * The methods of the vault: the shape of each call, which the vault checks, and of its answer, which the host checks.
 */
const methods = {
  /** Decides a submission and carries it out in memory; it takes effect when the unit is committed. */
  decide: { call: decideRequest, answer: decision },
  /** Identifies the signer of a stamp, for a query. */
  identify: { call: identifyRequest, answer: identified },
  /**
   * Whether every row is as this vault sealed it, and not older than the known state; rejects when a row has no seal of
   * this vault.
   */
  check: { call: checkRequest, answer: checked },
  /** The first organization of a service, or a further top-level one, with one root user. */
  establish: { call: establishRequest, answer: established },
  /** The content of a message, when it is sent. */
  openJob: { call: plainJob, answer: message },
  signWebhook: { call: webhookRequest, answer: signedWebhook },
  /** The judgements of rehearsed requests, which are not carried out. */
  rehearse: { call: rehearseRequest, answer: rehearsed },
  /** The problems of rows of a store or of a copy, by their seals and secrets; not used for decisions. */
  verify: { call: verifyRequest, answer: verified },
  /** A key for the file of a copy. */
  copyKey: { call: copyKeyRequest, answer: copyKey },
  /**
   * Tells the vault of a restored copy, with the proof by this root key: from then on it refuses requests from before
   * the restore (`checkRestored`).
   */
  restored: { call: rootProofRequest, answer: isRestored },
  /** Mails to root users about a restore. */
  announceRestore: { call: announceRequest, answer: announced },
  /** Mails to root users about a recovery of the root key. */
  announceRecovery: { call: announceRecoveryRequest, answer: announced },
  /** Counts an hour of a recovery attempt of an organization, when it has passed. */
  heartbeat: { call: heartbeatRequest, answer: heartbeat },
  serviceKeys: { call: nothing, answer: serviceKeys },
  /** A proof that only the holder of this root key can make, to check that data and root key belong together. */
  proveRoot: { call: challenge, answer: rootProof },
  /** The version of this root key that made the proof, if any. */
  checkRootProof: { call: rootProofRequest, answer: proofOrigin },
  /** The versions of the root key, after the root key file has been read again. */
  rereadRootKey: { call: nothing, answer: rootKeysShown },
  /** Removes personal content from rows of a deleted organization. */
  erase: { call: eraseRequest, answer: erased },
  /** Removes the data of a deleted user from records of an existing organization. */
  eraseUser: { call: eraseUserRequest, answer: userErased },
  /** Reseals rows under the current sealing version, and counts the versions that were found. */
  reseal: { call: resealRequest, answer: resealed },
}

export type VaultMethod = keyof typeof methods
export type CallOf<M extends VaultMethod> = PlainOf<(typeof methods)[M]['call']>
export type AnswerOf<M extends VaultMethod> = PlainOf<(typeof methods)[M]['answer']>

/** The methods whose answer may be a unit, of which the host tells what became of it. */
export type HandingOut = {
  [M in VaultMethod]: Extract<AnswerOf<M>, { readonly unit: unknown }> extends never ? never : M
}[VaultMethod]

// The table has these keys and no others.
export const METHODS = Object.keys(methods) as readonly VaultMethod[]

const shapes: {
  readonly [M in VaultMethod]: { readonly call: Plain<CallOf<M>>; readonly answer: Plain<AnswerOf<M>> }
} = methods

/** @throws NotPlain */
export function readCall<M extends VaultMethod>(method: M, sent: unknown): CallOf<M> {
  return readPlain(shapes[method].call, sent, method)
}

/** @throws NotPlain */
export function readAnswer<M extends VaultMethod>(method: M, said: unknown): AnswerOf<M> {
  return readPlain(shapes[method].answer, said, method)
}
