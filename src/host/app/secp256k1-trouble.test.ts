import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError } from './config-error.ts'
import { refuseSlowSecp256k1, secp256k1Trouble } from './secp256k1-trouble.ts'

test('without the native secp256k1 a service is refused, unless its operator has allowed it', () => {
  assert.throws(
    () => refuseSlowSecp256k1('noble', false),
    (error) => error instanceof ConfigError && /CLAVIGER_ALLOW_SLOW_SECP256K1=true/.test(error.message),
  )
  refuseSlowSecp256k1('noble', true)
  refuseSlowSecp256k1('native', false)
  assert.equal(secp256k1Trouble('native'), undefined)
})
