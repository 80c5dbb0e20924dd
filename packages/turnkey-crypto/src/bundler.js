import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * What a bundler has to put in the place of what, so that a page trusts the keys of this service, and none of a vendor.
 *
 * The keys are in `claviger-keys.json`, beside the configuration of the bundler. Where that file is missing they are
 * fetched and written into it. Keep it with your sources: from then on a build asks nobody, and a change of a key is a
 * change that somebody reads.
 *
 * @param {string} serviceUrl  of Claviger, such as `https://kms.shop.example`
 * @param {string} [folder]    of the application, which has `@turnkey/crypto` installed
 * @returns {Promise<Record<string, string>>} paths by the names that are imported
 */
export async function cryptoAliases(serviceUrl, folder = process.cwd()) {
  const keysPath = join(folder, 'claviger-keys.json')
  if (!existsSync(keysPath))
    writeFileSync(keysPath, `${JSON.stringify(await fetchedKeys(serviceUrl), null, 2)}\n`)
  expectKeys(JSON.parse(readFileSync(keysPath, 'utf8')), keysPath)
  return {
    '@turnkey/crypto': fileURLToPath(new URL('./crypto.js', import.meta.url)),
    'published-turnkey-crypto': publishedCrypto(folder),
    'claviger-service-keys': keysPath,
  }
}

/**
 * The same for Metro, as `resolver.resolveRequest`.
 *
 * @param {string} serviceUrl
 * @param {string} [folder]
 */
export async function cryptoResolver(serviceUrl, folder = process.cwd()) {
  const aliases = await cryptoAliases(serviceUrl, folder)
  return (context, name, platform) =>
    context.resolveRequest(context, Object.hasOwn(aliases, name) ? aliases[name] : name, platform)
}

const NAMES = ['signer', 'session', 'otp', 'oauth2']

async function fetchedKeys(serviceUrl) {
  const url = new URL('/public/v1/discovery/keys', serviceUrl)
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: is this the address of Claviger?`)
  const keys = await answer.json()
  expectKeys(keys, String(url))
  return Object.fromEntries(NAMES.map((name) => [name, keys[name]]))
}

function expectKeys(keys, where) {
  for (const name of NAMES)
    if (!/^04[0-9a-f]{128}$/.test(keys?.[name])) throw new Error(`${where} has no public key "${name}"`)
}

/** The package as the application has it installed: its modules, where it has them beside what `require` gets. */
function publishedCrypto(folder) {
  const path = createRequire(join(folder, 'package.json')).resolve('@turnkey/crypto')
  const modules = path.replace(/\.js$/, '.mjs')
  return existsSync(modules) ? modules : path
}
