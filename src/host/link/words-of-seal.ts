import type { Readable } from 'node:stream'
import { jsonIn } from '../../trusted/base/json-in.ts'
import { JsonLines } from '../../trusted/base/json-lines.ts'
import { isPlain, type PlainOf, record, text } from '../../trusted/base/plain.ts'
import type { OpenRequest } from '../../trusted/vault/keys/unseal.ts'

const LINE_CHARACTERS_MAX = 1_000
/** A process that writes more than this is faulty, and is ended. */
const STRAY_CHARACTERS_MAX = 1_048_576

/** What a seal tells people by its standard error, a line of JSON each. */
const words = record({ waits: text(500) })

/**
 * Passes on what the process of a seal tells people, and nothing else that it writes: the library of a device or of a
 * key service may print anything, such as what it has just decrypted, and this stream ends in a log.
 *
 * @param say      one sentence, without anything that is no printable character
 * @param endless  it writes without end
 */
export function passOnWords(
  written: Readable,
  { say, endless }: { readonly say: (sentence: string) => void; readonly endless: () => void },
): void {
  let rest = ''
  let stray = 0
  written.setEncoding('utf8')
  written.on('data', (chunk: string) => {
    const isOver = stray > STRAY_CHARACTERS_MAX
    stray += chunk.length
    const lines = (rest + chunk).split('\n')
    rest = (lines.pop() ?? '').slice(0, LINE_CHARACTERS_MAX + 1)
    for (const line of lines) {
      const told = toldIn(line)
      if (told === undefined) continue
      stray -= JsonLines.written(told).length
      say(printed(told.waits))
    }
    if (!isOver && stray > STRAY_CHARACTERS_MAX) endless()
  })
  // What cannot be read is not passed on.
  written.on('error', () => undefined)
  written.on('close', () => {
    if (stray > 0) say('the process of a seal has written what is not shown here, since it may hold a key')
  })
}

/**
 * Says that a seal has not opened the root key file: where the next one does, nobody would know that it is the last.
 */
export function tellOfSealBefore({ before, seal }: Pick<OpenRequest, 'before' | 'seal'>): void {
  if (before !== undefined) process.stderr.write(`${printed(`${before}; seal ${seal} is tried`)}\n`)
}

/** Nothing that would write over a log. */
function printed(sentence: string): string {
  return sentence.replaceAll(/[^ -~]+/g, ' ')
}

/** Of millions of lines only those are looked at that begin as one of ours. */
function toldIn(line: string): PlainOf<typeof words> | undefined {
  if (line.length > LINE_CHARACTERS_MAX || !line.startsWith('{"waits":')) return undefined
  const value = jsonIn(line)
  return isPlain(words, value) ? value : undefined
}
