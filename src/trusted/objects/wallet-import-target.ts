import { importTargetKind } from './import-target.ts'

/** A target for a wallet cannot be used for a private key. */
export const walletImportTargets = importTargetKind('wallet_import_target')
