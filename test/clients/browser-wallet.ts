import type { Page } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/** An Ethereum wallet as extensions of browsers bring them (EIP-1193, EIP-6963), whose key is in this process. */
export async function announceWallet(page: Page): Promise<void> {
  const account = privateKeyToAccount(generatePrivateKey())
  await page.exposeFunction('personalSign', (message: string) => account.signMessage({ message }))
  await page.evaluate(`
    const answers = {
      eth_accounts: async () => ['${account.address}'],
      eth_requestAccounts: async () => ['${account.address}'],
      eth_chainId: async () => '0x1',
      personal_sign: async ([message]) => personalSign(message),
    }
    const provider = {
      request: ({ method, params }) => answers[method](params),
      on: () => {},
      removeListener: () => {},
    }
    const info = { uuid: crypto.randomUUID(), name: 'Wallet', icon: 'data:,', rdns: 'example.wallet' }
    const announce = () =>
      dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }))
    addEventListener('eip6963:requestProvider', announce)
    announce()
  `)
}
