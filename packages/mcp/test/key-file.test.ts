import assert from 'node:assert/strict'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { credentialsFrom } from '../src/key-file.ts'
import { served } from './served.ts'
import { aKeyFile, aSetting } from './setting.ts'

const setting = await aSetting()
after(() => setting.close())
const { service, agent } = setting

test('a key file that others can read is refused', () => {
  for (const mode of [0o644, 0o640, 0o604, 0o660, 0o601]) {
    const file = aKeyFile(service.baseUrl, agent)
    chmodSync(file, mode)
    assert.throws(
      () => credentialsFrom(file, {}),
      /can be read by other users of this machine \(mode \d+\): chmod 600 it/,
    )
  }
  assert.equal(credentialsFrom(aKeyFile(service.baseUrl, agent), {}).organizationId, agent.organizationId)
})

test('what is wrong with a key file is said, and never the key', () => {
  const secret = Buffer.from(agent.key.privateKey).toString('hex')
  const changed: readonly (readonly [RegExp, string, RegExp])[] = [
    [/^BASE_URL=.*$/m, '', /BASE_URL is not in /],
    [/^BASE_URL=.*$/m, 'BASE_URL=file:///etc', /BASE_URL of .* is no address/],
    [/^BASE_URL=.*$/m, `BASE_URL=https://proxy:${secret}@kms.example`, /BASE_URL of .* names a user: take/],
    [/^BASE_URL=.*$/m, `BASE_URL=https://proxy:${secret}@`, /BASE_URL of .* is no address/],
    [
      /^BASE_URL=.*$/m,
      'BASE_URL=http://kms.example:4400',
      /BASE_URL of .* must begin with https:\/\/, because kms\.example is none of localhost, 127\.0\.0\.1 and \[::1\]: /,
    ],
    [/^BASE_URL=.*$/m, 'BASE_URL=http://127.0.0.1.kms.example', /BASE_URL of .* must begin with https:/],
    [
      /^API_PRIVATE_KEY=.*$/m,
      `API_PRIVATE_KEY=${'0'.repeat(64)}`,
      /must be a P-256 private key: 64 hexadecimal digits/,
    ],
    [
      /^API_PRIVATE_KEY=.*$/m,
      `API_PRIVATE_KEY=${secret}00`,
      /must be a P-256 private key: 64 hexadecimal digits/,
    ],
    [/^API_PUBLIC_KEY=02|^API_PUBLIC_KEY=03/m, 'API_PUBLIC_KEY=05', /does not belong to API_PRIVATE_KEY/],
  ]
  for (const [from, to, says] of changed) {
    const file = aKeyFile(service.baseUrl, agent)
    writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
    assert.throws(
      () => credentialsFrom(file, {}),
      (error: Error) => says.test(error.message) && !error.message.includes(secret),
    )
  }
})

test('the key of a member of the root quorum is not used, because no policy limits it', async () => {
  const { call, close } = await served(aKeyFile(service.baseUrl, service.root), service.world)
  const asked = { signWith: setting.ethereum, chain: 'ethereum', message: 'x' }
  for (const { isError, told } of [await call('who_am_i'), await call('sign_message', asked)]) {
    assert.equal(isError, true)
    assert.match(told.says, /a member of the root quorum, and policies do not limit those/)
  }
  await close()
})

test('an agent that becomes a member of the root quorum while the server runs signs nothing any more', async () => {
  const { userId } = service.root
  const quorumOf = async (userIds: readonly string[]) =>
    await service.done(service.root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 1, userIds })
  const asked = { signWith: setting.ethereum, chain: 'ethereum', message: 'x' }
  assert.equal((await setting.call('sign_message', asked)).isError, false)
  await quorumOf([userId, agent.userId])
  const { isError, told } = await setting.call('sign_message', asked)
  assert.equal(isError, true)
  assert.match(told.says, /a member of the root quorum, and policies do not limit those/)
  await quorumOf([userId])
  assert.equal((await setting.call('sign_message', asked)).isError, false)
})

test('a key that was revoked, and a service that is away, are told apart', async () => {
  const gone = await service.user('Gone')
  await service.done(service.root, 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [gone.userId] })
  const told = async (file: string) => {
    const { call, close } = await served(file, service.world)
    const answer = await call('who_am_i')
    await close()
    return answer.told
  }
  assert.match((await told(aKeyFile(service.baseUrl, gone))).advice, /^The key of this agent is not accepted/)
  assert.equal((await told(aKeyFile('http://127.0.0.1:9', agent))).says, 'The service cannot be asked.')
})
