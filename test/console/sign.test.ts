import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import {
  encodeFunctionData,
  maxUint256,
  parseAbi,
  parseEther,
  parseTransaction,
  recoverAddress,
  recoverMessageAddress,
  recoverTransactionAddress,
  recoverTypedDataAddress,
  serializeTransaction,
  type TransactionSerializable,
} from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { present } from '../../src/trusted/base/assert.ts'
import { toHex } from '../../src/trusted/base/bytes.ts'
import type { JsonAnswer } from '../support/service.ts'
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
  const { privateKeyId = '' } = activity.result.createPrivateKeysResultV2?.privateKeys[0] ?? {}
  const { organizationId } = root
  const { publicKey } = (await root.client.getPrivateKey({ organizationId, privateKeyId })).privateKey
  const page = await signedIn('/sign')
  await page.getByLabel('Key or account').selectOption(privateKeyId)
  return { page, address, publicKey }
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
    const { page, address, publicKey } = await ready(setting, 'Payments')
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
    // A change has to be read anew, also one that is taken back.
    await page.getByLabel(label).fill(`${unsigned}00`)
    assert.equal(await page.getByRole('button', { name: 'Sign exactly this' }).count(), 0)
    await shows(page, 'transaction', label, unsigned)
    await page.getByRole('heading', { name: /Send 1\.5 ETH/ }).waitFor()
    const [request] = await Promise.all([
      page.waitForRequest('**/submit/sign_transaction'),
      page.getByRole('button', { name: 'Sign exactly this' }).click(),
    ])
    assert.equal(request.postDataJSON().parameters.unsignedTransaction, unsigned)
    const note = page.locator('.note.good', { hasText: 'This page has verified' })
    assert.ok((await note.innerText()).includes(publicKey))
    const signed = `0x${(await page.locator('p.id').innerText()).replace(/^0x/, '')}` as const
    const serializedTransaction = signed as `0x02${string}` // It is of the type that was asked for.
    assert.equal(await recoverTransactionAddress({ serializedTransaction }), address)
    assert.equal(parseTransaction(serializedTransaction).value, parseEther('1.5'))

    // What is not read whole is not signed.
    await page.getByLabel(label).fill(`${unsigned}00`)
    assert.equal(await page.getByRole('button', { name: 'Sign exactly this' }).count(), 0)
    await page.getByRole('button', { name: 'Show what these bytes say' }).click()
    await page.getByRole('heading', { name: 'This request CANNOT BE READ.' }).waitFor()
    await page.getByText('It is not signed from here').waitFor()
    assert.equal(await page.getByRole('button', { name: /^Sign (exactly|it)/ }).count(), 0)
  },
)

consoleTest('what was changed while it was being read is not offered as it was before', async (setting) => {
  await ready(setting, 'Another')
  const { page, address } = await ready(setting, 'Slowly read')
  const { promise: arrived, resolve: release } = Promise.withResolvers<void>()
  // The reader of a chain is loaded with the first transaction of it.
  const held = page.waitForRequest('**/console/*.js')
  await page.route('**/console/*.js', async (route) => {
    await arrived
    await route.continue()
  })
  const paying = (value: bigint) =>
    serializeTransaction({ type: 'eip1559', chainId: 1, gas: 21_000n, value, to: SHOP })
  const label = 'Unsigned transaction, as the service takes it'
  await shows(page, 'transaction', label, paying(parseEther('1')))
  await held
  await page.getByLabel(label).fill(paying(parseEther('2')))
  release()
  const read = page.locator('button[type=submit]:enabled', { hasText: 'Show what these bytes say' })
  await read.waitFor()
  assert.equal(await page.getByRole('heading', { name: /Send 1 ETH/ }).count(), 0)
  assert.equal(await page.getByRole('button', { name: 'Sign exactly this' }).count(), 0)
  // Nor is what was read of another choice.
  const key = await page.getByLabel('Key or account').inputValue()
  const another = await page.locator('option', { hasText: /^Another \(/ }).getAttribute('value')
  for (const [choice, other, own] of [
    ['Key or account', another, key],
    ['What to sign', 'raw', 'transaction'],
    ['Chain', 'SOLANA', 'ETHEREUM'],
  ] as const) {
    await read.click()
    await page.getByRole('heading', { name: /Send 2 ETH/ }).waitFor()
    await page.getByLabel(choice).selectOption(other)
    assert.equal(await page.getByRole('button', { name: 'Sign exactly this' }).count(), 0, choice)
    await page.getByLabel(choice).selectOption(own)
  }
  await read.click()
  await page.getByRole('button', { name: 'Sign exactly this' }).click()
  const signed = `0x${(await page.locator('p.id').innerText()).replace(/^0x/, '')}` as const
  const serializedTransaction = signed as `0x02${string}` // It is of the type that was asked for.
  assert.equal(await recoverTransactionAddress({ serializedTransaction }), address)
})

consoleTest('what is dangerous in a transaction is said before the button that signs it', async (setting) => {
  const { page } = await ready(setting, 'Lent')
  const abi = parseAbi(['function approve(address by, uint256 amount)'])
  const data = encodeFunctionData({ abi, functionName: 'approve', args: [SHOP, maxUint256] })
  const unsigned = serializeTransaction({ type: 'eip1559', chainId: 1, gas: 60_000n, to: SHOP, data })
  await shows(page, 'transaction', 'Unsigned transaction, as the service takes it', unsigned)
  await page.getByRole('button', { name: 'Sign exactly this' }).waitFor()
  const text = await page.locator('main').innerText()
  const [before = ''] = text.split('Sign exactly this')
  assert.match(before, /Stop and think\s+.*may take ALL tokens/)
})

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

/** From now on the service says this in place of what was signed, at whatever path it is asked. */
async function answers(page: Page, change: (result: JsonAnswer) => object): Promise<void> {
  await page.unroute('**/public/v1/submit/*')
  await page.route('**/public/v1/submit/*', async (route) => {
    const response = await route.fetch()
    const answer = await response.json()
    const { activity } = answer
    await route.fulfill({
      response,
      json: { ...answer, activity: { ...activity, result: change(activity.result) } },
    })
  })
}

/** What is asked for is signed, and nothing of what came back is shown. */
async function isNotShown(page: Page, lie: object, button = 'Sign exactly this'): Promise<void> {
  await page.getByRole('button', { name: 'Show what these bytes say' }).click()
  await page.getByRole('button', { name: button }).click()
  if (button !== 'Sign exactly this') await page.getByRole('button', { name: /yes, really/ }).click()
  await page.getByText('is NOT a signature of what is shown above').waitFor()
  const text = await page.locator('main').innerText()
  for (const told of Object.values(lie)) assert.ok(told === '' || !text.includes(told), told)
  assert.equal(await page.locator('p.id').count(), 0)
}

const attacker = privateKeyToAccount(`0x${'17'.repeat(32)}`)

consoleTest('of a digest nothing is shown but the signature of this key, with its v', async (setting) => {
  const { page } = await ready(setting, 'Lied about')
  const digest = 'cd'.repeat(32)
  await shows(page, 'raw', '32 bytes in hexadecimal', digest)
  const { r, s } = await sign({ hash: `0x${digest}`, privateKey: `0x${'17'.repeat(32)}` })
  const foreign = { r: r.slice(2), s: s.slice(2) }
  for (const change of [
    () => ({ ...foreign, v: '00' }),
    () => ({ ...foreign, v: '01' }),
    (told: Signature) => ({ ...told, v: told.v === '00' ? '01' : '00' }),
    (told: Signature) => ({ ...told, r: told.s, s: told.r }),
    () => ({ r: '', s: '', v: '00' }),
    () => ({ r: '00'.repeat(32), s: '00'.repeat(32), v: '00' }),
    () => ({ r: 'Pay me', s: 'first', v: '00' }),
  ]) {
    let lie: Signature = { r: '', s: '', v: '' }
    await answers(page, ({ signRawPayloadResult }) => {
      lie = change(signRawPayloadResult)
      return { signRawPayloadResult: lie }
    })
    await isNotShown(page, { r: lie.r, s: lie.s }, 'Sign it unseen')
  }
  await setting.look(page, 'sign-lied-about')
  await answers(page, ({ signRawPayloadResult: { r: first, s: second, v } }) => ({
    signTransactionResult: { signedTransaction: first + second + v },
  }))
  await isNotShown(page, {}, 'Sign it unseen')
})

type Signature = { readonly r: string; readonly s: string; readonly v: string }

consoleTest('a signed transaction that is another, or of another key, is not shown', async (setting) => {
  const { page } = await ready(setting, 'Robbed')
  const asked = { type: 'eip1559', chainId: 1, gas: 21_000n, value: parseEther('1'), to: SHOP } as const
  const label = 'Unsigned transaction, as the service takes it'
  const unsigned = serializeTransaction(asked).slice(2)
  await shows(page, 'transaction', label, unsigned)
  const of = async (tx: TransactionSerializable): Promise<string> =>
    (await attacker.signTransaction(tx)).slice(2)
  const mine = await of(asked)
  const more = await of({ ...asked, value: parseEther('100') })
  for (const signedTransaction of [mine, more, '', 'f86b'.repeat(40), unsigned]) {
    await answers(page, () => ({ signTransactionResult: { signedTransaction } }))
    // The unsigned transaction stands there as what is asked for.
    await isNotShown(page, signedTransaction === unsigned ? {} : { signedTransaction })
  }
  // The signature is of the key, and the transaction around it another.
  await answers(page, ({ signTransactionResult }) => {
    const { r, s, yParity } = parseTransaction(`0x02${signTransactionResult.signedTransaction.slice(2)}`)
    const other = { ...asked, value: parseEther('100') }
    const signature = { r: r ?? '0x', s: s ?? '0x', yParity: yParity ?? 0 }
    return { signTransactionResult: { signedTransaction: serializeTransaction(other, signature).slice(2) } }
  })
  await isNotShown(page, {})
  await page.unroute('**/public/v1/submit/*')
  await page.getByRole('button', { name: 'Show what these bytes say' }).click()
  await page.getByRole('button', { name: 'Sign exactly this' }).click()
  await page.locator('p.id').waitFor()
})

consoleTest('a host that tells another key for an address has no signature of it shown', async (setting) => {
  const { root, signedIn } = setting
  await root.client.createWallet(
    root.activity('ACTIVITY_TYPE_CREATE_WALLET', {
      walletName: 'Purse',
      accounts: [
        {
          curve: 'CURVE_SECP256K1' as const,
          pathFormat: 'PATH_FORMAT_BIP32' as const,
          path: "m/44'/60'/0'/0/0",
          addressFormat: 'ADDRESS_FORMAT_ETHEREUM' as const,
        },
        {
          curve: 'CURVE_ED25519' as const,
          pathFormat: 'PATH_FORMAT_BIP32' as const,
          path: "m/44'/501'/0'/0'",
          addressFormat: 'ADDRESS_FORMAT_SOLANA' as const,
        },
      ],
    }),
  )
  const hash = `0x${'ef'.repeat(32)}` as const
  const forged = await sign({ hash, privateKey: `0x${'17'.repeat(32)}` })
  const page = await signedIn('/users')
  await page.route('**/query/list_wallet_accounts', async (route) => {
    const response = await route.fetch()
    const { accounts } = await response.json()
    const publicKey = toHex(secp256k1.getPublicKey(Buffer.alloc(32, 0x17), true))
    const lying = accounts.map((account: object) => ({ ...account, curve: 'CURVE_SECP256K1', publicKey }))
    await route.fulfill({ response, json: { accounts: lying } })
  })
  await page.evaluate("location.hash = '/sign'")
  const choice = page.getByLabel('Key or account')
  await choice.waitFor()
  const accounts = await choice.locator('option', { hasText: 'Purse' }).allInnerTexts()
  assert.equal(accounts.length, 2)
  for (const account of accounts) {
    await choice.selectOption(account)
    await shows(page, 'raw', '32 bytes in hexadecimal', hash.slice(2))
    const result = { r: forged.r.slice(2), s: forged.s.slice(2), v: `0${forged.yParity}` }
    await page.unroute('**/public/v1/submit/*')
    await page.route('**/public/v1/submit/*', (route) =>
      route.fulfill({
        json: {
          activity: {
            id: 'a',
            status: 'ACTIVITY_STATUS_COMPLETED',
            result: { signRawPayloadResult: result },
          },
        },
      }),
    )
    await isNotShown(page, { r: result.r, s: result.s }, 'Sign it unseen')
  }
})

consoleTest('each kind of account signs, and its signature is verified here', async (setting) => {
  const { page } = await ready(setting, 'Honest')
  const options = await page
    .getByLabel('Key or account')
    .locator('option', { hasText: 'Purse' })
    .allInnerTexts()
  const [ethereum = '', solana = ''] = options
  await page.getByLabel('Key or account').selectOption(ethereum)
  await shows(page, 'ethereumMessage', 'Message', 'I agree')
  await page.getByRole('button', { name: 'Sign exactly this' }).click()
  await page.getByText('This page has verified').waitFor()
  await page.getByLabel('Key or account').selectOption(solana)
  await shows(page, 'message', 'Message', 'I agree, on another curve')
  await page.getByRole('button', { name: 'Sign exactly this' }).click()
  await page.getByText('This page has verified').waitFor()
})
