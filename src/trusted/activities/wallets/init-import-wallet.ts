import { walletImportTargets } from '../../objects/wallet-import-target.ts'
import { initImport } from '../private-keys/init-import.ts'

export const initImportWallet = initImport({
  operation: 'init_import_wallet',
  summary: 'Make the key that a mnemonic is encrypted to for its import',
  type: 'ACTIVITY_TYPE_INIT_IMPORT_WALLET',
  resultKey: 'initImportWalletResult',
  resource: 'WALLET',
  targets: walletImportTargets,
})
