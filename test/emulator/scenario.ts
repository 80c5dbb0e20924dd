import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Claviger } from '../../src/host/emulator/start-claviger.ts'
import { seededKey } from '../../src/host/emulator/emulated-user.ts'
import type { JsonAnswer } from '../support/service.ts'

/** A day in a suite: every kind of thing that is random in the service, each answer byte for byte. */
export async function day(
  c: Claviger,
  between: (c: Claviger) => Promise<unknown>,
): Promise<readonly string[]> {
  const answers: string[] = []
  const ask = async (who: string, operation: string, parameters: object): Promise<JsonAnswer> => {
    const [{ status, json }] = await Promise.all([c.user(who).submit(operation, parameters), between(c)])
    assert.equal(status, 200, `${operation}: ${JSON.stringify(json)}`)
    answers.push(JSON.stringify(json))
    return json.activity
  }
  const { walletId, addresses } = Object(c.results['treasury'])
  await ask('root', 'create_wallet', { walletName: 'More', accounts: [] })
  await ask('root', 'create_private_keys', { privateKeys: [KEY] })
  await ask('root', 'create_sub_organization', SUB_ORGANIZATION)
  await ask('root', 'export_wallet', { walletId, targetPublicKey: TARGET })
  await ask('root', 'set_organization_feature', { name: 'FEATURE_NAME_OTP_EMAIL_AUTH', value: '' })
  await ask('root', 'init_otp', { otpType: 'OTP_TYPE_EMAIL', contact: 'eve@example.com', appName: 'Shop' })
  answers.push(c.inbox.code('eve@example.com'))
  const payment = {
    type: 'TRANSACTION_TYPE_ETHEREUM',
    signWith: addresses[0],
    unsignedTransaction: TWO_ETHER,
  }
  const { fingerprint, status } = await ask('Ada', 'sign_transaction', payment)
  assert.equal(status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  c.clock.advance('10m')
  await ask('Bob', 'approve_activity', { fingerprint })
  return answers
}

/** What others do meanwhile: it is made, refused and fails, by other users and of other kinds. */
export async function others(c: Claviger): Promise<void> {
  const count = c.requests().length
  const carol = c.user('Carol')
  const root = c.root
  await Promise.all([
    carol.submit('create_wallet', { walletName: `Denied ${count}`, accounts: [] }),
    root.submit('create_user_tag', { userTagName: `Tag ${count}`, userIds: [] }),
    root.submit('create_wallet', { walletName: 'Treasury', accounts: [] }),
    carol.query('whoami'),
  ])
}

export function digestOf(answers: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(answers)).digest('hex')
}

const KEY = { privateKeyName: 'Hot', curve: 'CURVE_SECP256K1', addressFormats: [], privateKeyTags: [] }

const SUB_ORGANIZATION = {
  subOrganizationName: 'Eve',
  rootQuorumThreshold: 1,
  rootUsers: [
    {
      userName: 'Eve',
      apiKeys: [
        {
          apiKeyName: 'Key',
          publicKey: seededKey('scenario', 'Eve').apiPublicKey,
          curveType: 'API_KEY_CURVE_P256',
        },
      ],
      authenticators: [],
      oauthProviders: [],
    },
  ],
  wallet: { walletName: 'Eve', accounts: [] },
}

/** The generator of P-256 (SEC 2, 2.4.2): a public key that nobody needs the secret of. */
const TARGET =
  '046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296' +
  '4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5'

/** Of type 2 on chain 1: 2 ether to 0x11…11, written by hand (EIP-1559). */
const TWO_ETHER = `02f001808459682f008506fc23ac0082520894${'11'.repeat(20)}881bc16d674ec8000080c0`
