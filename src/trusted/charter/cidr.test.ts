import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readNetwork } from './cidr.ts'
import { isAddressAllowed } from './ip-allowlist.ts'

const canonical: readonly (readonly [string, string])[] = [
  ['192.0.2.77/24', '192.0.2.0/24'],
  ['192.0.2.1/32', '192.0.2.1/32'],
  ['198.51.111.255/20', '198.51.96.0/20'],
  ['255.255.255.255/31', '255.255.255.254/31'],
  ['2001:DB8:0:0:0:0:0:1/48', '2001:db8::/48'],
  ['2001:db8:1:2:3:4:5:6/64', '2001:db8:1:2::/64'],
  ['2001:db8::1/128', '2001:db8::1/128'],
  ['2001:db8:0:1:0:0:0:1/127', '2001:db8:0:1::/127'],
  ['::1/128', '::1/128'],
  ['2001:db8::192.0.2.1/128', '2001:db8::c000:201/128'],
]

for (const [given, cidr] of canonical) {
  test(`${given} is the network ${cidr}`, () => {
    assert.equal(readNetwork(given).kind, 'network')
    assert.deepEqual(readNetwork(given), { kind: 'network', family: cidr.includes(':') ? 6 : 4, cidr })
  })
}

const refused: readonly (readonly [string, RegExp])[] = [
  ['192.0.2.0/33', /longer than 32 bits/],
  ['2001:db8::/129', /longer than 128 bits/],
  ['10.0.0.0/19', /too wide: .*\/20/],
  ['0.0.0.0/0', /too wide/],
  ['2001:db8::/47', /too wide: .*\/48/],
  ['::/0', /too wide/],
  ['::ffff:192.0.2.0/120', /write it as IPv4/],
  ['::ffff:0:0/96', /write it as IPv4/],
  ...[
    '',
    '/',
    '192.0.2.1',
    '192.0.2.0/',
    '192.0.2.0/024',
    '192.0.2.0/24/8',
    '192.0.2.0/-1',
    '192.0.2.0/2e1',
    '192.0.2.0/ 24',
    ' 192.0.2.0/24',
    '192.0.2/24',
    '192.0.2.256/24',
    '192.0.02.0/24',
    '0xc0000200/24',
    'fe80::1%eth0/64',
    '[2001:db8::1]/64',
    '2001:db8:::1/64',
    'localhost/24',
  ].map((given) => [given, /is not a network in CIDR notation/] as const),
]

for (const [given, because] of refused) {
  test(`${JSON.stringify(given)} is no network that is taken`, () => {
    const network = readNetwork(given)
    assert.ok(network.kind === 'refused')
    assert.match(network.because, because)
  })
}

const group = fc.integer({ min: 0, max: 0xffff })
const ipv4 = fc
  .tuple(...Array.from({ length: 4 }, () => fc.integer({ min: 0, max: 255 })))
  .map((n) => n.join('.'))
const ipv6 = fc
  .tuple(
    fc.integer({ min: 1, max: 0xffff }),
    ...Array.from({ length: 7 }, () => fc.oneof(group, fc.constant(0))),
  )
  .map((groups) => groups.map((item) => item.toString(16)).join(':'))
const cidr = fc.oneof(
  fc.tuple(ipv4, fc.integer({ min: 20, max: 32 })),
  fc.tuple(ipv6, fc.integer({ min: 48, max: 128 })),
)

test('the canonical name of a network names itself, and the network holds the address it was made from', () => {
  fc.assert(
    fc.property(cidr, ([address, prefix]) => {
      const network = readNetwork(`${address}/${prefix}`)
      assert.ok(network.kind === 'network')
      assert.deepEqual(readNetwork(network.cidr), network)
      const ipAllowlists = [
        { enabled: true, onEvaluationError: 'DENY' as const, rules: [{ cidr: network.cidr, createdAt: 0 }] },
      ]
      assert.ok(isAddressAllowed({ ipAllowlists }, undefined, address))
      assert.equal(isAddressAllowed({ ipAllowlists }, undefined, '192.0.2.300'), false)
    }),
  )
})

test('a network holds addresses of its own family, and not those whose bits are the same in the other', () => {
  const isHeld = (cidr: string, address: string): boolean =>
    isAddressAllowed(
      { ipAllowlists: [{ enabled: true, onEvaluationError: 'DENY', rules: [{ cidr, createdAt: 0 }] }] },
      undefined,
      address,
    )
  assert.ok(isHeld('::/64', '::192.0.2.1'))
  assert.ok(!isHeld('::/64', '192.0.2.1'))
  assert.ok(isHeld('0.0.32.0/20', '0.0.32.1'))
  assert.ok(!isHeld('0.0.32.0/20', '::2001'))
})

test('any text is a network or is refused', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-f:.%/]{0,40}$/)), (text) => {
      assert.ok(['network', 'refused'].includes(readNetwork(text).kind))
    }),
    { numRuns: 1000 },
  )
})
