import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { aLyingHost, liesAbout, wholeOther } from '../../../../test/support/lying-host.ts'
import { temporaryFolder } from '../../../../test/support/running-service.ts'
import { aService, type JsonAnswer, type Member } from '../../../../test/support/service.ts'
import { withApprovals } from '../../../../test/support/waiting.ts'
import { utf8 } from '../../../trusted/base/bytes.ts'
import { fingerprintOf } from '../../approval/fingerprint.ts'
import { wordsOf } from '../../approval/words.ts'
import { approve } from '../approve.ts'
import { ServiceError } from '../signed-query.ts'

const SHOP = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const WAITS = 'ACTIVITY_STATUS_CONSENSUS_NEEDED'

const service = await aService()
const host = await aLyingHost(service.baseUrl)
after(async () => {
  await host.close()
  await service.close()
})
const { ada, bob, asks, asksPayment, get } = await withApprovals(service)
const folder = temporaryFolder()

type Ran = { readonly code: number; readonly text: string }

/** Runs the command as Bob, who types this when he is asked; nobody can be asked unless given. */
async function run(args: readonly string[], typed?: string, baseUrl = service.baseUrl): Promise<Ran> {
  let text = ''
  const code = await approve([...args, '--as', keyFile(bob, baseUrl)], {
    write: (written) => {
      text += written
    },
    asks: typed === undefined ? undefined : async (question) => ((text += question), typed),
    now: () => (service.world.advance(1), service.world.now()),
    environment: {},
  })
  return { code, text }
}

function keyFile({ organizationId, key }: Member, baseUrl: string): string {
  const path = join(folder, 'bob.env')
  const secret = Buffer.from(key.privateKey).toString('hex')
  const lines = `BASE_URL=${baseUrl}\nORGANIZATION_ID=${organizationId}\nAPI_PRIVATE_KEY=${secret}\n`
  writeFileSync(path, lines, { mode: 0o600 })
  return path
}

const digitsOf = ({ votes }: JsonAnswer): string => fingerprintOf(utf8(votes[0].message)).digits
const statusOf = async ({ id }: JsonAnswer): Promise<string> => (await get(id)).status

test('a payment is said in words, and approved by the digits of its bytes', async () => {
  const activity = await asksPayment(1_500_000_000_000_000_000n, SHOP)
  const { code, text } = await run([activity.id], digitsOf(activity))
  assert.equal(code, 0, text)
  assert.match(
    text,
    /^On Ethereum \(chain 1\): Send 1\.5 ETH \(1500000000000000000 wei\) to 0x3C44\w+\. Fees are/,
  )
  assert.match(text, /^ {2}asked by "Ada" \(/m)
  assert.match(text, /^ {2}the policy "Two agree" \(\S+\) waits$/m)
  assert.match(text, /^ {2}the approval of "Bob" \(\S+\) would count$/m)
  assert.match(text, /^The stamp over these bytes is verified here: API key 0[23]/m)
  assert.match(text, /Approved\. The service says: ACTIVITY_STATUS_COMPLETED\n$/)
  assert.equal(await statusOf(activity), 'ACTIVITY_STATUS_COMPLETED')
})

test('nothing is approved without the digits: not by another word, not by a program, not where nobody is asked', async () => {
  const activity = await asksPayment(1n, SHOP)
  for (const typed of ['', 'y', 'yes', '0000 0000']) {
    const { code, text } = await run([activity.id], typed)
    assert.equal(code, typed === '' ? 3 : 1, text)
    assert.match(text, /Nothing was sent\.\n$/)
  }
  const json = await run([activity.id, '--json'])
  assert.equal(json.code, 3)
  assert.equal(JSON.parse(json.text).voted, false)
  assert.equal((await run([activity.id, '--json', '--yes-digits', '12345678'])).code, 1)
  const unasked = await run([activity.id])
  assert.match(unasked.text, /There is no terminal to ask at.* Nothing was sent\.\n$/)
  assert.equal(unasked.code, 3)
  assert.equal(await statusOf(activity), WAITS)

  const { digits } = JSON.parse(json.text)
  const voted = await run([activity.id, '--json', '--yes-digits', digits.replace(' ', '')])
  assert.deepEqual([voted.code, JSON.parse(voted.text).voted], [0, true])
  assert.equal(await statusOf(activity), 'ACTIVITY_STATUS_COMPLETED')
})

test('an activity is rejected by the same digits', async () => {
  const activity = await asksPayment(2n, SHOP)
  const { text } = await run([activity.id, '--reject'], digitsOf(activity))
  assert.match(text, /Rejected\. The service says: ACTIVITY_STATUS_REJECTED/)
})

test('what a request changes is shown as it is now, as the word of the host', async () => {
  const { policies } = (await service.query(bob, 'list_policies')).json
  const { policyId } = policies[0]
  const activity = await asks('ACTIVITY_TYPE_UPDATE_POLICY_V2', { policyId, policyConsensus: 'true' })
  const { text } = await run([activity.id], '')
  assert.match(text, /^ {2}parameters\.policyConsensus +"true"$/m)
  assert.match(
    text,
    /^ {2}the request names "Two agree" \(\S+\); it is now: effect: "EFFECT_ALLOW" · condition: "true" · consensus: "approvers\.count\(\) >= 2"$/m,
  )
})

test('the name of a user or of a policy does not end itself, and passes for no id and no text of a policy', async () => {
  const policyName = 'Two agree" (1); it is now: effect: "EFFECT_DENY" · condition: "false'
  const condition = `'a · consensus: "approvers.count() >= 9"' == 'b'`
  const policy = { policyName, effect: 'EFFECT_ALLOW', condition, notes: '' }
  const { policyId } = await service.done(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', policy)
  const { userId } = ada
  await service.done(service.root, 'ACTIVITY_TYPE_UPDATE_USER_NAME', { userId, userName: 'Root (0198c5a0)' })
  const { id } = await asks('ACTIVITY_TYPE_DELETE_POLICY', { policyId })
  const { text } = await run([id], '')
  await service.done(service.root, 'ACTIVITY_TYPE_UPDATE_USER_NAME', { userId, userName: 'Ada' })
  assert.ok(text.includes(`\n  asked by "Root (0198c5a0)" (${userId})\n`), text)
  const named = policyName.replaceAll('"', '\\"')
  const present = condition.replaceAll('"', '\\"')
  assert.ok(
    text.includes(
      `names "${named}" (${policyId}); it is now: effect: "EFFECT_ALLOW" · condition: "${present}"\n`,
    ),
    text,
  )
})

test('a text of an activity cannot speak to the terminal', async () => {
  const activity = await asks('ACTIVITY_TYPE_CREATE_USER_TAG', {
    userTagName: 'ok \u202e evil \u2028 line',
    userIds: [],
  })
  const { text } = await run([activity.id], '')
  assert.match(text, /"ok \\u\{202e\} evil \\u\{2028\} line"/)
  assert.doesNotMatch(text, /[\u202e\u2028\u001b]/)
})

test('what stands above a long value stands below it as well, where the digits are asked for', async () => {
  const policy = { policyName: 'Long', effect: 'EFFECT_ALLOW', notes: '' }
  for (const [letter, length, times] of [
    ['a', 10, 1],
    ['a', 5_000, 2],
    ['a', 500, 1],
    // Each takes two columns of a terminal.
    ['字', 500, 2],
  ] as const) {
    const condition = `'${letter.repeat(length)}' == 'b'`
    const { id } = await asks('ACTIVITY_TYPE_CREATE_POLICY_V3', { ...policy, condition })
    const { text } = await run([id], '')
    assert.equal(text.match(/^Create a policy: "Long"\.\n {2}DANGER {6}It changes rights/gm)?.length, times)
  }
})

test('the service refuses a vote on any other fingerprint than that of a request that waits', async () => {
  const activity = await asksPayment(3n, SHOP)
  const right: string = activity.fingerprint
  const flipped = right.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
  for (const fingerprint of [
    flipped,
    right.slice(7),
    `sha256:${'0'.repeat(64)}`,
    right.toUpperCase(),
    activity.id,
  ]) {
    service.world.advance(1)
    const { status } = await service.submit(bob, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
    assert.ok(status >= 400, fingerprint)
  }
  assert.equal(await statusOf(activity), WAITS)
})

test('whatever a host says, the words are those of the bytes, and no other bytes are approved', async () => {
  const [activity, other] = [await asksPayment(10n, SHOP), await asksPayment(20n, SHOP)]
  const [shown, hidden] = [await get(activity.id), await get(other.id)]
  const words = await wordsOf(utf8(shown.votes[0].message))
  const lies = liesAbout(shown, hidden)
  assert.ok(lies.size > 200)
  let refused = 0
  for (const [name, lie] of lies) {
    host.tells(lie)
    host.votes.length = 0
    // The digits that another screen shows of the right bytes.
    const digits = fingerprintOf(utf8(shown.votes[0].message)).digits
    const ran = await outcomeOf(() =>
      run([activity.id, '--json', '--yes-digits', digits], undefined, host.baseUrl),
    )
    const told = ran && JSON.parse(ran.text)
    const mayVote = told !== undefined && told.refusals.length === 0 && told.digits === digits
    if (!mayVote) refused += 1
    if (mayVote) {
      const { sentence, dangers, unknowable } = told
      assert.deepEqual(
        [sentence, dangers, unknowable],
        [words.sentence, words.dangers, words.unknowable],
        name,
      )
      assert.deepEqual(
        told.facts.map(({ value }: JsonAnswer) => value),
        words.facts.map(({ value }) => value),
        name,
      )
    }
    assert.deepEqual(host.votes, mayVote ? [shown.fingerprint] : [], name)
  }
  assert.ok(refused > 50, `${refused} lies are refused`)
})

test('nothing that a host says gives orders to a terminal, as JSON too', async () => {
  const activity = await asksPayment(50n, SHOP)
  const planted = '\u009b2J\u202e\u0007'
  host.tells((answer) =>
    answer.replaceAll('"VOTE_SELECTION_APPROVED"', JSON.stringify(`VOTE_SELECTION_APPROVED${planted}`)),
  )
  for (const args of [[activity.id], [activity.id, '--json']]) {
    const { text } = await run(args, undefined, host.baseUrl)
    assert.match(text, /VOTE_SELECTION_APPROVED|asked by/)
    assert.doesNotMatch(text, /(?!\n)[\p{Cc}\p{Cf}]/u)
  }
  const { hostSays } = JSON.parse((await run([activity.id, '--json'], undefined, host.baseUrl)).text)
  assert.equal(hostSays.votes[0].selection, `VOTE_SELECTION_APPROVED${planted}`)
})

test('another activity under the id that was asked for has its own words and its own digits', async () => {
  const [activity, other] = [await asksPayment(30n, SHOP), await asksPayment(40n, SHOP)]
  host.tells(wholeOther(await get(activity.id), await get(other.id)))
  const { code, text } = await run([activity.id], digitsOf(activity), host.baseUrl)
  assert.match(text, /^On Ethereum \(chain 1\): Send 0\.00000000000000004 ETH \(40 wei\)/)
  assert.match(text, /NOT the digits of this activity\. Nothing was sent\.\n$/)
  assert.equal(code, 1)
  assert.deepEqual([await statusOf(activity), await statusOf(other)], [WAITS, WAITS])
})

/** Undefined where the command ends with an error for operators. */
async function outcomeOf(ran: () => Promise<Ran>): Promise<Ran | undefined> {
  try {
    return await ran()
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}
