import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { utf8 } from '../../src/trusted/base/bytes.ts'
import { quorumSigner } from '../../src/trusted/crypto/bundles.ts'
import { generateP256Secret } from '../../src/trusted/crypto/p256.ts'
import { altered, exported, importTarget, ORGANIZATION, resigned, USER } from './bundles.ts'
import { type EmbeddingPage, pageWhereThereIsChromium, withPage } from './embedding-page.ts'

// A page that is allowed to embed the frames, and that was taken over; and bundles that nobody should take.
const page = pageWhereThereIsChromium()
const SECRET = utf8('legal winner thank year wave sausage worth useful legal winner thank yellow')
const OTHER = '33333333-3333-4333-8333-333333333333'
const stranger = quorumSigner(generateP256Secret(randomBytes))

withPage('a bundle for another organization is not opened', page, async (world) => {
  const to = await world.embed('export')
  const elsewhere = exported(SECRET, { to, signer: world.signer, organizationId: OTHER })
  await refused(world, elsewhere, /for another organization/)
  const here = exported(SECRET, { to, signer: world.signer })
  await assert.rejects(world.ask('injectWalletExportBundle', here, OTHER), /for another organization/)
  await assert.rejects(world.ask('injectWalletExportBundle', here, ''), /"organizationId" is missing/)
  await assert.rejects(world.ask('injectWalletExportBundle', here), /"organizationId" is missing/)
  assert.equal(await world.ask('injectWalletExportBundle', here, ORGANIZATION), true)
})

withPage('a bundle that this service has not signed is not opened', page, async (world) => {
  const to = await world.embed('export')
  const own = exported(SECRET, { to, signer: world.signer })
  const foreign = exported(SECRET, { to, signer: stranger })
  await refused(world, foreign, /another key than that of this service signed it/)
  await refused(
    world,
    altered(foreign, { enclaveQuorumPublic: world.signer.publicKey }),
    /its signature is wrong/,
  )
  await refused(world, altered(own, { dataSignature: '' }), /its signature is wrong/)
  await refused(world, altered(own, { dataSignature: '3006020101020101' }), /its signature is wrong/)
  const upperCase = altered(own, { enclaveQuorumPublic: world.signer.publicKey.toUpperCase() })
  await refused(world, upperCase, /another key/)
  const moved = altered(resigned(own, stranger, { organizationId: ORGANIZATION }), {
    enclaveQuorumPublic: world.signer.publicKey,
  })
  await refused(world, moved, /its signature is wrong/)
})

withPage('what is no bundle is refused', page, async (world) => {
  const to = await world.embed('export')
  const own = exported(SECRET, { to, signer: world.signer })
  const { signer } = world
  const bundles: readonly (readonly [string, RegExp])[] = [
    ['nothing', /it is not a JSON object/],
    ['null', /it is not a JSON object/],
    ['[]', /it has no text "version"/],
    [JSON.stringify({ ['__proto__']: JSON.parse(own) as object }), /it has no text "version"/],
    [`{"__proto__": ${own}}`, /it has no text "version"/],
    [altered(own, { version: 'v1.0.1' }), /its version/],
    [altered(own, { version: 1 }), /it has no text "version"/],
    [altered(own, { data: 'xyz' }), /"data" is not hexadecimal/],
    [altered(own, { data: '' }), /its signature is wrong/],
    [resigned(own, signer, { organizationId: [ORGANIZATION] }), /its data has no text "organizationId"/],
    [resigned(own, signer, { encappedPublic: '04' }), /encrypted to another key/],
    [resigned(own, signer, { encappedPublic: `04${'00'.repeat(64)}` }), /encrypted to another key/],
    [resigned(own, signer, { ciphertext: '' }), /encrypted to another key/],
    [resigned(own, signer, { ciphertext: '00'.repeat(60) }), /encrypted to another key/],
    ['{'.repeat(200_000), /it is not a JSON object/],
    [' '.repeat(300_000), /longer than 262144 characters/],
  ]
  for (const [bundle, problem] of bundles) await refused(world, bundle, problem)
})

withPage(
  'an import is encrypted for the user and the organization of its bundle, and for no other',
  page,
  async (world) => {
    await world.embed('import')
    await world.frame().locator('#text').fill('secret words')
    const inject = (bundle: string, organizationId = ORGANIZATION, userId = USER) =>
      world.ask('injectImportBundle', bundle, organizationId, userId)
    const { bundle } = importTarget(world.signer)
    await assert.rejects(inject(bundle, ORGANIZATION, OTHER), /for another user/)
    await assert.rejects(inject(bundle, OTHER), /for another organization/)
    await assert.rejects(world.ask('injectImportBundle', bundle, ORGANIZATION), /"userId" is missing/)
    await assert.rejects(inject(importTarget(stranger).bundle), /another key than that of this service/)
    const point = resigned(bundle, world.signer, { targetPublic: `04${'11'.repeat(64)}` })
    await assert.rejects(inject(point), /"targetPublic" is not a key/)
    await inject(bundle)
    await assert.rejects(inject(importTarget(stranger).bundle), /another key/)
    const none = /holds no target/
    await assert.rejects(world.ask('extractWalletEncryptedBundle'), none, 'a refused bundle leaves no target')
  },
)

withPage('a bundle that was stolen opens in no frame but its own', page, async (world) => {
  const to = await world.embed('export')
  const bundle = exported(SECRET, { to, signer: world.signer })
  for (const name of ['export-and-sign', 'auth'] as const) {
    assert.notEqual(await world.embed(name), to, 'each kind of frame has a key of its own')
    // The frame of log-ins knows no such message.
    const send = name === 'auth' ? world.sendUnknown : world.send
    const [type] = await send({
      type: 'INJECT_WALLET_EXPORT_BUNDLE',
      value: bundle,
      organizationId: ORGANIZATION,
    })
    assert.equal(type, 'ERROR')
  }
})

withPage(
  'a message that a frame does not know is answered, and so is one that is none',
  page,
  async (world) => {
    for (const name of ['auth', 'export', 'import', 'export-and-sign'] as const) {
      await world.embed(name)
      const answer = (type: unknown) => world.sendUnknown({ type })
      assert.match(String((await answer('GIVE_ME_THE_KEY'))[1]), /knows no message "GIVE_ME_THE_KEY"/)
      for (const type of ['toString', '__proto__', 'constructor', '', 5, null, 'x'.repeat(100_000)])
        assert.equal((await answer(type))[0], 'ERROR', String(type).slice(0, 20))
    }
  },
)

withPage('huge and odd values are refused, and the frame goes on', page, async (world) => {
  const to = await world.embed('export')
  const type = 'INJECT_WALLET_EXPORT_BUNDLE'
  const values = ['x'.repeat(2_000_000), 5, true, ['x'], { ['__proto__']: 'x' }, null, '']
  for (const value of values) {
    const [answer] = await world.send({ type, value, organizationId: ORGANIZATION })
    assert.equal(answer, 'ERROR')
  }
  await refused(world, 'x', /it is not a JSON object/)
  const bundle = exported(SECRET, { to, signer: world.signer })
  assert.equal(await world.ask('injectWalletExportBundle', bundle, ORGANIZATION), true)
})

withPage('of hundreds of messages at once each is answered, and the frame goes on', page, async (world) => {
  await world.embed('auth')
  const answers = await world.page.call<readonly string[]>('publicKeys', 1_000)
  const refusals = answers.filter((answer) => answer.includes('100 messages wait'))
  assert.ok(refusals.length > 0 && refusals.length <= 900)
  assert.match(await world.ask('getEmbeddedPublicKey'), /^04[0-9a-f]{128}$/)
})

withPage('nothing that a page sends reaches the prototypes of the frame', page, async (world) => {
  await world.embed('import')
  const polluting = '{"__proto__": {"polluted": "yes"}, "constructor": {"prototype": {"polluted": "yes"}}}'
  for (const value of [polluting, `{"styles": ${polluting}}`, `{"styles": {"__proto__": {"color": "red"}}}`])
    assert.equal((await world.send({ type: 'APPLY_SETTINGS', value }))[0], 'ERROR')
  await assert.rejects(world.ask('injectImportBundle', polluting, ORGANIZATION, USER), /no text "version"/)
  const polluted = await world
    .frame()
    .evaluate(() => Object.getOwnPropertyDescriptor(Object.prototype, 'polluted'))
  assert.equal(polluted, undefined)
})

withPage('a second channel is refused, and the first goes on', page, async (world) => {
  const publicKey = await world.embed('auth')
  assert.deepEqual(await world.page.call('anotherChannel'), {
    type: 'ERROR',
    value: 'this frame already speaks with the page through another port: load the frame anew',
  })
  assert.equal(await world.ask('getEmbeddedPublicKey'), publicKey)
})

async function refused(world: EmbeddingPage, bundle: string, problem: RegExp): Promise<void> {
  await assert.rejects(world.ask('injectWalletExportBundle', bundle, ORGANIZATION), problem)
  assert.equal(await world.frame().locator('#text').textContent(), '', 'nothing of it is shown')
}
