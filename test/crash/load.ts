import type { Seeded } from '../support/seeded.ts'
import type { StampKey } from '../support/stamper.ts'
import { type Connection, type Entry, entryOf, UnexpectedAnswer } from './ledger.ts'

export type People = {
  readonly organizationId: string
  readonly root: StampKey
  /** Two users of whom either may propose a signature, which the other then approves. */
  readonly proposer: StampKey
  readonly approver: StampKey
  readonly privateKeyId: string
}

const LANES = 6
const WRONG_TRIES = 5

/**
 * Sends activities of every kind over several lanes until the service is gone; whatever was sent is in the ledger
 * before it is sent. A request with an unexpected answer is reported and taken out of it again; the others go on.
 */
export async function loadUntilGone(
  to: Connection,
  people: People,
  ledger: Entry[],
  how: {
    readonly random: Seeded
    readonly isRunning: () => boolean
    readonly report: (unexpected: string) => void
  },
): Promise<void> {
  const { random, isRunning, report } = how
  const send = async (entry: Entry): Promise<string | 'gone' | 'unexpected'> => {
    ledger.push(entry)
    try {
      const answer = await to.post(entry)
      if (answer === undefined) return 'gone'
      entry.answer = answer
      return answer
    } catch (error) {
      if (!(error instanceof UnexpectedAnswer)) throw error
      ledger.splice(ledger.indexOf(entry), 1)
      report(error.message)
      return 'unexpected'
    }
  }
  const lane = async (): Promise<void> => {
    while (isRunning()) {
      const unique = Buffer.from(random.bytes(8)).toString('hex')
      const answer = await send(nextEntry(people, random.below(11), unique))
      if (answer === 'gone') return
      if (answer === 'unexpected') continue
      const answers = await Promise.all(followUps(people, answer).map(send))
      if (answers.includes('gone')) return
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

/**
 * Of eleven: seven signatures, two of which wait for a second person; two keys; one amendment of the charter; one code.
 */
function nextEntry(people: People, draw: number, unique: string): Entry {
  const { organizationId, root, proposer, privateKeyId } = people
  if (draw === 0)
    return entryOf({
      kind: 'rename',
      key: root,
      organizationId,
      type: 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME',
      parameters: { organizationName: `Crash ${unique}` },
    })
  if (draw <= 2) {
    const keyName = `Key ${unique}`
    const privateKey = {
      privateKeyName: keyName,
      curve: 'CURVE_SECP256K1',
      privateKeyTags: [],
      addressFormats: [],
    }
    return entryOf({
      kind: 'key',
      key: root,
      organizationId,
      type: 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2',
      parameters: { privateKeys: [privateKey] },
      keyName,
    })
  }
  if (draw === 5)
    return entryOf({
      kind: 'code',
      key: root,
      organizationId,
      type: 'ACTIVITY_TYPE_INIT_OTP_V2',
      parameters: {
        otpType: 'OTP_TYPE_EMAIL',
        contact: `${unique}@example.test`,
        appName: 'Crash',
        expirationSeconds: '600',
      },
    })
  return entryOf({
    kind: draw <= 4 ? 'propose' : 'sign',
    key: draw <= 4 ? proposer : root,
    organizationId,
    type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
    parameters: {
      signWith: privateKeyId,
      payload: unique,
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction: 'HASH_FUNCTION_SHA256',
    },
  })
}

/**
 * A proposal that waits is approved by the second person. A code is tried more often than it may be, always wrongly.
 */
function followUps(people: People, answer: string): readonly Entry[] {
  // An activity as the service answers it.
  const { activity } = JSON.parse(answer) as {
    activity: { status: string; fingerprint: string; result?: { initOtpResult?: { otpId: string } } }
  }
  const otpId = activity.result?.initOtpResult?.otpId
  if (otpId !== undefined) return Array.from({ length: WRONG_TRIES }, (_, n) => wrongTry(people, otpId, n))
  return activity.status === 'ACTIVITY_STATUS_CONSENSUS_NEEDED' ? [approval(people, activity)] : []
}

function approval({ organizationId, approver }: People, { fingerprint }: { fingerprint: string }): Entry {
  return entryOf({
    kind: 'approve',
    key: approver,
    organizationId,
    type: 'ACTIVITY_TYPE_APPROVE_ACTIVITY',
    parameters: { fingerprint },
  })
}

function wrongTry({ organizationId, root }: People, otpId: string, n: number): Entry {
  return entryOf({
    kind: 'try',
    key: root,
    organizationId,
    type: 'ACTIVITY_TYPE_VERIFY_OTP',
    // Shorter than any code.
    parameters: { otpId, otpCode: `${n}` },
    otpId,
  })
}
