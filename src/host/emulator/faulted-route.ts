import { hash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { present } from '../../trusted/base/assert.ts'
import { Failure, httpStatusByCode } from '../../trusted/base/failure.ts'
import type { Ms } from '../../trusted/base/world.ts'
import { errorAnswer } from '../http/error-answer.ts'
import type { Answer, Call, Route } from '../http/route.ts'
import { realTimers } from '../outside/timers.ts'
import { type Fault, type Faults, faultAnswer } from './faults.ts'
import type { Instance } from './instance.ts'
import type { RequestLog } from './request-log.ts'

/** A life of the service and the requests that it answers. */
export type Life = {
  readonly instance: Instance
  readonly underWay: Set<Promise<unknown>>
  /** Accepts no more requests: those that a fault delays are carried out now. */
  readonly over: PromiseWithResolvers<void>
}

/** The route of this name in the present life, with its planned faults; written to the log. */
export function faultedRoute(
  name: string,
  parts: {
    readonly life: () => Life
    readonly now: () => Ms
    readonly faults: Faults
    readonly log: RequestLog
    /** The fingerprints of requests that wait for one more vote. */
    readonly awaiting: Set<string>
    /** The requests under way, by their headers: a route does not know its connection. */
    readonly responses: WeakMap<Call['headers'], ServerResponse>
  },
): Route {
  const { life, now, faults, log, awaiting, responses } = parts
  const [method = '', path = ''] = name.split(' ')
  const operation = /^\/public\/v1\/(?:submit|query)\/(\w+)$/.exec(path)?.[1]
  const carry = async (call: Call, fault: Fault | undefined): Promise<Answer> => {
    if (fault !== undefined && 'status' in fault) return faultAnswer(fault.status)
    if (fault !== undefined && 'pendingConsensus' in fault)
      awaiting.add(`sha256:${hash('sha256', call.body, 'hex')}`)
    return await answered(life(), name, call, fault !== undefined && 'delayMs' in fault ? fault.delayMs : 0)
  }
  if (operation === undefined) return (call) => carry(call, undefined)
  return async (call) => {
    const at = now()
    const fault = faults.take(operation)
    const answer = await carry(call, fault)
    if (fault !== undefined && 'dropAnswer' in fault) responses.get(call.headers)?.destroy()
    log.note({ at, method, path, fault }, call, told(answer))
    return answer
  }
}

async function answered(
  { instance, underWay, over }: Life,
  name: string,
  call: Call,
  delayMs: Ms,
): Promise<Answer> {
  const route = present(instance.routes.get(name), 'a route that every life has')
  const answering =
    delayMs === 0 ? route(call) : passed(delayMs, over.promise).then(async () => await route(call))
  underWay.add(answering)
  try {
    return await answering
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return errorAnswer(error)
  } finally {
    underWay.delete(answering)
  }
}

async function passed(ms: Ms, over: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const cancel = realTimers.after(ms, resolve)
  await Promise.race([promise, over])
  cancel()
}

function told(answer: Answer): { readonly status: number; readonly body: string } {
  if (answer.kind === 'ok') return { status: 200, body: answer.body }
  return { status: answer.status ?? httpStatusByCode[answer.error.code], body: JSON.stringify(answer.error) }
}
