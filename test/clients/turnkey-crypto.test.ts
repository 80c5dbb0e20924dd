import assert from 'node:assert/strict'
import { createECDH, generateKeyPairSync, hash, sign } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import * as published from '@turnkey/crypto'
import { buildSync } from 'esbuild'
import { projectFolder, temporaryFolder } from '../support/running-service.ts'

// The package for bundlers, bundled for Node, with keys of this test in the place of those of a service.
const session = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const { x, y } = session.publicKey.export({ format: 'jwk' })
const hex = (text = '') => Buffer.from(text, 'base64url').toString('hex')
const other = createECDH('prime256v1').generateKeys('hex')
// A point that is on no curve: nothing is encrypted to it.
const none = `04${'ab'.repeat(64)}`
const crypto = await bundled({ signer: other, session: `04${hex(x)}${hex(y)}`, otp: other, oauth2: none })

/** What a page may hand over for a key that it does not have. */
const UNSET = [undefined, null, ''] as const

test('a page that sets no key trusts the keys of its service, however it sets none', async () => {
  const token = sessionToken()
  for (const key of UNSET) {
    assert.equal(await crypto.verifySessionJwtSignature(token, key), true, String(key))
    await assert.rejects(async () => await crypto.encryptOauth2ClientSecret('secret', key))
    const importBundle = JSON.stringify({
      version: 'v1.0.0',
      data: '00',
      dataSignature: '00',
      enclaveQuorumPublic: published.PRODUCTION_SIGNER_SIGN_PUBLIC_KEY,
    })
    const asked = { mnemonic: 'm', importBundle, userId: 'u', organizationId: 'o' }
    await assert.rejects(
      crypto.encryptWalletToBundle({ ...asked, dangerouslyOverrideSignerPublicKey: key }),
      /does not match signer key from bundle/,
    )
  }
})

type Unset = (typeof UNSET)[number]
type Crypto = {
  readonly verifySessionJwtSignature: (token: string, key: Unset) => Promise<boolean>
  readonly encryptOauth2ClientSecret: (secret: string, key: Unset) => Promise<string>
  readonly encryptWalletToBundle: (asked: {
    readonly mnemonic: string
    readonly importBundle: string
    readonly userId: string
    readonly organizationId: string
    readonly dangerouslyOverrideSignerPublicKey: Unset
  }) => Promise<string>
}

/** As the published client reads one: the signature is over the digest of what stands before it. */
function sessionToken(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: 'ES256', typ: 'JWT' })}.${part({ exp: 1 })}`
  const key = { key: session.privateKey, dsaEncoding: 'ieee-p1363' } as const
  return `${signed}.${sign('sha256', hash('sha256', signed, 'buffer'), key).toString('base64url')}`
}

async function bundled(keys: object): Promise<Crypto> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'claviger-keys.json'), JSON.stringify(keys))
  const outfile = join(folder, 'crypto.cjs')
  buildSync({
    entryPoints: [join(projectFolder, 'packages/turnkey-crypto/src/crypto.js')],
    alias: {
      'published-turnkey-crypto': join(projectFolder, 'node_modules/@turnkey/crypto'),
      'claviger-service-keys': join(folder, 'claviger-keys.json'),
    },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    outfile,
  })
  // The functions of the published package, with a second parameter that the test leaves unset.
  return (await import(pathToFileURL(outfile).href)) as Crypto
}
