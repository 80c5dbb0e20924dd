import { connect } from 'node:net'
import { once } from 'node:events'
import { eventually } from './eventually.ts'

/** Gives shares at a socket where somebody waits for them, or is about to; what was answered to the last. */
export async function giveShares(path: string, shares: readonly string[]): Promise<string> {
  let said = ''
  for (const share of shares)
    await eventually(async () => {
      const person = connect(path)
      try {
        await once(person, 'data')
        person.write(`${share}\n`)
        const [answer] = await once(person, 'data')
        said = String(answer)
        return true
      } catch {
        // Nobody waits there yet.
        return false
      } finally {
        person.destroy()
      }
    })
  return said
}
