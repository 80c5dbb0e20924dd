// The hostile tenant, a process of its own: makes ready, and then asks for what is dear, over and over, until it is
// told to cease.
import { randomBytes } from 'node:crypto'
import { castOf } from '../test/cost/cast.ts'
import { dearRequests } from '../test/cost/dear-requests.ts'
import type { StampKey } from '../test/support/stamper.ts'
import { remoteActor } from './remote-actor.ts'
import type { Signer } from './service.ts'

export type HostileOrder = { readonly port: number; readonly as: Signer }

/** How often each request was answered how. */
export type HostileReport = Readonly<Record<string, number>>

/** So many of each kind of request are under way at once. */
const AT_ONCE = 4
/** After a refusal for asking too often. */
const PAUSE_MS = 20

process.once('message', (order: HostileOrder) => {
  void prepared(order).then((attack) => {
    let ceasing: Promise<HostileReport> | undefined
    let isOver = false
    process.on('message', (word) => {
      isOver = word !== 'attack'
      if (!isOver) ceasing = attack(() => isOver)
      else void ceasing?.then((report) => process.send?.(report))
    })
    process.send?.('ready')
  })
})

async function prepared({ port, as }: HostileOrder) {
  const privateKey = Buffer.from(as.privateKey, 'hex')
  const rootKey: StampKey = { scheme: 'SIGNATURE_SCHEME_TK_API_P256', publicKey: as.publicKey, privateKey }
  const actorWith = (key: StampKey) => remoteActor({ port, key, organizationId: as.organizationId })
  const cast = await castOf(actorWith(rootKey), actorWith, (length) => randomBytes(length))
  const requests = await dearRequests(cast)
  return async (isOver: () => boolean): Promise<HostileReport> => {
    const report: Record<string, number> = {}
    const ask = async ({ name, make }: (typeof requests)[number]): Promise<void> => {
      while (!isOver()) {
        const { status } = await make()
        const what = `${status} ${name}`
        report[what] = (report[what] ?? 0) + 1
        if (status === 429 || status === 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      }
    }
    await Promise.all(requests.flatMap((request) => Array.from({ length: AT_ONCE }, () => ask(request))))
    return report
  }
}
