import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Decision, SettledUnits, Vault } from '../../protocol/vault.ts'
import { Hosts, UNITS_OF_HOSTS_MAX } from './hosts.ts'
import { HANDED_OUT_MAX } from './memory/units-under-way.ts'
import { provingVault } from './testing/proving-vault.ts'

/** A vault that hands out units one after the other, and what it was told of them. */
function aVault() {
  const told: { [How in keyof SettledUnits]: number[] } = { committed: [], dropped: [], unknown: [] }
  const answers: Decision[] = []
  let next = 1
  // What is in a unit and in a request is looked at by nobody here.
  const handedOut = () => ({ kind: 'commit', userId: '', unit: {}, ticket: next++, cost: 0 })
  const vault = {
    ...provingVault({ proveRoot: async (challenge) => challenge }),
    settled: (units: SettledUnits) => {
      for (const how of ['committed', 'dropped', 'unknown'] as const) told[how].push(...units[how])
    },
    decide: async () => answers.shift() ?? handedOut(),
    establish: async () => handedOut(),
    heartbeat: async () => ({ ...handedOut(), kind: 'counted' }),
  } as unknown as Vault
  return { vault, told, answers }
}

const units = (more: Partial<SettledUnits>): SettledUnits => ({
  committed: [],
  dropped: [],
  unknown: [],
  ...more,
})
const request = {} as Parameters<Vault['decide']>[0]

test('a host tells of its own units alone, and of each once', async () => {
  const { vault, told } = aVault()
  const hosts = new Hosts(vault)
  const [honest, hostile] = [hosts.join().vault, hosts.join().vault]
  await honest.decide(request)
  await hostile.decide(request)
  hostile.settled(units({ committed: [1], dropped: [1], unknown: [1, 3] }))
  assert.deepEqual(told, units({}))
  honest.settled(units({ committed: [1, 1], dropped: [1] }))
  assert.deepEqual(told, units({ committed: [1] }))
})

test('a host tells what became of each unit, whichever call it was the answer to', async () => {
  const { vault, told } = aVault()
  const { vault: host } = new Hosts(vault).join()
  await host.decide(request)
  await host.establish({} as Parameters<Vault['establish']>[0])
  await host.heartbeat({} as Parameters<Vault['heartbeat']>[0])
  host.settled(units({ committed: [1, 2, 3] }))
  assert.deepEqual(told, units({ committed: [1, 2, 3] }))
})

test('of the units of a host that is gone the vault knows nothing, also of those decided after it went', async () => {
  const { vault, told } = aVault()
  const hosts = new Hosts(vault)
  const [first, second] = [hosts.join(), hosts.join()]
  await first.vault.decide(request)
  await second.vault.decide(request)
  const late = first.vault.establish({} as Parameters<Vault['establish']>[0])
  first.left()
  assert.deepEqual(told, units({ unknown: [1] }))
  await late
  assert.deepEqual(told, units({ unknown: [1, 3] }))
  second.vault.settled(units({ committed: [2] }))
  assert.deepEqual(told, units({ unknown: [1, 3], committed: [2] }))
})

test('a host that waits for the unit of another one is told so without its ticket', async () => {
  const { vault, answers } = aVault()
  const hosts = new Hosts(vault)
  const [first, second] = [hosts.join().vault, hosts.join().vault]
  await first.decide(request)
  const underWay = { kind: 'underWay', ticket: 1 } as const
  answers.push(underWay, underWay)
  const asked = [await first.decide(request), await second.decide(request)]
  assert.deepEqual(
    asked.map((decision) => decision.kind === 'underWay' && decision.ticket),
    [1, undefined],
  )
})

test('a host that never tells has its own oldest units forgotten, and nobody else theirs', async () => {
  const { vault, told } = aVault()
  const hosts = new Hosts(vault, 4)
  const [honest, hostile] = [hosts.join().vault, hosts.join().vault]
  await honest.decide(request)
  for (let n = 0; n < 10; n++) await hostile.decide(request)
  assert.deepEqual(told, units({ unknown: [2, 3, 4, 5, 6, 7, 8] }))
  // Also when it is the honest host that takes the place.
  await honest.decide(request)
  assert.deepEqual(told.unknown.slice(7), [9])
  honest.settled(units({ committed: [1, 12] }))
  assert.deepEqual(told.committed, [1, 12])
})

test('all hosts together have fewer units than the memory holds, which forgets the oldest one whosever it is', () => {
  assert.ok(UNITS_OF_HOSTS_MAX <= HANDED_OUT_MAX / 2)
})

test('of hosts with equally many units it is the one that takes another whose oldest is forgotten', async () => {
  const { vault, told } = aVault()
  const hosts = new Hosts(vault, 4)
  const [first, second, third] = [hosts.join().vault, hosts.join().vault, hosts.join().vault]
  for (const host of [third, second, second, first, first]) await host.decide(request)
  assert.deepEqual(told, units({ unknown: [4] }))
})

test('a host that tells of its units may have any number of them, one after the other', async () => {
  const { vault, told } = aVault()
  const { vault: host } = new Hosts(vault, 4).join()
  const tickets = Array.from({ length: 10 }, (_, at) => at + 1)
  for (const ticket of tickets) {
    await host.decide(request)
    host.settled(units({ committed: [ticket] }))
  }
  assert.deepEqual(told, units({ committed: tickets }))
})
