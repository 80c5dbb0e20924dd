// Microseconds of CPU of one decision by policies about a token transfer that has been read.
import { present } from '../src/trusted/base/assert.ts'
import { activities } from '../src/trusted/activities/list.ts'
import { signTransaction } from '../src/trusted/activities/signing/sign-transaction.ts'
import { activityFacts, policyVocabulary } from '../src/trusted/catalogue/vocabulary.ts'
import { readTransaction } from '../src/trusted/chains/read-transaction.ts'
import { secp256k1PublicKeyOf } from '../src/trusted/crypto/secp256k1.ts'
import { compilePolicy } from '../src/trusted/policy/compile-policy.ts'
import { decidePolicies, type PolicyQuestion } from '../src/trusted/policy/decide.ts'
import { explainPolicies } from '../src/trusted/policy/explain.ts'
import { distinctMeters } from '../src/trusted/policy/meters.ts'
import type { Approval } from '../src/trusted/policy/people.ts'
import { decisionBudget } from '../src/trusted/policy/run.ts'
import { median } from './median.ts'
import { policySet } from './policy-set.ts'
import { secretOf } from './service.ts'
import { RECIPIENT, TOKEN, TOKEN_INTERFACE, tokenTransfer } from './transfers.ts'

const ROUNDS = 15
const ROUND_MS = 50

const WALLET_ID = '0198c5a0-7d3c-7000-8000-00000000000a'
const USERS = Array.from({ length: 20 }, (_, at) =>
  approvalOf(`0198c5a0-7d3c-7000-8000-${String(at).padStart(12, '0')}`),
)

type Measured = { readonly title: string; readonly run: () => unknown }

const toRead = {
  type: 'TRANSACTION_TYPE_ETHEREUM' as const,
  unsignedTransaction: tokenTransfer(7),
  signer: { curve: 'CURVE_SECP256K1' as const, publicKey: secp256k1PublicKeyOf(secretOf('account')) },
  signWith: RECIPIENT,
  interfaces: [{ kind: 'ethereum' as const, address: TOKEN.toLowerCase(), text: TOKEN_INTERFACE }],
}
const facts = {
  ...activityFacts(signTransaction, {
    type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
    organizationId: WALLET_ID,
    newest: toRead,
  }),
  usage: { user: present(USERS[0], 'a user').user.id },
  wallet: { id: WALLET_ID, label: 'Treasury', imported: false, exported: false },
  wallet_account: { address: toRead.signWith },
  ...readTransaction(toRead).seen,
}

for (const line of report()) process.stdout.write(`${line}\n`)

/** One line each; medians of rounds taken in turn. */
function report(): readonly string[] {
  const measured: readonly Measured[] = [
    ...[10, 100].flatMap((count) => [
      { title: `${count} policies`, run: decided(count) },
      { title: `${count} policies, one with a limit on use`, run: decided(count, 'an account') },
      { title: `${count} policies, explained`, run: explained(count) },
    ]),
    { title: 'reading the transaction, for comparison', run: () => readTransaction(toRead) },
  ]
  const rounds = measured.map(({ run }) => ({ run, times: timesFor(run) }))
  const times = measured.map((): number[] => [])
  for (let round = 0; round < ROUNDS; round++)
    for (const [at, { run, times: count }] of rounds.entries()) times[at]?.push(microseconds(run, count))
  return measured.map(
    ({ title }, at) =>
      `${title.padEnd(42)} ${median(times[at] ?? [])
        .toFixed(1)
        .padStart(8)} us CPU`,
  )
}

function decided(count: number, limit?: 'an account'): () => unknown {
  const question = questionOf(count, limit)
  const meters = distinctMeters(question.policies.flatMap(({ condition }) => condition?.meters ?? []))
  const usage = (): bigint => 10n ** 20n
  const decide = (): string => {
    for (const meter of meters) meter.use(facts, decisionBudget())
    return decidePolicies({ ...question, usage }).decision
  }
  if (decide() !== 'allow') throw new Error(`${count} policies do not allow what is measured`)
  return decide
}

function explained(count: number): () => unknown {
  const question = questionOf(count)
  return () => explainPolicies(question)
}

function questionOf(count: number, limit?: 'an account'): PolicyQuestion {
  const voter = present(USERS[0], 'a user')
  const subject = {
    userId: voter.user.id,
    walletId: WALLET_ID,
    privateKeyTagId: WALLET_ID,
    token: TOKEN,
    recipient: RECIPIENT,
  }
  const vocabulary = policyVocabulary(activities)
  const policies = policySet(count, subject, limit).map((policy, at) =>
    compilePolicy({ policyId: `policy ${at}`, ...policy }, vocabulary),
  )
  return { policies, facts, approvals: [voter], voter, everyone: USERS, now: 1_800_000_000_000 }
}

function approvalOf(userId: string): Approval {
  const credential = {
    id: userId,
    userId,
    type: 'CREDENTIAL_TYPE_API_KEY_P256',
    credentialId: '',
    publicKey: '',
  }
  return { user: { id: userId, tags: [], email: '', alias: 'Ada' }, credentials: [credential] }
}

/** How often it runs in a round; finding out warms it up. */
function timesFor(run: () => unknown): number {
  microseconds(run, 2_000)
  return Math.ceil((ROUND_MS * 1000) / microseconds(run, 200))
}

function microseconds(run: () => unknown, times: number): number {
  const start = process.cpuUsage()
  for (let time = 0; time < times; time++) run()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / times
}
