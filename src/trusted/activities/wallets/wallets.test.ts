import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openSqlite } from '../../../host/store/sqlite/sqlite.ts'
import type { Store } from '../../../host/store/store.ts'
import { aService, type Member, type Response, type TestService } from '../../../../test/support/service.ts'
import { aTarget } from '../sessions/testing/logins.ts'

const CREATE = 'ACTIVITY_TYPE_CREATE_WALLET'
const CREATE_ACCOUNTS = 'ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS'
const DELETE = 'ACTIVITY_TYPE_DELETE_WALLETS'
const DELETE_ACCOUNTS = 'ACTIVITY_TYPE_DELETE_WALLET_ACCOUNTS'
const UPDATE = 'ACTIVITY_TYPE_UPDATE_WALLET'
const NOBODY = '0198c5a0-7d3c-7000-8000-00000000dead'

const account = (path: string, more: object = {}) => ({
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path,
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
  ...more,
})
const ethereum = (index: number) => account(`m/44'/60'/0'/0/${index}`)
const solana = (path: string) =>
  account(path, { curve: 'CURVE_ED25519', addressFormat: 'ADDRESS_FORMAT_SOLANA' })

async function started(t: TestContext): Promise<TestService> {
  const service = await aService()
  t.after(service.close)
  return service
}

async function aWallet(service: TestService, walletName: string, accounts: readonly object[] = []) {
  return await service.done(service.root, CREATE, { walletName, accounts })
}

async function refused(
  service: TestService,
  type: string,
  parameters: object,
  [status, code, message]: readonly [number, number, RegExp],
  by: Member = service.root,
): Promise<void> {
  service.world.advance(1)
  const { json, ...answer } = await service.submit(by, type, parameters)
  assert.deepEqual([answer.status, json.code], [status, code], json.message)
  assert.match(json.message, message)
}

async function accountsOf(service: TestService, walletId: string): Promise<Response['json'][]> {
  const { json } = await service.query(service.root, 'list_wallet_accounts', {
    walletId,
    paginationOptions: { limit: '100' },
  })
  return json.accounts
}

test('a wallet answers with the addresses of its accounts in their order, and is shown without its words', async (t) => {
  const service = await started(t)
  const given = [
    { ...ethereum(0), name: 'Payouts' },
    solana("m/44'/501'/0'/0'"),
    account("m/44'/60'/0'/0/0", { curve: 'CURVE_P256', addressFormat: 'ADDRESS_FORMAT_COMPRESSED' }),
  ]
  const { walletId, addresses } = await aWallet(service, 'Treasury', given)
  assert.equal(addresses.length, 3)
  assert.match(addresses[0], /^0x[0-9a-fA-F]{40}$/)
  assert.match(addresses[1], /^[1-9A-HJ-NP-Za-km-z]{32,44}$/)
  assert.match(addresses[2], /^0[23][0-9a-f]{64}$/)

  const { json } = await service.query(service.root, 'get_wallet', { walletId })
  const { createdAt, updatedAt, ...wallet } = json.wallet
  assert.deepEqual(wallet, { walletId, walletName: 'Treasury', exported: false, imported: false })
  assert.deepEqual(createdAt, updatedAt)
  assert.deepEqual((await service.query(service.root, 'list_wallets')).json, { wallets: [json.wallet] })
  for (const [at, address] of addresses.entries()) {
    const found = await service.query(service.root, 'get_wallet_account', { walletId, address })
    const { walletAccountId, publicKey, ...rest } = found.json.account
    assert.match(walletAccountId, /^[0-9a-f-]{36}$/)
    assert.match(publicKey, /^[0-9a-f]{64,66}$/)
    const { organizationId } = service
    assert.deepEqual(rest, { organizationId, walletId, ...given[at], address, createdAt, updatedAt })
  }
})

test('an organization has a hundred wallets at most, however many ask two hosts for the last one at once', async (t) => {
  const store = openSqlite({ path: ':memory:' })
  // Both hosts have read what there is before either writes.
  const commit: Store['commit'] = async (unit) => {
    await new Promise(setImmediate)
    return await store.commit(unit)
  }
  const service = await aService({ store: { ...store, commit } })
  const other = await aService({ store: { ...store, commit }, seed: 2 })
  t.after(async () => {
    await Promise.all([service.close(), other.close()])
    await store.close()
  })
  for (let at = 0; at < 99; at++) await aWallet(service, `Wallet ${at}`)
  const ask = (host: TestService, walletName: string) =>
    host.submit(service.root, CREATE, { walletName, accounts: [] }, { timestampMs: service.world.now() })
  const answers = await Promise.all(
    ['A', 'B', 'C', 'D'].flatMap((name) => [ask(service, name), ask(other, `${name} elsewhere`)]),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(429)])
  const { json } = await service.query(service.root, 'list_wallets')
  assert.equal(json.wallets.length, 100)
  await service.done(service.root, DELETE, {
    walletIds: [json.wallets[0].walletId],
    deleteWithoutExport: true,
  })
  await aWallet(service, 'There is room again')
})

test('a host that withholds a wallet gets no account of it deleted past the policies about wallets', async (t) => {
  let isWithheld = false
  const store = openSqlite({ path: ':memory:' })
  const objects: Store['objects'] = async (organizationId, kind, ids) =>
    isWithheld && kind === 'wallet' ? [] : await store.objects(organizationId, kind, ids)
  const service = await aService({ store: { ...store, objects } })
  t.after(async () => {
    await service.close()
    await store.close()
  })
  const ada = await service.user('Ada')
  const { walletId } = await aWallet(service, 'Not hers', [ethereum(0)])
  await service.done(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Her own',
    effect: 'EFFECT_ALLOW',
    condition: `activity.kind == 'DELETE_WALLET_ACCOUNTS' && wallets.all(one, one.id == '${NOBODY}')`,
    notes: '',
  })
  const { json } = await service.query(service.root, 'list_wallet_accounts', { walletId })
  const walletAccountIds = [json.accounts[0].walletAccountId]
  const deleted = async () => {
    service.world.advance(1)
    return (await service.submit(ada, DELETE_ACCOUNTS, { walletAccountIds, deleteWithoutExport: true }))
      .status
  }
  assert.equal(await deleted(), 403)
  isWithheld = true
  assert.equal(await deleted(), 400)
})

test('what is wrong with a wallet or with its accounts is said, and nothing is made', async (t) => {
  const service = await started(t)
  const many = (count: number, path: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => account(path(index)))
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ accounts: [account('44/60')] }, /^invalid path: "44\/60" is not m followed by levels/],
    [{ accounts: [account('m/2147483648')] }, /^invalid path/],
    [{ accounts: [account('m/01')] }, /^invalid path/],
    [{ accounts: [account('m/0h')] }, /^invalid path/],
    [{ accounts: [account('')] }, /accounts\[0\].path` must not be empty/],
    [{ accounts: [account('m/0', { pathFormat: 'PATH_FORMAT_SLIP10' })] }, /accounts\[0\].pathFormat/],
    [{ accounts: [account('m/0', { curve: undefined })] }, /missing field `accounts\[0\].curve`/],
    [
      { accounts: [account('m/0', { addressFormat: 'ADDRESS_FORMAT_SOLANA' })] },
      /^invalid address format: ADDRESS_FORMAT_SOLANA needs a key on CURVE_ED25519/,
    ],
    [{ accounts: [ethereum(1), ethereum(1)] }, /^invalid path: accounts\[1\] is the same as accounts\[0\]$/],
    [{ accounts: [solana("m/1'/2"), solana("m/1'/2'")] }, /^invalid path: accounts\[1\] is the same/],
    [{ accounts: many(1_001, (index) => `m/${index}`) }, /at most 1000 entries, not 1001/],
    [
      { accounts: many(200, (index) => `m${'/7'.repeat(31)}/${index}`) },
      /at most 6000 levels in all, not 6400/,
    ],
    [{ accounts: [], mnemonicLength: 13 }, /^invalid mnemonic length: .*not 13$/],
    [{ accounts: [], walletName: '' }, /walletName/],
  ]
  for (const [parameters, message] of wrong)
    await refused(service, CREATE, { walletName: 'New', ...parameters }, [400, 3, message])
  const { walletId } = await aWallet(service, 'There is one')
  await refused(service, CREATE_ACCOUNTS, { walletId, accounts: [] }, [400, 3, /at least 1 entries/])
  await refused(service, CREATE_ACCOUNTS, { walletId, accounts: [account('x')] }, [400, 3, /^invalid path/])
  await refused(service, CREATE, { walletName: 'There is one', accounts: [] }, [
    409,
    6,
    /wallet label must be unique/,
  ])
  assert.equal((await service.query(service.root, 'list_wallets')).json.wallets.length, 1)
  assert.deepEqual(await accountsOf(service, walletId), [])
})

test('a mnemonic has the length that was asked for, twelve words unless it was said', async (t) => {
  const service = await started(t)
  for (const mnemonicLength of [undefined, 12, 15, 18, 21, 24]) {
    const wallet = { walletName: `Wallet ${mnemonicLength}`, accounts: [], mnemonicLength }
    await service.done(service.root, CREATE, wallet)
  }
  const rows = await service.store.objectsOfKind(service.organizationId, 'wallet', { limit: 10 })
  const lengths = rows.map(({ body }) => JSON.parse(body).mnemonicLength)
  assert.deepEqual(lengths.sort(), [12, 12, 15, 18, 21, 24])
})

test('of a wallet nothing is stored in the clear but what is known of it, and no answer shows more', async (t) => {
  const service = await started(t)
  const { walletId } = await aWallet(service, 'Treasury', [ethereum(0)])
  const stored = [
    ...(await service.store.objectsOfKind(service.organizationId, 'wallet', { limit: 10 })),
    ...(await service.store.objectsOfKind(service.organizationId, 'wallet_account', { limit: 10 })),
  ]
  assert.equal(stored.length, 2)
  const known = new Set(['walletId', 'walletName', 'mnemonicLength', 'seedKey', 'imported', 'exported'])
  const [wallet] = stored.filter(({ kind }) => kind === 'wallet')
  const fields = Object.keys(JSON.parse(wallet?.body ?? '{}')).filter((name) => !name.endsWith('At'))
  assert.deepEqual(new Set(fields), known)
  const { text } = await service.query(service.root, 'get_wallet', { walletId })
  assert.ok(!text.includes('seedKey'))
})

test('a path is one account of its wallet for each curve and format, however many ask at once', async (t) => {
  const service = await started(t)
  const { walletId } = await aWallet(service, 'Treasury', [ethereum(0), solana("m/44'/501'/0'/0'")])
  const [first, second] = await Promise.all(
    [ethereum(0), solana("m/44'/501'/0'/0'")].map(async ({ path }) => {
      const { json } = await service.query(service.root, 'get_wallet_account', { walletId, path })
      return json.account.walletAccountId
    }),
  )
  const again = (wanted: object, holder: string) =>
    refused(service, CREATE_ACCOUNTS, { walletId, accounts: [ethereum(9), wanted] }, [
      409,
      6,
      new RegExp(`^path already exists in wallet account ${holder}$`),
    ])
  await again(ethereum(0), first)
  // Both spellings lead to the same key on Ed25519.
  await again(solana("m/44'/501'/0'/0"), second)

  service.world.advance(1)
  const answers = await Promise.all(
    [1, 2, 3].map((at) =>
      service.submit(
        service.root,
        CREATE_ACCOUNTS,
        { walletId, accounts: [ethereum(1)] },
        { timestampMs: service.world.now() + at },
      ),
    ),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409])
  await service.done(service.root, CREATE_ACCOUNTS, {
    walletId,
    accounts: [
      account("m/44'/60'/0'/0/0", { addressFormat: 'ADDRESS_FORMAT_COMPRESSED' }),
      account("m/44'/60'/0'/0/0", { curve: 'CURVE_P256', addressFormat: 'ADDRESS_FORMAT_COMPRESSED' }),
    ],
  })
  const other = await aWallet(service, 'Other', [ethereum(0)])
  assert.equal((await accountsOf(service, walletId)).length, 5)
  assert.equal((await accountsOf(service, other.walletId)).length, 1)
})

test('the name of an account is its own in the whole organization', async (t) => {
  const service = await started(t)
  const named = (index: number) => ({ ...ethereum(index), name: 'Payouts' })
  const { walletId } = await aWallet(service, 'Treasury', [named(0)])
  const { walletId: other } = await aWallet(service, 'Other')
  const unique = [409, 6, /^wallet account label must be unique: .*"Payouts"/] as const
  await refused(service, CREATE_ACCOUNTS, { walletId, accounts: [named(1)] }, unique)
  await refused(service, CREATE_ACCOUNTS, { walletId: other, accounts: [named(1)] }, unique)
  await refused(service, CREATE, { walletName: 'New', accounts: [named(1), named(2)] }, unique)
})

test('addresses that are only derived are those that the accounts will have, and leave nothing behind', async (t) => {
  const service = await started(t)
  const { walletId } = await aWallet(service, 'Treasury', [ethereum(0)])
  const accounts = [ethereum(0), solana("m/44'/501'/7'/0'")]
  const derived = await service.done(service.root, CREATE_ACCOUNTS, { walletId, accounts, persist: false })
  assert.equal((await accountsOf(service, walletId)).length, 1)
  assert.equal((await accountsOf(service, walletId))[0].address, derived.addresses[0])
  const kept = await service.done(service.root, CREATE_ACCOUNTS, {
    walletId,
    accounts: [accounts[1]],
    persist: true,
  })
  assert.deepEqual(kept.addresses, [derived.addresses[1]])
})

test('a wallet gets another name unless it is taken, and keeps its own when none is given', async (t) => {
  const service = await started(t)
  const { walletId } = await aWallet(service, 'Treasury')
  await aWallet(service, 'Other')
  const nameNow = async () => (await service.query(service.root, 'get_wallet', { walletId })).json.wallet
  await refused(service, UPDATE, { walletId, walletName: 'Other' }, [409, 6, /wallet label must be unique/])
  const before = await nameNow()
  await service.done(service.root, UPDATE, { walletId })
  await service.done(service.root, UPDATE, { walletId, walletName: 'Treasury' })
  assert.deepEqual(await nameNow(), before)
  await service.done(service.root, UPDATE, { walletId, walletName: 'Cold treasury' })
  assert.equal((await nameNow()).walletName, 'Cold treasury')
  await aWallet(service, 'Treasury')
  const missing = [
    404,
    5,
    /^unable to find wallet 0198c5a0-7d3c-7000-8000-00000000dead in organization /,
  ] as const
  await refused(service, UPDATE, { walletId: NOBODY, walletName: 'New' }, missing)
  await refused(service, CREATE_ACCOUNTS, { walletId: NOBODY, accounts: [ethereum(0)] }, missing)
  await refused(service, DELETE, { walletIds: [NOBODY] }, missing)
})

test('a wallet that was never exported is only deleted when that is said, and goes with all its accounts', async (t) => {
  const service = await started(t)
  const { walletId, addresses } = await aWallet(service, 'Treasury', [{ ...ethereum(0), name: 'Payouts' }])
  const { walletId: other } = await aWallet(service, 'Other')
  const walletIds = [walletId, other]
  await refused(service, DELETE, { walletIds }, [
    400,
    9,
    new RegExp(`^wallet has not been exported: ${walletId}`),
  ])
  const targetPublicKey = aTarget(service).publicKey
  await service.done(service.root, 'ACTIVITY_TYPE_EXPORT_WALLET', { walletId, targetPublicKey })
  await refused(service, DELETE, { walletIds }, [
    400,
    9,
    new RegExp(`^wallet has not been exported: ${other}`),
  ])
  const result = await service.done(service.root, DELETE, { walletIds, deleteWithoutExport: true })
  assert.deepEqual(result, { walletIds })
  assert.deepEqual((await service.query(service.root, 'list_wallets')).json, { wallets: [] })
  assert.deepEqual((await service.query(service.root, 'list_wallet_accounts')).json, { accounts: [] })
  assert.equal((await service.query(service.root, 'get_wallet', { walletId })).status, 404)
  assert.equal((await service.query(service.root, 'list_wallet_accounts', { walletId })).status, 404)
  const signing = { signWith: addresses[0], payload: 'x', ...text }
  await refused(service, SIGN, signing, [404, 5, /^Could not find any resource to sign with/])
  // Nothing is left of their names.
  await aWallet(service, 'Treasury', [{ ...ethereum(0), name: 'Payouts' }])
  const rows = await service.store.objectsOfKind(service.organizationId, 'wallet_account', { limit: 10 })
  assert.equal(rows.length, 1)
})

test('wallets with too many accounts to go at once are deleted when there are fewer', async (t) => {
  const service = await started(t)
  const { walletId } = await aWallet(service, 'Treasury')
  const create = (accounts: readonly object[]) =>
    service.done(service.root, CREATE_ACCOUNTS, { walletId, accounts })
  await create(Array.from({ length: 1_000 }, (_, at) => solana(`m/44'/501'/${at}'/0'`)))
  await create([solana("m/44'/501'/1000'/0'")])
  const all = { walletIds: [walletId], deleteWithoutExport: true }
  await refused(service, DELETE, all, [400, 9, /more than 1000 accounts .*delete accounts first$/])
  const [first] = await accountsOf(service, walletId)
  await service.done(service.root, DELETE_ACCOUNTS, {
    walletAccountIds: [first.walletAccountId],
    deleteWithoutExport: true,
  })
  await service.done(service.root, DELETE, all)
  const rows = await service.store.objectsOfKind(service.organizationId, 'wallet_account', { limit: 10 })
  assert.deepEqual(rows, [])
})

test('an account that was never exported is only deleted when that is said; those of others are nobody’s', async (t) => {
  const service = await started(t)
  const { walletId, addresses } = await aWallet(service, 'Treasury', [ethereum(0), ethereum(1)])
  const elsewhere = await service.newOrganization()
  await service.done(elsewhere, CREATE, { walletName: 'Theirs', accounts: [ethereum(0)] })
  const theirs = (await service.query(elsewhere, 'list_wallet_accounts')).json.accounts[0].walletAccountId
  const find = async (address: string) =>
    (await service.query(service.root, 'get_wallet_account', { walletId, address })).json.account
  const { walletAccountId } = await find(addresses[0])
  const foreign = (id: string) =>
    [400, 3, new RegExp(`^wallet account not part of your organization: ${id}$`)] as const
  await refused(service, DELETE_ACCOUNTS, { walletAccountIds: ['x'] }, [
    400,
    3,
    /^invalid wallet account UUID: "x"$/,
  ])
  await refused(service, DELETE_ACCOUNTS, { walletAccountIds: [theirs] }, foreign(theirs))
  await refused(service, DELETE_ACCOUNTS, { walletAccountIds: [NOBODY] }, foreign(NOBODY))
  const item = { walletAccountIds: [walletAccountId] }
  await refused(service, DELETE_ACCOUNTS, item, [400, 3, /^wallet account has not been exported/])
  const { json } = await service.submit(service.root, DELETE_ACCOUNTS, item)
  assert.equal(json.turnkeyErrorCode, 'WALLET_ACCOUNT_NOT_EXPORTED')
  await service.done(service.root, DELETE_ACCOUNTS, { ...item, deleteWithoutExport: true })
  assert.equal(await find(addresses[0]), undefined)
  assert.equal((await find(addresses[1])).address, addresses[1])
  // The same account can be made again.
  const again = await service.done(service.root, CREATE_ACCOUNTS, { walletId, accounts: [ethereum(0)] })
  assert.deepEqual(again.addresses, [addresses[0]])
})

test('accounts are listed page by page, of one wallet or of all, each once and in one order', async (t) => {
  const service = await started(t)
  const wallets: string[] = []
  for (const walletName of ['A', 'B', 'C']) wallets.push((await aWallet(service, walletName)).walletId)
  for (let at = 0; at < 27; at++) {
    const accounts = [ethereum(at)]
    await service.done(service.root, CREATE_ACCOUNTS, { walletId: wallets[at % 3], accounts })
  }
  const page = async (body: object): Promise<readonly Response['json'][]> =>
    (await service.query(service.root, 'list_wallet_accounts', body)).json.accounts
  const all = await page({ paginationOptions: { limit: '100' } })
  assert.deepEqual(
    all.map(({ path }) => path),
    Array.from({ length: 27 }, (_, at) => ethereum(at).path),
  )
  assert.deepEqual(await page({}), all.slice(0, 10))
  const idAt = (at: number): string => all.at(at).walletAccountId
  const options = (paginationOptions: object) => page({ paginationOptions })
  assert.deepEqual(await options({ limit: '4', after: idAt(5) }), all.slice(6, 10))
  assert.deepEqual(await options({ limit: '4', before: idAt(20) }), all.slice(16, 20))
  assert.deepEqual(await options({ limit: '4', after: idAt(24) }), all.slice(25))
  const ofB = all.filter(({ walletId }) => walletId === wallets[1])
  assert.deepEqual(await page({ walletId: wallets[1] }), ofB)
  assert.deepEqual(
    await page({ walletId: wallets[1], paginationOptions: { limit: '2', after: ofB[2].walletAccountId } }),
    ofB.slice(3, 5),
  )
  const [detailed] = await page({ walletId: wallets[1], includeWalletDetails: true })
  const { wallet } = (await service.query(service.root, 'get_wallet', { walletId: wallets[1] })).json
  assert.deepEqual(detailed, { ...ofB[0], walletDetails: wallet })
})

test('an account is found by its address or its path, in its own wallet only', async (t) => {
  const service = await started(t)
  const { walletId, addresses } = await aWallet(service, 'Treasury', [
    ethereum(0),
    solana("m/44'/501'/0'/0'"),
  ])
  const { walletId: other } = await aWallet(service, 'Other', [ethereum(1)])
  const find = (body: object) => service.query(service.root, 'get_wallet_account', { walletId, ...body })
  const [address] = addresses
  const { path } = ethereum(0)
  const { account: known } = (await find({ address })).json
  for (const body of [{ path }, { address, path }, { address, path: '' }])
    assert.deepEqual((await find(body)).json.account, known)
  const soft = await find({ path: "m/44'/501'/0'/0" })
  assert.equal(soft.json.account.address, addresses[1])
  const missing: readonly (readonly [object, number, RegExp])[] = [
    [{}, 400, /missing field `address` or `path`/],
    [{ address: address.toLowerCase() }, 404, /^Could not find wallet account with address: 0x/],
    [{ walletId: other, address }, 404, /^Could not find wallet account with address/],
    [{ path: ethereum(1).path }, 404, /^Could not find wallet account with path: "m\/44'\/60'\/0'\/0\/1"$/],
    [{ path: 'x' }, 404, /^Could not find wallet account with path/],
    [{ address, path: ethereum(1).path }, 404, /^Could not find wallet account with address/],
    [{ walletId: NOBODY, address }, 404, /^unable to find wallet/],
  ]
  for (const [body, status, message] of missing) {
    const { json, ...answer } = await find(body)
    assert.equal(answer.status, status)
    assert.match(json.message, message)
  }
})

test('wallets of one organization are nothing to another', async (t) => {
  const service = await started(t)
  const { walletId, addresses } = await aWallet(service, 'Treasury', [ethereum(0)])
  const elsewhere = await service.newOrganization()
  const missing = [404, 5, /^unable to find wallet/] as const
  await refused(service, CREATE_ACCOUNTS, { walletId, accounts: [ethereum(1)] }, missing, elsewhere)
  await refused(service, UPDATE, { walletId, walletName: 'Mine' }, missing, elsewhere)
  await refused(service, DELETE, { walletIds: [walletId], deleteWithoutExport: true }, missing, elsewhere)
  const signing = { signWith: addresses[0], payload: 'x', ...text }
  await refused(service, SIGN, signing, [404, 5, /^Could not find any resource to sign with/], elsewhere)
  const { status } = await service.query(elsewhere, 'get_wallet', { walletId })
  assert.equal(status, 404)
})

const SIGN = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'
const text = { encoding: 'PAYLOAD_ENCODING_TEXT_UTF8', hashFunction: 'HASH_FUNCTION_SHA256' }
