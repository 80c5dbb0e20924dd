import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createSiweMessage } from 'viem/siwe'
import {
  anEthereumWallet,
  aSessionKey,
  aSolanaWallet,
  signInMessage,
} from '../../../../test/support/sign-in.ts'
import { testWorld } from '../../../../test/support/service.ts'
import { Failure } from '../../base/failure.ts'
import { readSignInMessage, signInMessageInvalid } from './sign-in-message.ts'

const world = testWorld(7)
const wallet = anEthereumWallet(world)
const { publicKey } = aSessionKey(world)
const now = world.now()

const resources = ['urn:turnkey:wallet-protocol:siwe', `urn:turnkey:session-key:${publicKey}`]
const parts = {
  address: wallet.address as `0x${string}`, // as viem makes it
  chainId: 8453,
  domain: 'app.example.com:8443',
  nonce: publicKey,
  uri: 'https://app.example.com:8443/login?next=%2F',
  version: '1',
  issuedAt: new Date(now),
  resources,
} as const

test('a message that viem writes is read, with a statement and without, with every optional line and with none', () => {
  const read = {
    type: 'WALLET_AUTHENTICATOR_TYPE_ETHEREUM',
    domain: 'app.example.com:8443',
    address: wallet.address,
    origin: 'https://app.example.com:8443',
    sessionKey: publicKey,
    issuedAt: now,
    notBefore: now,
    expiresAt: now + 3_600_000,
  }
  assert.deepEqual(readSignInMessage(createSiweMessage(parts)), read)
  const full = {
    ...parts,
    statement: 'Sign in to Example.',
    expirationTime: new Date(now + 60_000),
    notBefore: new Date(now + 1),
    requestId: '4711',
  }
  assert.deepEqual(readSignInMessage(createSiweMessage(full)), {
    ...read,
    notBefore: now + 1,
    expiresAt: now + 60_000,
  })
})

test('a message of Solana is read, with a statement and without', () => {
  const solana = aSolanaWallet(world)
  const message = signInMessage(solana, publicKey, now)
  const { type, address } = readSignInMessage(message)
  assert.deepEqual([type, address], [solana.type, solana.address])
  const without = message.replace('Authorize this key for wallet authentication.\n\n', '')
  assert.equal(readSignInMessage(without).address, solana.address)
})

test('what could be read in two ways is read in none', () => {
  const good = signInMessage(wallet, publicKey, now)
  const wrong = [
    '',
    `${good}\n`,
    `\n${good}`,
    good.replaceAll('\n', '\r\n'),
    good.replace('Authorize', 'Authorisé'),
    good.replace('key for', 'key\tfor'),
    good.replace('Version: 1', 'Version: 2'),
    good.replace('Version: 1\n', ''),
    good.replace('Version: 1', 'Version: 1\nVersion: 1'),
    good.replace('URI: https://app.example.com/login\n', ''),
    good.replace('Nonce: ', 'Nonce:  '),
    good.replace('Chain ID: 1\nNonce', 'Nonce'),
    good.replace('Z\nExpiration', '+02:00\nExpiration'),
    good.replace('Authorize', '\nURI: https://evil.example\nAuthorize'),
    good.replace('wants you', 'wants  you'),
    good.replace(/^app/, 'https://app'),
    good.replace(/^app/, 'App'),
    good.replace(/^app/, 'user@app'),
    good.replaceAll('app.example.com', 'app.example.com:443'),
    good.replace('https://app', 'https://user@app'),
    good.replace('https://app.example.com', 'https://evil.example'),
    good.replace('https://app.example.com', 'ftp://app.example.com'),
    good.replace('https://app.example.com', 'https://app.example.com.evil.example'),
    good.replace('Resources:', 'Request ID: 1\nNot Before: 2026-11-21T00:00:00Z\nResources:'),
    good.split('\n').slice(0, -1).join('\n'),
    good.split('\n').slice(0, 5).join('\n'),
    good.replace('Authorize this key for wallet authentication.\n', 'two\nlines\n'),
  ]
  for (const text of wrong) assert.throws(() => readSignInMessage(text), isInvalid, JSON.stringify(text))
  assert.ok(readSignInMessage(good))
})

test('any text is read, or refused as no message', () => {
  const lines = signInMessage(wallet, publicKey, now).split('\n')
  const line = fc.oneof(fc.constantFrom(...lines, ''), fc.string())
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), (some) => {
      readOrRefused(some.join('\n'))
    }),
  )
})

test('a message with one character changed is refused, or says something else, but for statement, page and number of chain', () => {
  const good = signInMessage(wallet, publicKey, now)
  const read = readSignInMessage(good)
  const free = ['Authorize', 'URI: ', 'Chain ID: ']
  fc.assert(
    fc.property(fc.nat({ max: good.length - 1 }), fc.string({ minLength: 1, maxLength: 1 }), (at, other) => {
      const changed = good.slice(0, at) + other + good.slice(at + 1)
      const line = good.split('\n')[good.slice(0, at).split('\n').length - 1] ?? ''
      if (changed === good || free.some((start) => line.startsWith(start))) return
      assert.notDeepEqual(readOrRefused(changed), read)
    }),
  )
})

function readOrRefused(text: string): unknown {
  try {
    return readSignInMessage(text)
  } catch (error) {
    assert.ok(isInvalid(error))
    return undefined
  }
}

function isInvalid(error: unknown): boolean {
  return error instanceof Failure && error.kind === signInMessageInvalid.kind
}
