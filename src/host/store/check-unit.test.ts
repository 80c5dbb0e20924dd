import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Unit } from '../../trusted/catalogue/unit.ts'
import { checkUnit, ENTRY_BYTES_MAX } from './check-unit.ts'
import { aCharter, aJob, anAmendment, anEntry, anObject, aRequest, aUnit } from './testing/fixtures.ts'

type Row = { readonly [field: string]: unknown }

/** Rows that every store takes, and the units in which they stand. */
const ROWS: readonly { readonly row: Row; readonly unitOf: (row: never) => Unit }[] = [
  { row: { organizationId: 'org', version: 1 }, unitOf: (guard) => aUnit({ guards: [guard] }) },
  { row: aCharter('org', 1), unitOf: (charter) => anAmendment(charter) },
  {
    row: aRequest(1, { failure: '{}' }),
    unitOf: (row) => aUnit({ activity: { row, replaces: null, audience: ['org'] } }),
  },
  {
    row: anObject('a', { expiresAt: 1 }),
    unitOf: (object) => aUnit({ objects: { put: [anObject('b'), object], remove: [] } }),
  },
  {
    row: { organizationId: 'org', kind: 'privateKey', objectId: 'a' },
    unitOf: (key) => aUnit({ objects: { put: [], remove: [key] } }),
  },
  {
    row: { organizationId: 'org', kind: 'privateKey', objectId: 'a', seal: 's' },
    unitOf: (guard) => aUnit({ objectGuards: [guard] }),
  },
  { row: aJob('mail'), unitOf: (job) => aUnit({ jobs: [job] }) },
  {
    row: { scope: 'org', target: 'w', sequences: [1] },
    unitOf: (revived) => aUnit({ revived }),
  },
  ...(['claims', 'directory'] as const).flatMap((list) =>
    (['put', 'remove'] as const).map((way) => ({
      row: anEntry('value', 'target'),
      unitOf: (entry: never) => aUnit({ [list]: { put: [], remove: [], [way]: [entry] } }),
    })),
  ),
]

test('a text that one engine would alter is refused in every field of a unit', () => {
  for (const { row, unitOf } of ROWS) {
    checkUnit(unitOf(row as never))
    for (const [field, value] of Object.entries(row))
      if (typeof value === 'string')
        for (const text of [`${value}\0`, `${value}\ud800`])
          refused(unitOf({ ...row, [field]: text } as never), field)
  }
  const audience = aUnit({ activity: { row: aRequest(1), replaces: null, audience: ['org', 'a\0'] } })
  refused(audience, 'audience')
})

test('a number that one engine would round is refused in every field of a unit', () => {
  for (const { row, unitOf } of ROWS)
    for (const [field, value] of Object.entries(row))
      if (typeof value === 'number' && field !== 'awaited')
        for (const number of [0.5, 2 ** 53, Number.NaN])
          refused(unitOf({ ...row, [field]: number } as never), field)
  for (const sequence of [0.5, -1, 2 ** 53])
    refused(aUnit({ revived: { scope: 'org', target: 'w', sequences: [1, sequence] } }), 'sequences')
  refused(aUnit({ guards: [{ organizationId: 'org', version: -1 }] }), 'version')
})

test('an amended charter stands above its guard, and once in a unit', () => {
  checkUnit(anAmendment(aCharter('org', 2)))
  const guards = [{ organizationId: 'org', version: 1 }]
  refused(aUnit({ charters: [aCharter('org', 2)] }), 'no guard')
  refused(anAmendment(aCharter('org', 3), { guards }), 'a guard of another version')
  refused(anAmendment(aCharter('other', 2), { guards }), 'a guard of another organization')
  refused(anAmendment(aCharter('org', 2), { charters: [aCharter('org', 2), aCharter('org', 2)] }), 'twice')
})

test('an object is put once and guarded once in a unit', () => {
  const [one, same] = [anObject('a'), anObject('a', { seal: 'other' })]
  const others = [
    anObject('b'),
    anObject('a', { kind: 'wallet' }),
    anObject('a', { organizationId: 'other' }),
  ]
  checkUnit(aUnit({ objects: { put: [one, ...others], remove: [] }, objectGuards: [one, ...others] }))
  refused(aUnit({ objects: { put: [one, same], remove: [] } }), 'put')
  refused(aUnit({ objectGuards: [one, same] }), 'guarded')
})

test('an entry and the id of a job fit an index page', () => {
  const claiming = (bytes: number) =>
    aUnit({ claims: { put: [anEntry('x'.repeat(bytes - 'orgnameu'.length), 'u')], remove: [] } })
  checkUnit(claiming(ENTRY_BYTES_MAX))
  refused(claiming(ENTRY_BYTES_MAX + 1), 'entry')
  checkUnit(aUnit({ jobs: [aJob('x'.repeat(ENTRY_BYTES_MAX))] }))
  refused(aUnit({ jobs: [aJob('x'.repeat(ENTRY_BYTES_MAX + 1))] }), 'job')
})

test('a unit brings messages only: the store itself writes webhooks', () => {
  // A unit that the types do not permit.
  refused(aUnit({ jobs: [aJob('mail', { kind: 'webhook' as never })] }), 'webhook')
})

test('a vote has a revision above the one that it replaces', () => {
  const voting = (revision: number) =>
    aUnit({ activity: { row: aRequest(1, { revision }), replaces: 1, audience: [] } })
  checkUnit(voting(2))
  refused(voting(1), 'the same revision')
})

function refused(unit: Unit, what: string): void {
  assert.throws(() => checkUnit(unit), { name: 'Bug' }, what)
}
