import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommand, runService, type Settings, temporaryFolder } from '../support/running-service.ts'
import { eventually } from '../support/eventually.ts'
import { childrenOf } from '../support/processes.ts'
import { programsMissing } from '../support/programs.ts'
import { aSoftHsm, PIN } from '../support/soft-hsm.ts'
import { founder, init, signs } from './founder.ts'

test('a passphrase is read by a process that ends, and the vault never has it', async (t) => {
  const { dataFolder, key } = founder()
  const passphrase = 'correct horse battery staple'
  const settings = { CLAVIGER_ROOT_PASSPHRASE: passphrase }
  const { organizationId } = await init(dataFolder, key, settings)
  const service = await runService('serve', { dataFolder, ...settings })
  t.after(() => service.kill())
  assert.equal(await signs(service.url, { organizationId, key }), 'Ada')
  assert.deepEqual(childrenOf(service.hostPid), [service.vaultPid])
  assert.ok(!readFileSync(`/proc/${service.vaultPid}/environ`, 'utf8').includes(passphrase))
  assert.equal(await service.stop(), 0)
})

test('the second seal opens a root key file when the first is gone, and says so of each when none does', async (t) => {
  const { dataFolder, key } = founder()
  const { organizationId } = await init(dataFolder, key)
  const [one, other] = [aPassphrase(dataFolder, 'one'), aPassphrase(dataFolder, 'other')]
  const before = readFileSync(join(dataFolder, 'root.key'), 'utf8')
  const sealed = await rootKey(dataFolder, [
    'rekey',
    '--seal',
    `passphrase file=${one}`,
    '--seal',
    `passphrase file=${other}`,
  ])
  assert.equal(sealed.code, 0, sealed.output)
  const file = readFileSync(join(dataFolder, 'root.key'), 'utf8')
  assert.ok(!file.includes(JSON.parse(before).versions[0].key))
  for (const path of [one, other]) {
    const service = await runService('serve', { dataFolder, CLAVIGER_ROOT_PASSPHRASE_FILE: path })
    t.after(() => service.kill())
    assert.equal(await signs(service.url, { organizationId, key }), 'Ada')
    assert.equal(await service.stop(), 0)
    // Nobody would know otherwise that one seal alone is left.
    const noticed = /^seal passphrase: the passphrase does not open the root key; seal passphrase is tried$/m
    assert.equal(noticed.test(service.output()), path === other, service.output())
  }
  const listed = await rootKey(dataFolder, ['list'], { CLAVIGER_ROOT_PASSPHRASE_FILE: other })
  assert.match(listed.output, /^seal passphrase: .*; seal passphrase is tried$/m)
  const looked = await doctor(dataFolder, { CLAVIGER_ROOT_PASSPHRASE_FILE: other })
  assert.match(looked.output, /^ok {2}root key file .*, sealed by passphrase, passphrase$/m)
  const third = aPassphrase(dataFolder, 'third')
  const none = await doctor(dataFolder, { CLAVIGER_ROOT_PASSPHRASE_FILE: third })
  assert.equal(none.code, 1)
  assert.match(
    none.output,
    /!! {2}the root key is sealed and does not open: (seal passphrase: the passphrase does not open the root key(; )?){2}$/m,
  )
})

test('a seal that this version does not know, a file that was changed and one that was cut are refused in a sentence', async () => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const passphrase = aPassphrase(dataFolder, 'one')
  const settings = { CLAVIGER_ROOT_PASSPHRASE_FILE: passphrase }
  assert.equal((await rootKey(dataFolder, ['rekey', '--seal', `passphrase file=${passphrase}`])).code, 0)
  const path = join(dataFolder, 'root.key')
  const file = readFileSync(path, 'utf8')
  const sealed = JSON.parse(file)
  const [entry] = sealed.sealedBy
  const [body, end] = [sealed.sealed.slice(0, -2), sealed.sealed.slice(-2)]
  const refused: readonly (readonly [object, RegExp])[] = [
    [{ sealedBy: [{ seal: 'moon' }] }, /does not know the seal "moon"; it knows passphrase/],
    // Somebody adds a seal, or takes one away.
    [{ sealedBy: [entry, { seal: 'moon' }] }, /does not open the root key file/],
    [{ sealedBy: [] }, /the root key file is damaged/],
    [{ key: '00'.repeat(16) }, /the passphrase does not open the root key/],
    [{ sealed: `${body}${end === '00' ? '01' : '00'}` }, /does not open the root key file/],
    [{ sealed: 'zz' }, /does not open the root key file/],
  ]
  for (const [change, why] of refused) {
    writeFileSync(path, JSON.stringify({ ...sealed, ...change }))
    const { code, output } = await doctor(dataFolder, settings)
    assert.equal(code, 1, output)
    assert.match(output, why)
  }
  writeFileSync(path, file)
  assert.equal((await doctor(dataFolder, settings)).code, 0)
})

test('the protection of the root key changes while the service runs, and what is added afterwards is read', async (t) => {
  const { dataFolder, key } = founder()
  const { organizationId } = await init(dataFolder, key)
  const passphrase = aPassphrase(dataFolder, 'one')
  const settings = { CLAVIGER_ROOT_PASSPHRASE_FILE: passphrase }
  const service = await runService('serve', { dataFolder, ...settings })
  t.after(() => service.kill())
  const rekeyed = await rootKey(dataFolder, ['rekey', '--seal', `passphrase file=${passphrase}`], settings)
  assert.equal(rekeyed.code, 0, rekeyed.output)
  const added = await rootKey(dataFolder, ['add'], settings)
  assert.equal(added.code, 0, added.output)
  assert.match(added.output, /version 2 seals from now on/)
  assert.equal(await signs(service.url, { organizationId, key }), 'Ada')
  const listed = await rootKey(dataFolder, ['list'], settings)
  assert.match(listed.output, /^root key file .*, sealed by passphrase$/m)
  // What opened it once opens what is added to it, with no seal.
  await eventually(() => childrenOf(service.hostPid).length === 1)
  assert.equal(await service.stop(), 0)
})

test('a seal that does not open again is not written: the file stays what it was', {
  skip: programsMissing('softhsm2-util', 'pkcs11-tool'),
}, async (t) => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const { environment: settings } = aSoftHsm(t)
  const before = readFileSync(join(dataFolder, 'root.key'), 'utf8')
  // The device encrypts by SHA-1 alone, which anybody with its public key does not notice.
  const refused = await rootKey(dataFolder, ['rekey', '--seal', 'pkcs11 token=claviger id=01'], settings)
  assert.equal(refused.code, 1)
  assert.match(
    refused.output,
    /^claviger root-key: the seal pkcs11 does not open what it sealed: pkcs11-tool failed/m,
  )
  assert.equal(readFileSync(join(dataFolder, 'root.key'), 'utf8'), before)

  const sealed = await rootKey(
    dataFolder,
    ['rekey', '--seal', 'pkcs11 token=claviger id=01 hash=sha1'],
    settings,
  )
  assert.equal(sealed.code, 0, sealed.output)
  const without = await doctor(dataFolder, {})
  assert.match(without.output, /seal pkcs11: the seal pkcs11 needs CLAVIGER_PKCS11_PIN_FILE/)
})

test('doctor tries each seal by itself, and reports a lost one even if another opens the file', {
  skip: programsMissing('softhsm2-util', 'pkcs11-tool'),
}, async (t) => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const { environment: device, folder } = aSoftHsm(t)
  const passphrase = { CLAVIGER_ROOT_PASSPHRASE_FILE: aPassphrase(dataFolder, 'one') }
  const seals = [
    'pkcs11 token=claviger id=01 hash=sha1',
    `passphrase file=${passphrase.CLAVIGER_ROOT_PASSPHRASE_FILE}`,
  ]
  const sealed = await rootKey(dataFolder, ['rekey', ...seals.flatMap((seal) => ['--seal', seal])], device)
  assert.equal(sealed.code, 0, sealed.output)
  const looked = async (settings: Settings) => {
    const { code, output } = await doctor(dataFolder, settings)
    assert.ok(!output.includes(PIN) && !output.includes('correct horse'), output)
    const opens = output.includes('ok  the vault starts, opens the root key')
    return { code, opens, seals: output.match(/^(?:ok|!!) {2}seal .*$/gm) ?? [] }
  }
  const [byDevice, byPassphrase] = ['ok  seal pkcs11', 'ok  seal passphrase'].map(
    (seal) => `${seal} opens the root key file`,
  )
  assert.deepEqual(await looked({ ...device, ...passphrase }), {
    code: 0,
    opens: true,
    seals: [byDevice, byPassphrase],
  })
  // A seal without settings here may be for another machine, or for an emergency.
  const alone = await looked(device)
  assert.deepEqual([alone.code, alone.seals[0]], [0, byDevice])
  assert.match(
    alone.seals[1] ?? '',
    /^ok {2}seal passphrase is not set up here, and was not tried: .*CLAVIGER_ROOT_PASSPHRASE_FILE/,
  )

  const pinFile = join(folder, 'wrong')
  writeFileSync(pinFile, '0000', { mode: 0o600 })
  // A wrong PIN is tried once and not again, because the device would lock itself.
  for (const why of [
    /CKR_PIN_INCORRECT.*; the token claviger was given a wrong PIN/,
    /: the token claviger was/,
  ]) {
    const wrong = await looked({ ...device, ...passphrase, CLAVIGER_PKCS11_PIN_FILE: pinFile })
    assert.deepEqual([wrong.code, wrong.opens, wrong.seals[1]], [1, false, byPassphrase])
    assert.match(wrong.seals[0] ?? '', /^!! {2}seal pkcs11 is not tried any more: /)
    assert.match(wrong.seals[0] ?? '', why)
  }

  const { SOFTHSM2_CONF } = aSoftHsm(t).environment
  const gone = await looked({ ...device, ...passphrase, SOFTHSM2_CONF })
  assert.deepEqual([gone.code, gone.opens, gone.seals[1]], [1, true, byPassphrase])
  assert.match(gone.seals[0] ?? '', /^!! {2}seal pkcs11 does not open the root key file: pkcs11-tool failed/)
})

test('beside a running service doctor also tries the seals, and shows the mode of the root key file', async (t) => {
  const { dataFolder, key } = founder()
  const settings = { CLAVIGER_ROOT_PASSPHRASE_FILE: aPassphrase(temporaryFolder(), 'one') }
  await init(dataFolder, key, settings)
  const service = await runService('serve', { dataFolder, ...settings })
  t.after(() => service.kill())
  const well = await doctor(dataFolder, settings)
  assert.equal(well.code, 0, well.output)
  assert.match(well.output, /^ok {2}root key file .*, mode 600, of this user, sealed by passphrase$/m)
  assert.match(well.output, /^ok {2}seal passphrase opens the root key file$/m)
  const other = { CLAVIGER_ROOT_PASSPHRASE_FILE: aPassphrase(dataFolder, 'other') }
  const wrong = await doctor(dataFolder, other)
  assert.equal(wrong.code, 1)
  assert.match(
    wrong.output,
    /^!! {2}seal passphrase does not open the root key file: the passphrase does not/m,
  )
  assert.equal(await service.stop(), 0)
})

function aPassphrase(dataFolder: string, name: string): string {
  const path = join(dataFolder, `passphrase ${name}`.replace(' ', '-'))
  writeFileSync(path, `correct horse ${name}\n`, { mode: 0o600 })
  return path
}

async function rootKey(dataFolder: string, args: readonly string[], settings: Settings = {}) {
  return await runCommand(['root-key', ...args], { CLAVIGER_DATA: dataFolder, ...settings })
}

async function doctor(dataFolder: string, settings: Settings) {
  return await runCommand(['doctor'], { CLAVIGER_DATA: dataFolder, CLAVIGER_PORT: '0', ...settings })
}
