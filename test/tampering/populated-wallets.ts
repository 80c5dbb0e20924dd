import { encryptSecretToBundle } from '@turnkey/crypto'
import { transfer } from '../limits/spending.ts'
import type { Service } from './harness.ts'
import { done, type Person, submission } from './populated.ts'

/** A wallet that is spent from under a limit, the interface of a contract, and a secret. */
export type PopulatedWallets = {
  readonly walletId: string
  readonly accountAddress: string
  readonly interfaceId: string
  /** May spend 40 more of the 100 that the limit allows. */
  readonly spender: Person
}

const CONTRACT = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const ABI =
  '[{"type":"function","name":"transfer","inputs":[{"name":"to","type":"address"},{"name":"amount","type":"uint256"}]}]'
const encryptionSuite = 'TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1'

export async function populateWallets(
  service: Service,
  root: Person,
  spender: Person,
): Promise<PopulatedWallets> {
  const account = {
    curve: 'CURVE_SECP256K1',
    pathFormat: 'PATH_FORMAT_BIP32',
    path: "m/44'/60'/0'/0/0",
    addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
  }
  const { walletId, addresses } = await done(service, root, 'CREATE_WALLET', {
    walletName: 'Spending',
    accounts: [account],
  })
  const { smartContractInterfaceId: interfaceId } = await done(
    service,
    root,
    'CREATE_SMART_CONTRACT_INTERFACE',
    {
      smartContractAddress: CONTRACT,
      smartContractInterface: ABI,
      type: 'SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM',
      label: 'Token',
      notes: '',
    },
  )
  await importSecret(service, root)
  await done(service, root, 'CREATE_POLICY_V3', {
    policyName: 'Spends',
    effect: 'EFFECT_ALLOW',
    condition: 'eth.tx.chain_id == 1',
    consensus: `approvers.any(user, user.id == '${spender.userId}')`,
    notes: '',
  })
  await done(service, root, 'CREATE_POLICY_V3', {
    policyName: 'Not more than 100',
    effect: 'EFFECT_DENY',
    condition: "usage.sum(eth.tx.value, '24h', wallet_account.address) > 100",
    notes: '',
  })
  const accountAddress: string = addresses[0]
  const sent = await service.send(
    submission(service.world, spender, ...spendingFrom(accountAddress, transfer(60n, 1))),
  )
  if (sent.status !== 200) throw new Error(sent.text, { cause: sent.bug })
  return { walletId, accountAddress, interfaceId, spender }
}

async function importSecret(service: Service, root: Person): Promise<void> {
  const begun = { encryptionSuite, numSecrets: 1 }
  const { enclaveTargetMessages } = await done(service, root, 'INIT_IMPORT_SECRETS', begun)
  const [ingressTargetBundle] = enclaveTargetMessages
  const encrypted = await encryptSecretToBundle({
    plaintext: 'correct horse battery staple',
    ingressTargetBundle,
    organizationId: root.organizationId,
    dangerouslyOverrideSignerPublicKey: JSON.parse(ingressTargetBundle).enclaveQuorumPublic,
  })
  await done(service, root, 'IMPORT_SECRETS', { secrets: [{ ...encrypted, encryptionSuite }] })
}

/** Type and parameters of the activity that signs a transaction. */
export function spendingFrom(signWith: string, unsignedTransaction: string): readonly [string, object] {
  return ['SIGN_TRANSACTION_V2', { signWith, type: 'TRANSACTION_TYPE_ETHEREUM', unsignedTransaction }]
}

/** A call of the contract that moves 5 of its tokens, and nothing else. */
export function tokenCall(nonce: number): string {
  const to = '70997970c51812dc3a010c7d01b50e0d17dc79c8'.padStart(64, '0')
  return transfer(0n, nonce, { to: CONTRACT, data: `0xa9059cbb${to}${'5'.padStart(64, '0')}` })
}
