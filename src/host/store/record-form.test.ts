import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { timestamp } from '../../trusted/charter/view.ts'
import type { ActivityRow } from '../../trusted/catalogue/unit.ts'
import { compactRecord, digestsIn, expandRecord } from './record-form.ts'
import { anActivity } from './testing/fixtures.ts'

type Golden = {
  readonly sealed: ActivityRow
  readonly stored: ActivityRow
  readonly texts: Readonly<Record<string, string>>
}

// The JSON that this form had when it came; the test below would write no other.
const golden = JSON.parse(
  readFileSync(new URL('testing/record-form-1.json', import.meta.url), 'utf8'),
) as Golden

test('a record of form 1 is read as it was, and is written as it was', () => {
  const { sealed, stored, texts } = golden
  assert.deepEqual(
    expandRecord(stored, (digest) => texts[digest]),
    sealed,
  )
  const digests = new Map(Object.entries(texts).map(([digest, text]) => [text, digest]))
  assert.deepEqual(
    compactRecord(sealed, (text) => digests.get(text)),
    stored,
  )
  assert.deepEqual(digestsIn(stored), Object.keys(texts))
})

test('whatever a record says, it is read as it was sealed', () => {
  fc.assert(
    fc.property(aRecordOf(fc.string({ unit: piece })), fc.boolean(), (row, isApart) => {
      const texts = new Map<string, string>()
      const stored = compactRecord(row, (text) => {
        if (!isApart) return undefined
        const digest = String(texts.size).padStart(32, '0')
        texts.set(digest, text)
        return digest
      })
      assert.deepEqual(
        expandRecord(stored, (digest) => texts.get(digest)),
        row,
      )
    }),
    { numRuns: 1_000 },
  )
})

test('a record that the vault wrote is shorter by what it said twice', () => {
  const words = fc
    .string({ unit: fc.constantFrom('a', '"', '\\', 'é', ' '), maxLength: 20 })
    .map((word) => JSON.stringify(word).slice(1, -1))
  let compact = 0
  fc.assert(
    fc.property(aRecordOf(words, fc.stringMatching(/^[0-9a-f]{2,8}$/)), (row) => {
      const stored = compactRecord(row, () => undefined)
      assert.deepEqual(
        expandRecord(stored, () => undefined),
        row,
      )
      if (stored.votes === row.votes) return
      compact += 1
      assert.ok(stored.votes.length < row.votes.length)
    }),
  )
  assert.ok(compact > 50, `${compact} records were shorter`)
})

test('a stored record that nobody can have written stays as it is', () => {
  const { stored } = golden
  const odd: readonly Partial<ActivityRow>[] = [
    { votes: '1' },
    { votes: `${stored.votes}\u001f` },
    { votes: `${stored.votes}\u001e` },
    { votes: '1\u001e@' },
    { evaluations: '1' },
    { evaluations: '[]' },
    { evaluations: `${stored.evaluations}\u001e` },
    { evaluations: `${stored.evaluations}\u001f` },
  ]
  for (const change of odd) {
    const row = { ...stored, ...change }
    assert.deepEqual(
      expandRecord(row, (digest) => golden.texts[digest]),
      row,
      JSON.stringify(change),
    )
  }
  assert.deepEqual(
    expandRecord(stored, () => undefined),
    stored,
  )
})

/** Among other texts those that the form is made of. */
const piece = fc.oneof(
  fc.constantFrom(
    ...['\u0001', '\u0004', '\u001e', '\u001f', '@', '~', '[', ']', '{', '}', '"', '1', ','],
    ...['","userId":"', ',"activityId":"', '"publicKey":"', '{"voteId":"', '"}}', '0a'],
  ),
  fc.string({ maxLength: 4 }),
)

function aRecordOf(texts: fc.Arbitrary<string>, ids = texts): fc.Arbitrary<ActivityRow> {
  const vote = fc.record({ id: ids, userId: ids, name: texts, message: texts, key: ids, signature: ids })
  const shape = fc.record({
    votes: fc.array(vote, { maxLength: 3 }),
    intent: texts,
    rest: texts,
    isFirstTime: fc.boolean(),
  })
  return shape.map(({ votes, intent, rest, isFirstTime }) => {
    const row = anActivity({ intent })
    const time = JSON.stringify(timestamp(row.createdAt + (isFirstTime ? 0 : 7)))
    const said = votes.map(({ id, userId, name, message, key, signature }) => {
      const user = `{"userId":"${userId}","name":"${name}","apiKeys":[{"publicKey":"${key}"}]}`
      const request = `${message}${row.type}${row.timestampMs}${row.organizationId}${intent}`
      return (
        `{"id":"${id}","userId":"${userId}","user":${user},"activityId":"${row.activityId}",` +
        `"selection":"VOTE_SELECTION_APPROVED","message":"${request}","publicKey":"${key}",` +
        `"signature":"${signature}","scheme":"SIGNATURE_SCHEME_TK_API_P256","createdAt":${time}}`
      )
    })
    const judged = votes.map(({ id }) => `{"voteId":"${id}","createdAt":${row.createdAt},${rest}}`)
    return { ...row, votes: `[${said.join(',')}]`, evaluations: `[${judged.join(',')}]` }
  })
}
