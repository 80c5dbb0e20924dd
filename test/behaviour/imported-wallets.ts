import { entropyToMnemonic } from '@scure/bip39'
import { wordlist as english } from '@scure/bip39/wordlists/english.js'
import { encryptWalletToBundle } from '@turnkey/crypto'
import type { JsonAnswer, Member, TestService } from '../support/service.ts'

type In = { readonly service: TestService; readonly by: Member }

/** A mnemonic, a new one unless it is given, encrypted by the published client to an import target of this user. */
export async function anEncryptedMnemonic(
  { service, by }: In,
  mnemonic = entropyToMnemonic(service.world.randomBytes(16), english),
): Promise<string> {
  const { importBundle } = await service.done(by, 'ACTIVITY_TYPE_INIT_IMPORT_WALLET', { userId: by.userId })
  return await encryptWalletToBundle({
    mnemonic,
    importBundle,
    userId: by.userId,
    organizationId: by.organizationId,
    dangerouslyOverrideSignerPublicKey: JSON.parse(importBundle).enclaveQuorumPublic,
  })
}

/** A wallet with one account, that of the first address of its mnemonic on Ethereum. */
export async function anImportedWallet(setting: In): Promise<JsonAnswer> {
  return await setting.service.done(setting.by, 'ACTIVITY_TYPE_IMPORT_WALLET', {
    userId: setting.by.userId,
    walletName: 'Imported before',
    encryptedBundle: await anEncryptedMnemonic(setting),
    accounts: [
      {
        curve: 'CURVE_SECP256K1',
        pathFormat: 'PATH_FORMAT_BIP32',
        path: "m/44'/60'/0'/0/0",
        addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
      },
    ],
  })
}
