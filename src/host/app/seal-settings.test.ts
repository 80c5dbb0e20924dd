import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './config.ts'
import { sealSettings } from './seal-settings.ts'

const config = readConfig({ CLAVIGER_DATA: '/data' }, '/tmp')

test('the process of a seal gets what clients, tools and libraries of devices read, and nothing else', () => {
  const passedOn = {
    PATH: '/bin',
    NODE_EXTRA_CA_CERTS: '/ca.pem',
    AWS_REGION: 'eu-central-1',
    BAO_ADDR: 'https://bao.example:8200',
    TPM2TOOLS_TCTI: 'device:/dev/tpmrm0',
    // Without these, libraries of HSMs find no device.
    SOFTHSM2_CONF: '/softhsm2.conf',
    OPENSC_CONF: '/opensc.conf',
    YUBIHSM_PKCS11_CONF: '/yubihsm.conf',
    ChrystokiConfigurationPath: '/luna',
    CS_PKCS11_R3_CFG: '/utimaco.cfg',
    CKNFAST_LOADSHARING: '1',
  }
  const kept = { HTTPS_PROXY: 'http://proxy', NODE_OPTIONS: '--require x', CLAVIGER_DATABASE: 'secret' }
  const settings = sealSettings(config, { ...passedOn, ...kept })
  for (const [name, value] of Object.entries(passedOn)) assert.equal(settings[name], value, name)
  for (const name of Object.keys(kept)) assert.equal(settings[name], undefined, name)
})
