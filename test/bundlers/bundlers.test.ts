import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { present } from '../../src/trusted/base/assert.ts'
import { browserPage } from '../clients/browser-page.ts'
import { codeIn } from '../clients/inbox.ts'
import { newAddress } from '../clients/one-time-code.ts'
import { aProxiedSetting } from '../clients/proxied-setting.ts'
import { blocksOf } from '../documentation/running/blocks.ts'
import { chromiumAvailable, chromiumMissing } from '../support/chromium.ts'
import { projectFolder } from '../support/running-service.ts'

// The lines of the guide, with each bundler as it is published, and the published client in a browser.
const folder = fileURLToPath(new URL('.', import.meta.url))
const isInstalled = existsSync(join(folder, 'node_modules', 'vite'))
const missing = 'the bundlers are not installed here: npm ci --ignore-scripts --prefix test/bundlers'
const CONFIG_ID = 'bundled'
const LOAD = `
globalThis.load = (src, type) => new Promise((resolve, reject) => {
  const script = Object.assign(document.createElement('script'), { src, type, onload: resolve, onerror: reject })
  document.head.append(script)
})`

const world = isInstalled && chromiumAvailable() ? await aWorld() : undefined
after(() => world?.close())

type Bundler = { readonly config: string; readonly command: readonly string[]; readonly isModule?: true }

const bundlers: Readonly<Record<string, Bundler>> = {
  Vite: { config: 'vite.config.js', command: ['node_modules/vite/bin/vite.js', 'build'], isModule: true },
  webpack: { config: 'webpack.config.js', command: ['run-webpack.js'] },
  esbuild: { config: 'build.js', command: ['build.js'] },
  Metro: { config: 'metro.config.js', command: ['run-metro.js'] },
}

for (const [name, bundler] of Object.entries(bundlers)) {
  const skip = world === undefined && (isInstalled ? chromiumMissing : missing)
  test(`the published client, bundled by ${name}, logs in by mail with the keys of this service`, {
    skip,
  }, async () => {
    const { page, setting, files } = present(world, 'skipped without')
    const { service, env, keys } = setting
    await bundled(bundler, service.url)
    files.clear()
    for (const path of globSync('**/*.js', { cwd: join(folder, 'dist') }))
      files.set(`/${path}`, readFileSync(join(folder, 'dist', path), 'utf8'))
    const entry = [...files.keys()].find((path) => /^\/(main|app|assets\/index-[\w-]+)\.js$/.test(path))
    await page.page.goto(page.origin)
    await page.call('load', present(entry, 'the bundle'), bundler.isModule === true ? 'module' : '')
    assert.equal(await page.call('signerKey'), keys.signer)
    const { url } = service
    await page.call('begin', {
      organizationId: env.ORGANIZATION_ID,
      apiBaseUrl: url,
      authProxyUrl: url,
      authProxyConfigId: CONFIG_ID,
    })
    const about = { contact: newAddress(name.toLowerCase()), otpType: 'OTP_TYPE_EMAIL' }
    const initiated = await page.call<object>('ask', 'initOtp', about)
    const otpCode = codeIn(await setting.inbox.newest(about.contact))
    await page.call('ask', 'completeOtp', { ...about, ...initiated, otpCode })
    const { userEmail } = await page.call<{ readonly userEmail: string }>('ask', 'fetchUser')
    assert.equal(userEmail, about.contact)
  })
}

test('a build that has the keys asks nobody, and one with keys that are none fails', {
  skip: !isInstalled && missing,
}, async () => {
  installPackage()
  const path = join(folder, 'claviger-keys.json')
  const key = `04${'ab'.repeat(64)}`
  writeFileSync(path, JSON.stringify({ signer: key, session: key, otp: key, oauth2: key }))
  const nobody = 'http://127.0.0.1:1'
  await run(['--input-type=module', '-e', program(nobody)])
  writeFileSync(path, JSON.stringify({ signer: key, session: key, otp: key }))
  await assert.rejects(run(['--input-type=module', '-e', program(nobody)]), /has no public key "oauth2"/)
  rmSync(path)
  await assert.rejects(run(['--input-type=module', '-e', program(nobody)]), /fetch failed/)
  assert.ok(!existsSync(path))
})

function program(url: string): string {
  return `await (await import('claviger-turnkey-crypto')).cryptoAliases(${JSON.stringify(url)})`
}

async function aWorld() {
  const files = new Map<string, string>()
  const page = await browserPage({ importMap: '{}', files }, LOAD)
  const setting = await aProxiedSetting({ configId: CONFIG_ID, origin: page.origin })
  return {
    page,
    setting,
    files,
    close: async () => {
      await page.close()
      await setting.service.kill()
    },
  }
}

/** Bundles the application with the lines of the guide. */
async function bundled({ config, command }: Bundler, url: string): Promise<void> {
  installPackage()
  rmSync(join(folder, 'dist'), { recursive: true, force: true })
  rmSync(join(folder, 'claviger-keys.json'), { force: true })
  const guide = readFileSync(join(projectFolder, 'docs', 'how-to', 'frames.md'), 'utf8')
  const block = blocksOf(guide).find(({ is }) => is.kind === 'file' && is.name === config)
  const text = present(block, config).text.replace('https://kms.shop.example', url)
  writeFileSync(join(folder, config), text)
  await run(command)
}

/** As npm installs it: a copy, within the application. */
function installPackage(): void {
  const target = join(folder, 'node_modules', 'claviger-turnkey-crypto')
  cpSync(join(projectFolder, 'packages', 'turnkey-crypto'), target, { recursive: true })
}

async function run(command: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, command, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${said}`)
}
