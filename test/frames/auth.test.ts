import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { verifyStampSignature } from '@turnkey/crypto'
import { generateP256Secret, p256PublicKeyOf } from '../../src/trusted/crypto/p256.ts'
import { credential } from './bundles.ts'
import { pageWhereThereIsChromium, withPage } from './embedding-page.ts'

const page = pageWhereThereIsChromium()
const BODY = JSON.stringify({ organizationId: 'ö', type: 'ACTIVITY_TYPE_CREATE_WALLET' })

type Stamp = { readonly stampHeaderName: string; readonly stampHeaderValue: string }

withPage('a credential stamps requests, and its stamp is that of its key', page, async ({ embed, ask }) => {
  const scalar = generateP256Secret(randomBytes)
  const bundle = credential(scalar, await embed('auth'))
  for (const time of ['first', 'second']) {
    assert.equal(await ask('injectCredentialBundle', bundle), true, time)
    const { stampHeaderName, stampHeaderValue } = await ask<Stamp>('stamp', BODY)
    assert.equal(stampHeaderName, 'X-Stamp')
    const { publicKey, scheme, signature } = JSON.parse(
      Buffer.from(stampHeaderValue, 'base64url').toString(),
    ) as Readonly<Record<string, string>> // every stamp is an object of texts
    assert.equal(scheme, 'SIGNATURE_SCHEME_TK_API_P256')
    assert.equal(publicKey, p256PublicKeyOf(scalar))
    assert.ok(await verifyStampSignature(publicKey ?? '', signature ?? '', BODY))
  }
})

withPage('a recovery bundle is a credential too', page, async ({ embed, ask, send }) => {
  const value = credential(generateP256Secret(randomBytes), await embed('auth'))
  assert.deepEqual(await send({ type: 'INJECT_RECOVERY_BUNDLE', value }), ['BUNDLE_INJECTED', true])
  await ask('stamp', BODY)
})

withPage('the embedded key outlives the page, and no page but the frame can use it', page, async (world) => {
  const publicKey = await world.embed('auth')
  assert.equal(await world.embed('auth'), publicKey, 'the same key after the frame is loaded anew')
  assert.equal(await world.ask('getEmbeddedPublicKey'), publicKey)
  const stored = await world.frame().evaluate(async () => {
    const opening = indexedDB.open('claviger-frames')
    await new Promise((resolve) => (opening.onsuccess = resolve))
    const reading = opening.result.transaction('embedded-keys').objectStore('embedded-keys').getAll()
    await new Promise((resolve) => (reading.onsuccess = resolve))
    // Every entry is a key as the frame stores it.
    const [entry] = reading.result as { readonly privateKey: CryptoKey }[]
    const privateKey = entry?.privateKey
    const format = privateKey === undefined ? undefined : crypto.subtle.exportKey('jwk', privateKey)
    return {
      isExtractable: privateKey?.extractable,
      exported: await format?.catch((error: Error) => error.name),
    }
  })
  assert.deepEqual(stored, { isExtractable: false, exported: 'InvalidAccessError' })
})

withPage('a reset takes the embedded key and the credential away', page, async ({ embed, ask }) => {
  const publicKey = await embed('auth')
  const bundle = credential(generateP256Secret(randomBytes), publicKey)
  await ask('injectCredentialBundle', bundle)
  assert.equal(await ask('clearEmbeddedKey'), null)
  assert.equal(await ask('getEmbeddedPublicKey'), '')
  await assert.rejects(ask('stamp', BODY), /this frame holds no credential/)
  await assert.rejects(ask('injectCredentialBundle', bundle), /this frame has no embedded key/)
  const next = await ask('initEmbeddedKey')
  assert.notEqual(next, publicKey)
  assert.equal(await ask('initEmbeddedKey'), next, 'a key that is there is kept')
  await assert.rejects(ask('injectCredentialBundle', bundle), /encrypted to another key/)
})

withPage(
  'the embedded key lives 48 hours, or as long as the page says',
  page,
  async ({ embed, ask, page }) => {
    const { clock } = page.page
    const start = new Date('2026-11-22T12:00:00Z').getTime()
    const at = (hours: number) => clock.setFixedTime(start + hours * 3_600_000)
    await at(0)
    await embed('auth')
    await ask('clearEmbeddedKey')
    const first = await ask('initEmbeddedKey')
    await at(47.9)
    assert.equal(await embed('auth'), first)
    await at(48)
    assert.equal(await ask('getEmbeddedPublicKey'), '', 'also while the frame is open')
    const second = await embed('auth', 1_000)
    assert.notEqual(second, first)
    await at(48.1)
    const third = await embed('auth', 10 * 365 * 24 * 3_600_000)
    assert.notEqual(third, second)
    await at(48.1 + 30 * 24 - 0.1)
    assert.equal(await embed('auth', 3_600_000), third, 'no key lives longer than 30 days')
    await at(48.1 + 30 * 24)
    assert.notEqual(await embed('auth'), third)
  },
)

withPage('a page can shorten the life of a key that is there', page, async ({ embed, ask, page }) => {
  const { clock } = page.page
  await clock.setFixedTime('2027-03-01T00:00:00Z')
  const publicKey = await embed('auth')
  assert.equal(await embed('auth', 60_000), publicKey)
  await clock.setFixedTime('2027-03-01T00:01:00Z')
  assert.equal(await ask('getEmbeddedPublicKey'), '')
})

// What the scripts of these last three take away stays away in this file.

withPage(
  'with storage that takes no key it lives as long as the frame',
  page,
  async ({ embed, ask, page }) => {
    await page.page.addInitScript(() => {
      if (location.pathname === '/auth/')
        IDBObjectStore.prototype.put = () => {
          throw new DOMException('no keys here', 'DataCloneError')
        }
    })
    const publicKey = await embed('auth')
    await ask('injectCredentialBundle', credential(generateP256Secret(randomBytes), publicKey))
  },
)

withPage('without storage the key lives as long as the frame', page, async ({ embed, ask, page }) => {
  await page.page.addInitScript(() => {
    if (location.pathname === '/auth/')
      indexedDB.open = () => {
        throw new DOMException('no storage', 'SecurityError')
      }
  })
  const publicKey = await embed('auth')
  await ask('injectCredentialBundle', credential(generateP256Secret(randomBytes), publicKey))
  assert.notEqual(await embed('auth'), publicKey)
})

withPage('a frame that cannot make a key answers what it is asked', page, async ({ framesOrigin, page }) => {
  await page.page.addInitScript(() => {
    if (location.pathname === '/auth/')
      Object.defineProperty(Crypto.prototype, 'subtle', { get: () => undefined })
  })
  const asked = { type: 'GET_EMBEDDED_PUBLIC_KEY' }
  assert.deepEqual(await page.call('openAnd', `${framesOrigin}/auth/`, asked), [
    ['ERROR', null],
    ['ERROR', 'first'],
  ])
})
