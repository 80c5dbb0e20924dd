import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecordTexts, type RecordText } from './record-texts.ts'
import { aJudgedRecord } from './testing/fixtures.ts'

test('a text is stored when it comes for the second time, and is named once it was read back', async () => {
  const [texts, stored] = [new RecordTexts(), aStore()]
  const [first, second, third] = [1, 2, 3].map((n) => aJudgedRecord(n))
  assert.ok(first !== undefined && second !== undefined && third !== undefined)

  const [whole] = await texts.compact([first], stored.put)
  assert.equal(stored.bodies.size, 0)
  const [named] = await texts.compact([second], stored.put)
  assert.ok(stored.bodies.size > 0)
  assert.ok((named?.votes.length ?? 0) < (whole?.votes.length ?? 0))
  stored.puts = 0
  await texts.compact([third], stored.put)
  assert.equal(stored.puts, 0)
})

test('a text that the store does not show is not named', async () => {
  const texts = new RecordTexts()
  const put = async () => []
  for (let n = 1; n < 4; n++) {
    const [row] = await texts.compact([aJudgedRecord(n)], put)
    assert.ok(row !== undefined)
    assert.deepEqual(await new RecordTexts().expand([row], async () => []), [aJudgedRecord(n)])
  }
})

test('what was forgotten is put again before it is named', async () => {
  const [texts, stored] = [new RecordTexts(), aStore()]
  for (const n of [1, 2]) await texts.compact([aJudgedRecord(n)], stored.put)
  texts.forget()
  stored.puts = 0
  await texts.compact([aJudgedRecord(3)], stored.put)
  assert.equal(stored.puts, 1)
})

test('a text that was read is not read again', async () => {
  const [texts, stored] = [new RecordTexts(), aStore()]
  const rows = [1, 2, 3].map((n) => aJudgedRecord(n))
  const compact = []
  for (const row of rows) compact.push(...(await texts.compact([row], stored.put)))
  const reader = new RecordTexts()
  assert.deepEqual(await reader.expand(compact, stored.load), rows)
  stored.loads = 0
  assert.deepEqual(await reader.expand(compact, stored.load), rows)
  assert.equal(stored.loads, 0)
})

/** Keeps texts as both engines do. */
function aStore() {
  const bodies = new Map<string, RecordText>()
  const keyOf = ({ organizationId, digest }: Pick<RecordText, 'organizationId' | 'digest'>): string =>
    `${organizationId} ${digest}`
  const found = (keys: readonly Pick<RecordText, 'organizationId' | 'digest'>[]): readonly RecordText[] =>
    keys.flatMap((key) => bodies.get(keyOf(key)) ?? [])
  const store = {
    bodies,
    puts: 0,
    loads: 0,
    put: async (texts: readonly RecordText[]): Promise<readonly RecordText[]> => {
      store.puts += 1
      for (const text of texts) bodies.set(keyOf(text), text)
      return found(texts)
    },
    load: async (keys: Parameters<typeof found>[0]): Promise<readonly RecordText[]> => {
      store.loads += 1
      return found(keys)
    },
  }
  return store
}
