import { walletImportTargets } from '../../objects/import-target.ts'
import { initImport } from '../private-keys/init-import.ts'

export const initImportWallet = initImport({
  operation: 'init_import_wallet',
  summary: 'Begin the import of a wallet: create the key to which its mnemonic is encrypted',
  type: 'ACTIVITY_TYPE_INIT_IMPORT_WALLET',
  resultKey: 'initImportWalletResult',
  resource: 'WALLET',
  targets: walletImportTargets,
})
