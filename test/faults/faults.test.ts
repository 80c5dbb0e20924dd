import assert from 'node:assert/strict'
import { test } from 'node:test'
import { postgresAvailable, postgresMissing } from '../support/postgres.ts'
import { programsMissing } from '../support/programs.ts'
import { liveThroughFaults } from './life.ts'

const missing = programsMissing('patroni', 'etcd')
const options = { skip: missing || (postgresAvailable() ? false : postgresMissing) }

// The other faults: npm run faults.
const NAMES = [
  'a host is cut off from the primary',
  'the machine of the primary is cut off',
  'the server of the primary is killed',
  'Patroni of the primary is killed',
]

test(
  'two hosts on a pair of servers under Patroni lose nothing and do nothing twice, whatever is broken',
  options,
  async () => {
    const { told, unexpected } = await liveThroughFaults({ names: NAMES, seed: `${Date.now()}` })
    assert.deepEqual(unexpected, [])
    assert.deepEqual(
      told.map(({ fault }) => fault),
      NAMES,
    )
  },
)
