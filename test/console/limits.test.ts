import assert from 'node:assert/strict'
import { parseEther, serializeTransaction } from 'viem'
import { runCommand } from '../support/running-service.ts'
import { consoleTests } from './console-setting.ts'

const consoleTest = await consoleTests()

consoleTest('a limit is shown as a bar, with what is left and when room returns', async (setting) => {
  const { root, user, signedIn, look } = setting
  const page = await signedIn('/limits')
  await page.getByText('No policy has a limit on usage.').waitFor()
  const ada = await user(root, 'Ada')
  const limited = root.activity('ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Three tags a day',
    effect: 'EFFECT_ALLOW' as const,
    condition: "activity.kind == 'CREATE_USER_TAG' && usage.count('24h', usage.user) <= 3",
    notes: '',
  })
  await root.client.createPolicy(limited)
  await page.getByRole('button', { name: 'Look again' }).click()
  await page.getByText('Nothing has been counted yet.').waitFor()
  for (const userTagName of ['One', 'Two'])
    await ada.client.createUserTag(
      ada.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName, userIds: [] }),
    )
  await page.getByRole('button', { name: 'Look again' }).click()
  const bar = page.locator('li.bar', { hasText: 'Ada' })
  await bar.waitFor()
  const shown = (await bar.innerText()).replace(/[\u2068\u2069]/g, '')
  assert.match(shown, /2 of 3/)
  assert.match(shown, /1 is left\. 2 returns on /)
  assert.equal(await page.getByRole('meter', { name: 'Ada' }).getAttribute('value'), '0.6666')
  await look(page, 'limits')
  await page.getByRole('link', { name: 'Three tags a day' }).click()
  await page.getByRole('heading', { name: 'A policy' }).waitFor()
})

consoleTest(
  'policies that share a meter show the same use, and a count that may be on a further page is not called none',
  async ({ root, user, signedIn }) => {
    const ida = await user(root, 'Ida')
    const policies = ["'24h'", "'1d'"].map((window) => ({
      policyName: `Tags in ${window}`,
      effect: 'EFFECT_ALLOW' as const,
      condition: `activity.kind == 'CREATE_PRIVATE_KEY_TAG' && usage.count(${window}, usage.user) <= 5`,
      notes: '',
    }))
    await root.client.createPolicies(root.activity('ACTIVITY_TYPE_CREATE_POLICIES', { policies }))
    await ida.client.createPrivateKeyTag(
      ida.activity('ACTIVITY_TYPE_CREATE_PRIVATE_KEY_TAG', { privateKeyTagName: 'Cold', privateKeyIds: [] }),
    )
    const page = await signedIn('/activities')
    await page.route('**/query/list_limit_usage', async (route) => {
      if ('after' in route.request().postDataJSON()) return await route.continue()
      const answer = (await (await route.fetch()).json()) as object
      await route.fulfill({ json: { ...answer, counts: [], next: '0'.repeat(64) } })
    })
    await page.evaluate("location.hash = '/limits'")
    const sections = policies.map(({ policyName }) => page.locator('section', { hasText: policyName }))
    for (const section of sections) await section.getByText('None of the counts that were read').waitFor()
    await page.getByRole('button', { name: 'Show more' }).click()
    for (const section of sections) {
      await section.locator('li.bar', { hasText: 'Ida' }).waitFor()
      assert.match((await section.innerText()).replace(/[\u2068\u2069]/g, ''), /1 of 5/)
    }
  },
)

const AN_ETHEREUM_ACCOUNT = {
  curve: 'CURVE_SECP256K1' as const,
  pathFormat: 'PATH_FORMAT_BIP32' as const,
  path: "m/44'/60'/0'/0/0",
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM' as const,
}

consoleTest(
  'the limit of one user shows nobody else, in coins of every chain and in wei, and when room returns',
  async ({ root, user, signedIn, look }) => {
    const [cara, bob] = [await user(root, 'Cara'), await user(root, 'Bob')]
    const wallet = await root.client.createWallet(
      root.activity('ACTIVITY_TYPE_CREATE_WALLET', { walletName: 'Till', accounts: [AN_ETHEREUM_ACCOUNT] }),
    )
    const { addresses = [] } = wallet.activity.result.createWalletResult ?? {}
    const [signWith = ''] = addresses
    const policies = [
      {
        policyName: 'Cara pays up to 0.3 a day',
        effect: 'EFFECT_ALLOW' as const,
        condition: `usage.user == '${cara.userId}' && eth.tx.chain_id == 11155111 && usage.sum(eth.tx.value, '24h', usage.user) <= 300000000000000000 && usage.sum(eth.tx.gas, '24h', usage.user) <= 210000`,
        notes: '',
      },
      {
        policyName: 'Bob pays anything',
        effect: 'EFFECT_ALLOW' as const,
        condition: `usage.user == '${bob.userId}'`,
        notes: '',
      },
    ]
    await root.client.createPolicies(root.activity('ACTIVITY_TYPE_CREATE_POLICIES', { policies }))
    for (const [who, ether] of [
      [bob, '6'],
      [cara, '0.2'],
    ] as const) {
      const fees = { gas: 21_000n, maxFeePerGas: 2n, maxPriorityFeePerGas: 1n }
      const unsignedTransaction = serializeTransaction({
        type: 'eip1559',
        chainId: 11_155_111,
        nonce: 0,
        ...fees,
        to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
        value: parseEther(ether),
      })
      await who.client.signTransaction(
        who.activity('ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
          signWith,
          type: 'TRANSACTION_TYPE_ETHEREUM',
          unsignedTransaction,
        }),
      )
    }
    const page = await signedIn('/limits')
    const limits = page.locator('section', { hasText: 'Cara pays up to 0.3 a day' })
    const [value, gas] = [limits.first(), limits.nth(1)]
    await value.getByText('Counts what is sent').waitFor()
    const shown = (await value.innerText()).replaceAll(/[\u2068\u2069]/g, '')
    assert.doesNotMatch(shown, /Bob/)
    assert.match(
      shown,
      /0\.2 coins of whichever chain \(200000000000000000 wei\) of 0\.3 coins of whichever chain \(300000000000000000 wei\)/,
    )
    assert.match(shown, /0\.1 coins of whichever chain \(100000000000000000 wei\) is left/)
    assert.match(shown, /in steps of 23 minutes/)
    assert.match(shown, /counts 1 more apart/)
    assert.match(
      (await gas.innerText()).replaceAll(/[\u2068\u2069]/g, ''),
      /units of gas.*21,000 of 210,000/s,
    )
    await look(page, 'limits-of-a-coin')
  },
)

consoleTest(
  'quotas are bars with what is nearly full and full, and nothing where none is set',
  async (setting) => {
    const { root, service, signedIn, look } = setting
    const page = await signedIn('/limits')
    await page.getByRole('button', { name: 'Look again' }).waitFor()
    assert.equal(await page.getByRole('heading', { name: 'Quotas' }).count(), 0)
    const quota = async (...args: readonly string[]) => {
      const { code, output } = await runCommand(['quota', 'set', root.organizationId, ...args], {
        CLAVIGER_DATA: service.dataFolder,
      })
      assert.equal(code, 0, output)
    }
    const makesTag = async (userTagName: string) =>
      await root.client.createUserTag(
        root.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName, userIds: [] }),
      )
    await quota('--requests', '5/day', '--objects', '1000', '--sub-organizations', '3')
    await quota('--stored-bytes', '9000000')
    for (const name of ['First', 'Second', 'Third']) await makesTag(name)
    /** The text beside the bar, once it stands there. */
    const bar = async (name: string, share: string): Promise<string> => {
      await page.getByRole('button', { name: 'Look again' }).click()
      const shown = page.locator('li.bar', { hasText: name, has: page.locator(`meter[value="${share}"]`) })
      await shown.getByRole('meter', { name }).waitFor()
      return (await shown.innerText()).replace(/[\u2066-\u2069]/g, '')
    }
    const day = 'Requests of this day'
    const three = await bar(day, '0.6')
    assert.match(three, /3 of 5/)
    assert.doesNotMatch(three, /full/)
    await makesTag('Fourth')
    const four = await bar(day, '0.8')
    assert.match(four, /nearly full/)
    // Days are those of UTC.
    const midnight = new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS)
    const at = await page.evaluate(
      `new Date(${midnight.getTime()}).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'medium' })`,
    )
    assert.ok(four.includes(`All of it has returned by ${String(at)}`), four)
    await makesTag('Fifth')
    await assert.rejects(makesTag('Sixth'), /quota/)
    assert.match(await bar(day, '1'), /\bfull\b/)
    const bytes = page.locator('li.bar', { hasText: 'Stored bytes' })
    assert.match(await bytes.innerText(), /of .?9,000,000.?\s+Whatever is deleted makes room again/)
    const below = page.locator('li.bar', { hasText: 'Sub-organizations below this one' })
    assert.match((await below.innerText()).replace(/[\u2066-\u2069]/g, ''), /0 of 3$/)
    await look(page, 'limits-quotas')
    await quota('--requests', 'none', '--objects', 'none', '--sub-organizations', 'none')
    await quota('--stored-bytes', 'none')
    await page.getByRole('button', { name: 'Look again' }).click()
    await page.getByRole('heading', { name: 'Quotas' }).waitFor({ state: 'detached' })
  },
)

const DAY_MS = 24 * 60 * 60 * 1_000

consoleTest(
  'sub-organizations are found as one types, and paged both ways',
  async ({ root, signedIn, look }) => {
    for (let n = 0; n < 52; n++)
      await root.client.createSubOrganization(
        root.activity('ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8', {
          subOrganizationName: `Customer ${String(n).padStart(2, '0')}`,
          rootQuorumThreshold: 1,
          rootUsers: [
            {
              userName: 'Ada',
              userEmail: `ada-${n}@example.com`,
              apiKeys: [],
              authenticators: [],
              oauthProviders: [],
            },
          ],
        }),
      )
    const page = await signedIn('/sub-organizations')
    await page.getByText('Customer 51').waitFor()
    assert.equal(await page.getByText('Customer 01').count(), 0)
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText('Customer 01').waitFor()
    await page.getByRole('button', { name: 'Previous page' }).click()
    await page.getByText('Customer 51').waitFor()
    await page.getByLabel('Begins with').fill('customer 1')
    await page.getByText('Customer 20').waitFor({ state: 'detached' })
    assert.equal(await page.locator('.cards > li').count(), 10)
    await page.getByLabel('Search by').selectOption('EMAIL')
    await page.getByText('There are no such').waitFor()
    await page.getByLabel('Begins with').fill('ADA-7@')
    await page.getByText('Customer 07').waitFor()
    await look(page, 'sub-organizations')
  },
)
