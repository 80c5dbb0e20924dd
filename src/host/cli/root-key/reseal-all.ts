import type { Config } from '../../app/config.ts'
import { openRootKeyFile } from '../root-key-file.ts'
import { askRotation } from './ask-rotation.ts'
import { resealingLines } from './list-versions.ts'
import { newOrder, runResealing } from './run-resealing.ts'
import { type Out, say, sayJson, WAITS } from './say.ts'
import { sealWithNewest } from './seal-with-newest.ts'
import type { ExitCode } from '../exit-codes.ts'

/**
 * Lets the newest version seal, and orders the resealing of every row under another version, in the background of the
 * running hosts.
 */
export async function resealAll(
  config: Config,
  out: Out & { readonly waits: boolean },
): Promise<ExitCode<'root-key reseal'>> {
  const file = await openRootKeyFile(config)
  if (!(await sealWithNewest(config, file, out))) return WAITS
  const order = newOrder()
  if (!out.waits) {
    const { resealing } = await askRotation(config, { do: 'reseal', order })
    sayJson(out, { resealing })
    say(out, ['resealing is ordered: see claviger root-key list'])
    return 0
  }
  const resealing = await runResealing(config, order)
  sayJson(out, { resealing })
  say(out, resealingLines(resealing))
  return resealing.state === 'done' ? 0 : 1
}
