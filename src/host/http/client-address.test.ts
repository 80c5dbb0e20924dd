import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { clientAddressOf } from './client-address.ts'
import { isAddressRange, trustedProxies } from './trusted-proxies.ts'

function seen(
  socketAddress: string,
  forwarded: readonly string[],
  trusted: readonly string[] = ['10.0.0.0/8', 'fd00::/8', '192.0.2.7'],
): string {
  const headersDistinct = forwarded.length === 0 ? {} : { 'x-forwarded-for': [...forwarded] }
  return clientAddressOf(
    { socket: { remoteAddress: socketAddress }, headersDistinct },
    trustedProxies(trusted),
  )
}

test('what a stranger writes into X-Forwarded-For is not looked at', () => {
  assert.equal(seen('203.0.113.9', ['198.51.100.1']), '203.0.113.9')
  assert.equal(seen('203.0.113.9', ['10.0.0.1, 198.51.100.1']), '203.0.113.9')
  assert.equal(seen('10.0.0.1', ['198.51.100.1'], []), '10.0.0.1')
})

test('behind trusted proxies it is the last address that is none of theirs, whatever was written before it', () => {
  assert.equal(seen('10.0.0.1', ['198.51.100.1']), '198.51.100.1')
  assert.equal(seen('10.0.0.1', ['198.51.100.1, 10.1.1.1 ,192.0.2.7']), '198.51.100.1')
  assert.equal(seen('10.0.0.1', ['1.1.1.1, 10.0.0.5, 198.51.100.1, 10.1.1.1']), '198.51.100.1')
  assert.equal(seen('10.0.0.1', ['10.0.0.2, 10.0.0.3']), '10.0.0.2')
  assert.equal(seen('10.0.0.1', []), '10.0.0.1')
})

test('a header that was sent twice is read as one that goes on', () => {
  assert.equal(seen('10.0.0.1', ['1.1.1.1', '198.51.100.1']), '198.51.100.1')
  assert.equal(seen('10.0.0.1', ['198.51.100.1', '10.0.0.9']), '198.51.100.1')
})

test('an IPv4 address in its IPv6 form is that address, at the socket and in the header', () => {
  assert.equal(seen('::ffff:10.0.0.1', ['::ffff:198.51.100.1']), '198.51.100.1')
  assert.equal(seen('::ffff:a00:1', ['198.51.100.1']), '198.51.100.1')
  assert.equal(seen('::ffff:203.0.113.9', ['198.51.100.1']), '203.0.113.9')
})

test('IPv6 addresses and proxies are read like IPv4 ones', () => {
  assert.equal(seen('fd00::1', ['2001:db8::5, fd00:0:0::2']), '2001:db8::5')
  assert.equal(seen('2001:db8::1', ['2001:db8::5']), '2001:db8::1')
})

test('a port that a proxy writes is no part of the address', () => {
  assert.equal(seen('10.0.0.1', ['198.51.100.1:50123']), '198.51.100.1')
  assert.equal(seen('10.0.0.1', ['[2001:db8::5]:50123, [fd00::1]']), '2001:db8::5')
})

test('junk behind a trusted proxy stays junk, which is no address, and never becomes one further left', () => {
  for (const junk of ['unknown', '1.2.3', '_hidden', '198.51.100.1;x', '1.1.1.1:', '[]', 'fe80::1%eth0%'])
    assert.equal(seen('10.0.0.1', [`198.51.100.1, ${junk}`]), junk)
  assert.equal(seen('10.0.0.1', ['198.51.100.1, , ']), '198.51.100.1')
  assert.equal(seen('', ['198.51.100.1']), '')
})

test('whatever the header holds, a socket that is not trusted decides alone', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 4 }), (forwarded) => {
      assert.equal(seen('203.0.113.9', forwarded), '203.0.113.9')
    }),
  )
})

test('an address range is an address or a block; one of everything is refused', () => {
  for (const good of ['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8', '192.0.2.7/32', '2001:db8::/128'])
    assert.equal(isAddressRange(good), true, good)
  for (const bad of [
    '',
    '10.0.0.0/0',
    '::/0',
    '10.0.0/8',
    '10.0.0.0/33',
    'fd00::/129',
    '10.0.0.0/8/8',
    'proxy',
    '10.0.0.0/',
    'fe80::1%eth0',
    '10.0.0.0/08',
  ])
    assert.equal(isAddressRange(bad), false, bad)
})
