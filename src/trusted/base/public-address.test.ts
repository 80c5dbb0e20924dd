import assert from 'node:assert/strict'
import { isIP } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { checkTarget, isPublicAddress } from './public-address.ts'

const notPublic = [
  '0.0.0.0',
  '0.255.255.255',
  '10.0.0.0',
  '10.255.255.255',
  '100.64.0.0',
  '100.100.100.200',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.255',
  '168.63.129.16',
  '169.254.0.0',
  '169.254.169.254',
  '169.254.255.255',
  '172.16.0.0',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.0',
  '192.168.255.255',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::8.8.8.8',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.1.2.3',
  '::FFFF:169.254.169.254',
  '0:0:0:0:0:ffff:c0a8:0101',
  '::ffff:0:8.8.8.8',
  '64:ff9b::10.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::8.8.8.8',
  '100::1',
  '2001::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:808:808::1',
  '3fff::1',
  '3fff:fff:ffff::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fdff::1',
  'fe80::1',
  'febf::1',
  'fec0::1',
  'ff02::1',
  'ff0e::1',
  '1fff::1',
  '4000::1',
]

const notAddresses = [
  '',
  'localhost',
  '8.8.8',
  '8.8.8.8.8',
  '08.8.8.8',
  '256.1.1.1',
  '0x8.8.8.8',
  '134744072',
  ' 8.8.8.8',
  '8.8.8.8 ',
  '2606:4700::1%eth0',
  '2606:4700::1::2',
  ':::',
  '2606:4700',
  '2606:4700:1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:8::',
  '[2606:4700::1]',
  '2606:4700::12345',
  '8.8.8.8::',
  '2606:4700:8.8.8.8::1',
  ':1::',
]

const areAllPublic = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '168.63.129.15',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.0.3.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '198.51.99.255',
  '198.51.101.0',
  '203.0.112.255',
  '203.0.114.0',
  '223.255.255.255',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '2000::1',
  '2001:200::1',
  '2001:db7::1',
  '2001:db9::1',
  '2003::1',
  '2606:4700:4700::1111',
  '2a00:1450:4001:80b::200e',
  '3ffe::1',
  '3fff:1000::1',
]

test('an address that is set aside for anything but the public internet is not public', () => {
  for (const address of notPublic) {
    assert.notEqual(isIP(address), 0, `${address} is an address`)
    assert.equal(isPublicAddress(address), false, address)
  }
})

test('what is not an address is not a public one', () => {
  for (const text of notAddresses) assert.equal(isPublicAddress(text), false, text)
})

test('the neighbours of what is set aside are public', () => {
  for (const address of areAllPublic) assert.equal(isPublicAddress(address), true, address)
})

test('an IPv6 address is judged the same in every way it can be written', () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      const short = new URL(`http://[${address}]`).hostname.slice(1, -1)
      assert.equal(isPublicAddress(address), isPublicAddress(short))
      assert.equal(isPublicAddress(address.toUpperCase()), isPublicAddress(short))
    }),
  )
})

test('an IPv4 address within an IPv6 one is judged as itself', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      assert.equal(isPublicAddress(`::ffff:${address}`), isPublicAddress(address))
      assert.equal(isPublicAddress(`64:ff9b::${address}`), isPublicAddress(address))
    }),
  )
})

const refusedTargets = [
  'http://hooks.example.com/',
  'ftp://hooks.example.com/',
  'file:///etc/passwd',
  'hooks.example.com',
  '',
  'https://',
  'https://user@hooks.example.com/',
  'https://:secret@hooks.example.com/',
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0177.0.0.1/',
  'https://127.1/',
  'https://0/',
  'https://１２７.0.0.1/',
  'https://127。0。0。1/',
  'https://127.0.0.1./',
  'https://0xa9fea9fe/',
  'https://169.254.169.254/latest/meta-data',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[fd00:ec2::254]/',
  'https://[64:ff9b::7f00:1]/',
  'https://localhost/',
  'https://LOCALHOST./',
  'https://a.localhost/',
  'https://printer.local/',
  'https://metadata.google.internal/',
  'https://intranet/',
  'https://router.home.arpa/',
  'https://hooks.exam\nple.com/',
  ' https://hooks.example.com/',
  'https://hooks.example.com\\@127.0.0.1/',
  `https://hooks.example.com/${'a'.repeat(2048)}`,
]

test('a URL that is not https at a host that may be public is refused', () => {
  for (const url of refusedTargets)
    assert.equal(checkTarget(url, { allowPrivate: false }).kind, 'refused', JSON.stringify(url))
})

test('a public https URL is a target', () => {
  for (const url of ['https://hooks.example.com/a?b=c', 'https://8.8.8.8:8443/', 'https://[2606:4700::1]/'])
    assert.equal(checkTarget(url, { allowPrivate: false }).kind, 'target', url)
})

test('the development switch allows http and local hosts, and nothing more', () => {
  for (const url of ['http://127.0.0.1:4400/', 'http://localhost/', 'https://10.0.0.1/', 'https://[::1]/'])
    assert.equal(checkTarget(url, { allowPrivate: true }).kind, 'target', url)
  for (const url of ['ftp://127.0.0.1/', 'http://user@127.0.0.1/', 'http://local host/'])
    assert.equal(checkTarget(url, { allowPrivate: true }).kind, 'refused', url)
})

test('reading any text as a target fails cleanly', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => void checkTarget(text, { allowPrivate: false })),
  )
  fc.assert(fc.property(fc.webUrl(), (text) => void checkTarget(text, { allowPrivate: false })))
})
