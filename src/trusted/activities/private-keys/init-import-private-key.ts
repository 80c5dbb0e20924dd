import { importTargets } from '../../objects/import-target.ts'
import { initImport } from './init-import.ts'

export const initImportPrivateKey = initImport({
  operation: 'init_import_private_key',
  summary: 'Make the key that a private key is encrypted to for its import',
  type: 'ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY',
  resultKey: 'initImportPrivateKeyResult',
  resource: 'PRIVATE_KEY',
  targets: importTargets,
})
