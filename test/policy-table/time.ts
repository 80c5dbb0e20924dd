import { signsPayload } from './asks.ts'
import { allow, decided, deny, SIGN } from './decision.ts'

/**
 * Rows 62, 64 and 65: when policies hold. The clock of tests starts in November 2026, so that the moments of the table
 * are a year later here.
 */
export const rowsOfTime = [
  decided(62, 'a policy holds from its moment on, and not a millisecond earlier', (o) => ({
    policies: [allow(SIGN, { time: "time.now >= Timestamp('2027-03-01T00:00:00Z')" })],
    requests: [
      { at: MARCH - 28 * DAY, ask: signsPayload(o.K1), comesTo: ['denied', 'TIME_INACTIVE'] },
      { at: MARCH - 1, ask: signsPayload(o.K1), comesTo: ['denied', 'TIME_INACTIVE'] },
      { at: MARCH, ask: signsPayload(o.K1), comesTo: ['completed', 'ALLOW'] },
    ],
  })),
  decided(64, 'a policy for the night ends with it', (o) => ({
    policies: [allow(SIGN, { time: "CronSpan('0 22 * * *','8h','UTC')" })],
    requests: [
      { at: MARCH + 5 * HOUR + 59 * MINUTE, ask: signsPayload(o.K1), comesTo: ['completed', 'ALLOW'] },
      { at: MARCH + 6 * HOUR, ask: signsPayload(o.K1), comesTo: ['denied', 'TIME_INACTIVE'] },
      { at: MARCH + 22 * HOUR - 1, ask: signsPayload(o.K1), comesTo: ['denied', 'TIME_INACTIVE'] },
      { at: MARCH + 22 * HOUR, ask: signsPayload(o.K1), comesTo: ['completed', 'ALLOW'] },
    ],
  })),
  decided(65, 'a DENY outside of its time denies nothing', (o) => ({
    policies: [deny(SIGN, { time: "time.now < Timestamp('2026-01-01T00:00:00Z')" }), allow(SIGN)],
    requests: [{ ask: signsPayload(o.K1), comesTo: ['completed', 'TIME_INACTIVE', 'ALLOW'] }],
  })),
]

const MARCH = Date.UTC(2027, 2, 1)
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
