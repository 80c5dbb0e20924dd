import type { Config } from '../../app/config.ts'
import { withService } from '../../app/open-service.ts'
import { toHex } from '../../../trusted/base/bytes.ts'
import { realWorld } from '../../../trusted/base/real-world.ts'
import { LEASE_MS, resealStep } from '../../rotation/reseal-step.ts'
import { orderResealing, type Resealing } from '../../rotation/resealing-note.ts'
import { CommandError } from '../command-error.ts'
import { askRotation } from './ask-rotation.ts'
import { resealingLines } from './list-versions.ts'
import { pause, sayProgress } from './say.ts'

const EVERY_MS = 1_000
const PROGRESS_MS = 2_000

export function newOrder(): string {
  return toHex(realWorld.randomBytes(16))
}

/** Lets a running host do the work, and reports its progress; without a running host it is done here. */
export async function runResealing(config: Config, order: string): Promise<Resealing> {
  const { hosts } = await askRotation(config, { do: 'state' })
  if (hosts.length === 0) return await resealHere(config, order)
  await askRotation(config, { do: 'reseal', order })
  return await followed(config, order)
}

async function resealHere(config: Config, order: string): Promise<Resealing> {
  return await withService(config, async ({ store, vault }) => {
    let standing = await orderResealing(store, order, realWorld.now())
    let shownAt = realWorld.now()
    const by = `command ${order}`
    const rest = async (): Promise<void> => {}
    const means = { store, vault: vault.vault, now: realWorld.now, by, rest, isStopped: () => false }
    for (;;) {
      const step = await resealStep(means)
      if (step === undefined || step.standing.order !== order) throw replaced()
      standing = step.standing
      if (standing.state !== 'running') return standing
      if (realWorld.now() - shownAt < PROGRESS_MS) continue
      shownAt = realWorld.now()
      sayProgress(resealingLines(standing)[0] ?? '')
    }
  })
}

/** The work continues after this command is stopped. */
async function followed(config: Config, order: string): Promise<Resealing> {
  for (let shownAt = realWorld.now(); ; ) {
    const { resealing, hosts } = await askRotation(config, { do: 'state' })
    if (resealing?.order !== order) throw replaced()
    if (resealing.state === 'done' || resealing.state === 'stuck') return resealing
    if (hosts.length === 0 && realWorld.now() - resealing.changedAt > LEASE_MS)
      throw new CommandError('no host runs any more; the next one continues resealing')
    if (realWorld.now() - shownAt >= PROGRESS_MS) {
      shownAt = realWorld.now()
      sayProgress(resealingLines(resealing)[0] ?? '')
    }
    await pause(EVERY_MS)
  }
}

function replaced(): CommandError {
  return new CommandError('another command has ordered resealing in the meantime: see claviger root-key list')
}
