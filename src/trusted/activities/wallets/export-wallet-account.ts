import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { type Opened, place } from '../../catalogue/objects.ts'
import { object, text } from '../../catalogue/shape.ts'
import { exportBundle } from '../../crypto/bundles.ts'
import {
  invalidTargetPublicKey,
  targetKey,
  targetKeyFacts,
  targetKeyTypes,
  targetPublicKey,
} from '../private-keys/target-key.ts'
import {
  accountIn,
  accountsWithAddress,
  type WalletAccount,
  walletAccountNotFound,
  walletAccounts,
} from '../../objects/wallet-account.ts'
import { exportedAccountFacts, walletAccountNamespace } from './wallet-facts.ts'

export const exportWalletAccount = defineActivity({
  operation: 'export_wallet_account',
  summary: 'Export the private key of a wallet account, encrypted to a key of the caller',
  forms: form(
    'ACTIVITY_TYPE_EXPORT_WALLET_ACCOUNT',
    object({ address: text({ min: 1, max: 200 }), targetPublicKey }),
    {
      key: 'exportWalletAccountResult',
      shape: object({ address: text({ max: 200 }), exportBundle: text({ max: 4_096 }) }),
    },
  ),
  resource: 'WALLET',
  action: 'EXPORT',
  authority: { kind: 'policies' },
  amends: true,
  fails: [walletAccountNotFound, invalidTargetPublicKey],
  example: {
    intent: {
      address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      targetPublicKey:
        '0464fb511728122da3b7b8a449c79d7a9e3fb847f4cbf0efbc6c82f68ada0ae5ebd1f9b6a45f5e4b61852c8e293a7b79022422ffff9ea8fba7297271b589cc9ed2',
    },
    result: {
      address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      exportBundle:
        '{"version":"v1.0.0","data":"7b22…7d","dataSignature":"3045…0a","enclaveQuorumPublic":"0402…94"}',
    },
  },
  params: { types: targetKeyTypes, of: (intent) => targetKeyFacts(intent) },
  validate: (intent) => {
    targetKey(intent.targetPublicKey)
  },
  needs: ({ address }) => accountsWithAddress(address),
  namespaces: walletAccountNamespace,
  facts: ({ rows }) => {
    const found = accountIn(rows.accounts, rows.wallets)
    return found === undefined ? {} : exportedAccountFacts(found)
  },

  execute({ intent, charter: { organizationId }, rows, now, randomBytes, service }) {
    const { address } = intent
    const found = accountIn(rows.accounts, rows.wallets)
    if (found === undefined) throw walletAccountNotFound({ address })
    const { account } = found
    const to = { receiver: targetKey(intent.targetPublicKey), organizationId }
    return {
      result: {
        address,
        exportBundle: exportBundle(account.secret.reveal(), to, service.bundleSigner, randomBytes),
      },
      // The export covers every account with the same key.
      put: rows.accounts
        .filter((other) => hasKeyOf(other, account))
        .map(({ objectId, body, secret }) =>
          place(walletAccounts, objectId, { ...body, exported: true, updatedAt: now }, secret),
        ),
    }
  },
})

function hasKeyOf({ body }: Opened<WalletAccount>, { body: of }: Opened<WalletAccount>): boolean {
  return body.curve === of.curve && body.publicKey === of.publicKey
}
