import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HostShown, releaseOf } from '../../rotation/hosts.ts'
import { type Migration, migrationChecksum } from '../../store/migrations.ts'
import { oldestReaderOf, SCHEMA_STEP } from '../../store/schema-step.ts'
import { sqliteMigrations } from '../../store/sqlite/schema.ts'
import { upgradePlan } from './upgrade-plan.ts'

const ours = releaseOf('0.2.0')
const next = (kind: Migration['kind']): Migration => ({
  number: SCHEMA_STEP + 1,
  name: 'wider',
  release: '0.2.0',
  kind,
  sql: '',
})
const expanded = [...sqliteMigrations, next('expand')]

function host(name: string, release?: HostShown['release']): HostShown {
  const said = release === undefined ? {} : { release }
  return { id: `id-${name}`, name, at: 1, seals: 1, versions: [], ...said }
}

function planOf(
  known: readonly Migration[],
  taken: readonly Migration[],
  hosts: readonly HostShown[],
  store: 'sqlite' | 'postgres' = 'postgres',
) {
  const applied = taken.map((step) => ({
    number: step.number,
    checksum: migrationChecksum(step),
    oldestReader: oldestReaderOf(taken, step),
  }))
  return upgradePlan({ store, release: { ...ours, schema: known.length }, known, applied, hosts })
}

test('hosts of the release before are replaced one after another under an expand step', () => {
  const plan = planOf(expanded, sqliteMigrations, [host('a', ours), host('b', ours)])
  assert.deepEqual(plan.obstacles, [])
  assert.equal(plan.rolling, true)
  assert.deepEqual(plan.schema, {
    data: SCHEMA_STEP,
    known: SCHEMA_STEP + 1,
    steps: [{ number: SCHEMA_STEP + 1, name: 'wider', kind: 'expand', release: '0.2.0' }],
  })
  assert.match(plan.next.join('\n'), /claviger backup.*\nreplace one host after another/)
  assert.deepEqual(plan.formats.before, ours.formats)
})

test('a contract step stops all hosts, whether one has announced itself or none', () => {
  for (const hosts of [[host('a', ours)], []]) {
    const plan = planOf([...sqliteMigrations, next('contract')], sqliteMigrations, hosts)
    assert.equal(plan.rolling, false)
    const step = `step ${SCHEMA_STEP + 1} (wider) permits no host of an older version beside it`
    assert.ok(plan.obstacles[0]?.includes(step), plan.obstacles[0])
    assert.match(plan.next.join('\n'), hosts.length === 0 ? /no host has announced/ : /stop a \(id-a\)\n/)
  }
})

test('a host of two releases before, and one that says nothing of itself, cannot stay', () => {
  const older = { ...ours, schema: SCHEMA_STEP - 1 }
  const plan = planOf(expanded, sqliteMigrations, [host('a', older), host('b'), host('c', ours)])
  assert.equal(plan.rolling, false)
  assert.deepEqual(
    plan.hosts.map(({ name, trouble }) => `${name} ${trouble}`),
    [
      `a knows the schema up to step ${SCHEMA_STEP - 1}, and what this version adds needs hosts that know step ${SCHEMA_STEP}`,
      'b does not say which version it is',
      'c null',
    ],
  )
})

test('a host that does not read what would be written, or writes what would not be read, cannot stay', () => {
  const { formats } = ours
  const withCharter = (reads: number, writes: number) =>
    host('a', { ...ours, formats: { ...formats, charter: { reads, writes } } })
  const { reads } = formats.charter
  const troubleOf = (one: HostShown) => planOf(sqliteMigrations, sqliteMigrations, [one]).hosts[0]?.trouble
  assert.match(troubleOf(withCharter(reads - 1, reads - 1)) ?? '', /does not read what this version writes/)
  assert.match(troubleOf(withCharter(reads + 1, reads + 1)) ?? '', /writes what this version does not read/)
  assert.equal(troubleOf(withCharter(reads + 1, reads)), null)
})

test('an older version may come back beside a newer one that only added, and not after anything else', () => {
  const back = planOf(sqliteMigrations, expanded, [host('a', { ...ours, schema: SCHEMA_STEP + 1 })])
  assert.equal(back.rolling, true)
  assert.deepEqual(back.schema.steps, [])
  const taken = [...sqliteMigrations, next('contract')]
  assert.throws(() => planOf(sqliteMigrations, taken, []), /written by a newer version of Claviger/)
})

test('the embedded store has one host, which has to stop', () => {
  const plan = planOf(expanded, sqliteMigrations, [], 'sqlite')
  assert.equal(plan.rolling, false)
  assert.match(plan.obstacles.join(), /the embedded store has one host/)
})
