import { RootKeyError } from '../../trusted/vault/keys/root-key-error.ts'
import { optionalPackage } from '../optional-package.ts'
import type { KeyService, KeyServicePackage } from './key-service.ts'

/**
 * Loads the package of a key service, which is installed beside Claviger where it is wanted.
 *
 * @throws RootKeyError where it is not installed, or does not load
 */
export async function loadKeyService(
  seal: string,
  environment: Parameters<KeyServicePackage['keyService']>[0],
): Promise<KeyService> {
  const found = optionalPackage(seal)
  if (found.kind === 'missing')
    throw new RootKeyError(`the seal ${seal} needs a package of its own: ${found.howTo}`)
  try {
    // It is ours: `packages/NAME/src/NAME.ts`, or what that becomes in its package.
    const loaded = (await import(found.address)) as KeyServicePackage
    return loaded.keyService(environment)
  } catch {
    throw new RootKeyError(`the package of the seal ${seal} does not load: ${found.howTo}`)
  }
}
