import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Setting } from '../setting.ts'

const HERE = [
  { cidr: '127.0.0.1/20', label: 'This machine' },
  { cidr: '::1/48', label: 'This machine' },
]
const ELSEWHERE = [{ cidr: '192.0.2.0/24', label: 'Elsewhere' }]

export function ipAllowlistFlows({ root, user }: Setting): void {
  test('a list of addresses shuts out a key that comes from elsewhere, and nobody once it is gone', async () => {
    const { organizationId } = root
    const traveller = await user(root, 'Traveller')
    const { publicKey } = traveller
    await root.client.setIpAllowlist(
      root.activity('ACTIVITY_TYPE_SET_IP_ALLOWLIST', { enabled: true, rules: HERE }),
    )
    const { allowlist } = await root.client.getIpAllowlist({ organizationId })
    assert.equal(allowlist.enabled, true)
    assert.deepEqual(
      allowlist.rules.map(({ cidr, label }) => [cidr, label]),
      [
        ['127.0.0.0/20', 'This machine'],
        ['::/48', 'This machine'],
      ],
    )
    assert.match(String(allowlist.rules[0]?.createdAt), /^\d{13}$/)
    await traveller.client.getWhoami({ organizationId })

    await root.client.setIpAllowlist(
      root.activity('ACTIVITY_TYPE_SET_IP_ALLOWLIST', { publicKey, enabled: true, rules: ELSEWHERE }),
    )
    const own = await root.client.getIpAllowlist({ organizationId, publicKey })
    assert.deepEqual([own.allowlist.publicKey, own.allowlist.rules[0]?.cidr], [publicKey, '192.0.2.0/24'])
    await assert.rejects(
      traveller.client.getWhoami({ organizationId }),
      /^TurnkeyRequestError: Turnkey error \d+: /,
    )

    await root.client.removeIpAllowlist(root.activity('ACTIVITY_TYPE_REMOVE_IP_ALLOWLIST', { publicKey }))
    await traveller.client.getWhoami({ organizationId })
    await root.client.removeIpAllowlist(root.activity('ACTIVITY_TYPE_REMOVE_IP_ALLOWLIST', {}))
    assert.deepEqual((await root.client.getIpAllowlist({ organizationId })).allowlist.rules, [])
  })

  test('a rule that is none is named by its place and its text', async () => {
    await assert.rejects(
      root.client.setIpAllowlist(
        root.activity('ACTIVITY_TYPE_SET_IP_ALLOWLIST', { rules: [...HERE, { cidr: '10.0.0.0/8' }] }),
      ),
      { code: 3, message: /^Turnkey error 3: .*2.*10\.0\.0\.0\/8/ },
    )
  })
}
