// Makes a wallet and reads it back, with types and paths from openapi.json.
//   npm install && npm run generate && npm start
import { clavigerClient } from './client.ts'

const {
  BASE_URL = '',
  ORGANIZATION_ID: organizationId = '',
  API_PUBLIC_KEY = '',
  API_PRIVATE_KEY = '',
} = process.env
const claviger = clavigerClient({ BASE_URL, API_PUBLIC_KEY, API_PRIVATE_KEY })

const created = await claviger.POST('/public/v1/submit/create_wallet', {
  body: {
    type: 'ACTIVITY_TYPE_CREATE_WALLET',
    timestampMs: String(Date.now()),
    organizationId,
    parameters: {
      walletName: `From types, ${new Date().toISOString()}`,
      accounts: [
        {
          curve: 'CURVE_SECP256K1',
          pathFormat: 'PATH_FORMAT_BIP32',
          path: "m/44'/60'/0'/0/0",
          addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
        },
      ],
    },
  },
})
if (created.error !== undefined) throw new Error(created.error.message)
const result = created.data.activity.result.createWalletResult
if (result === undefined) throw new Error(`the wallet waits: ${created.data.activity.status}`)

const { walletId } = result
const read = await claviger.POST('/public/v1/query/get_wallet', { body: { organizationId, walletId } })
if (read.error !== undefined) throw new Error(read.error.message)
console.log(`${read.data.wallet.walletName}: ${result.addresses.join(', ')}`)
