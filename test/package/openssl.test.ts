import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { readFileSync } from 'node:fs'
import { projectFolder } from '../support/running-service.ts'
import { installed } from './installed.ts'
import { packed } from './packed.ts'

const CASES = join(projectFolder, 'test', 'vectors', 'cctv', 'ed25519vectors.json.br')
const JUDGE = `import { readFileSync } from 'node:fs'
import { ed25519VerifyKey, readEd25519Key, verifyEd25519 } from './node_modules/claviger/lib/trusted/crypto/ed25519.js'
const accepted = JSON.parse(readFileSync(0, 'utf8')).filter(({ key, msg, sig }) =>
  readEd25519Key(key) !== undefined && verifyEd25519(ed25519VerifyKey(key), Buffer.from(msg), Buffer.from(sig, 'hex')))
console.log(accepted.map(({ number }) => number).join())`

test('the OpenSSL of every Node accepts the one ordinary signature of the 914 edge cases of Ed25519, and no other', () => {
  for (const { program, version } of [packed.oldest, packed.newest]) {
    const { stdout, stderr } = spawnSync(program, ['--input-type=module', '-e', JUDGE], {
      cwd: installed,
      encoding: 'utf8',
      input: brotliDecompressSync(readFileSync(CASES)),
    })
    assert.equal(stdout, '305\n', `${version}: ${stderr}`)
  }
})
