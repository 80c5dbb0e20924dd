import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { programsMissing } from '../support/programs.ts'
import { runCommand, runService, type Settings } from '../support/running-service.ts'
import { aSoftHsm } from '../support/soft-hsm.ts'
import { aSoftTpm } from '../support/soft-tpm.ts'
import { aTransitEngine } from '../support/transit-engine.ts'
import { founder, init, signs } from './founder.ts'

// Whole starts of a service. What each seal refuses is tested beside it, in `src/seals/`.

type Device = { readonly environment: Settings }

/** @param without  what is said where the device cannot be reached with these settings */
async function opensBy(
  t: TestContext,
  { environment }: Device,
  seal: string,
  without: { readonly settings: Settings; readonly says: RegExp },
): Promise<void> {
  const { dataFolder, key } = founder()
  const { organizationId } = await init(dataFolder, key)
  const sealed = await runCommand(['root-key', 'rekey', '--seal', seal], {
    CLAVIGER_DATA: dataFolder,
    ...environment,
  })
  assert.equal(sealed.code, 0, sealed.output)
  const service = await runService('serve', { dataFolder, ...environment })
  t.after(() => service.kill())
  assert.equal(await signs(service.url, { organizationId, key }), 'Ada')
  assert.equal(await service.stop(), 0)

  const refused = await runCommand(['serve'], {
    CLAVIGER_DATA: dataFolder,
    CLAVIGER_PORT: '0',
    ...environment,
    ...without.settings,
  })
  assert.equal(refused.code, 1, refused.output)
  assert.match(refused.output, without.says)
}

test('a service starts by a PKCS#11 device, and not by another one', {
  skip: programsMissing('softhsm2-util', 'pkcs11-tool'),
}, async (t) => {
  const says = /seal pkcs11: the device has no token with the label SmartCard-HSM \(UserPIN\)/
  const { SOFTHSM2_CONF } = aSoftHsm(t).environment
  const settings = { SOFTHSM2_CONF }
  // As the labels of many cards are.
  const token = { label: 'SmartCard-HSM (UserPIN)', id: '0a' }
  const seal = `pkcs11 token=${token.label} id=0A hash=sha1`
  await opensBy(t, aSoftHsm(t, token), seal, { settings, says })
})

test('a service starts by its TPM, and not by another one', {
  skip: programsMissing('swtpm', 'tpm2_unseal'),
}, async (t) => {
  const { environment: settings } = await aSoftTpm(t)
  await opensBy(t, await aSoftTpm(t), 'tpm2', { settings, says: /seal tpm2: tpm2_load failed/ })
})

test('a service starts by a transit engine, and not with another token', async (t) => {
  const says = /seal transit: http:[/][/]127[.]0[.]0[.]1:\d+ answered 400 to transit[/]decrypt[/]root/
  await opensBy(t, await aTransitEngine(t), 'transit key=root', { settings: { BAO_TOKEN: 'other' }, says })
})
