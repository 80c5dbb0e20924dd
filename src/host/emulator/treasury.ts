import type { Fixtures } from './fixtures.ts'

const ETHER = 10n ** 18n

const PEOPLE = "['{{Ada.userId}}', '{{Bob.userId}}', '{{Carol.userId}}']"
const PAYS = "activity.kind == 'SIGN_TRANSACTION' && wallet.id == '{{treasury.walletId}}'"
const PLAIN = [
  'eth.tx.chain_id == 1',
  "eth.tx.type in ['LEGACY', 'TYPE_1', 'TYPE_2']",
  "eth.tx.to != '' && eth.tx.data == '0x'",
  'eth.tx.gas <= 100000 && eth.tx.gas_price <= 200000000000',
].join(' && ')
const ALONE = `[eth.tx.value, 0].filter(v, v <= ${ETHER})[0]`

/**
 * Ada, Bob and Carol, and their wallet with an Ethereum account. Each of them alone pays up to one ether, all of them
 * together up to one ether in 24 hours, and any two of them pay more. The root user stays the administrator.
 */
export const treasury: Fixtures = {
  steps: [
    { user: 'Ada' },
    { user: 'Bob' },
    { user: 'Carol' },
    {
      activity: 'create_wallet',
      name: 'treasury',
      parameters: {
        walletName: 'Treasury',
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
    {
      activity: 'create_policy',
      name: 'daily limit',
      parameters: {
        policyName: 'Each of the three pays up to one ether a day',
        effect: 'EFFECT_ALLOW',
        condition: `${PAYS} && ${PLAIN} && eth.tx.value <= ${ETHER} && usage.sum(${ALONE}, '24h', wallet.id) <= ${ETHER}`,
        consensus: `approvers.any(user, user.id in ${PEOPLE})`,
        notes: '',
      },
    },
    {
      activity: 'create_policy',
      name: 'two of three',
      parameters: {
        policyName: 'Two of the three pay anything',
        effect: 'EFFECT_ALLOW',
        condition: PAYS,
        consensus: `approvers.filter(user, user.id in ${PEOPLE}).count() >= 2`,
        notes: '',
      },
    },
  ],
}
