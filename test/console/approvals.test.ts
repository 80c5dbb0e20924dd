import assert from 'node:assert/strict'
import type { BrowserContext, Locator, Page, Route } from 'playwright-core'
import { encodeFunctionData, maxUint256, parseAbi, parseEther, serializeTransaction } from 'viem'
import { present } from '../../src/trusted/base/assert.ts'
import { utf8 } from '../../src/trusted/base/bytes.ts'
import { fingerprintOf } from '../../src/host/approval/fingerprint.ts'
import { wordsOf } from '../../src/host/approval/words.ts'
import type { Person, Setting } from '../clients/setting.ts'
import { liesAbout, wholeOther } from '../support/lying-host.ts'
import type { JsonAnswer } from '../support/service.ts'
import { type ConsoleSetting, consoleTests } from './console-setting.ts'

const SHOP = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

const consoleTest = await consoleTests()

/** Two of the users have to agree to what either asks for; made once for all tests of this file. */
let made: Promise<Agreeing> | undefined
type Agreeing = {
  readonly ada: Person
  readonly bob: Person
  /** Asks as Ada, and waits. */
  readonly asks: (
    parameters: { payload: string } | { wei: bigint; data?: `0x${string}` },
  ) => Promise<JsonAnswer>
  readonly statusOf: (activityId: string) => Promise<string>
}

function agreeing(setting: Setting): Promise<Agreeing> {
  made ??= makeAgreeing(setting)
  return made
}

async function makeAgreeing({ root, user }: Setting): Promise<Agreeing> {
  const ada = await user(root, 'agent shopper')
  const bob = await user(root, 'Bob')
  await root.client.createPolicy(
    root.activity('ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: 'Two agree',
      effect: 'EFFECT_ALLOW' as const,
      condition: "activity.action == 'SIGN' && usage.count('24h', private_key.id) <= 100",
      consensus: 'approvers.count() >= 2',
      notes: '',
    }),
  )
  const { activity } = await root.client.createPrivateKeys(
    root.activity('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
      privateKeys: [
        {
          privateKeyName: 'Treasury',
          curve: 'CURVE_SECP256K1' as const,
          privateKeyTags: [],
          addressFormats: ['ADDRESS_FORMAT_ETHEREUM' as const],
        },
      ],
    }),
  )
  const signWith = activity.result.createPrivateKeysResultV2?.privateKeys[0]?.addresses?.[0]?.address ?? ''
  let nonce = 0
  return {
    ada,
    bob,
    asks: async (what) => {
      if ('payload' in what) {
        const { payload } = what
        const encoding = 'PAYLOAD_ENCODING_HEXADECIMAL' as const
        const hashFunction = 'HASH_FUNCTION_NO_OP' as const
        const parameters = { signWith, payload, encoding, hashFunction }
        return (
          await ada.client.signRawPayload(ada.activity('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', parameters))
        ).activity
      }
      const unsignedTransaction = serializeTransaction({
        type: 'eip1559',
        chainId: 1,
        nonce: nonce++,
        gas: 21_000n,
        maxFeePerGas: 10n ** 10n,
        maxPriorityFeePerGas: 1n,
        value: what.wei,
        to: SHOP,
        ...(what.data === undefined ? {} : { data: what.data }),
      }).slice(2)
      const parameters = { signWith, type: 'TRANSACTION_TYPE_ETHEREUM' as const, unsignedTransaction }
      return (await ada.client.signTransaction(ada.activity('ACTIVITY_TYPE_SIGN_TRANSACTION_V2', parameters)))
        .activity
    },
    statusOf: async (activityId) =>
      (await ada.client.getActivity({ organizationId: ada.organizationId, activityId })).activity.status,
  }
}

/** From now on this page has no answer to a query until it is released. */
async function heldBack(page: Page, operation: string): Promise<{ readonly release: () => void }> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(`**/query/${operation}`, async (route) => {
    await promise
    await route.continue()
  })
  return { release: resolve }
}

/** Signs in, and opens the activity. */
async function opened({ signedIn }: ConsoleSetting, person: Person, activityId: string): Promise<Page> {
  const page = await signedIn('/approvals', person)
  await page.evaluate(`location.hash = '#/approvals/${activityId}'`)
  return page
}

/**
 * As they are sent, with gzip: the sizes of all scripts and styles of the console that pages load from now on. The
 * words in German are loaded by `look` alone.
 */
function sizesOfFiles(browser: BrowserContext): readonly Promise<number>[] {
  const sizes: Promise<number>[] = []
  browser.on('requestfinished', (request) => {
    if (/\/console\/(?!words-de-)[^/]+\.(js|css)$/.test(request.url()))
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
  })
  return sizes
}

const COMPLETED = 'ACTIVITY_STATUS_COMPLETED'
const WAITS = 'ACTIVITY_STATUS_CONSENSUS_NEEDED'

/** Nothing is being loaded, nor about to be: what is loaded once it is unfolded is not there in the moment of that. */
const COMPLETE = 'main:has(h1):not(:has(.busy, details[open] > summary:only-child))'

/** All of it, with what is folded away. */
async function shown(page: Page): Promise<string> {
  await page.locator(COMPLETE).waitFor()
  await page.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")
  await page.locator(COMPLETE).waitFor()
  return (await page.locator('main').innerText()).replaceAll(/[\u2066-\u2069]/g, '')
}

consoleTest(
  'what an agent asks is said in words, and approved with the key of the page',
  async (setting, t) => {
    const { bob, asks, statusOf } = await agreeing(setting)
    const activity = await asks({ wei: parseEther('1.5') })
    const loaded = sizesOfFiles(setting.browser)
    const page = await setting.signedIn('/approvals', bob)
    await page.getByRole('heading', { name: 'Waits for you' }).waitFor()
    await setting.look(page, 'approvals')
    await page.getByRole('link', { name: /Send 1\.5 ETH/ }).click()
    const words = await wordsOf(utf8(activity.votes[0]?.message ?? ''))
    await page.getByRole('heading', { name: words.sentence, exact: true }).waitFor()
    await page.getByText('Two agree').first().waitFor()
    await setting.look(page, 'approval')
    await assertInFirstScreenful(page)
    const folded = await page.locator('main').innerText()
    assert.doesNotMatch(folded, /eth\.tx\.value|parameters\./)
    assert.match(folded, /Signed with\s+0x\w{40}\s*the server calls it \S?Treasury/)
    assert.match(folded, /Your approval\s+completes it/)
    assert.match(folded, /Votes\s+approved agent shopper/)
    const limits = await heldBack(page, 'list_limit_usage')
    await page.getByText('The server says too').click()
    await page.getByText('May still approve').waitFor()
    await page.locator('dd .busy').waitFor()
    limits.release()
    const text = await shown(page)
    for (const { label, value } of words.facts) assert.ok(text.includes(label) && text.includes(value), label)
    assert.ok(text.includes(fingerprintOf(utf8(activity.votes[0]?.message ?? '')).digits))
    assert.match(text, /Asked by\s+agent shopper \(…[\da-f]{8}\) an agent/)
    assert.match(text, /May still approve\s+(Bob|root)/i)
    assert.match(text, /The stamp over these bytes was verified here/)
    assert.match(text, /within 24 hours: at most 100/)
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText(/the transaction is signed, not sent/).waitFor()
    // What is shown is as it is now.
    await page.getByText('Carried out', { exact: true }).waitFor()
    const after = await shown(page)
    assert.match(after, /Votes\s+approved agent shopper \(…[\da-f]{8}\)\s+approved Bob \(…/)
    assert.doesNotMatch(after, /Your approval\s|May still approve|Lapses|Policy/)
    await setting.look(page, 'approval-done')
    assert.equal(await statusOf(activity.id), COMPLETED)
    const sent = (await Promise.all(loaded)).reduce((sum, size) => sum + size, 0)
    t.diagnostic(`${sent} bytes of scripts and styles were sent for this approval`)
    assert.ok(sent > 30_000 && sent <= 60_000, `${sent} bytes`)
  },
)

consoleTest('a passkey approves by one gesture over the vote, and the page has no key', async (setting) => {
  const { asks, statusOf } = await agreeing(setting)
  const { open, givePasskey, root } = setting
  const activity = await asks({ wei: 7n })
  const page = await open()
  const signOut = page.getByRole('button', { name: 'Sign out' })
  await signOut.or(page.getByText('With an API key')).waitFor()
  if (await signOut.isVisible()) await signOut.click()
  await givePasskey(page)
  await page.getByLabel('Organization').fill(root.organizationId)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('link', { name: /Send 0\.000000000000000007 ETH/ }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText(/^Approved\. The server says/).waitFor()
  assert.equal(await statusOf(activity.id), COMPLETED)
})

consoleTest('a digest stands in red, and is approved only by its eight digits', async (setting) => {
  const { bob, asks, statusOf } = await agreeing(setting)
  const activity = await asks({ payload: 'ab'.repeat(32) })
  const page = await opened(setting, bob, activity.id)
  await page.getByRole('heading', { name: /a digest of 32 bytes of which NOTHING CAN BE KNOWN/ }).waitFor()
  await page.locator('dd.unknowable').waitFor()
  await page.getByText('Two agree').first().waitFor()
  await setting.look(page, 'approval-unknowable')
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('These are not the digits of this request').waitFor()
  assert.equal(await statusOf(activity.id), WAITS)
  const { digits } = fingerprintOf(utf8(activity.votes[0]?.message ?? ''))
  await page.getByLabel('Type the eight digits of the request').fill(digits)
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText(/^Approved\. The server says/).waitFor()
  assert.equal(await statusOf(activity.id), COMPLETED)
})

consoleTest('what is dangerous in a request stands above it, and is marked in the list', async (setting) => {
  const { bob, asks } = await agreeing(setting)
  const abi = parseAbi(['function approve(address by, uint256 amount)'])
  const data = encodeFunctionData({ abi, functionName: 'approve', args: [SHOP, maxUint256] })
  const { id, votes } = await asks({ wei: 0n, data })
  const { dangers, sentence } = await wordsOf(utf8(votes[0].message))
  assert.ok(dangers.length > 0)
  const page = await setting.signedIn('/approvals', bob)
  const row = page.locator('.cards > li', { has: page.locator(`a[href$="${id}"]`) })
  await row.getByText('danger', { exact: true }).waitFor()
  await row.getByRole('link').click()
  await page.getByRole('heading', { name: sentence, exact: true }).waitFor()
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  const note = await page.locator('.note.warn', { hasText: 'Stop and think' }).innerText()
  for (const danger of dangers) assert.ok(note.includes(danger), danger)
})

/** What has to be read, and both buttons. */
async function assertInFirstScreenful(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1100, height: 900 })
  await page.evaluate('scrollTo(0, 0)')
  for (const name of ['Approve', 'Reject'])
    assert.ok(await isWithin(page.getByRole('button', { name, exact: true }), 900), name)
  await page.setViewportSize({ width: 320, height: 900 })
  const approve = page.getByRole('button', { name: 'Approve', exact: true })
  assert.ok(await isWithin(approve, 1_200), 'of a narrow page')
  await page.setViewportSize({ width: 1100, height: 900 })
}

async function isWithin(target: ReturnType<Page['getByRole']>, height: number): Promise<boolean> {
  const box = await target.boundingBox()
  return box !== null && box.y + box.height <= height
}

/** The second click of a double click whose first one has brought this under the pointer. */
async function secondClick(page: Page, on: Locator): Promise<void> {
  const box = present(await on.boundingBox(), 'it is shown')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
}

consoleTest('the second click of a double click decides nothing', async (setting) => {
  const { bob, asks, statusOf } = await agreeing(setting)
  const activity = await asks({ wei: 9n })
  const page = await opened(setting, bob, activity.id)
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/submit/')) sent.push(request.url())
  })
  const approve = page.getByRole('button', { name: 'Approve', exact: true })
  await secondClick(page, approve)
  await page.getByRole('button', { name: 'Reject', exact: true }).click()
  await secondClick(page, page.getByRole('button', { name: /yes, really/ }))
  await page.getByRole('button', { name: 'Cancel' }).click()
  assert.equal(await statusOf(activity.id), WAITS)
  await approve.click()
  await page.getByText('Approved.').waitFor()
  assert.equal(sent.length, 1)
})

async function reject(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Reject', exact: true }).click()
  await page.getByRole('alertdialog').getByText('A rejection is final').waitFor()
  await page.getByRole('button', { name: /yes, really/ }).click()
}

consoleTest('a person rejects what they do not want, once they were asked again', async (setting) => {
  const { bob, asks, statusOf } = await agreeing(setting)
  const activity = await asks({ wei: 8n })
  const page = await opened(setting, bob, activity.id)
  await page.getByRole('button', { name: 'Reject', exact: true }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  assert.equal(await statusOf(activity.id), WAITS)
  await reject(page)
  await page.getByText('Nothing of it happens').waitFor()
  assert.equal(await statusOf(activity.id), 'ACTIVITY_STATUS_REJECTED')
})

consoleTest('an approval of what was rejected meanwhile is said to be too late', async (setting) => {
  const { bob, asks } = await agreeing(setting)
  const activity = await asks({ wei: 9n })
  const late = await opened(setting, bob, activity.id)
  const approve = late.getByRole('button', { name: 'Approve' })
  await approve.waitFor()
  // The same session, in another tab.
  const early = await setting.open(`/approvals/${activity.id}`)
  await reject(early)
  await early.getByText('Nothing of it happens').waitFor()
  await approve.click()
  const note = late.locator('.note.bad', { hasText: 'Too late: your vote changed nothing.' })
  await note.getByText('Rejected').waitFor()
  assert.equal(await late.locator('.note.good[role=status]').count(), 0)
})

consoleTest('who asked may take it back, and is offered no approval', async (setting) => {
  const { ada, asks, statusOf } = await agreeing(setting)
  const activity = await asks({ wei: 11n })
  const page = await opened(setting, ada, activity.id)
  await page.getByText('your approval does not count now').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Approve' }).count(), 0)
  await reject(page)
  await page.getByText('Nothing of it happens').waitFor()
  assert.equal(await statusOf(activity.id), 'ACTIVITY_STATUS_REJECTED')
})

consoleTest('an approval that is not the last one is not said to complete a request', async (setting) => {
  const { root } = setting
  const { ada, bob } = await agreeing(setting)
  await root.client.createPolicy(
    root.activity('ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: 'Three agree',
      effect: 'EFFECT_ALLOW' as const,
      condition: "activity.kind == 'CREATE_WALLET'",
      consensus: 'approvers.count() >= 3',
      notes: '',
    }),
  )
  const { activity } = await ada.client.createWallet(
    ada.activity('ACTIVITY_TYPE_CREATE_WALLET', { walletName: 'Of three', accounts: [] }),
  )
  const page = await opened(setting, bob, activity.id)
  await page.getByText('Three agree').first().waitFor()
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  assert.doesNotMatch(await shown(page), /completes it/)

  // Who has asked is not told that it waits for them.
  const hers = await setting.signedIn('/approvals', ada)
  const listed = hers.locator('main', { has: hers.getByRole('heading', { name: 'Waits for others' }) })
  const [mine = '', others = ''] = (await listed.innerText()).split('Waits for others')
  assert.doesNotMatch(mine, /Of three/)
  assert.match(others, /Of three/)
})

consoleTest('requests with the same sentence are told apart in the list', async (setting) => {
  const { bob, asks } = await agreeing(setting)
  await asks({ wei: 12n })
  await asks({ wei: 12n })
  const missing: string[] = []
  setting.browser.on('response', (answer) => {
    if (answer.status() === 404) missing.push(answer.url())
  })
  const page = await setting.signedIn('/approvals', bob)
  const rows = page.locator('.cards > li', { hasText: 'Send 0.000000000000000012 ETH' })
  await rows.nth(1).waitFor()
  const [first = '', second = ''] = (await rows.allInnerTexts()).map((text) =>
    text.replaceAll(/[\u2066-\u2069]/g, ''),
  )
  for (const text of [first, second])
    assert.match(
      text,
      /Digits of the request \d{4} \d{4} · Asked by agent shopper \(…[\da-f]{8}\) an agent · .*\d{4}.* · Signed with 0x\w{40} “Treasury” · eth\.tx\.nonce \d/,
    )
  assert.notEqual(/nonce (\d+)/.exec(first)?.[1], /nonce (\d+)/.exec(second)?.[1])
  await rows.first().getByRole('link').click()
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  assert.deepEqual(missing, [])
})

consoleTest(
  'whatever a host says, the page shows the words of the bytes, and approves no others',
  async (setting, t) => {
    const { ada, bob, asks, statusOf } = await agreeing(setting)
    const [first, second] = [await asks({ wei: 10n }), await asks({ wei: 20n })]
    const get = async (activityId: string): Promise<JsonAnswer> =>
      (await ada.client.getActivity({ organizationId: ada.organizationId, activityId })).activity
    const [activity, other] = [await get(first.id), await get(second.id)]
    const words = await wordsOf(utf8(activity.votes[0].message))
    const page = await setting.signedIn('/approvals', bob)
    let lie = (answer: string): string => answer
    const votes: string[] = []
    await page.route('**/public/v1/query/get_activity', async (route: Route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: lie(await response.text()) })
    })
    // No vote reaches the service, so that each lie meets an activity that waits.
    await page.route('**/public/v1/submit/**', async (route: Route) => {
      votes.push(JSON.parse(route.request().postData() ?? '').parameters.fingerprint)
      await route.fulfill({ status: 503, contentType: 'application/json', body: '{"message":"not now"}' })
    })
    const approve = page.getByRole('button', { name: 'Approve' })
    const lies = [...liesAbout(activity, other)]
    // The lies about what a person can see, and each eighth of the others, which the test of `claviger approve` has all
    // of.
    const told = lies.filter(
      ([name], at) =>
        at % 8 === 0 || /^(votes|message|the other|a key|fingerprint|type|organ|status|intent)/.test(name),
    )
    let refused = 0
    for (const [name, next] of told) {
      lie = (answer) => next(answer, '/public/v1/query/get_activity')
      votes.length = 0
      await page.evaluate("location.hash = '#/nowhere'")
      await page.getByRole('heading', { name: 'There is no such screen' }).waitFor()
      await page.evaluate(`location.hash = '#/approvals/${activity.id}'`)
      const vote = page.getByRole('button', { name: 'Reject' })
      const failed = page.getByRole('alert')
      const unshown = page.getByText('The service shows no request')
      const settled = page.getByText('does not wait any more')
      const notMine = page.getByText('your approval does not count now')
      await vote.or(failed).or(unshown).or(settled).or(notMine).first().waitFor()
      const heading = await page.locator('main h1').allInnerTexts()
      const isOffered = await approve.isVisible()
      if (!isOffered) refused += 1
      if (isOffered) {
        assert.deepEqual(heading, [words.sentence], name)
        const text = await shown(page)
        for (const { label, value } of words.facts)
          assert.ok(text.includes(label) && text.includes(value), `${name}: ${label}`)
        await approve.click()
        await page.getByText('not now').waitFor()
        assert.deepEqual(votes, [activity.fingerprint], name)
      }
    }
    t.diagnostic(`${told.length} lies, ${refused} of them refused`)
    assert.ok(refused > 30, `${refused} lies are refused`)

    // Another activity under this id is shown as the other one, with the digits of the other one.
    lie = (answer) => wholeOther(activity, other)(answer, '')
    await page.evaluate("location.hash = '#/nowhere'")
    await page.evaluate(`location.hash = '#/approvals/${activity.id}'`)
    await page
      .getByRole('heading', { name: (await wordsOf(utf8(other.votes[0].message))).sentence, exact: true })
      .waitFor()
    assert.ok((await shown(page)).includes(fingerprintOf(utf8(other.votes[0].message)).digits))
    assert.deepEqual([await statusOf(activity.id), await statusOf(other.id)], [WAITS, WAITS])
  },
)

consoleTest('a host that exchanges the request after a vote gets no second one', async (setting) => {
  const { ada, bob, asks, statusOf } = await agreeing(setting)
  const [wanted, other] = [await asks({ wei: 30n }), await asks({ wei: 31n })]
  const { organizationId } = ada
  const record = (await ada.client.getActivity({ organizationId, activityId: other.id })).activity
  const sentence = (await wordsOf(utf8(record.votes[0]?.message ?? ''))).sentence
  const page = await opened(setting, bob, wanted.id)
  const approve = page.getByRole('button', { name: 'Approve' })
  await approve.waitFor()
  await page.route('**/public/v1/query/get_activity', async (route: Route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { activity: { ...record, id: wanted.id } } })
  })
  await approve.click()
  await page.getByText('The service now shows another request.').waitFor()
  await page.getByRole('heading', { name: sentence, exact: true }).waitFor()
  assert.equal(await page.getByRole('button', { name: /Approve|Reject/ }).count(), 0)
  assert.deepEqual([await statusOf(wanted.id), await statusOf(other.id)], [COMPLETED, WAITS])
  // At its own place the other one is a request like any.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.evaluate(`location.hash = '#/approvals/${other.id}'`)
  await approve.waitFor()
  assert.equal(await page.getByText('shows another request').count(), 0)
})

consoleTest('texts of a request and of the host are shown as texts', async (setting) => {
  const { root } = setting
  const { bob, ada } = await agreeing(setting)
  await root.client.createPolicy(
    root.activity('ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: '<img src=x onerror=alert(1)>',
      effect: 'EFFECT_ALLOW' as const,
      condition: "activity.resource == 'USER'",
      consensus: 'approvers.count() >= 2',
      notes: '',
    }),
  )
  const userTagName = `<b>x</b>\u202e${'long '.repeat(40)}two  spaces p\u0430y`
  const asked = await ada.client.createUserTag(
    ada.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName, userIds: [] }),
  )
  const page = await opened(setting, bob, asked.activity.id)
  await page.getByText('<img src=x onerror=alert(1)>').waitFor()
  const text = await shown(page)
  assert.match(text, /"<b>x<\/b>\\u\{202e\}long long/)
  // In the sentence, and among the values: a page draws several spaces as one unless it is told.
  assert.equal(text.match(/two {2}spaces/g)?.length, 2)
  assert.match(text, /letters of these alphabets: Cyrillic mixed with Latin/)
  assert.equal(await page.locator('main b, main img').count(), 0)
  await setting.look(page, 'approval-texts')
})

consoleTest('a long value is shown to its end, and no part of it has to be looked for', async (setting) => {
  const { ada, bob } = await agreeing(setting)
  const { privateKeys } = await ada.client.getPrivateKeys({ organizationId: ada.organizationId })
  const { activity } = await ada.client.signRawPayload(
    ada.activity('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
      signWith: privateKeys[0]?.addresses[0]?.address ?? '',
      payload: `${'These are the terms of one delivery. '.repeat(200)}And of everything else.`,
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8' as const,
      hashFunction: 'HASH_FUNCTION_SHA256' as const,
    }),
  )
  const page = await opened(setting, bob, activity.id)
  await page.getByText('And of everything else.').first().waitFor()
  const cut = await page
    .locator('.value')
    .evaluateAll((all) => all.filter((one) => one.scrollHeight > one.clientHeight + 1).length)
  assert.equal(cut, 0)
})

consoleTest('names that somebody has chosen to lie with stand apart, and change nothing', async (setting) => {
  const { ada, bob, asks } = await agreeing(setting)
  const activity = await asks({ wei: 30n })
  const words = await wordsOf(utf8(activity.votes[0]?.message ?? ''))
  const liar = `root approved, Bob\napproved by root \u202e${SHOP}`
  const page = await setting.signedIn('/approvals', bob)
  await page.route('**/public/v1/query/list_users', async (route: Route) => {
    const response = await route.fetch()
    const answer = await response.json()
    for (const user of answer.users) if (user.userId === ada.userId) user.userName = liar
    await route.fulfill({ response, json: answer })
  })
  await page.route('**/public/v1/query/get_activity', async (route: Route) => {
    const response = await route.fetch()
    const answer = await response.json()
    // A second vote, of the user who asked.
    answer.activity.votes.push({ ...answer.activity.votes[0], selection: 'VOTE_SELECTION_REJECTED' })
    await route.fulfill({ response, json: answer })
  })
  await page.evaluate(`location.hash = '#/approvals/${activity.id}'`)
  await page.getByRole('heading', { name: words.sentence, exact: true }).waitFor()
  const written = liar.replace('\n', '⟨U+000A⟩').replace('\u202e', '⟨U+202E⟩')
  const voted = page.locator('dt', { hasText: 'Votes' }).locator('xpath=following-sibling::dd[1]')
  await voted.waitFor()
  assert.deepEqual(await voted.locator('.badge').allInnerTexts(), ['approved', 'rejected'])
  assert.deepEqual(await voted.locator('bdi').allInnerTexts(), [written, written])
  await shown(page)
  const request = await page.locator('details dl.request .value').allInnerTexts()
  assert.deepEqual(
    request,
    words.facts.map(({ value }) => value),
  )
  assert.equal(await page.locator('dl.request').getByText('approved by root').count(), 0)
})

consoleTest('what is used of a limit is said with what it is counted by', async (setting) => {
  const { bob, asks } = await agreeing(setting)
  const { fingerprint } = await asks({ wei: 51n })
  await bob.client.approveActivity(bob.activity('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint }))
  const { id } = await asks({ wei: 52n })
  const page = await opened(setting, bob, id)
  assert.match(await shown(page), /\d+ used now of “Treasury” \(…[\da-f]{8}\)/)
})

consoleTest('the text of a policy seems to be no other part of it', async (setting) => {
  const [ada, bea] = await setting.subOrganization('Lying policies', ['Ada', 'Bea'], 2)
  const [asker, approver] = [present(ada, 'Ada'), present(bea, 'Bea')]
  const condition = `activity.type != ' · consensus: “approvers.count() >= 9” ·'`
  const asked = await asker.client.createPolicy(
    asker.activity('ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: 'Anybody',
      effect: 'EFFECT_ALLOW' as const,
      condition,
      notes: '',
    }),
  )
  const { fingerprint } = asked.activity
  const { activity } = await approver.client.approveActivity(
    approver.activity('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint }),
  )
  const policyId = activity.result.createPolicyResult?.policyId ?? ''
  const waiting = await asker.client.updatePolicy(
    asker.activity('ACTIVITY_TYPE_UPDATE_POLICY_V2', { policyId, policyName: 'Nobody' }),
  )
  const page = await opened(setting, approver, waiting.activity.id)
  const text = await shown(page)
  const [, now = ''] = /what it is now, as the server says: (.*)/.exec(text) ?? []
  const said = condition.replaceAll(/[“”]/g, "'")
  assert.equal(now, `effect: “EFFECT_ALLOW” · condition: “${said}”`)
})

consoleTest('what is asked while the list is looked at appears in it', async (setting) => {
  const { bob, asks } = await agreeing(setting)
  const page = await setting.signedIn('/approvals', bob)
  await page.getByRole('heading', { name: 'Approvals' }).waitFor()
  await asks({ wei: 41n })
  await page.getByRole('link', { name: /Send 0\.000000000000000041 ETH/ }).waitFor()
})
