import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decryptExportBundle, encryptWalletToBundle, generateP256KeyPair } from '@turnkey/crypto'
import { HDNodeWallet, parseEther, Transaction, Wallet } from 'ethers'
import { present } from '../../../src/trusted/base/assert.ts'
import { ethereumAccount, newAddress, newWallet, solanaAccount } from '../new-wallet.ts'
import type { Setting } from '../setting.ts'

export function walletFlows(setting: Setting): void {
  const { root } = setting
  const { client, activity, organizationId, userId } = root

  test('a wallet is made, named anew, given further accounts, listed, and its accounts are found by address and by path', async () => {
    const { walletId, addresses } = await newWallet(root, [ethereumAccount, solanaAccount])
    assert.equal(addresses.length, 2)
    await client.updateWallet(activity('ACTIVITY_TYPE_UPDATE_WALLET', { walletId, walletName: 'Treasury' }))
    const { wallet } = await client.getWallet({ organizationId, walletId })
    assert.deepEqual([wallet.walletName, wallet.imported, wallet.exported], ['Treasury', false, false])
    const { wallets } = await client.getWallets({ organizationId })
    assert.ok(wallets.some((wallet) => wallet.walletId === walletId && wallet.walletName === 'Treasury'))

    const path = "m/44'/60'/0'/0/1"
    const further = (persist?: boolean) =>
      client.createWalletAccounts(
        activity('ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS', {
          walletId,
          accounts: [{ ...ethereumAccount, path }],
          ...(persist === undefined ? {} : { persist }),
        }),
      )
    const derived = (await further(false)).activity.result.createWalletAccountsResult?.addresses[0]
    assert.equal((await client.getWalletAccounts({ organizationId, walletId })).accounts.length, 2)
    const kept = (await further()).activity.result.createWalletAccountsResult?.addresses[0]
    assert.equal(kept, derived)
    assert.equal((await client.getWalletAccounts({ organizationId, walletId })).accounts.length, 3)

    const address = present(kept, 'the address')
    const byAddress = (await client.getWalletAccount({ organizationId, walletId, address })).account
    const byPath = (await client.getWalletAccount({ organizationId, walletId, path })).account
    assert.deepEqual(byAddress, byPath)
    assert.deepEqual([byPath.address, byPath.path, byPath.walletId], [address, path, walletId])
    await assert.rejects(further(), {
      message: `Turnkey error 6: path already exists in wallet account ${byPath.walletAccountId} (Details: [])`,
    })
  })

  test('words come in and go out as the published library encrypts and decrypts them, and so does the key of one account', async () => {
    const words = present(Wallet.createRandom().mnemonic?.phrase, 'its words')
    const dangerouslyOverrideSignerPublicKey = setting.keys.signer
    const begun = await client.initImportWallet(activity('ACTIVITY_TYPE_INIT_IMPORT_WALLET', { userId }))
    const encryptedBundle = await encryptWalletToBundle({
      mnemonic: words,
      importBundle: present(begun.activity.result.initImportWalletResult?.importBundle, 'the bundle'),
      userId,
      organizationId,
      dangerouslyOverrideSignerPublicKey,
    })
    const imported = await client.importWallet(
      activity('ACTIVITY_TYPE_IMPORT_WALLET', {
        userId,
        walletName: 'From elsewhere',
        encryptedBundle,
        accounts: [ethereumAccount],
      }),
    )
    const made = present(imported.activity.result.importWalletResult, 'the wallet')
    const [address = ''] = made.addresses
    const theirs = HDNodeWallet.fromPhrase(words, '', ethereumAccount.path)
    assert.equal(address, theirs.address)

    const target = generateP256KeyPair()
    const opened = async (exportBundle: string | undefined, returnMnemonic: boolean) =>
      await decryptExportBundle({
        exportBundle: present(exportBundle, 'the bundle'),
        organizationId,
        embeddedKey: target.privateKey,
        dangerouslyOverrideSignerPublicKey,
        returnMnemonic,
      })
    const targetPublicKey = target.publicKeyUncompressed
    const account = await client.exportWalletAccount(
      activity('ACTIVITY_TYPE_EXPORT_WALLET_ACCOUNT', { address, targetPublicKey }),
    )
    const secret = await opened(account.activity.result.exportWalletAccountResult?.exportBundle, false)
    assert.equal(`0x${secret}`, theirs.privateKey)
    const whole = await client.exportWallet(
      activity('ACTIVITY_TYPE_EXPORT_WALLET', { walletId: made.walletId, targetPublicKey }),
    )
    assert.equal(await opened(whole.activity.result.exportWalletResult?.exportBundle, true), words)
    const { wallet } = await client.getWallet({ organizationId, walletId: made.walletId })
    assert.deepEqual([wallet.imported, wallet.exported], [true, true])
  })

  test('accounts and wallets that were never exported are only deleted when that is meant, and then are gone', async () => {
    const { walletId, addresses } = await newWallet(root, [ethereumAccount, solanaAccount])
    const { accounts } = await client.getWalletAccounts({ organizationId, walletId })
    const [first] = accounts
    const walletAccountIds = [present(first, 'an account').walletAccountId]
    const removeAccount = (deleteWithoutExport?: boolean) =>
      client.deleteWalletAccounts(
        activity('ACTIVITY_TYPE_DELETE_WALLET_ACCOUNTS', {
          walletAccountIds,
          ...(deleteWithoutExport === undefined ? {} : { deleteWithoutExport }),
        }),
      )
    await assert.rejects(removeAccount(), { name: 'TurnkeyRequestError' })
    await removeAccount(true)
    const left = (await client.getWalletAccounts({ organizationId, walletId })).accounts
    assert.deepEqual(
      left.map(({ address }) => address),
      addresses.filter((address) => address !== first?.address),
    )

    const remove = (deleteWithoutExport?: boolean) =>
      client.deleteWallets(
        activity('ACTIVITY_TYPE_DELETE_WALLETS', {
          walletIds: [walletId],
          ...(deleteWithoutExport === undefined ? {} : { deleteWithoutExport }),
        }),
      )
    await assert.rejects(remove(), { name: 'TurnkeyRequestError' })
    await remove(true)
    await assert.rejects(client.getWallet({ organizationId, walletId }), { code: 5 })
  })

  test('a transaction is signed with an account of a wallet', async () => {
    const signWith = await newAddress(root, ethereumAccount)
    const asked = Transaction.from({
      type: 2,
      chainId: 1,
      nonce: 0,
      gasLimit: 21_000,
      maxFeePerGas: 2n,
      maxPriorityFeePerGas: 1n,
      to: signWith,
      value: parseEther('1000000'),
    })
    const unsigned = asked.unsignedSerialized
    for (const unsignedTransaction of [unsigned, unsigned.slice(2), unsigned.slice(2).toUpperCase()]) {
      const signing = await client.signTransaction(
        activity('ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
          signWith,
          type: 'TRANSACTION_TYPE_ETHEREUM',
          unsignedTransaction,
        }),
      )
      const signed = present(signing.activity.result.signTransactionResult?.signedTransaction, 'signed')
      const read = Transaction.from(`0x${signed}`)
      assert.deepEqual([read.from, read.unsignedSerialized], [signWith, unsigned])
    }
  })
}
