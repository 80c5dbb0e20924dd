import assert from 'node:assert/strict'
import { copyFileSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startClaviger } from '../../src/host/emulator/start-claviger.ts'
import { projectFolder, start, temporaryFolder } from '../support/running-service.ts'

// The linter and the generator that others use on our OpenAPI document; each has packages and a lock file of its own.
const redocly = join(projectFolder, 'test/redocly/node_modules/@redocly/cli/bin/cli.js')
const example = join(projectFolder, 'examples/openapi-client')
const generator = join(example, 'node_modules/openapi-typescript/bin/cli.js')
const openApi = join(projectFolder, 'openapi.json')

/** Nothing here asks anybody else for news. */
const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

function unless(path: string, folder: string): { readonly skip?: string } {
  return existsSync(path)
    ? {}
    : { skip: `its packages are not installed here: npm ci --ignore-scripts --prefix ${folder}` }
}

test(
  'the linter of Redocly has neither an error nor a warning',
  unless(redocly, 'test/redocly'),
  async () => {
    const { code, output } = await ran([redocly, 'lint', openApi, '--format=json'])
    assert.equal(code, 0, output)
    const { totals } = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1))
    assert.deepEqual([totals.errors, totals.warnings], [0, 0], output)
  },
)

test(
  'a client that is generated from the document stamps and is typed',
  unless(generator, 'examples/openapi-client'),
  async () => {
    const folder = temporaryFolder()
    for (const file of ['client.ts', 'first-wallet.ts', 'tsconfig.json', 'package.json'])
      copyFileSync(join(example, file), join(folder, file))
    symlinkSync(join(example, 'node_modules'), join(folder, 'node_modules'))
    const types = join(folder, 'claviger.d.ts')
    const generated = await ran([generator, openApi, '-o', types])
    assert.equal(generated.code, 0, generated.output)
    assert.ok(readFileSync(types, 'utf8').includes('"/public/v1/submit/create_wallet"'))

    const tsc = join(projectFolder, 'node_modules/typescript/bin/tsc')
    const typeRoots = join(projectFolder, 'node_modules/@types')
    const checked = await ran([tsc, '-p', folder, '--typeRoots', typeRoots])
    assert.equal(checked.code, 0, checked.output)

    await using claviger = await startClaviger()
    const { root, baseUrl, organizationId } = claviger
    const { code, output } = await ran([join(folder, 'first-wallet.ts')], {
      BASE_URL: baseUrl,
      ORGANIZATION_ID: organizationId,
      API_PUBLIC_KEY: root.apiPublicKey,
      API_PRIVATE_KEY: root.apiPrivateKey,
    })
    assert.equal(code, 0, output)
    assert.match(output, /^From types, .*: 0x[0-9a-fA-F]{40}$/m)
  },
)

async function ran(
  command: readonly string[],
  settings: { readonly [name: string]: string } = {},
): Promise<{ readonly code: number | null; readonly output: string }> {
  const { ended, output } = start(command, { ...quiet, ...settings })
  return { code: await ended, output: output() }
}
