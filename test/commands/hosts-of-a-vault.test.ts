import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'node:test'
import { connectVault } from '../../src/host/link/connect-vault.ts'
import { present } from '../../src/trusted/base/assert.ts'
import { eventually } from '../support/eventually.ts'
import { builtCommand } from '../support/built-service.ts'
import { start, temporaryFolder } from '../support/running-service.ts'
import { stampKeyFrom, stampWith } from '../support/stamper.ts'
import { founder, init } from './founder.ts'

test('a host that disconnects leaves nothing under way: another one goes on with what it had begun', async (t) => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const path = join(temporaryFolder(), 'vault.sock')
  const vault = start([await builtCommand(), 'vault'], { CLAVIGER_DATA: dataFolder, CLAVIGER_VAULT: path })
  t.after(vault.killGroup)
  await eventually(
    () => vault.output().includes('listening'),
    () => vault.output(),
  )
  const [first, second] = [connectVault(path), connectVault(path)]
  t.after(second.end)
  await Promise.all([first.ready, second.ready])

  const own = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', (length) => randomBytes(length))
  const { unit, organizationId } = await first.vault.establish({
    organizationName: 'Begun',
    userName: 'Ada',
    apiKeyName: 'Key',
    publicKey: own.publicKey,
    curveType: 'API_KEY_CURVE_P256',
  })
  const charter = present(unit.charters[0], 'the charter of the organization')
  const body = JSON.stringify({
    type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
    timestampMs: String(Date.now()),
    organizationId,
    parameters: { userTagName: 'Tag', userIds: [] },
  })
  const asked = async (): Promise<string> => {
    const stamp = { xStamp: stampWith(own, body).stampHeaderValue }
    return (await second.vault.decide({ body, stamp, charters: [charter], rows: {}, taken: {} })).kind
  }
  assert.equal(await asked(), 'underWay')
  await first.end()
  await eventually(
    async () => (await asked()) === 'commit',
    () => vault.output(),
  )
})
