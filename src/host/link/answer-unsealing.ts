import type { Duplex } from 'node:stream'
import { JsonLines } from '../../trusted/base/json-lines.ts'
import { flag, isPlain, optional, record, text, whole } from '../../trusted/base/plain.ts'
import { sealProcess, type SealSettings } from './seal-process.ts'
import { tellOfSealBefore } from './words-of-seal.ts'

const REQUEST_CHARACTERS_MAX = 10_000
const request = record({
  open: record({ seal: text(40), place: whole(), byPeople: flag, before: optional(text(1_000)) }),
})

/** The vault needs the key no more: the file of before is back. */
const letGo = record({ letGo: flag })

/**
 * Starts the processes of seals when a vault asks for them, and lends them this end of its channel: the keys that they
 * write there go to the vault and not through this process.
 *
 * @returns  whether a seal that people open is under way, which has no time limit
 */
export function answerUnsealing(
  channel: Duplex,
  settings: SealSettings,
): { readonly isUnderWay: () => boolean } {
  const lines = new JsonLines(REQUEST_CHARACTERS_MAX)
  let underWay = 0
  let requests = 0
  let before = Promise.resolve()
  let stopBefore = (): void => {}
  channel.setEncoding('utf8')
  // A vault that has ended needs no key.
  channel.on('error', () => undefined)
  channel.on('data', (chunk: string) => {
    for (const asked of lines.push(chunk)) {
      if (isPlain(letGo, asked)) {
        requests++
        stopBefore()
      }
      if (!isPlain(request, asked)) continue
      tellOfSealBefore(asked.open)
      // A vault asks for one seal at a time: it does not wait any more for the one before, since its file was replaced.
      stopBefore()
      const mine = ++requests
      before = before.then(() => (mine === requests ? open(asked.open) : end('it was not started any more')))
    }
  })
  const open = async (asked: Parameters<typeof sealProcess>[1]): Promise<void> => {
    underWay++
    const { child, ended } = sealProcess(settings, asked, channel)
    // Node stops reading from what it lends to a process.
    channel.resume()
    const stop = (): void => void child.stdin?.destroy()
    stopBefore = stop
    channel.once('close', stop)
    const how = await ended
    channel.off('close', stop)
    underWay--
    end(how)
  }
  const end = (how: string): void => {
    if (!channel.destroyed) channel.write(JsonLines.written({ ended: how }))
  }
  return { isUnderWay: () => underWay > 0 }
}
