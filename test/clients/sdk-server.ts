import { registerHooks } from 'node:module'

/**
 * The published @turnkey/sdk-server. It loads a stamper for Ethereum wallets, which loads viem, an optional dependency
 * that an installation may lack. Nothing here stamps with a wallet; where viem is missing, two names without a value
 * stand in for it, so that the rest can be loaded as it is.
 */
export async function sdkServer(): Promise<typeof import('@turnkey/sdk-server')> {
  if (!isInstalled('viem')) {
    registerHooks({
      resolve: (specifier, context, next) =>
        /^viem(\/|$)/.test(specifier) ? { url: STAND_IN, shortCircuit: true } : next(specifier, context),
    })
  }
  return await import('@turnkey/sdk-server')
}

const STAND_IN = 'data:text/javascript,export const recoverPublicKey = undefined, hashMessage = undefined'

function isInstalled(packageName: string): boolean {
  try {
    import.meta.resolve(packageName)
    return true
  } catch {
    return false
  }
}
