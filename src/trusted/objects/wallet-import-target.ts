import { importTargetKind } from './import-target.ts'

/** A target for a wallet is none for a private key. */
export const walletImportTargets = importTargetKind('wallet_import_target')
