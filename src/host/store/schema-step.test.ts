import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { PROTOCOL_VERSION } from '../../protocol/envelope.ts'
import { present } from '../../trusted/base/assert.ts'
import { Secret } from '../../trusted/base/secret.ts'
import type { Charter } from '../../trusted/charter/charter.ts'
import { CHARTER_FORMAT, writeCharter } from '../../trusted/charter/charter-document.ts'
import { openKeyring } from '../../trusted/vault/keys/keyring.ts'
import { rootProof } from '../../trusted/vault/seals/seals.ts'
import { packageVersion } from '../app/package-version.ts'
import { postgresMigrations } from './postgres/schema.ts'
import { compactRecord } from './record-form.ts'
import { formatsAfter, oldestReaderOf, SCHEMA_STEP, type SchemaStep, schemaSteps } from './schema-step.ts'
import { sqliteMigrations } from './sqlite/schema.ts'

type Sql = ReadonlyMap<number, readonly string[]>

/** What is wrong with steps and their SQL, by the rules of docs/decisions/upgrades.md. */
function troublesOf(steps: readonly SchemaStep[], sql: Sql): readonly string[] {
  const first = steps[0]?.release
  return steps.flatMap((step, at) => {
    const before = steps.slice(0, at)
    const made = before.findLast(({ number }) => number === step.after)
    const since = formatsAfter(before, step.number)
    const readBefore = formatsAfter(
      before.filter(({ release }) => release !== step.release),
      step.number,
    )
    const wrong: readonly (readonly [boolean, string])[] = [
      [step.number !== at + 1, 'has another number than its place'],
      [
        before.some(({ release }) => isLater(release, step.release)),
        'is of an earlier release than one before it',
      ],
      [step.kind === 'expand' && step.release === first, 'has no release before it that could run on'],
      [step.kind === 'expand' && step.after !== undefined, 'takes nothing away, and names a step'],
      [
        step.kind === 'contract' &&
          step.release !== first &&
          !(made?.kind === 'expand' && isLater(step.release, made.release)),
        'comes with no expand step of an earlier release',
      ],
      ...FORMATS.map(
        (name) =>
          [
            step.release !== first &&
              step.formats !== undefined &&
              step.formats[name].writes > (readBefore?.[name].reads ?? 0),
            `writes a ${name} format that the release before does not read`,
          ] as const,
      ),
      [
        since !== undefined &&
          step.formats !== undefined &&
          (['charter', 'seal'] as const).some((name) => step.formats?.[name].writes !== since[name].writes) &&
          step.formats.protocol <= since.protocol,
        'lets a vault write another format under the same version of its protocol',
      ],
    ]
    const expanding = step.kind === 'expand' ? (sql.get(step.number) ?? []).flatMap(expandTroubles) : []
    return [...wrong.filter(([isWrong]) => isWrong).map(([, why]) => why), ...expanding].map(
      (why) => `step ${step.number} ${why}`,
    )
  })
}

const FORMATS = ['charter', 'seal', 'record'] as const

/**
 * An expand step adds tables and columns that older hosts leave alone, and holds up nobody for as long as the data is
 * large.
 */
function expandTroubles(sql: string): readonly string[] {
  const made = [...sql.matchAll(/^CREATE TABLE (\w+)/gm)].map(([, table]) => table)
  return sql
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
    .flatMap((statement) => {
      if (/\bseal\b/.test(statement))
        return ['seals rows that an older host would leave out when it seals anew']
      if (/^CREATE TABLE \w+ \(/.test(statement)) return []
      const indexed = /^CREATE (?:UNIQUE )?INDEX \w+ ON (\w+) /.exec(statement)?.[1]
      if (indexed !== undefined && made.includes(indexed)) return []
      if (ADDED_COLUMN.test(statement)) return []
      return [`does more than add: ${statement.split('\n')[0]}`]
    })
}

// A column that has to be given is one that an older host does not give.
const ADDED_COLUMN =
  /^ALTER TABLE \w+ ADD COLUMN \w+ (bigint|text COLLATE "C"|INTEGER|TEXT)( NOT NULL DEFAULT (\d+|'[^']*'))?$/

function isLater(version: string, than: string): boolean {
  const [one, other] = [version, than].map((text) => text.split('.').map(Number))
  const at = present(one, 'a version').findIndex((part, n) => part !== other?.[n])
  return at >= 0 && (one?.[at] ?? 0) > (other?.[at] ?? 0)
}

function sqlOfBoth(): Sql {
  return new Map(
    schemaSteps.map(({ number }) => [
      number,
      [sqliteMigrations, postgresMigrations].map((steps) => present(steps[number - 1], 'a step').sql),
    ]),
  )
}

test('the steps of the schema keep the rules for upgrades without downtime', () => {
  assert.deepEqual(troublesOf(schemaSteps, sqlOfBoth()), [])
  assert.ok(
    !schemaSteps.some(({ release }) => isLater(release, packageVersion())),
    'no step is of a later release',
  )
  for (const steps of [sqliteMigrations, postgresMigrations])
    assert.deepEqual(
      steps.map(({ number, name }) => ({ number, name })),
      schemaSteps.map(({ number, name }) => ({ number, name })),
    )
})

test('the formats that the newest step names are those of this version', () => {
  const formats = present(formatsAfter(schemaSteps, SCHEMA_STEP), 'formats')
  const versions = [{ version: 1, secret: new Secret(new Uint8Array(32).fill(1)) }]
  const seal = rootProof(openKeyring(versions), 'a challenge')
  const record = JSON.parse(readFileSync(new URL('testing/record-form-1.json', import.meta.url), 'utf8'))
  assert.equal(formats.charter.reads, CHARTER_FORMAT)
  // Whatever a charter says, its format stands beside it.
  assert.equal(formats.charter.writes, JSON.parse(writeCharter({} as Charter)).format)
  assert.equal(formats.seal.writes, Number(seal.split('.')[0]))
  assert.equal(formats.record.writes, Number(compactRecord(record.sealed, () => undefined).votes[0]))
  assert.ok(formats.protocol <= PROTOCOL_VERSION)
})

const released: readonly SchemaStep[] = [
  {
    number: 1,
    name: 'first',
    release: '0.1.0',
    kind: 'contract',
    formats: { charter: f(3), seal: f(2), record: f(1), protocol: 8 },
  },
  { number: 2, name: 'wider', release: '0.2.0', kind: 'expand' },
]

function f(reads: number, writes = reads): { readonly reads: number; readonly writes: number } {
  return { reads, writes }
}

function withStep(step: Omit<SchemaStep, 'number' | 'name'>, sql = ''): readonly string[] {
  return troublesOf([...released, { number: 3, name: 'planted', ...step }], new Map([[3, [sql]]]))
}

test('a contract step in the release of its expand step, or without one, is found', () => {
  const alone = ['step 3 comes with no expand step of an earlier release']
  assert.deepEqual(withStep({ release: '0.2.0', kind: 'contract', after: 2 }), alone)
  assert.deepEqual(withStep({ release: '0.3.0', kind: 'contract' }), alone)
  assert.deepEqual(withStep({ release: '0.3.0', kind: 'contract', after: 1 }), alone)
  assert.deepEqual(withStep({ release: '0.3.0', kind: 'contract', after: 2 }), [])
  assert.deepEqual(withStep({ release: '0.10.0', kind: 'contract', after: 2 }), [])
  assert.deepEqual(withStep({ release: '0.1.9', kind: 'contract', after: 2 }).length, 2)
})

test('an expand step that an older host could not run beside is found', () => {
  const expand = { release: '0.3.0', kind: 'expand' } as const
  for (const sql of [
    'DROP INDEX activities_listed;',
    'ALTER TABLE notes DROP COLUMN value;',
    'ALTER TABLE notes ADD COLUMN owner text COLLATE "C" NOT NULL;',
    'ALTER TABLE notes ADD COLUMN owner bigint UNIQUE;',
    "ALTER TABLE notes ADD COLUMN at bigint;\nINSERT INTO directory SELECT scope, 'X', value, target FROM directory;",
    'CREATE INDEX notes_named ON notes (value);',
    'CREATE TABLE extra (\n  id text COLLATE "C" NOT NULL,\n  seal text COLLATE "C" NOT NULL\n);',
    'CREATE UNIQUE INDEX activities_once ON activities (fingerprint);',
    'CREATE TRIGGER t BEFORE UPDATE ON charters EXECUTE FUNCTION f();',
  ])
    assert.equal(withStep(expand, sql).length, 1, sql)
  const adding =
    'CREATE TABLE extra (\n  id bigint NOT NULL PRIMARY KEY\n);\nCREATE INDEX extra_ids ON extra (id);\n' +
    'ALTER TABLE notes ADD COLUMN owner text COLLATE "C" NOT NULL DEFAULT \'\';\nALTER TABLE notes ADD COLUMN at bigint;\n'
  assert.deepEqual(withStep(expand, adding), [])
  assert.deepEqual(withStep({ ...expand, release: '0.1.0' }).length, 2)
})

test('a format is written a release after it is read, and under a new version of the protocol of the vault', () => {
  const at = (charter: ReturnType<typeof f>, protocol: number, release = '0.3.0') =>
    ({
      release,
      kind: 'expand',
      formats: { charter, seal: f(2), record: f(1), protocol },
    }) as const
  assert.deepEqual(withStep(at(f(4, 3), 8)), [])
  assert.deepEqual(withStep(at(f(4), 9)), [
    'step 3 writes a charter format that the release before does not read',
  ])
  const read: SchemaStep = { number: 3, name: 'read', ...at(f(4, 3), 8) }
  const steps = (step: ReturnType<typeof at>) =>
    troublesOf([...released, read, { number: 4, name: 'written', ...step }], new Map())
  assert.deepEqual(steps(at(f(4), 9, '0.4.0')), [])
  assert.deepEqual(steps(at(f(4), 8, '0.4.0')), [
    'step 4 lets a vault write another format under the same version of its protocol',
  ])
  assert.equal(steps(at(f(4), 9)).length, 1)
})

test('beside an expand step hosts of the release before run on, and no older ones', () => {
  const steps: readonly SchemaStep[] = [
    ...released,
    { number: 3, name: 'wider still', release: '0.2.0', kind: 'expand' },
    { number: 4, name: 'next', release: '0.3.0', kind: 'expand' },
    { number: 5, name: 'gone', release: '0.3.0', kind: 'contract', after: 3 },
  ]
  assert.deepEqual(
    steps.map((step) => oldestReaderOf(steps, step)),
    [1, 1, 1, 3, 5],
  )
})
