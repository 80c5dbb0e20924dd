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
import { resealRequest } from './reseal.ts'
import { plainJob } from './rows.ts'

/** What the host may ask of the vault: the shape of each call, which the vault reads, and of its answer, which the host reads. */
const methods = {
  /** Judges a submission and carries it out, in memory: nothing has happened until the unit is committed. */
  decide: { call: decideRequest, answer: decision },
  /** Whose stamp is this, for a query. */
  identify: { call: identifyRequest, answer: identified },
  /** Whether every row is as this vault sealed it, and none older than it knows; rejects when one is not its own. */
  check: { call: checkRequest, answer: checked },
  /** The first organization of a service, or a further top-level one, with one root user. */
  establish: { call: establishRequest, answer: established },
  /** What a message says, at the moment it is sent. */
  openJob: { call: plainJob, answer: message },
  signWebhook: { call: webhookRequest, answer: signedWebhook },
  /** How requests would be judged, with nothing carried out. */
  rehearse: { call: rehearseRequest, answer: rehearsed },
  /** What is wrong with rows of a store or of a copy, by their seals and their secrets; nothing is decided by it. */
  verify: { call: verifyRequest, answer: verified },
  /** A key for the file of a copy. */
  copyKey: { call: copyKeyRequest, answer: copyKey },
  /** What only requests from after a restored copy may be decided by (`checkRestored`), by the proof that this root key made of it. */
  restored: { call: rootProofRequest, answer: isRestored },
  /** Mails that tell root users of a restore. */
  announceRestore: { call: announceRequest, answer: announced },
  /** Mails that tell root users of a recovery of the root key. */
  announceRecovery: { call: announceRecoveryRequest, answer: announced },
  /** Counts an hour of an attempt to recover an organization, when it has passed. */
  heartbeat: { call: heartbeatRequest, answer: heartbeat },
  serviceKeys: { call: nothing, answer: serviceKeys },
  /** A text that only the holder of this root key can make, to see that data and root key belong together. */
  proveRoot: { call: challenge, answer: rootProof },
  /** Which version of this root key made the proof, if any. */
  checkRootProof: { call: rootProofRequest, answer: proofOrigin },
  /** The versions of the root key, after the root key file has been read again. */
  rereadRootKey: { call: nothing, answer: rootKeysShown },
  /** Rows of a deleted organization without what was said in them. */
  erase: { call: eraseRequest, answer: erased },
  /** Seals rows anew under the version that seals, and counts what was found under which. */
  reseal: { call: resealRequest, answer: resealed },
}

export type VaultMethod = keyof typeof methods
export type CallOf<M extends VaultMethod> = PlainOf<(typeof methods)[M]['call']>
export type AnswerOf<M extends VaultMethod> = PlainOf<(typeof methods)[M]['answer']>

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
