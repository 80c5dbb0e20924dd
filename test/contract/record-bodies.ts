import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { aRecorder } from '../languages/recorder.ts'

/**
 * Writes down what a client sends: `node bin/with-node.js test/contract/record-bodies.ts <language> <client>
 * <version> <command …>`. The command gets where to send it in its environment.
 */
const [language = '', client = '', version = '', program = '', ...args] = process.argv.slice(2)
const recorder = await aRecorder()
const child = spawn(program, args, {
  stdio: 'inherit',
  env: {
    ...process.env,
    BASE_URL: recorder.url,
    ORGANIZATION_ID: '00000000-0000-4000-8000-000000000000',
    API_PUBLIC_KEY: '036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296',
    API_PRIVATE_KEY: '0000000000000000000000000000000000000000000000000000000000000001',
  },
})
const [code] = await once(child, 'exit')
recorder.close()
if (code !== 0) throw new Error(`${program} ended with ${code}`)
const bodies = recorder.sent.map(({ path, body }) => ({ client, version, path, body }))
const file = fileURLToPath(new URL(`client-bodies/${language}.json`, import.meta.url))
writeFileSync(file, `${JSON.stringify(bodies, null, 2)}\n`)
console.log(`${bodies.length} bodies written down`)
