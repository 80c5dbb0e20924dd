import type { Units } from './work.ts'

/**
 * The cost of each expensive step, in units of about a microsecond (docs/decisions/cost-of-requests.md). The costs were
 * measured once on the reference machine, rounded up, and stay fixed: the same request costs the same everywhere.
 */
export const costs = {
  /** A stamp verified, a charter looked up, a record sealed. */
  request: 200,
  /** A character of a body that is read strictly and shaped. */
  bodyCharacter: 0.05,
  /** A character of a charter that is opened. */
  charterCharacter: 0.01,
  /** A character of a policy, a scope or a condition that is read and compiled. */
  expressionCharacter: 0.4,
  /** A character of a condition that is only parsed, for the controls that it may name. */
  parsedCharacter: 0.1,
  /** A time zone that is looked up, because an expression that is to be written names it. */
  timeZone: 100,
  /** A policy that is evaluated, in addition to its steps. */
  policy: 1,
  /** A limit on usage that a policy asks about one thing, and that one thing counts in, in addition to the steps. */
  usage: 3,
  /** A policy whose every step is explained. */
  explainedPolicy: 100,
  /** A part of it that is told, and each character of its text and its value. */
  explainedPart: 5,
  explainedCharacter: 0.05,
  /** A step that an expression takes: a node that is visited. */
  expressionStep: 0.05,
  /** A node of a condition that is evaluated on an abstract request. */
  abstractNode: 2,
  /** A character of an answer to a query. */
  answerCharacter: 0.005,
  /** A row of the store that is opened or sealed, and each of its characters. */
  row: 20,
  rowCharacter: 0.01,
  /** A value by which a sub-organization is found from its parent. */
  lookup: 3,
  /** A block of an archive that is read, opened and parsed, and each byte of it. */
  archiveBlock: 200,
  archiveByte: 0.03,
  /** The key of a row that is removed or overwritten. */
  removedRow: 10,
  /** A character of a record that is rendered and signed for a webhook, in both shapes of its view. */
  webhookCharacter: 0.02,
  /** A character of a record whose votes are read and verified again. */
  voteCharacter: 0.02,
  vote: 300,
  /** A character of a transaction, typed data or a payload that is read, shown to policies and hashed. */
  payloadCharacter: 0.15,
  /** A hash with Keccak-256, and each byte of it. */
  keccak: 5,
  keccakByte: 0.05,
  /** A byte of a PSBT that a second library reads too; a field that it finds and reads; a public key on its curve. */
  secondReadingByte: 0.3,
  psbtFieldFound: 4,
  psbtFieldRead: 20,
  curvePoint: 150,
  /** An input or an output of a Bitcoin transaction, or a call of one of Tempo. */
  transactionInput: 20,
  hashedByte: 0.002,
  /** A character of an ABI or an IDL that is read; a function whose selector is computed. */
  interfaceCharacter: 0.1,
  abiFunction: 15,
  /** A public key that is registered: whether it is a point of its curve; with Ed25519, one of the subgroup too. */
  registeredKey: 50,
  registeredEdwardsKey: 1_000,
  /** The attestation of a passkey, and each character of it. */
  attestation: 1_000,
  attestationCharacter: 1,
  /** An identity token that is tried with each key of its issuer, and a character of those keys. */
  identityToken: 2_000,
  keySetCharacter: 0.05,
  /** A signature, verified before it is returned. */
  signature: 150,
  /** With Ed25519 the message itself is hashed, twice to sign and once to verify. */
  signedByte: 0.01,
  schnorrSignature: 500,
  schnorrSignatureWithoutLibrary: 12_000,
  /** A level of a path of a wallet, and the key and address at its end. */
  derivationLevel: 120,
  account: 250,
  /** The seed of a mnemonic: 2,048 rounds of PBKDF2. */
  seed: 2_500,
} as const satisfies Readonly<Record<string, Units>>
