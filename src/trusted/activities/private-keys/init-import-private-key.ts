import { importTargets } from '../../objects/import-target.ts'
import { initImport } from './init-import.ts'

export const initImportPrivateKey = initImport({
  operation: 'init_import_private_key',
  summary: 'Begin the import of a private key: create the key to which it is encrypted',
  type: 'ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY',
  resultKey: 'initImportPrivateKeyResult',
  resource: 'PRIVATE_KEY',
  targets: importTargets,
})
