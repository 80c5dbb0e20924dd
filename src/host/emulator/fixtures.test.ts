import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fixtures } from './fixtures.ts'
import { startClaviger } from './start-claviger.ts'

const wallet = { activity: 'create_wallet', parameters: { walletName: 'W', accounts: [] }, name: 'w' }

test('a step names what an earlier one has made, whole and within a text', async () => {
  const policy = {
    policyName: 'Of {{Ada.userName}}',
    effect: 'EFFECT_ALLOW',
    condition: "wallet.id == '{{w.walletId}}'",
    consensus: "approvers.any(user, user.id == '{{Ada.userId}}')",
    notes: '{{ w.walletId }}',
  }
  const fixtures: Fixtures = {
    steps: [{ user: 'Ada' }, wallet, { activity: 'create_policy', parameters: policy, name: 'p' }],
  }
  await using c = await startClaviger({ fixtures })
  const { policyId } = Object(c.results['p'])
  const { json } = await c.root.query('get_policy', { policyId })
  const { walletId } = Object(c.results['w'])
  assert.equal(json.policy.policyName, 'Of Ada')
  assert.equal(json.policy.notes, walletId)
  assert.equal(json.policy.condition, `wallet.id == '${walletId}'`)
  assert.equal(c.requests().length, 1, 'what fixtures ask is not among the requests of the suite')
})

test('fixtures that cannot be made are refused by the step and the reason', async () => {
  const wrong: readonly [unknown, RegExp][] = [
    [null, /\{"steps": \[…\]\}/],
    [{ steps: [], more: 1 }, /\{"steps": \[…\]\}/],
    [{ steps: [null] }, /step 1 is neither/],
    [{ steps: [{ user: 7 }] }, /step 1 is neither/],
    [{ steps: [{ ...wallet, wait: true }] }, /step 1 is neither/],
    [{ steps: [{ user: 'root' }] }, /step 1: the name "root" is taken/],
    [{ steps: [wallet, wallet] }, /step 2: the name "w" is taken/],
    [{ steps: [{ user: '__proto__' }] }, /"__proto__" is not a name/],
    [{ steps: [{ ...wallet, activity: 'constructor' }] }, /there is no activity "constructor"/],
    [{ steps: [{ ...wallet, activity: '../query/whoami' }] }, /there is no activity/],
    [{ steps: [{ ...wallet, as: 'Eve' }] }, /there is no user "Eve" before it/],
    [{ steps: [{ user: 'Eve' }, { ...wallet, as: 'Eve' }] }, /step 2 \(create_wallet\): .*permission/],
    [
      { steps: [{ ...wallet, parameters: { walletName: '{{Ada.userId}}' } }] },
      /nothing .* has made "Ada.userId"/,
    ],
    [
      { steps: [wallet, { ...wallet, name: 'x', parameters: { walletName: '{{w.constructor.name}}' } }] },
      /nothing/,
    ],
    [{ steps: [{ ...wallet, parameters: { walletName: '{{root.env}}' } }] }, /nothing/],
    [{ steps: [{ ...wallet, parameters: {} }] }, /step 1 \(create_wallet\): .*walletName/],
    ['./nowhere.json', /: \.\/nowhere\.json: there is no such file or folder; check the path$/],
    [{ steps: Array.from({ length: 10_001 }, () => wallet) }, /at most 10000 steps/],
  ]
  for (const [fixtures, why] of wrong)
    await assert.rejects(
      startClaviger({ fixtures: fixtures as Fixtures }),
      why,
      JSON.stringify(fixtures)?.slice(0, 80),
    )
})

test('of the treasury, each of the three pays up to one ether a day alone, and two of them pay anything', async () => {
  await using c = await startClaviger({ seed: 7, fixtures: 'treasury' })
  const { addresses } = Object(c.results['treasury'])
  const pays = async (who: string, value: string, nonce: number) => {
    const to = '11'.repeat(20)
    const unsignedTransaction = `02f001${nonce.toString(16).padStart(2, '0')}8459682f008506fc23ac0082520894${to}88${value}80c0`
    const type = 'TRANSACTION_TYPE_ETHEREUM'
    const { json } = await c
      .user(who)
      .submit('sign_transaction', { type, signWith: addresses[0], unsignedTransaction })
    assert.ok(json.activity !== undefined, json.message)
    return json.activity
  }
  const HALF = '06f05b59d3b20000'
  const TWO = '1bc16d674ec80000'
  assert.equal((await pays('Ada', HALF, 1)).status, 'ACTIVITY_STATUS_COMPLETED')
  assert.equal((await pays('Bob', HALF, 2)).status, 'ACTIVITY_STATUS_COMPLETED')
  assert.equal(
    (await pays('Carol', HALF, 3)).status,
    'ACTIVITY_STATUS_CONSENSUS_NEEDED',
    'the day is used up',
  )
  const { fingerprint, status } = await pays('Ada', TWO, 4)
  assert.equal(status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  const { json } = await c.user('Carol').submit('approve_activity', { fingerprint })
  assert.equal(json.activity.status, 'ACTIVITY_STATUS_COMPLETED')
  c.clock.advance('25h')
  assert.equal((await pays('Carol', HALF, 5)).status, 'ACTIVITY_STATUS_COMPLETED', 'the next day')
})
