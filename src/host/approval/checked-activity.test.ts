import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stampKeyFrom, stampWith } from '../../../test/support/stamper.ts'
import { fromBase64url, fromUtf8, utf8 } from '../../trusted/base/bytes.ts'
import { seededBytes } from '../emulator/seeded-bytes.ts'
import { checkActivity } from './checked-activity.ts'
import { fingerprintOf } from './fingerprint.ts'

const ORGANIZATION = '01a20624-4d98-7f52-9b93-2f0e3bb78907'
const key = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', seededBytes('7'))

/** An activity as an honest host shows it. */
function shownHonestly() {
  const request = {
    type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
    timestampMs: '1795399321795',
    organizationId: ORGANIZATION,
    parameters: { userTagName: 'Treasury', userIds: [] },
  }
  const message = JSON.stringify(request)
  const header = fromBase64url(stampWith(key, utf8(message)).stampHeaderValue) ?? new Uint8Array()
  const { publicKey, signature, scheme } = JSON.parse(fromUtf8(header) ?? '')
  const { type, timestampMs, organizationId } = request
  return {
    type,
    timestampMs,
    organizationId,
    fingerprint: fingerprintOf(utf8(message)).text,
    votes: [{ message, publicKey, signature, scheme }],
  }
}

test('an activity that says of its bytes what they are is not refused', async () => {
  const checked = await checkActivity(shownHonestly(), ORGANIZATION)
  assert.deepEqual([checked?.refusals, checked?.stamp.kind], [[], 'verified'])
})

const lies: readonly [name: string, lie: object, refusal: RegExp][] = [
  [
    'another fingerprint',
    { fingerprint: `sha256:${'0'.repeat(64)}` },
    /names another .* leaves out the token or the code/,
  ],
  ['no fingerprint', { fingerprint: undefined }, /names another fingerprint than/],
  ['another type', { type: 'ACTIVITY_TYPE_DELETE_USER_TAGS' }, /names another type of activity than/],
  ['another time', { timestampMs: '1795399321796' }, /names another time than/],
  [
    'another organization',
    { organizationId: ORGANIZATION.replace('0', '1') },
    /for another organization than/,
  ],
]

for (const [name, lie, refusal] of lies)
  test(`a host that names ${name} is refused for just that`, async () => {
    const checked = await checkActivity({ ...shownHonestly(), ...lie }, ORGANIZATION)
    assert.equal(checked?.refusals.length, 1)
    assert.match(checked?.refusals[0] ?? '', refusal)
  })

test('bytes that another request was stamped over are refused for their stamp', async () => {
  const honest = shownHonestly()
  const [vote] = honest.votes
  const message = vote?.message.replace('Treasury', 'Everyone') ?? ''
  const shown = { ...honest, fingerprint: fingerprintOf(utf8(message)).text, votes: [{ ...vote, message }] }
  const checked = await checkActivity(shown, ORGANIZATION)
  assert.deepEqual(checked?.refusals, ['The stamp of the person who asked is not over these bytes.'])
})

test('a request of another organization than the one in which one votes is refused, whatever the host names', async () => {
  const own = ORGANIZATION.replace('0', '1')
  for (const organizationId of [ORGANIZATION, own]) {
    const checked = await checkActivity({ ...shownHonestly(), organizationId }, own)
    assert.deepEqual(checked?.refusals, [
      'The request is for another organization than the one in which you vote.',
    ])
  }
})
