import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { calendarDay, daysUntil } from './calendar.ts'
import { checkZones } from './check-zones.ts'
import { durationOf } from './duration.ts'
import { parseExpression } from './expression.ts'
import { parse } from './parse.ts'
import { referenceEvaluate } from './testing/reference.ts'
import { timeFacts, timeVocabulary } from './time.ts'
import { timestampOf } from './timestamp.ts'
import { Problem } from './problem.ts'
import { isZone } from './zone.ts'

const DAY_MS = 86_400_000

test('a day is the one that the runtime takes it for, over eight hundred years', () => {
  for (let days = -146_097; days <= 146_097; days += 1) {
    const date = new Date(days * DAY_MS)
    const [month, day] = [date.getUTCMonth() + 1, date.getUTCDate()]

    assert.deepEqual(calendarDay(days), { month, day, weekday: date.getUTCDay() })
    assert.equal(daysUntil(date.getUTCFullYear(), month, day), days)
  }
})

test('every time of RFC 3339 in UTC is read as the runtime reads it', () => {
  const times = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(times, fc.constantFrom('Z', 'z', '+00:00', '-00:00'), (date, zone) => {
      assert.equal(timestampOf(date.toISOString().replace('Z', zone)), BigInt(date.getTime()))
    }),
  )
})

test('seconds may have no fraction, or one of any length that milliseconds can hold', () => {
  for (const [text, ms] of [
    ['1970-01-01T00:00:01Z', 1_000n],
    ['1970-01-01t00:00:00.5z', 500n],
    ['1970-01-01T00:00:00.120000000Z', 120n],
    ['2024-02-29T23:59:59.999Z', 1_709_251_199_999n],
    ['0000-01-01T00:00:00Z', -62_167_219_200_000n],
  ] as const)
    assert.equal(timestampOf(text), ms, text)
})

test('what is not a time in UTC, or finer than a millisecond, is no timestamp', () => {
  for (const text of [
    '',
    '2026-03-01',
    '2026-03-01T00:00Z',
    '2026-03-01T00:00:00',
    '2026-03-01 00:00:00Z',
    '2026-03-01T00:00:00+01:00',
    '2026-03-01T00:00:00-05:00',
    '2026-03-01T00:00:00+0000',
    '2026-03-01T24:00:00Z',
    '2026-03-01T00:60:00Z',
    '2026-12-31T23:59:60Z',
    '2026-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-03-01T00:00:00.Z',
    '2026-03-01T00:00:00.0001Z',
    '2026-03-01T00:00:00.0000000000Z',
    '+2026-03-01T00:00:00Z',
    ' 2026-03-01T00:00:00Z',
    '2026-03-01T00:00:00Z\n',
    '２０２６-03-01T00:00:00Z',
  ])
    assert.equal(timestampOf(text), undefined, text)
})

test('a duration is days, hours and minutes, in this order, more than none and not too many', () => {
  const week = 7 * DAY_MS
  assert.equal(durationOf('1d12h30m', week), 131_400_000)
  assert.equal(durationOf('7d', week), week)
  assert.equal(durationOf('168h', week), week)
  assert.equal(durationOf('1m', week), 60_000)
  for (const text of [
    '',
    '0m',
    '0d0h',
    '8d',
    '7d1m',
    '999999999d',
    '1h1d',
    '1d 2h',
    '-1h',
    '1.5h',
    '1s',
    '1H',
    '1',
  ]) {
    assert.equal(durationOf(text, week), undefined, text)
  }
})

test('a time zone is one of the IANA database, and neither an offset nor anything else', () => {
  for (const zone of ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'EST5EDT'])
    assert.ok(isZone(zone), zone)
  for (const zone of ['', '+01:00', '-05', 'Europe/Atlantis', 'Europe/Berlin ', 'local', 'system'])
    assert.ok(!isZone(zone), zone)
})

test('a runtime that fails to look a zone up is not taken for one that has no such zone', (t) => {
  t.mock.method(Intl, 'DateTimeFormat', function fails(): never {
    throw new TypeError('a bug')
  })
  assert.throws(() => isZone('Europe/Berlin'), /a bug/)
})

for (const [cron, isOne] of [
  ['0 22 * * *', true],
  ['0,30 8-18 1-31 1-12 1-5', true],
  ['59 23 31 12 6', true],
  ['05 8 * * *', true],
  ['5-5 * * * *', true],
  ['*/5 * * * *', false],
  ['0-30/5 * * * *', false],
  ['0 0 * * MON', false],
  ['0 0 * JAN *', false],
  ['@daily', false],
  ['0 0 0 * * *', false],
  ['* * * * * *', false],
  ['0 0 * *', false],
  ['60 * * * *', false],
  ['* 24 * * *', false],
  ['* * 0 * *', false],
  ['* * 32 * *', false],
  ['* * * 0 *', false],
  ['* * * 13 *', false],
  ['* * * * 7', false],
  ['5-1 * * * *', false],
  ['1,,2 * * * *', false],
  ['1, * * * *', false],
  ['*,1 * * * *', false],
  ['-1 * * * *', false],
  ['? * * * *', false],
  ['L * * * *', false],
  ['0  22 * * *', false],
  [' 0 22 * * *', false],
  ['0\t22 * * *', false],
] as const) {
  test(`${JSON.stringify(cron)} is ${isOne ? 'a' : 'no'} schedule`, () => {
    const read = (): unknown => parseExpression(`CronSpan('${cron}', '1h', 'UTC')`, timeVocabulary)
    if (isOne) read()
    else assert.throws(read, { name: 'Failure', kind: 'expressionInvalid' })
  })
}

/** Cron expression, length, zone, time in UTC, and whether it is within. */
const windows: readonly (readonly [string, string, string, string, boolean])[] = [
  ['0 22 * * *', '8h', 'UTC', '2026-03-01T21:59:59.999Z', false],
  ['0 22 * * *', '8h', 'UTC', '2026-03-01T22:00:00Z', true],
  ['0 22 * * *', '8h', 'UTC', '2026-03-02T05:59:59.999Z', true],
  ['0 22 * * *', '8h', 'UTC', '2026-03-02T06:00:00Z', false],
  ['0 0 * * *', '1m', 'UTC', '2026-03-02T00:00:00Z', true],
  // Friday evening to Monday morning.
  ['0 18 * * 5', '2d14h', 'Europe/Berlin', '2026-03-09T06:59:59Z', true],
  ['0 18 * * 5', '2d14h', 'Europe/Berlin', '2026-03-09T07:00:00Z', false],
  // On the 13th, and on Fridays.
  ['0 0 13 * 5', '1d', 'UTC', '2026-01-13T12:00:00Z', true],
  ['0 0 13 * 5', '1d', 'UTC', '2026-01-16T12:00:00Z', true],
  ['0 0 13 * 5', '1d', 'UTC', '2026-01-14T12:00:00Z', false],
  // On weekdays in March.
  ['0 0 * 3 1-5', '1d', 'UTC', '2026-03-03T12:00:00Z', true],
  ['0 0 * 3 1-5', '1d', 'UTC', '2026-03-07T12:00:00Z', false],
  ['0 0 * 3 1-5', '1d', 'UTC', '2026-04-01T12:00:00Z', false],
  ['0 0 30 2 *', '7d', 'UTC', '2026-03-02T12:00:00Z', false],
  ['0 0 29 2 *', '1d', 'UTC', '2028-02-29T12:00:00Z', true],
  // Windows overlap, and are one.
  ['0 0 * * *', '7d', 'UTC', '2026-03-02T12:00:00Z', true],
  ['0 0 * * *', '1d', 'Asia/Kathmandu', '2026-03-02T12:00:00Z', true],
  ['0 9 * * *', '1h', 'Asia/Kathmandu', '2026-03-02T03:15:00Z', true],
  ['0 9 * * *', '1h', 'Asia/Kathmandu', '2026-03-02T03:14:59Z', false],
  // Clocks are put forward from 02:00 to 03:00 at 01:00 UTC: what they skip fires then.
  ['30 2 * * *', '1h', 'Europe/Berlin', '2026-03-29T00:59:59Z', false],
  ['30 2 * * *', '1h', 'Europe/Berlin', '2026-03-29T01:00:00Z', true],
  ['30 2 * * *', '1h', 'Europe/Berlin', '2026-03-29T01:59:59Z', true],
  ['30 2 * * *', '1h', 'Europe/Berlin', '2026-03-29T02:00:00Z', false],
  ['59 1 * * *', '1h', 'Europe/Berlin', '2026-03-29T01:58:59Z', true],
  ['59 1 * * *', '1h', 'Europe/Berlin', '2026-03-29T01:59:00Z', false],
  // They are put back from 03:00 to 02:00 at 01:00 UTC: the hour before fires twice.
  ['30 2 * * *', '10m', 'Europe/Berlin', '2026-10-25T00:35:00Z', true],
  ['30 2 * * *', '10m', 'Europe/Berlin', '2026-10-25T00:45:00Z', false],
  ['30 2 * * *', '10m', 'Europe/Berlin', '2026-10-25T01:35:00Z', true],
  ['30 2 * * *', '10m', 'Europe/Berlin', '2026-10-25T01:45:00Z', false],
  // When they first come to 03:00 they show 02:00.
  ['0 3 * * *', '1m', 'Europe/Berlin', '2026-10-25T01:00:00Z', false],
  ['0 3 * * *', '1m', 'Europe/Berlin', '2026-10-25T02:00:00Z', true],
  // The duration is time that passes, whatever the clocks do.
  ['0 0 * * *', '3h', 'Europe/Berlin', '2026-10-25T00:59:59Z', true],
  ['0 0 * * *', '3h', 'Europe/Berlin', '2026-10-25T01:00:00Z', false],
  // Half an hour, on Lord Howe Island.
  ['15 2 * * *', '5m', 'Australia/Lord_Howe', '2026-10-03T15:30:00Z', true],
  ['15 2 * * *', '5m', 'Australia/Lord_Howe', '2026-10-03T15:35:00Z', false],
  // Liberia was 44 minutes and 30 seconds behind: its clocks show a whole minute less.
  ['0 12 * * *', '1m', 'Africa/Monrovia', '1971-06-01T12:44:59Z', false],
  ['0 12 * * *', '1m', 'Africa/Monrovia', '1971-06-01T12:45:00Z', true],
  // Morocco put its clocks forward at midnight, and not a minute earlier.
  ['30 0 1 6 *', '1m', 'Africa/Casablanca', '2008-05-31T23:59:00Z', false],
  ['30 0 1 6 *', '1m', 'Africa/Casablanca', '2008-06-01T00:00:00Z', true],
  // Samoa left out 30 December 2011.
  ['0 12 30 12 *', '1h', 'Pacific/Apia', '2011-12-30T10:00:00Z', true],
  ['0 12 30 12 *', '1h', 'Pacific/Apia', '2011-12-30T09:59:00Z', false],
  ['0 12 31 12 *', '1h', 'Pacific/Apia', '2011-12-30T22:00:00Z', true],
]

for (const [cron, length, zone, time, expected] of windows) {
  test(`${time} is ${expected ? '' : 'not '}within ${length} of ${cron} in ${zone}`, () => {
    const text = `CronSpan('${cron}', '${length}', '${zone}')`
    const now = Date.parse(time)

    assert.equal(parseExpression(text, timeVocabulary).evaluate(timeFacts(now)), expected)
    assert.equal(referenceEvaluate(parse(text), timeFacts(now)), expected)
  })
}

const field = (min: number, max: number): fc.Arbitrary<string> => {
  const part = fc
    .tuple(fc.integer({ min, max }), fc.integer({ min, max }), fc.boolean())
    .map(([a, b, isRange]) => (isRange ? `${Math.min(a, b)}-${Math.max(a, b)}` : `${a}`))
  return fc.oneof(
    fc.constant('*'),
    fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(',')),
  )
}
const crons = fc.tuple(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 6))
const zones = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Asia/Kathmandu',
  'Africa/Casablanca',
  'America/St_Johns',
  'Pacific/Chatham',
  'Asia/Gaza',
  'America/Sao_Paulo',
)
/** Around the days on which clocks change, and at any time. */
const moments = fc.oneof(
  fc.integer({ min: Date.UTC(2026, 2, 7), max: Date.UTC(2026, 3, 7) }),
  fc.integer({ min: Date.UTC(2026, 9, 3), max: Date.UTC(2026, 10, 3) }),
  fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2036, 0) }),
)
const lengths = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 240 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 7 * 24 * 60 }) },
)

test('a window holds a time when the clock of its zone says so, minute for minute', () => {
  const seen = { true: 0, false: 0 }
  fc.assert(
    fc.property(crons, lengths, zones, moments, (cron, minutes, zone, now) => {
      const text = `CronSpan('${cron.join(' ')}', '${minutes}m', '${zone}')`

      const value = parseExpression(text, timeVocabulary).evaluate(timeFacts(now))

      assert.equal(value, referenceEvaluate(parse(text), timeFacts(now)), `${text} at ${now}`)
      seen[`${value === true}`] += 1
    }),
    { numRuns: 400 },
  )
  assert.ok(seen.true > 20 && seen.false > 20)
})

test('a zone that an expression names often is looked up once, since that is slow', (t) => {
  const looks = t.mock.method(Intl, 'DateTimeFormat')
  const span = (zone: string): string => `CronSpan('0 0 * * *', '1h', '${zone}')`
  const spans = Array.from({ length: 100 }, () => [span('UTC'), span('Asia/Tokyo')]).flat()
  checkZones(`time.now > Timestamp('2026-01-01T00:00:00Z') && (${spans.join(' || ')})`)
  assert.equal(looks.mock.callCount(), 2)
  assert.throws(() => checkZones(`${span('UTC')} || ${span('Europe/Atlantis')}`), /Europe\/Atlantis/)
})

test('what was remembered of a zone does not change what a window holds', () => {
  const text = "CronSpan('30 1,2,3 * * 0', '1d3h', 'Europe/Berlin')"
  const remembering = parseExpression(text, timeVocabulary)
  for (let day = 0; day < 400; day += 1) {
    const now = Date.UTC(2026, 0, 1, day % 24, 31) + day * DAY_MS
    const fresh = parseExpression(text, timeVocabulary)

    assert.equal(remembering.evaluate(timeFacts(now)), fresh.evaluate(timeFacts(now)))
  }
})

test('many windows end at the bound of steps', () => {
  const text = Array.from({ length: 200 }, () => "CronSpan('0 0 1 1 *', '7d', 'UTC')").join(' || ')
  const value = parseExpression(text, timeVocabulary).evaluate(timeFacts(Date.UTC(2026, 5)))

  assert.ok(typeof value === 'object' && value.kind === 'failed')
})

test('a window of time is a problem where there is no time to compare with', () => {
  const { evaluate } = parseExpression("CronSpan('* * * * *', '1h', 'UTC')", timeVocabulary)
  assert.ok(evaluate({}) instanceof Problem)
  assert.ok(evaluate({ time: { now: 'noon' } }) instanceof Problem)
})
