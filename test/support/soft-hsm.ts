import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

export const PIN = '8642-secret'
const MODULE = '/usr/lib/softhsm/libsofthsm2.so'

/**
 * A PKCS#11 device in software, with an RSA key under an id of a token, unless another type of key is named. It has
 * OAEP with SHA-1 alone.
 */
export function aSoftHsm(t: TestContext, { label = 'claviger', id = '01', keyType = 'rsa:2048' } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-hsm-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [tokens, conf, pinPath] = ['tokens', 'softhsm2.conf', 'pin'].map((name) => join(folder, name))
  mkdirSync(String(tokens))
  writeFileSync(String(conf), `directories.tokendir = ${tokens}\nobjectstore.backend = file\n`)
  writeFileSync(String(pinPath), `${PIN}\n`, { mode: 0o600 })
  const environment = {
    PATH: process.env['PATH'] ?? '',
    SOFTHSM2_CONF: String(conf),
    CLAVIGER_PKCS11_MODULE: MODULE,
    CLAVIGER_PKCS11_PIN_FILE: String(pinPath),
  }
  const run = (name: string, ...args: readonly string[]) => {
    const { status, stderr } = spawnSync(name, args, { env: environment })
    assert.equal(status, 0, stderr.toString())
  }
  run('softhsm2-util', '--init-token', '--free', '--label', label, '--pin', PIN, '--so-pin', PIN)
  const made = ['--keypairgen', '--key-type', keyType, '--id', id, '--label', 'root', '--usage-decrypt']
  run('pkcs11-tool', '--module', MODULE, '--token-label', label, '--login', '--pin', PIN, ...made)
  /** One more token on the device, with another PIN; its label is a format of printf, for bytes that are no text. */
  const addToken = (format: string): void => {
    const made = 'softhsm2-util --init-token --free --pin 1111 --so-pin 1111 --label "$(printf "$1")"'
    run('sh', '-c', made, 'sh', format)
  }
  /** The tokens in the order of the device. */
  const listed = (): readonly { readonly label: string; readonly flags: string }[] => {
    const tool = ['--module', MODULE, '--list-token-slots']
    const lines = spawnSync('pkcs11-tool', tool, { env: environment, encoding: 'utf8' }).stdout.split('\n')
    const fields = (name: string) =>
      lines.flatMap((line) => (line.startsWith(`  token ${name}`) ? [line.slice(line.indexOf(':') + 2)] : []))
    return fields('label').map((name, at) => ({ label: name, flags: fields('flags')[at] ?? '' }))
  }
  return { environment, folder, pinPath: String(pinPath), addToken, listed }
}
