import { transfer } from '../limits/spending.ts'
import { testWorld } from '../support/service.ts'
import { sentBy, type Sent } from './harness.ts'
import { spendingFrom, tokenCall } from './populated-wallets.ts'
import { type Person, type Populated, signing, submission } from './populated.ts'

export type Probe = {
  readonly name: string
  readonly sent: Sent
  /**
   * `list`: it may leave out what it can no longer find. `replay`: where the record cannot be found, the same bytes are
   * decided as new ones. `name`: it asks for a name that is taken, which an attacker frees by removing the claim.
   */
  readonly kind: 'one' | 'list' | 'replay' | 'name'
}

export const BEYOND = 'more is spent than the limit has left'

/** What is done with everything that is stored: looking at it, sending it again, signing with it, voting on it. */
export function probesOf(populated: Populated, at: number): readonly Probe[] {
  const { root, other, sub, ada, ben, stranger, wallets } = populated
  const { walletId, accountAddress, spender } = wallets
  const world = testWorld(2, at)
  const query = (by: Person, operation: string, body: object = {}): Sent =>
    sentBy(by.key, `query/${operation}`, { organizationId: by.organizationId, ...body })
  const item = (name: string, sent: Sent): Probe => ({ name, sent, kind: 'one' })
  const list = (name: string, sent: Sent): Probe => ({ name, sent, kind: 'list' })
  const replay = (name: string, sent: Sent): Probe => ({ name, sent, kind: 'replay' })
  const key = { curve: 'CURVE_SECP256K1', privateKeyTags: [], addressFormats: [] }
  const vote = (by: Person, type: string, fingerprint: string): Sent =>
    submission(world, by, type, { fingerprint })
  const all = { paginationOptions: { limit: '100' } }
  const inSub = { organizationId: sub.organizationId }
  return [
    item('who am I', query(root, 'whoami')),
    item('who am I, found from the parent', query(sub, 'whoami', { organizationId: root.organizationId })),
    list('users', query(root, 'list_users')),
    list('policies', query(root, 'list_policies')),
    list('key tags', query(root, 'list_private_key_tags')),
    list('keys', query(root, 'list_private_keys')),
    list('keys of the sub-organization', query(sub, 'list_private_keys')),
    list('keys of the sub-organization, asked by the parent', query(root, 'list_private_keys', inSub)),
    item('key', query(root, 'get_private_key', { privateKeyId: populated.keyId })),
    item('key of another', query(root, 'get_private_key', { privateKeyId: populated.otherKeyId })),
    list('wallets', query(root, 'list_wallets')),
    item('wallet', query(root, 'get_wallet', { walletId })),
    item('wallet, asked by another', query(other, 'get_wallet', { walletId })),
    list('accounts', query(root, 'list_wallet_accounts', { walletId })),
    list('accounts of the other', query(other, 'list_wallet_accounts')),
    item('account', query(root, 'get_wallet_account', { walletId, address: accountAddress })),
    list('interfaces', query(root, 'list_smart_contract_interfaces')),
    item(
      'interface',
      query(root, 'get_smart_contract_interface', { smartContractInterfaceId: wallets.interfaceId }),
    ),
    list('secrets', query(root, 'list_secrets')),
    list('sub-organizations', query(root, 'list_suborgs')),
    list(
      'sub-organizations of a name',
      query(root, 'list_suborgs', { filterType: 'NAME', filterValue: 'Sub' }),
    ),
    list('sub-organizations of another', query(other, 'list_suborgs')),
    item('activity', query(root, 'get_activity', { activityId: populated.signedId })),
    item('activity, asked by another', query(other, 'get_activity', { activityId: populated.signedId })),
    list('activities', query(root, 'list_activities', all)),
    list('activities of the other', query(other, 'list_activities', all)),
    list(
      'activities that wait',
      query(root, 'list_activities', { ...all, filterByStatus: ['ACTIVITY_STATUS_CONSENSUS_NEEDED'] }),
    ),
    replay('signed, again', populated.signed),
    replay('refused, again', populated.refused),
    replay('rejected, again', populated.rejected),
    item('root signs', signing(world, root, populated.keyId, '11')),
    item('root signs by address', signing(world, root, populated.keyAddress, '12')),
    item('root signs with the spare key', signing(world, root, populated.spareKeyId, '13')),
    item('root signs with the key of another', signing(world, root, populated.otherKeyId, '14')),
    item('an account signs', signing(world, root, accountAddress, '15')),
    item(
      'an account signs a call of the contract',
      submission(world, root, ...spendingFrom(accountAddress, tokenCall(7))),
    ),
    item('the other signs with the account', signing(world, other, accountAddress, '15')),
    item('the other signs', signing(world, other, populated.otherKeyId, '15')),
    item('the other signs with the key of the first', signing(world, other, populated.keyId, '16')),
    item('the sub-organization signs', signing(world, sub, populated.subKeyId, '17')),
    item(
      'a root of the parent signs in the sub-organization',
      submission(world, root, 'SIGN_RAW_PAYLOAD_V2', signParameters(populated.subKeyId), sub.organizationId),
    ),
    item('a stranger signs', signing(world, stranger, populated.keyId, '18')),
    item('one of two signs', signing(world, ada, populated.keyId, '19')),
    // A meter that was withheld counts from nothing (SECURITY.md); one that is there is never less than it was.
    {
      name: BEYOND,
      kind: 'one',
      sent: submission(world, spender, ...spendingFrom(accountAddress, transfer(41n, 8))),
    },
    item(
      'the rest of the limit is spent',
      submission(world, spender, ...spendingFrom(accountAddress, transfer(40n, 9))),
    ),
    item('a stranger approves', vote(stranger, 'APPROVE_ACTIVITY', populated.waitingForApproval)),
    item('the other approves', vote(other, 'APPROVE_ACTIVITY', populated.waitingForApproval)),
    item('the proposer approves', vote(ada, 'APPROVE_ACTIVITY', populated.waitingForApproval)),
    item('the second person approves', vote(ben, 'APPROVE_ACTIVITY', populated.waitingForApproval)),
    item('the second person rejects', vote(ben, 'REJECT_ACTIVITY', populated.waitingForRejection)),
    {
      name: 'a name that is taken',
      kind: 'name',
      sent: submission(world, root, 'CREATE_PRIVATE_KEYS_V2', {
        privateKeys: [{ privateKeyName: 'Treasury', ...key }],
      }),
    },
    item(
      'a new key',
      submission(world, root, 'CREATE_PRIVATE_KEYS_V2', {
        privateKeys: [{ privateKeyName: 'New', ...key }],
      }),
    ),
    item('the policy goes', submission(world, root, 'DELETE_POLICY', { policyId: populated.policyId })),
  ]
}

function signParameters(signWith: string) {
  return {
    signWith,
    payload: '10',
    encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
    hashFunction: 'HASH_FUNCTION_SHA256',
  }
}
