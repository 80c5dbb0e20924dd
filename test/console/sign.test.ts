import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import {
  parseEther,
  parseTransaction,
  recoverAddress,
  recoverMessageAddress,
  recoverTransactionAddress,
  recoverTypedDataAddress,
  serializeTransaction,
} from 'viem'
import { present } from '../../src/trusted/base/assert.ts'
import { type ConsoleSetting, consoleTests } from './console-setting.ts'

const consoleTest = await consoleTests()
const SHOP = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

/** The screen, with a key of Ethereum that was made for it. */
async function ready({ signedIn, root }: ConsoleSetting, privateKeyName: string) {
  const { activity } = await root.client.createPrivateKeys(
    root.activity('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
      privateKeys: [
        {
          privateKeyName,
          curve: 'CURVE_SECP256K1' as const,
          privateKeyTags: [],
          addressFormats: ['ADDRESS_FORMAT_ETHEREUM' as const],
        },
      ],
    }),
  )
  const address = activity.result.createPrivateKeysResultV2?.privateKeys[0]?.addresses?.[0]?.address ?? ''
  const page = await signedIn('/sign')
  await page.getByLabel('Key or account').selectOption(privateKeyName)
  return { page, address }
}

async function shows(page: Page, kind: string, label: string, text: string): Promise<void> {
  await page.getByLabel('What to sign').selectOption(kind)
  await page.getByLabel(label, { exact: true }).fill(text)
  await page.getByRole('button', { name: 'Show what these bytes say' }).click()
}

/** r, s and v, as libraries take them. */
async function signature(page: Page): Promise<`0x${string}`> {
  const text = await page.locator('p.id').innerText()
  return `0x${text.slice(0, 128)}${(Number.parseInt(text.slice(128), 16) + 27).toString(16)}`
}

consoleTest(
  'a transaction is said in words before it is signed, and signed as these bytes',
  async (setting) => {
    const { page, address } = await ready(setting, 'Payments')
    const unsigned = serializeTransaction({
      type: 'eip1559',
      chainId: 1,
      nonce: 0,
      gas: 21_000n,
      maxFeePerGas: 10n ** 10n,
      maxPriorityFeePerGas: 1n,
      value: parseEther('1.5'),
      to: SHOP,
    })
    const label = 'Unsigned transaction, as the service takes it'
    await shows(page, 'transaction', label, unsigned)
    await page.getByRole('heading', { name: /Send 1\.5 ETH/ }).waitFor()
    await setting.look(page, 'sign')
    const [request] = await Promise.all([
      page.waitForRequest('**/submit/sign_transaction'),
      page.getByRole('button', { name: 'Sign exactly this' }).click(),
    ])
    assert.equal(request.postDataJSON().parameters.unsignedTransaction, unsigned)
    const signed = `0x${(await page.locator('p.id').innerText()).replace(/^0x/, '')}` as const
    const serializedTransaction = signed as `0x02${string}` // It is of the type that was asked for.
    assert.equal(await recoverTransactionAddress({ serializedTransaction }), address)
    assert.equal(parseTransaction(serializedTransaction).value, parseEther('1.5'))

    // A change has to be read anew, and what is not read whole is not signed.
    await page.getByLabel(label).fill(`${unsigned}00`)
    assert.equal(await page.getByRole('button', { name: 'Sign exactly this' }).count(), 0)
    await page.getByRole('button', { name: 'Show what these bytes say' }).click()
    await page.getByRole('heading', { name: 'This request CANNOT BE READ.' }).waitFor()
    await page.getByText('It is not signed from here').waitFor()
    assert.equal(await page.getByRole('button', { name: /^Sign (exactly|it)/ }).count(), 0)
  },
)

consoleTest('messages and typed data are shown, and signed as wallets sign them', async (setting) => {
  const { page, address } = await ready(setting, 'Messages')
  const message = 'I agree: grüße'
  await shows(page, 'ethereumMessage', 'Message', message)
  await page.getByRole('heading', { name: `Sign the text "${message}".` }).waitFor()
  await page.getByRole('button', { name: 'Sign exactly this' }).click()
  await page.locator('p.id').waitFor()
  assert.equal(await recoverMessageAddress({ message, signature: await signature(page) }), address)

  const typed = {
    domain: { name: 'Shop', chainId: 1 },
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'chainId', type: 'uint256' },
      ],
      Order: [{ name: 'amount', type: 'uint256' }],
    },
    primaryType: 'Order',
    message: { amount: '7' },
  } as const
  await shows(page, 'typedData', 'Typed data as JSON', JSON.stringify(typed))
  await page.getByRole('button', { name: 'Sign exactly this' }).click()
  await page.locator('p.id').waitFor()
  const data = { ...typed, domain: { name: 'Shop', chainId: 1n }, message: { amount: 7n } }
  assert.equal(await recoverTypedDataAddress({ ...data, signature: await signature(page) }), address)
})

consoleTest('a digest stands in red, and is signed unseen only when that is said twice', async (setting) => {
  const { page, address } = await ready(setting, 'Digests')
  const digest = 'ab'.repeat(32)
  await shows(page, 'raw', '32 bytes in hexadecimal', digest)
  await page.getByRole('heading', { name: /of which NOTHING CAN BE KNOWN/ }).waitFor()
  await page.locator('dd.unknowable').waitFor()
  await setting.look(page, 'sign-unknowable')
  assert.equal(await page.getByRole('button', { name: 'Sign exactly this' }).count(), 0)
  await page.getByRole('button', { name: 'Sign it unseen' }).click()
  await page.getByRole('button', { name: /yes, really/ }).click()
  await page.locator('p.id').waitFor()
  assert.equal(await recoverAddress({ hash: `0x${digest}`, signature: await signature(page) }), address)
})

consoleTest('a call that no reader knows is refused as a transaction', async (setting) => {
  const { page } = await ready(setting, 'Calls')
  const unsigned = serializeTransaction({
    type: 'eip1559',
    chainId: 1,
    nonce: 0,
    gas: 90_000n,
    maxFeePerGas: 10n ** 10n,
    to: SHOP,
    data: `0xdeadbeef${'00'.repeat(32)}`,
  })
  await shows(page, 'transaction', 'Unsigned transaction, as the service takes it', unsigned)
  await page.getByText('What cannot be read is signed as raw bytes, and in no other way.').waitFor()
  assert.equal(await page.getByRole('button', { name: /^Sign (exactly|it)/ }).count(), 0)
  assert.ok(
    present((await page.locator('.note.bad').allInnerTexts())[0], 'a note').includes('Nothing can be known'),
  )
})
