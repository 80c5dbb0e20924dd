import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { anAwsKms, awsError } from '../support/key-services/aws-kms-server.ts'
import { anAzureKeyVault } from '../support/key-services/azure-key-vault-server.ts'
import { aGoogleKms, googleError } from '../support/key-services/google-kms-server.ts'
import { packagesMissing } from '../support/packages-missing.ts'
import { runCommand, runService, type Settings } from '../support/running-service.ts'
import { founder, init, signs } from './founder.ts'

const skip = packagesMissing('aws-kms', 'google-kms', 'azure-key-vault')

test('two key services open a root key file, either alone, and a third takes their place while the service runs', {
  skip,
}, async (t) => {
  const gone = { aws: false, google: false }
  const aws = await anAwsKms(t, () => (gone.aws ? awsError('DisabledException') : undefined))
  const google = await aGoogleKms(t, () => (gone.google ? googleError(403, 'PERMISSION_DENIED') : undefined))
  const azure = await anAzureKeyVault(t)
  const { dataFolder, key } = founder()
  const { organizationId } = await init(dataFolder, key)
  const path = join(dataFolder, 'root.key')
  const before = JSON.parse(readFileSync(path, 'utf8')).versions[0].key
  const two = { ...aws.environment, ...google.environment }
  const sealed = await rootKey(dataFolder, ['rekey', '--seal', aws.seal, '--seal', google.seal], two)
  assert.equal(sealed.code, 0, sealed.output)
  const file = readFileSync(path, 'utf8')
  assert.deepEqual(
    JSON.parse(file).sealedBy.map(({ seal }: { seal: string }) => seal),
    ['aws-kms', 'google-kms'],
  )
  assert.ok(!file.includes(before))
  // Neither an address nor anything of the credentials.
  for (const secret of [aws.secret, aws.url, google.url, 'iam.gserviceaccount'])
    assert.ok(!file.includes(secret))

  gone.aws = true
  const service = await runService('serve', { dataFolder, ...two })
  t.after(() => service.kill())
  assert.equal(await signs(service.url, { organizationId, key }), 'Ada')
  const vaultKnows = readFileSync(`/proc/${service.vaultPid}/environ`, 'utf8')
  assert.ok(!vaultKnows.includes(aws.secret) && !vaultKnows.includes('GOOGLE'))

  // While it runs: from the second to a third.
  const three = { ...two, ...azure.environment, AZURE_LOG_LEVEL: 'verbose' }
  const moved = await rootKey(dataFolder, ['rekey', '--seal', google.seal, '--seal', azure.seal], three)
  assert.equal(moved.code, 0, moved.output)
  assert.equal(await signs(service.url, { organizationId, key }), 'Ada')
  assert.equal(await service.stop(), 0)
  gone.google = true
  const alone = await runService('serve', { dataFolder, ...three })
  t.after(() => alone.kill())
  assert.equal(await signs(alone.url, { organizationId, key }), 'Ada')
  assert.equal(await alone.stop(), 0)

  const none = await doctor(dataFolder, google.environment)
  assert.equal(none.code, 1)
  assert.match(
    none.output,
    /seal google-kms: Google Cloud KMS \(.*\) refuses: the credentials have no right to use the key projects\/.*; seal azure-key-vault: Azure Key Vault needs AZURE_KEYVAULT_URL/,
  )
  for (const { wrong } of [aws, google, azure]) assert.deepEqual(wrong, [])
  const said =
    [sealed, moved, none].map(({ output }) => output).join('\n') + service.output() + alone.output()
  assert.ok(azure.inTheClear.length > 1)
  for (const secret of [aws.secret, azure.secret, ...azure.inTheClear, 'PRIVATE KEY', before])
    assert.ok(!said.includes(secret))
})

test('a seal that a start could not open is not written, though the command itself could', {
  skip,
}, async (t) => {
  const { environment, seal, asked } = await anAzureKeyVault(t)
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const path = join(dataFolder, 'root.key')
  const before = readFileSync(path, 'utf8')
  // The command trusts every server by this setting of Node. The process of a seal does not get it.
  const { NODE_EXTRA_CA_CERTS: _, ...lax } = { ...environment, NODE_TLS_REJECT_UNAUTHORIZED: '0' }
  const refused = await rootKey(dataFolder, ['rekey', '--seal', seal], lax)
  assert.equal(refused.code, 1, refused.output)
  assert.match(refused.output, /the seal azure-key-vault does not open what it sealed: Azure Key Vault/)
  assert.equal(readFileSync(path, 'utf8'), before)
  assert.ok(asked.includes('wrapKey'))
})

async function rootKey(dataFolder: string, args: readonly string[], settings: Settings) {
  return await runCommand(['root-key', ...args], { CLAVIGER_DATA: dataFolder, ...settings })
}

async function doctor(dataFolder: string, settings: Settings) {
  return await runCommand(['doctor'], { CLAVIGER_DATA: dataFolder, CLAVIGER_PORT: '0', ...settings })
}
