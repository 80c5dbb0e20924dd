import { TurnkeyClient } from '@turnkey/core'
import { PRODUCTION_SIGNER_SIGN_PUBLIC_KEY } from '@turnkey/crypto'

// An application as any is built: the published client, which names no key itself.
globalThis.begin = async (config) => {
  globalThis.client = new TurnkeyClient(config)
  await globalThis.client.init()
}
globalThis.signerKey = () => PRODUCTION_SIGNER_SIGN_PUBLIC_KEY
globalThis.ask = async (name, ...given) => await globalThis.client[name](...given)
