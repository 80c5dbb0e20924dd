import { testWorld } from '../support/service.ts'
import { sentBy, type Sent } from './harness.ts'
import { type Person, type Populated, signing, submission } from './populated.ts'

export type Probe = {
  readonly name: string
  readonly sent: Sent
  /**
   * `list`: it may leave out what it can no longer find. `replay`: where the record cannot be found, the same bytes are decided
   * as new ones. `name`: it asks for a name that is taken, which whoever can remove the claim can free.
   */
  readonly kind: 'one' | 'list' | 'replay' | 'name'
}

/** What is done with everything that is stored: looking at it, sending it again, signing with it, voting on it. */
export function probesOf(populated: Populated, at: number): readonly Probe[] {
  const { root, other, sub, ada, ben, stranger } = populated
  const world = testWorld(2, at)
  const query = (by: Person, operation: string, body: object = {}): Sent =>
    sentBy(by.key, `query/${operation}`, { organizationId: by.organizationId, ...body })
  const one = (name: string, sent: Sent): Probe => ({ name, sent, kind: 'one' })
  const list = (name: string, sent: Sent): Probe => ({ name, sent, kind: 'list' })
  const replay = (name: string, sent: Sent): Probe => ({ name, sent, kind: 'replay' })
  const key = { curve: 'CURVE_SECP256K1', privateKeyTags: [], addressFormats: [] }
  const vote = (by: Person, type: string, fingerprint: string): Sent =>
    submission(world, by, type, { fingerprint })
  const all = { paginationOptions: { limit: '100' } }
  const inSub = { organizationId: sub.organizationId }
  return [
    one('who am I', query(root, 'whoami')),
    one('who am I, found from the parent', query(sub, 'whoami', { organizationId: root.organizationId })),
    list('users', query(root, 'list_users')),
    list('policies', query(root, 'list_policies')),
    list('key tags', query(root, 'list_private_key_tags')),
    list('keys', query(root, 'list_private_keys')),
    list('keys of the sub-organization', query(sub, 'list_private_keys')),
    list('keys of the sub-organization, asked by the parent', query(root, 'list_private_keys', inSub)),
    one('key', query(root, 'get_private_key', { privateKeyId: populated.keyId })),
    one('key of another', query(root, 'get_private_key', { privateKeyId: populated.otherKeyId })),
    list('sub-organizations', query(root, 'list_suborgs')),
    list(
      'sub-organizations of a name',
      query(root, 'list_suborgs', { filterType: 'NAME', filterValue: 'Sub' }),
    ),
    list('sub-organizations of another', query(other, 'list_suborgs')),
    one('activity', query(root, 'get_activity', { activityId: populated.signedId })),
    one('activity, asked by another', query(other, 'get_activity', { activityId: populated.signedId })),
    list('activities', query(root, 'list_activities', all)),
    list('activities of the other', query(other, 'list_activities', all)),
    list(
      'activities that wait',
      query(root, 'list_activities', { ...all, filterByStatus: ['ACTIVITY_STATUS_CONSENSUS_NEEDED'] }),
    ),
    replay('signed, again', populated.signed),
    replay('refused, again', populated.refused),
    replay('rejected, again', populated.rejected),
    one('root signs', signing(world, root, populated.keyId, '11')),
    one('root signs by address', signing(world, root, populated.keyAddress, '12')),
    one('root signs with the spare key', signing(world, root, populated.spareKeyId, '13')),
    one('root signs with the key of another', signing(world, root, populated.otherKeyId, '14')),
    one('the other signs', signing(world, other, populated.otherKeyId, '15')),
    one('the other signs with the key of the first', signing(world, other, populated.keyId, '16')),
    one('the sub-organization signs', signing(world, sub, populated.subKeyId, '17')),
    one(
      'a root of the parent signs in the sub-organization',
      submission(world, root, 'SIGN_RAW_PAYLOAD_V2', signParameters(populated.subKeyId), sub.organizationId),
    ),
    one('a stranger signs', signing(world, stranger, populated.keyId, '18')),
    one('one of two signs', signing(world, ada, populated.keyId, '19')),
    one('a stranger approves', vote(stranger, 'APPROVE_ACTIVITY', populated.waitingForApproval)),
    one('the other approves', vote(other, 'APPROVE_ACTIVITY', populated.waitingForApproval)),
    one('the proposer approves', vote(ada, 'APPROVE_ACTIVITY', populated.waitingForApproval)),
    one('the second person approves', vote(ben, 'APPROVE_ACTIVITY', populated.waitingForApproval)),
    one('the second person rejects', vote(ben, 'REJECT_ACTIVITY', populated.waitingForRejection)),
    {
      name: 'a name that is taken',
      kind: 'name',
      sent: submission(world, root, 'CREATE_PRIVATE_KEYS_V2', {
        privateKeys: [{ privateKeyName: 'Treasury', ...key }],
      }),
    },
    one(
      'a new key',
      submission(world, root, 'CREATE_PRIVATE_KEYS_V2', {
        privateKeys: [{ privateKeyName: 'New', ...key }],
      }),
    ),
    one('the policy goes', submission(world, root, 'DELETE_POLICY', { policyId: populated.policyId })),
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
