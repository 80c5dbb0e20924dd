import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import {
  aComer,
  attemptOf,
  HOUR,
  heartbeatsOf,
  passHours,
} from '../../src/trusted/activities/organizations/testing/recovery.ts'
import { commands } from '../../src/host/cli/commands.ts'
import { giveShares } from '../support/give-shares.ts'
import { aLyingHost } from '../support/lying-host.ts'
import { projectFolder, runCommand, start, temporaryFolder } from '../support/running-service.ts'
import { aService, type Member } from '../support/service.ts'

/** A service that the commands find, with a clock that agrees with theirs. */
async function setting(t: TestContext) {
  const service = await aService()
  t.after(service.close)
  const { world } = service
  const folder = temporaryFolder()
  const keyFile = (by: Member): string => {
    const path = join(folder, `${by.userId}.env`)
    writeFileSync(
      path,
      `BASE_URL=${service.baseUrl}\nORGANIZATION_ID=${by.organizationId}\nAPI_PRIVATE_KEY=${Buffer.from(by.key.privateKey).toString('hex')}\n`,
      { mode: 0o600 },
    )
    return path
  }
  const run = async (args: readonly string[], shares: readonly string[] = []) => {
    world.setClock(Date.now())
    const ran = runCommand(['recovery', ...args], { CLAVIGER_DATA: folder })
    await giveShares(join(folder, 'unseal.sock'), shares)
    return await ran
  }
  const createArguments = (out: string, by: Member) => [
    ...['create', '--organization', service.organizationId, '--threshold', '2', '--shares', '3'],
    ...['--out', out, '--as', keyFile(by)],
  ]
  const newFolder = (): string => {
    const out = join(folder, `set-${readdirSync(folder).length}`)
    mkdirSync(out)
    return out
  }
  const sharesIn = (out: string) =>
    [1, 2, 3].map((number) => readFileSync(join(out, `share-${number}-of-3`), 'utf8').trim())
  return { service, folder, keyFile, run, createArguments, newFolder, sharesIn }
}

test('k people rehearse, begin and complete the recovery of an organization, each step in a process of its own', async (t) => {
  const { service, keyFile, run, createArguments, newFolder, sharesIn } = await setting(t)
  const { root, organizationId } = service
  const out = newFolder()
  const created = await run(createArguments(out, root))
  assert.equal(created.code, 0, created.output)
  const shares = sharesIn(out)
  const set = join(out, 'recovery-set.json')
  for (const share of shares)
    assert.ok(!readFileSync(set, 'utf8').includes(share.split(' ').slice(4, 7).join(' ')))

  const rehearsed = await run(['rehearse', '--set', set, '--as', keyFile(root), '--json'], shares.slice(1))
  assert.equal(rehearsed.code, 0, rehearsed.output)
  assert.match(rehearsed.output, /"shares": \[\s+2,\s+3\s+\],\s+"unseen": \[\s+1\s+\],\s+"known": true/)
  assert.equal(await attemptOf(service, root), undefined)

  const comer = aComer(service)
  const user = `Hedy=${comer.user.publicKey}`
  const begun = await run(['begin', '--set', set, '--user', user, '--json'], shares.slice(0, 2))
  assert.equal(begun.code, 0, begun.output)
  const { attemptId } = JSON.parse(begun.output.slice(begun.output.indexOf('{')))
  const { attemptId: underWay, users } = await attemptOf(service, root)
  assert.deepEqual([underWay, users], [attemptId, [comer.user]])

  const complete = ['complete', '--set', set, '--attempt', attemptId]
  const early = await run(complete, shares.slice(0, 2))
  assert.equal(early.code, 1)
  assert.match(early.output, /refuses \(400\): .* 72 hours of its delay are left/)
  await passHours(service, 72, heartbeatsOf(service))
  const completed = await run(complete, [shares[0] ?? '', shares[2] ?? ''])
  assert.equal(completed.code, 0, completed.output)
  service.world.advance(HOUR)
  assert.equal((await service.query(comer.member, 'whoami')).json.username, 'Hedy')
  const twice = await run(complete, shares.slice(0, 2))
  assert.match(twice.output, /refuses \(401\)/)
  const after = await run(['rehearse', '--set', set, '--as', keyFile(root)], shares.slice(0, 2))
  assert.match(after.output, /its set was replaced or removed/)
  for (const { output } of [created, rehearsed, begun, early, completed])
    for (const share of shares) assert.ok(!output.includes(share.split(' ').slice(4, 7).join(' ')))
  assert.ok(created.output.includes(organizationId))
})

test('a root user stops a recovery by a command, and shares of before begin nothing', async (t) => {
  const { service, keyFile, run, createArguments, newFolder, sharesIn } = await setting(t)
  const { root } = service
  const [first, second] = [newFolder(), newFolder()]
  assert.equal((await run(createArguments(first, root))).code, 0)
  const user = `Hedy=${aComer(service).user.publicKey}`
  const begin = (out: string) => ['begin', '--set', join(out, 'recovery-set.json'), '--user', user]
  assert.equal((await run(begin(first), sharesIn(first).slice(0, 2))).code, 0)

  const stopped = await run(['stop', '--as', keyFile(root)])

  assert.equal(stopped.code, 0, stopped.output)
  assert.equal(await attemptOf(service, root), undefined)
  assert.match((await run(begin(first), sharesIn(first).slice(0, 2))).output, /refuses \(401\)/)
  assert.equal((await run(createArguments(second, root))).code, 0)
  assert.match((await run(begin(first), sharesIn(first).slice(0, 2))).output, /refuses \(401\)/)
  assert.equal(await attemptOf(service, root), undefined)
})

test('one share fewer than it takes opens nothing: neither given twice, nor with shares of another set, nor in what waits', async (t) => {
  const { service, folder, keyFile, run, createArguments, newFolder, sharesIn } = await setting(t)
  const { root, store, organizationId } = service
  const [earlier, out] = [newFolder(), newFolder()]
  for (const to of [earlier, out]) assert.equal((await run(createArguments(to, root))).code, 0)
  const set = join(out, 'recovery-set.json')
  const user = `Hedy=${aComer(service).user.publicKey}`
  const [first = '', second = ''] = sharesIn(out)
  const recorded = async () => (await store.activities(organizationId, {}, { limit: 100 })).length
  const before = await recorded()
  const changed = first.replace(/\S+$/, second.split(' ').at(-1) ?? '')
  for (const args of [
    ['begin', '--set', set, '--user', user],
    ['complete', '--set', set, '--attempt', crypto.randomUUID()],
    ['rehearse', '--set', set, '--as', keyFile(root)],
  ]) {
    service.world.setClock(Date.now())
    const waiting = start([join(projectFolder, 'bin', 'claviger.js'), 'recovery', ...args], {
      CLAVIGER_DATA: folder,
    })
    try {
      for (const share of [first, first, first.toUpperCase(), ...sharesIn(earlier), changed, '']) {
        const said = JSON.parse(await giveShares(join(folder, 'unseal.sock'), [share]))
        assert.deepEqual([said.given, said.needed], [1, 2], share.slice(0, 20))
      }
      assert.equal(waiting.child.exitCode, null, waiting.output())
    } finally {
      waiting.killGroup()
      await waiting.ended
    }
    for (const share of [first, changed, ...sharesIn(earlier)])
      assert.ok(!waiting.output().includes(share.split(' ').slice(4, 7).join(' ')), waiting.output())
  }
  assert.equal(await recorded(), before)
  assert.equal(await attemptOf(service, root), undefined)
  // What was given to a command that has ended is gone with it: the next one begins with none.
  const begun = await run(['begin', '--set', set, '--user', user], [second, first])
  assert.equal(begun.code, 0, begun.output)
})

test('a set that the service does not take leaves no shares behind; one that waits for the quorum says so', async (t) => {
  const { service, folder, run, createArguments, newFolder } = await setting(t)
  const { root } = service
  const out = newFolder()
  const wrong = await run([...createArguments(out, root), '--delay-hours', '71'])
  assert.match(wrong.output, /must be a whole number from 72 on/)
  const stranger = { ...root, userId: 'stranger', key: service.newKey() }
  assert.match((await run(createArguments(out, stranger))).output, /refuses \(401\)/)
  assert.deepEqual(readdirSync(out), [])
  const noUsers = await run(['begin', '--set', join(folder, 'none'), '--user', 'Hedy'])
  assert.match(noUsers.output, /--user NAME=PUBLIC_KEY names a new root user/)
  const grace = await service.user('Grace')
  const userIds = [root.userId, grace.userId]
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 2, userIds })
  const waits = await run(createArguments(out, root))
  assert.equal(waits.code, 3, waits.output)
  assert.match(waits.output, /The root quorum has to agree first: claviger approve /)
})

test('the file of an earlier set stays where a new one is to be put', async (t) => {
  const { service, createArguments, newFolder } = await setting(t)
  const out = newFolder()
  const set = join(out, 'recovery-set.json')
  writeFileSync(set, 'of the earlier set, whose shares were given to their people')
  await assert.rejects(
    async () => await commands['recovery']?.(createArguments(out, service.root)),
    /recovery-set\.json exists already: name another folder/,
  )
  assert.deepEqual(readdirSync(out), ['recovery-set.json'])
  assert.match(readFileSync(set, 'utf8'), /^of the earlier set/)
})

test('the shares of a set that the service may have taken are kept, whatever became of its answer', async (t) => {
  const { service, folder, keyFile, run, createArguments, newFolder, sharesIn } = await setting(t)
  const { root } = service
  const host = await aLyingHost(service.baseUrl)
  t.after(host.close)
  const path = join(folder, 'by-the-host.env')
  const lines = readFileSync(keyFile(root), 'utf8').replace(service.baseUrl, host.baseUrl)
  writeFileSync(path, lines, { mode: 0o600 })
  for (const lie of [
    () => 'no JSON',
    () => {
      throw new Error('the answer is lost')
    },
  ]) {
    const out = newFolder()
    host.tells(lie)
    const { code, output } = await run([...createArguments(out, root).slice(0, -1), path])
    assert.notEqual(code, 0, output)
    assert.match(output, /may have taken the set.*: keep the shares in .*set-\d+/)
    const set = join(out, 'recovery-set.json')
    const rehearsed = await run(['rehearse', '--set', set, '--as', keyFile(root)], sharesIn(out).slice(1))
    assert.match(rehearsed.output, /The service accepts this key/)
  }
})
