import assert from 'node:assert/strict'
import { chmodSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { parseEther, serializeTransaction } from 'viem'
import type { Member } from '../../../../test/support/service.ts'
import { withAgents } from './testing/with-agents.ts'

const SHOP = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const LIMITS = ['--daily', '0.5eth', '--per-transaction', '0.1eth', '--to', SHOP, '--yes'] as const

const { service, folder, run, ran, agentCalled, fileOf } = await withAgents()
const { root } = service
after(() => service.close())

let nonce = 0
async function pays(by: Member, name: string, ether: string, to = SHOP) {
  service.world.advance(1)
  const unsignedTransaction = serializeTransaction({
    type: 'eip1559',
    chainId: 1,
    nonce: nonce++,
    gas: 21_000n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 1n,
    value: parseEther(ether),
    to: to as `0x${string}`,
  })
  return await service.submit(by, 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
    signWith: fileOf(name)['ADDRESS'],
    type: 'TRANSACTION_TYPE_ETHEREUM',
    unsignedTransaction,
  })
}

const statusOf = (answer: { readonly status: number; readonly json: { activity?: { status: string } } }) =>
  answer.status === 200 ? answer.json.activity?.status : answer.status

const COMPLETED = 'ACTIVITY_STATUS_COMPLETED'
const WAITS = 'ACTIVITY_STATUS_CONSENSUS_NEEDED'

test('an agent is made in one command, pays within its limits, and is stopped by one command', async () => {
  const text = await ran(root, 'create', 'shopper', ...LIMITS)
  assert.match(
    text,
    /^agent shopper: a payer in Test, with a key without an end\nDenied, even if other policies allow it:\n/,
  )
  assert.match(text, /It pays alone up to 0\.1 eth in one transaction, up to 0\.5 eth in 24 hours/)
  const path = join(folder, 'shopper.agent.env')
  assert.equal(statSync(path).mode & 0o777, 0o600)
  const shopper = agentCalled('shopper')
  for (let paid = 0; paid < 5; paid++)
    assert.equal(statusOf(await pays(shopper, 'shopper', '0.1')), COMPLETED)
  const refused = await pays(shopper, 'shopper', '0.000000000000000001')
  assert.equal(refused.status, 403)
  assert.match(refused.json.message, /limit/)
  const show = await ran(root, 'show', 'shopper')
  assert.match(show, /^agent shopper: ready\n/)
  assert.match(
    show,
    /Left of its limits now:\n {2}- 0 eth of 0\.5 eth in 24 hours\n {2}- 2395000 units of gas of 2500000/,
  )
  service.world.advance(25 * 60 * 60 * 1000)
  assert.equal(statusOf(await pays(shopper, 'shopper', '0.1')), COMPLETED)
  assert.match(await ran(root, 'list'), /^shopper {2}Test {2}ready$/m)

  await ran(root, 'pause', 'shopper')
  assert.equal(statusOf(await pays(shopper, 'shopper', '0.01')), 403)
  assert.match(await ran(root, 'list'), /^shopper {2}Test {2}paused$/m)
  await ran(root, 'resume', 'shopper')
  assert.equal(statusOf(await pays(shopper, 'shopper', '0.01')), COMPLETED)

  assert.match(await ran(root, 'revoke', 'shopper'), /shopper are deleted\. Its wallet is still there\.$/m)
  assert.equal(statusOf(await pays(shopper, 'shopper', '0.01')), 401)
  assert.match(await ran(root, 'list'), /^no agents$/m)
  const { policies } = (await service.query(root, 'list_policies')).json
  assert.deepEqual(policies, [])
})

test('nothing is said of the wallet of an agent that has none', async () => {
  await ran(root, 'create', 'watcher', '--template', 'observer', '--yes')
  assert.match(await ran(root, 'revoke', 'watcher'), /^The policies of agent watcher are deleted\.$/m)
})

test('with --json each command of an agent writes one object, and asks nobody', async () => {
  const told = async (...args: readonly string[]) => JSON.parse(await ran(root, ...args, '--json'))
  const asked = run(root, 'create', 'told', '--template', 'observer', '--json')
  await assert.rejects(asked, /there is no terminal to ask at: confirm with --yes/)
  const made = await told('create', 'told', ...LIMITS)
  assert.equal(made.keyFile, join(folder, 'told.agent.env'))
  assert.equal(made.userId, fileOf('told')['USER_ID'])
  const { organizationId } = root
  const listed = { name: 'told', organization: 'Test', organizationId, state: 'ready' }
  assert.deepEqual(await told('list'), { agents: [listed] })
  const shown = await told('show', 'told')
  assert.deepEqual([shown.state, shown.left[0]], ['ready', '0.5 eth of 0.5 eth in 24 hours'])
  assert.ok(shown.policies.length > 1 && shown.sentences.length > 2)
  assert.deepEqual(await told('pause', 'told'), { name: 'told', paused: true, waiting: [] })
  assert.deepEqual(await told('resume', 'told'), { name: 'told', paused: false })
  const policies = shown.policies.length
  assert.deepEqual(await told('revoke', 'told'), { name: 'told', revoked: true, waiting: [], policies })
  assert.deepEqual(await told('list'), { agents: [] })
})

test('above its limits an agent asks the person named, and takes nothing from what the person approves', async () => {
  const ada = await service.user('Ada')
  const text = await ran(root, 'create', 'asker', ...LIMITS, '--ask-above', 'Ada')
  assert.match(text, /Such a payment above what it pays alone waits until Ada \(.*\) approves it\./)
  const asker = agentCalled('asker')
  assert.equal(statusOf(await pays(asker, 'asker', '0.1')), COMPLETED)
  const large = await pays(asker, 'asker', '3')
  assert.equal(statusOf(large), WAITS)
  const { fingerprint } = large.json.activity
  service.world.advance(1)
  const own = await service.submit(asker, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
  assert.equal(statusOf(own), WAITS, 'its own approval adds nothing')
  service.world.advance(1)
  const approved = await service.submit(ada, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
  assert.equal(statusOf(approved), COMPLETED)
  assert.equal(statusOf(await pays(asker, 'asker', '0.1')), COMPLETED)
  assert.equal(statusOf(await pays(asker, 'asker', '0.1', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8')), 403)

  const waiting = await pays(asker, 'asker', '2')
  const paused = await ran(root, 'pause', 'asker')
  assert.match(paused, /rejected the waiting request: ACTIVITY_TYPE_SIGN_TRANSACTION_V2/)
  service.world.advance(1)
  const late = await service.submit(ada, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', {
    fingerprint: waiting.json.activity.fingerprint,
  })
  assert.notEqual(statusOf(late), COMPLETED)
  await ran(root, 'resume', 'asker')
  const another = await pays(asker, 'asker', '2')
  const revoked = await ran(root, 'revoke', 'asker')
  assert.match(revoked, /rejected the waiting request/)
  service.world.advance(1)
  const later = await service.submit(root, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', {
    fingerprint: another.json.activity.fingerprint,
  })
  assert.notEqual(statusOf(later), COMPLETED)
})

test('a pause rejects whatever waits of its agent, however much, and nothing of anybody else', async () => {
  await service.user('Cleo')
  for (const name of ['beggar', 'neighbour'])
    await ran(root, 'create', name, ...LIMITS, '--ask-above', 'Cleo')
  const [beggar, neighbour] = [agentCalled('beggar'), agentCalled('neighbour')]
  const others = await pays(neighbour, 'neighbour', '2')
  // More than a page of them.
  const asked = await Promise.all(Array.from({ length: 101 }, () => pays(beggar, 'beggar', '2')))
  assert.deepEqual(new Set([others, ...asked].map(statusOf)), new Set([WAITS]))
  const paused = await ran(root, 'pause', 'beggar')
  assert.equal(paused.match(/^rejected the waiting request: /gm)?.length, asked.length)
  const { id: activityId } = others.json.activity
  assert.equal(statusOf(await service.query(root, 'get_activity', { activityId })), WAITS)
  for (const name of ['beggar', 'neighbour']) await ran(root, 'revoke', name)
})

test('the same command again makes what is missing, and nothing twice', async () => {
  await ran(root, 'create', 'again', ...LIMITS)
  const before = fileOf('again')
  const activities = async () =>
    (await service.query(root, 'list_activities', { paginationOptions: { limit: '100' } })).json.activities
      .length
  const count = await activities()
  await ran(root, 'create', 'again', ...LIMITS)
  assert.equal(await activities(), count)
  assert.deepEqual(fileOf('again'), before)
  await ran(root, 'pause', 'again')
  assert.match(await ran(root, 'create', 'again', ...LIMITS), /^agent again is paused\. Its key is in /m)
  await assert.rejects(run(root, 'create', 'again', '--daily', '9eth', '--yes'), /exists with other policies/)
  rmSync(join(folder, 'again.agent.env'))
  await assert.rejects(run(root, 'create', 'again', ...LIMITS), /has an API key, and its file is not here/)
  await ran(root, 'revoke', 'again')
})

test('a key file that is there is never written over', async () => {
  const path = join(folder, 'kept.agent.env')
  writeFileSync(path, 'my notes\n', { mode: 0o600 })
  await assert.rejects(run(root, 'create', 'kept', ...LIMITS), /BASE_URL is not in/)
  assert.equal(readFileSync(path, 'utf8'), 'my notes\n')
  assert.doesNotMatch(await ran(root, 'list'), /kept/, 'nothing was made beside it')
  chmodSync(path, 0o644)
  await assert.rejects(run(root, 'create', 'kept', ...LIMITS), /can be accessed by other users/)
})

test('the key of a revoked agent is not the key of the next agent of that name', async () => {
  await ran(root, 'create', 'stolen', ...LIMITS)
  const thief = agentCalled('stolen')
  const { WALLET_ID } = fileOf('stolen')
  await ran(root, 'revoke', 'stolen')
  const path = join(folder, 'stolen.agent.env')
  await assert.rejects(run(root, 'create', 'stolen', ...LIMITS), {
    message: `${path} has the key of an earlier agent of this name: move the file away`,
  })
  assert.doesNotMatch(await ran(root, 'list'), /stolen/, 'nothing was made beside it')
  renameSync(path, join(folder, 'moved-away'))
  await ran(root, 'create', 'stolen', ...LIMITS)
  assert.equal(statusOf(await pays(agentCalled('stolen'), 'stolen', '0.1')), COMPLETED)
  assert.equal(statusOf(await pays(thief, 'stolen', '0.1')), 401)
  assert.equal(fileOf('stolen')['WALLET_ID'], WALLET_ID)
  await ran(root, 'revoke', 'stolen')
})

test('the key of an agent ends when it was said to', async () => {
  await ran(root, 'create', 'brief', ...LIMITS, '--expires', '30m')
  const brief = agentCalled('brief')
  assert.match(await ran(root, 'show', 'brief'), /^agent brief: ready until 2026-/)
  assert.equal(statusOf(await pays(brief, 'brief', '0.1')), COMPLETED)
  service.world.advance(30 * 60 * 1000)
  assert.equal(statusOf(await pays(brief, 'brief', '0.1')), 401)
  assert.match(await ran(root, 'show', 'brief'), /^agent brief: its key has expired/)
  await assert.rejects(
    run(root, 'create', 'brief', ...LIMITS, '--expires', '30m'),
    /the key in \S+ has expired: revoke the agent, move the file away, and make it again/,
  )
  await ran(root, 'revoke', 'brief')
})

test('nothing is made where nobody said yes', async () => {
  await assert.rejects(
    run(root, 'create', 'unsaid', '--daily', '1eth'),
    /there is no terminal to ask at: confirm with --yes/,
  )
  assert.doesNotMatch(await ran(root, 'list'), /unsaid/)
  for (const [answer, code] of [
    [false, 1],
    [true, 0],
  ] as const) {
    const asked = await withAgents(answer)
    const { service: theirs } = asked
    const made = await asked.run(theirs.root, 'create', 'asked', '--template', 'observer')
    assert.equal(made.code, code)
    assert.match(await asked.ran(theirs.root, 'list'), answer ? /^asked/ : /^no agents/)
    await theirs.close()
  }
})

test('an agent in the root quorum is refused, and named as a danger', async () => {
  const own = service.of(await service.newOrganization())
  await ran(own.root, 'create', 'rooted', '--template', 'observer', '--yes')
  const { userId } = agentCalled('rooted')
  await own.done(own.root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', {
    threshold: 1,
    userIds: [own.root.userId, userId],
  })
  assert.match(await ran(own.root, 'list'), /DANGER: it is in the root quorum/)
  await assert.rejects(
    run(own.root, 'create', 'rooted', '--template', 'observer', '--yes'),
    /is in the root quorum/,
  )
})

test('an agent is given a wallet that is there, and the account that it lacks', async () => {
  const { walletId } = await service.done(root, 'ACTIVITY_TYPE_CREATE_WALLET', {
    walletName: 'Petty cash',
    accounts: [],
  })
  await ran(root, 'create', 'petty', ...LIMITS, '--wallet', 'Petty cash')
  assert.equal(fileOf('petty')['WALLET_ID'], walletId)
  assert.equal(statusOf(await pays(agentCalled('petty'), 'petty', '0.1')), COMPLETED)
})

test('of requests that are made while an agent is paused, none is signed after the answer', async () => {
  await ran(root, 'create', 'racer', '--daily', '100eth', '--yes')
  const racer = agentCalled('racer')
  const paying = Array.from({ length: 20 }, () => pays(racer, 'racer', '0.001'))
  const paused = ran(root, 'pause', 'racer')
  await paused
  const afterwards = await Promise.all(Array.from({ length: 5 }, () => pays(racer, 'racer', '0.001')))
  assert.deepEqual(
    afterwards.map(statusOf),
    Array.from({ length: 5 }, () => 403),
  )
  const signed = (await Promise.all(paying)).filter((answer) => statusOf(answer) === COMPLETED).length
  const { activities } = (
    await service.query(root, 'list_activities', { paginationOptions: { limit: '100' } })
  ).json
  const completed = activities.filter(
    (activity: {
      readonly type: string
      readonly status: string
      readonly votes: readonly { readonly userId: string }[]
    }) => activity.status === COMPLETED && activity.votes[0]?.userId === racer.userId,
  )
  assert.equal(completed.length, signed)
})

test('a thief who asks for payments without end does not hold up the pause', async (t) => {
  await ran(root, 'create', 'flood', ...LIMITS, '--ask-above', 'quorum')
  const flood = agentCalled('flood')
  for (let count = 0; count <= 100; count += 1) assert.equal(statusOf(await pays(flood, 'flood', '2')), WAITS)
  const asked: string[] = []
  const { fetch } = globalThis
  t.mock.method(globalThis, 'fetch', async (...[url, ...rest]: Parameters<typeof fetch>) => {
    asked.push(String(url).split('/').at(-1) ?? '')
    return await fetch(url, ...rest)
  })
  const paused = await ran(root, 'pause', 'flood')
  const before = asked.slice(0, asked.indexOf('create_policy'))
  assert.equal(before.filter((operation) => operation === 'list_activities').length, 1)
  // What the rest of it takes, or fails at, is after the sentence.
  assert.match(paused, /^agent flood is paused: /)
  assert.equal(paused.split('rejected the waiting request').length - 1, 101)
})

test('where a limit of requests, or an outage, ends the rejections, nobody is told that others may approve', async (t) => {
  await ran(root, 'create', 'many', ...LIMITS, '--ask-above', 'quorum')
  assert.equal(statusOf(await pays(agentCalled('many'), 'many', '2')), WAITS)
  const { fetch } = globalThis
  let status = 429
  const refusing = t.mock.method(globalThis, 'fetch', async (...[url, ...rest]: Parameters<typeof fetch>) =>
    String(url).endsWith('/reject_activity')
      ? new Response(JSON.stringify({ code: 8, message: 'too many requests' }), { status })
      : await fetch(url, ...rest),
  )
  await assert.rejects(run(root, 'pause', 'many'), {
    name: 'CommandError',
    message: /^agent many has requests that still wait.*: run this command again in a minute$/,
  })
  status = 503
  await assert.rejects(run(root, 'pause', 'many'), { name: 'ServiceError' })
  refusing.mock.restore()
  assert.match(await ran(root, 'pause', 'many'), /rejected the waiting request/)
})

test('an agent of a sub-organization reads and does nothing outside of it', async () => {
  const text = await ran(root, 'create', 'apart', ...LIMITS, '--sub-organization', '--ask-above', 'quorum')
  assert.match(text, /in a sub-organization of its own, where it can read nothing of yours/)
  const apart = agentCalled('apart')
  assert.notEqual(apart.organizationId, root.organizationId)
  assert.equal(statusOf(await pays(apart, 'apart', '0.1')), COMPLETED)
  const large = await pays(apart, 'apart', '1')
  assert.equal(statusOf(large), WAITS)
  const { organizationId } = apart
  service.world.advance(1)
  const { fingerprint } = large.json.activity
  const approved = await service.submit({ ...root, organizationId }, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', {
    fingerprint,
  })
  assert.equal(statusOf(approved), COMPLETED)
  const outside = await service.query({ ...apart, organizationId: root.organizationId }, 'list_users')
  assert.equal(outside.status, 401)
  assert.match(await ran(root, 'list'), /^apart +agent apart +ready$/m)
  await ran(root, 'revoke', 'apart')
  assert.equal(statusOf(await pays(apart, 'apart', '0.1')), 401)
})

test('where the sender alone is not enough, each step waits for the others, and the same command goes on', async () => {
  const own = service.of(await service.newOrganization())
  const [bob, eve] = [await own.user('Bob'), await own.user('Eve')]
  const userIds = [own.root.userId, bob.userId, eve.userId]
  await own.done(own.root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 2, userIds })
  const approve = async (text: string): Promise<void> => {
    const fingerprint = /fingerprint (\S+)/.exec(text)?.[1]
    service.world.advance(1)
    const vote = await own.submit(bob, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
    assert.equal(statusOf(vote), COMPLETED)
  }
  const steps: string[] = []
  for (;;) {
    const { code, text } = await run(own.root, 'create', 'careful', ...LIMITS, '--ask-above', 'quorum')
    if (code === 0) break
    assert.equal(code, 3)
    const step = /^(\w+) waits for the approval of others/m.exec(text)?.[1]
    assert.ok(step !== undefined && !steps.includes(step), text)
    steps.push(step)
    // Before they have approved it, the same request is waited for and not made again.
    const again = await run(own.root, 'create', 'careful', ...LIMITS, '--ask-above', 'quorum', '--json')
    assert.equal(again.code, 3)
    assert.match(JSON.parse(again.text).waits, new RegExp(`^${step} waits for the approval of others`))
    assert.equal(/fingerprint ([^\s"]+)/.exec(again.text)?.[1], /fingerprint (\S+)/.exec(text)?.[1])
    await approve(text)
  }
  assert.deepEqual(steps, ['create_wallet', 'create_users', 'create_policies', 'create_api_keys'])
  const careful = agentCalled('careful')
  assert.equal(statusOf(await pays(careful, 'careful', '0.1')), COMPLETED)
  const large = await pays(careful, 'careful', '1')
  assert.equal(statusOf(large), WAITS)
  for (const [by, wanted] of [
    [bob, WAITS],
    [eve, COMPLETED],
  ] as const) {
    service.world.advance(1)
    const { fingerprint } = large.json.activity
    assert.equal(statusOf(await own.submit(by, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })), wanted)
  }
  const paused = await run(own.root, 'pause', 'careful')
  assert.equal(paused.code, 3)
  assert.match(
    paused.text,
    /until then it goes on; claviger agent revoke careful stops it at once, and you may do that alone/,
  )
  assert.equal(statusOf(await pays(careful, 'careful', '0.01')), COMPLETED)
  const revoked = await run(own.root, 'revoke', 'careful')
  assert.match(revoked.text, /^agent careful is revoked/)
  assert.equal(statusOf(await pays(careful, 'careful', '0.01')), 401)
})

test('a policy that has the name of a pause and denies nothing is not taken for one', async () => {
  await ran(root, 'create', 'awake', ...LIMITS)
  const named = { policyName: 'agent awake: paused', effect: 'EFFECT_DENY', notes: '' }
  const { policyId } = await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    ...named,
    condition: "activity.action == 'NOTHING'",
    consensus: `approvers.any(p, p.id == '${agentCalled('awake').userId}')`,
  })
  assert.match(await ran(root, 'show', 'awake'), /^agent awake: ready\n/)
  await assert.rejects(
    run(root, 'pause', 'awake'),
    new RegExp(`agent awake goes on: the policy "agent awake: paused" \\(${policyId}\\) does not deny all`),
  )
  await service.done(root, 'ACTIVITY_TYPE_DELETE_POLICY', { policyId })
  await ran(root, 'pause', 'awake')
  assert.match(await ran(root, 'show', 'awake'), /^agent awake: paused\n/)
})

test('of two agents with one name a command says which one it has not stopped', async () => {
  await ran(root, 'create', 'double', ...LIMITS, '--sub-organization')
  // Also one that somebody else has made, under the name of the one that is to be stopped.
  await service.user('agent double')
  const { organizationId } = agentCalled('double')
  const goesOn = new RegExp(
    `another agent double is in agent double \\(${organizationId}\\), and is left as it is: for it, let ORGANIZATION_ID`,
  )
  assert.match(await ran(root, 'revoke', 'double'), goesOn)
  assert.equal(statusOf(await pays(agentCalled('double'), 'double', '0.1')), COMPLETED)
  assert.doesNotMatch(await ran({ ...root, organizationId }, 'revoke', 'double'), goesOn)
  assert.equal(statusOf(await pays(agentCalled('double'), 'double', '0.1')), 401)
})

test('an agent is stopped also beside a sub-organization of its name that cannot be read', async () => {
  await ran(root, 'create', 'shut', ...LIMITS, '--sub-organization')
  const { organizationId } = agentCalled('shut')
  const rules = [{ cidr: '192.0.2.0/24' }]
  await service.done({ ...root, organizationId }, 'ACTIVITY_TYPE_SET_IP_ALLOWLIST', { rules })
  await assert.rejects(run(root, 'pause', 'shut'), { name: 'ServiceError' })
  await service.user('agent shut')
  const paused = await ran(root, 'pause', 'shut')
  assert.match(paused, /^another agent shut may be in a sub-organization, which cannot be read: /)
  assert.match(paused, /^agent shut is paused: /m)
})

test('agents are listed also beside sub-organizations that cannot be read', async () => {
  await ran(root, 'create', 'seen', ...LIMITS, '--sub-organization')
  const text = await ran(root, 'list')
  // That of the test above.
  const { organizationId } = agentCalled('shut')
  assert.match(text, /^seen +agent seen +ready$/m)
  assert.match(
    text,
    new RegExp(
      `^a sub-organization with your key cannot be read, and its agents are not listed: ${organizationId}: `,
      'm',
    ),
  )
})

/** A sub-organization of another user, who gives it an agent, and adds the root user's key, only later. */
async function aDecoy(name: string, mallory = service.newKey()) {
  const users = (userName: string, publicKey: string) => [
    {
      userName,
      apiKeys: [{ apiKeyName: 'Key', publicKey, curveType: 'API_KEY_CURVE_P256' }],
      authenticators: [],
      oauthProviders: [],
    },
  ]
  const made = await service.done(root, 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7', {
    subOrganizationName: `agent ${name}`,
    rootQuorumThreshold: 1,
    rootUsers: users('Mallory', mallory.publicKey),
  })
  const organizationId: string = made.subOrganizationId
  const by = { organizationId, userId: made.rootUserIds[0], key: mallory }
  return {
    organizationId,
    reveal: async () => {
      const both = [
        ...users(`agent ${name}`, service.newKey().publicKey),
        ...users('Root', root.key.publicKey),
      ]
      await service.done(by, 'ACTIVITY_TYPE_CREATE_USERS_V3', {
        users: both.map((user) => ({ ...user, userTags: [] })),
      })
    },
  }
}

test('a sub-organization of somebody else is not taken for that of an agent, also if it is the older one', async () => {
  const decoy = await aDecoy('echo')
  await ran(root, 'create', 'echo', ...LIMITS, '--sub-organization')
  await decoy.reveal()
  const paused = await ran(root, 'pause', 'echo')
  assert.match(
    paused,
    new RegExp(
      `^another sub-organization agent echo \\(${decoy.organizationId}\\) has your key, and is left as it is`,
    ),
  )
  assert.equal(statusOf(await pays(agentCalled('echo'), 'echo', '0.1')), 403)
  // Of two without an agent, each may be the one that an interrupted command has made.
  for (const _ of [1, 2]) await aDecoy('mute', root.key)
  await assert.rejects(
    run(root, 'create', 'mute', ...LIMITS, '--sub-organization'),
    /several sub-organizations are called agent mute and have your key: \S+, \S+; let ORGANIZATION_ID/,
  )
})

test('an agent is found behind a hundred sub-organizations with the key of the sender, and list says that it is not', async () => {
  for (let at = 0; at < 100; at += 1) await aDecoy(`number ${at}`, root.key)
  await ran(root, 'create', 'late', ...LIMITS, '--sub-organization')
  assert.match(
    await ran(root, 'list'),
    /^more than 100 sub-organizations have your key: the agents of the newer/m,
  )
  assert.match(await ran(root, 'pause', 'late'), /^agent late is paused: /)
})

test('a user, a wallet or a sub-organization that somebody has made under the name of an agent is not taken for it', async () => {
  const mallory = await service.user('agent squat')
  await assert.rejects(
    run(root, 'create', 'squat', ...LIMITS),
    /agent squat has an API key, and its file is not here/,
  )
  const { policies } = (await service.query(root, 'list_policies')).json
  const names: readonly string[] = policies.map(
    ({ policyName }: { readonly policyName: string }) => policyName,
  )
  assert.ok(!names.some((name) => name.startsWith('agent squat')))
  await service.done(root, 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [mallory.userId] })

  const rootUsers = [root.key, mallory.key].map(({ publicKey }, at) => ({
    userName: `Root ${at}`,
    apiKeys: [{ apiKeyName: 'Key', publicKey, curveType: 'API_KEY_CURVE_P256' }],
    authenticators: [],
    oauthProviders: [],
  }))
  await service.done(root, 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7', {
    subOrganizationName: 'agent nest',
    rootQuorumThreshold: 1,
    rootUsers,
  })
  await assert.rejects(
    run(root, 'create', 'nest', ...LIMITS, '--sub-organization'),
    /a sub-organization agent nest that is not yours alone/,
  )

  const { walletId } = await service.done(root, 'ACTIVITY_TYPE_CREATE_WALLET', {
    walletName: 'agent seeded',
    accounts: [],
  })
  await service.done(root, 'ACTIVITY_TYPE_EXPORT_WALLET', { walletId, targetPublicKey: EXPORT_TARGET })
  await assert.rejects(
    run(root, 'create', 'seeded', ...LIMITS),
    /was imported or exported, so it may have other holders/,
  )
})

const EXPORT_TARGET =
  '0464fb511728122da3b7b8a449c79d7a9e3fb847f4cbf0efbc6c82f68ada0ae5ebd1f9b6a45f5e4b61852c8e293a7b79022422ffff9ea8fba7297271b589cc9ed2'

test('a request of somebody else that looks like a step is not waited for in its place', async () => {
  const own = service.of(await service.newOrganization())
  const mallory = await own.user('Mallory')
  const userIds = [own.root.userId, mallory.userId]
  await own.done(own.root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 2, userIds })
  service.world.advance(1)
  const hers = await own.submit(mallory, 'ACTIVITY_TYPE_CREATE_USERS_V3', {
    users: [
      {
        userName: 'agent twin',
        apiKeys: [
          { apiKeyName: 'no key', publicKey: own.newKey().publicKey, curveType: 'API_KEY_CURVE_P256' },
        ],
        authenticators: [],
        oauthProviders: [],
        userTags: [],
      },
    ],
  })
  assert.equal(statusOf(hers), WAITS)
  const { code, text } = await run(own.root, 'create', 'twin', '--template', 'observer', '--yes')
  assert.equal(code, 3)
  assert.doesNotMatch(text, new RegExp(hers.json.activity.fingerprint))
})

test('a further policy that is called after an agent is noticed', async () => {
  await ran(root, 'create', 'joined', '--template', 'observer', '--yes')
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'agent joined: more',
    effect: 'EFFECT_ALLOW',
    condition: 'true',
    notes: 'It does nothing at all.',
  })
  await assert.rejects(
    run(root, 'create', 'joined', '--template', 'observer', '--yes'),
    /exists with other policies/,
  )
  assert.match(await ran(root, 'show', 'joined'), /- agent joined: more: written or changed by hand/)
  await ran(root, 'revoke', 'joined')
  await assert.rejects(run(root, 'pause', 'joined'), /there is no agent joined/)
})

test('a policy of an agent that holds only at some times is neither told nor taken as what it was', async () => {
  await ran(root, 'create', 'nightly', ...LIMITS)
  const { policies } = (await service.query(root, 'list_policies')).json
  const { policyId } = policies.find(
    ({ policyName }: { readonly policyName: string }) => policyName === 'agent nightly: nothing else',
  )
  const time = "CronSpan('0 8 * * 1-5', '10h', 'UTC')"
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_POLICY_V2', { policyId, time })
  const shown = await ran(root, 'show', 'nightly')
  assert.match(
    shown,
    /- agent nightly: nothing else: written or changed by hand, so only its text is valid\./,
  )
  assert.match(
    shown,
    /^ {2}EFFECT_DENY {2}agent nightly: nothing else\n(?: {4}c.*\n)+ {4}time {7}CronSpan\(/m,
  )
  await assert.rejects(run(root, 'create', 'nightly', ...LIMITS), /exists with other policies/)
})

test('a name that is no plain word, and what would mean two things, is refused before anything is asked', async () => {
  for (const [args, wanted] of [
    [['create', '\u001b[2J', ...LIMITS], /^\\u001b\[2J is not a name for an agent/],
    [['create', '../up', ...LIMITS], /is not a name for an agent/],
    [['create', 'a: b', ...LIMITS], /is not a name for an agent/],
    [['create', 'x', '--yes'], /a payer has a limit/],
    [['create', 'x', '--daily', '1', '--yes'], /needs a unit/],
    [
      ['create', 'x', '--daily', '1eth', '--chain', 'bitcoin', '--yes'],
      /needs a unit of its chain after the number: btc, sat/,
    ],
    [
      ['create', 'x', '--daily', '1eth', '--per-transaction', '2eth'],
      /--per-transaction is more than --daily/,
    ],
    [
      ['create', 'x', '--daily', '1eth', '--to', '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293Bc'],
      /is not an address of Ethereum/,
    ],
    ...[
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5',
      '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb',
      'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
    ].map(
      (to) =>
        [
          ['create', 'x', '--daily', '1btc', '--chain', 'bitcoin', '--to', to],
          /is not an address of Bitcoin/,
        ] as const,
    ),
    [
      ['create', 'x', '--daily', '1trx', '--chain', 'tron', '--to', 'TZAcQpmdhrdMTJpfcZWJUeJBNwireyh5Zp'],
      /is not an address of Tron/,
    ],
    [['create', 'x', '--daily', '1eth', '--calls'], /--calls needs --to/],
    [['create', 'x', '--template', 'worker', '--daily', '1eth'], /nothing would hold a worker to them/],
    [
      ['create', 'x', '--template', 'observer', '--chain', 'base', '--yes'],
      /the template observer signs on no chain/,
    ],
    [['create', 'x', '--daily', '1eth', '--ask-above', 'Nobody', '--yes'], /no user is called Nobody/],
    [['create', 'x', '--daily', '1eth', '--expires', '30'], /is not a duration/],
    [['create', 'x', '--daily', '1eth', '--wallet', 'none', '--yes'], /there is no wallet called none/],
    // Before a person reads what the agent may do.
    [['create', 'x', '--template', 'worker', '--wallet', 'none'], /there is no wallet called none/],
    [
      ['create', 'x', '--template', 'worker', '--wallet', 'none', '--sub-organization'],
      /there is no wallet called none/,
    ],
    [['show', 'nobody'], /there is no agent nobody/],
    [['fly', 'x'], /one of: create, list, show, pause, resume, revoke/],
  ] as const)
    await assert.rejects(run(root, ...args), { message: wanted })
})
