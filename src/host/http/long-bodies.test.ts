import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

/** With the memory of bodies left to the collector of garbage, this many lead to some thirty collections. */
const BODIES = 100

test('long bodies do not lead to collections of the whole heap', async () => {
  const child = fork(fileURLToPath(new URL('./testing/collections.ts', import.meta.url)))
  const asked = async (): Promise<unknown> => {
    child.send('how many')
    const [count] = (await once(child, 'message')) as [unknown]
    return count
  }
  try {
    const [port] = (await once(child, 'message')) as [unknown]
    const before = Number(await asked())
    const body = Buffer.alloc(1024 * 1024, ' ')
    for (let sent = 0; sent < BODIES; sent++) {
      const answer = await fetch(`http://127.0.0.1:${String(port)}/long`, { method: 'POST', body })
      assert.equal(await answer.text(), '{}')
    }
    const collections = Number(await asked()) - before
    assert.ok(collections <= 5, `${collections} collections`)
  } finally {
    child.kill()
  }
})
