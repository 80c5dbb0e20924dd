import type { ErrorBody } from '../../trusted/base/failure.ts'
import { httpStatusByCode, INTERNAL, UNAVAILABLE } from '../../trusted/base/failure.ts'
import type { Answer } from '../http/route.ts'
import { invalidFault, noConsensusForQueries, unknownOperation } from './failures.ts'

/** The fault of the next request of an operation. */
export type Fault =
  /** The request is answered with this status, and not carried out. */
  | { readonly status: number }
  /** The request is carried out this much later. */
  | { readonly delayMs: number }
  /** The request is carried out, and the connection ends without an answer. */
  | { readonly dropAnswer: true }
  /** A request that would be carried out waits for one more vote; any approval carries it out, even by its sender. */
  | { readonly pendingConsensus: true }

/** The kind of each operation of the interface, as far as faults need it. */
type Operations = ReadonlyMap<string, { readonly mayWait: boolean }>

export type Faults = {
  /** @throws Failure `unknownOperation`, `invalidFault`, `noConsensusForQueries` */
  readonly next: (operation: string, fault: Fault) => void
  /** Takes the fault of this request, so that no other request gets it. */
  readonly take: (operation: string) => Fault | undefined
  readonly clear: () => void
}

export function openFaults(operations: Operations): Faults {
  const waiting = new Map<string, Fault[]>()
  return {
    next: (operation, fault) => {
      const known = operations.get(operation)
      if (known === undefined) throw unknownOperation({ operation, near: nearest(operation, operations) })
      const read = faultIn(fault)
      if ('pendingConsensus' in read && !known.mayWait) throw noConsensusForQueries({ operation })
      waiting.set(operation, [...(waiting.get(operation) ?? []), read])
    },
    take: (operation) => waiting.get(operation)?.shift(),
    clear: () => waiting.clear(),
  }
}

/** The answer for a fault. */
export function faultAnswer(status: number): Answer {
  const [code] = Object.entries(httpStatusByCode).find(([, known]) => known === status) ?? []
  // The keys of this table are the codes.
  const known = code === undefined ? undefined : (Number(code) as ErrorBody['code'])
  const error: ErrorBody = {
    code: known ?? (status < 500 ? UNAVAILABLE : INTERNAL),
    message: `the EMULATOR was told to answer ${status} here`,
    details: [],
  }
  return { kind: 'error', status, error }
}

const DELAY_MS_MAX = 600_000

function faultIn(sent: unknown): Fault {
  const fault = typeof sent === 'object' && sent !== null && Object.keys(sent).length === 1 ? sent : {}
  if ('status' in fault && isWhole(fault.status, 400, 599)) return { status: fault.status }
  if ('delayMs' in fault && isWhole(fault.delayMs, 0, DELAY_MS_MAX)) return { delayMs: fault.delayMs }
  if ('dropAnswer' in fault && fault.dropAnswer === true) return { dropAnswer: true }
  if ('pendingConsensus' in fault && fault.pendingConsensus === true) return { pendingConsensus: true }
  throw invalidFault({ fault: sent })
}

function isWhole(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
}

/** The operations that share a word with the unknown name. */
function nearest(operation: string, operations: Operations): readonly string[] {
  const words = operation
    .toLowerCase()
    .split('_')
    .slice(1)
    .filter((word) => word.length > 3)
  return [...operations.keys()].filter((name) => words.some((word) => name.includes(word))).slice(0, 5)
}
