import { defineFailure, FAILED_PRECONDITION, INVALID_ARGUMENT } from '../../trusted/base/failure.ts'
import { shown } from '../../trusted/catalogue/shape.ts'

export const invalidDuration = defineFailure<{ readonly duration: string | number }>({
  kind: 'invalidDuration',
  code: INVALID_ARGUMENT,
  say: ({ duration }) =>
    `${shown(duration)} is not a duration; send one such as "2h", "1h30m" or "250ms", or milliseconds, of at most 100 years`,
})

export const unknownOption = defineFailure<{ readonly name: string; readonly known: readonly string[] }>({
  kind: 'unknownOption',
  code: INVALID_ARGUMENT,
  say: ({ name, known }) => `there is no option ${shown(name)}; there is ${known.join(', ')}`,
})

export const invalidOption = defineFailure<{
  readonly name: string
  readonly is: string
  readonly value: unknown
}>({
  kind: 'invalidOption',
  code: INVALID_ARGUMENT,
  say: ({ name, is, value }) =>
    `the option ${name} is ${is}, not ${typeof value === 'number' ? value : shown(value)}`,
})

export const invalidClock = defineFailure<{ readonly clock: string }>({
  kind: 'invalidClock',
  code: INVALID_ARGUMENT,
  say: ({ clock }) =>
    `${shown(clock)} is not a clock; send real, frozen, or a time such as 2026-01-01T00:00:00Z`,
})

export const clockTooFar = defineFailure({
  kind: 'clockTooFar',
  code: INVALID_ARGUMENT,
  say: () => 'the clock would be beyond the year 9999; reset() or restore() brings it back',
})

export const unknownOperation = defineFailure<{
  readonly operation: string
  readonly near: readonly string[]
}>({
  kind: 'unknownOperation',
  code: INVALID_ARGUMENT,
  say: ({ operation, near }) =>
    `there is no operation ${shown(operation)}${near.length === 0 ? '' : `; there is ${near.join(', ')}`}`,
})

export const invalidFault = defineFailure<{ readonly fault: unknown }>({
  kind: 'invalidFault',
  code: INVALID_ARGUMENT,
  say: ({ fault }) =>
    `${shown(fault)} is not a fault; send one of {"status": 400 to 599}, {"delayMs": 0 to 600000}, {"dropAnswer": true} or {"pendingConsensus": true}`,
})

export const noConsensusForQueries = defineFailure<{ readonly operation: string }>({
  kind: 'noConsensusForQueries',
  code: INVALID_ARGUMENT,
  say: ({ operation }) =>
    `${operation} does not wait for votes, because it is a query or a vote; pendingConsensus is for other activities`,
})

export const noMessage = defineFailure<{ readonly contact: string; readonly contacts: readonly string[] }>({
  kind: 'noMessage',
  code: FAILED_PRECONDITION,
  say: ({ contact, contacts }) =>
    `no message with a code has come for ${shown(contact)}; ` +
    (contacts.length === 0
      ? 'the inbox is empty'
      : `there are messages for ${contacts.slice(-5).join(', ')}`),
})

export const noWebhook = defineFailure<{ readonly withinMs: number }>({
  kind: 'noWebhook',
  code: FAILED_PRECONDITION,
  say: ({ withinMs }) =>
    `no webhook was sent within ${withinMs} ms; is there an endpoint that is subscribed?`,
})

export const foreignSnapshot = defineFailure<{ readonly why: string }>({
  kind: 'foreignSnapshot',
  code: INVALID_ARGUMENT,
  say: ({ why }) => `this snapshot cannot be restored here: ${why}`,
})

export const invalidFixtures = defineFailure<{ readonly why: string }>({
  kind: 'invalidFixtures',
  code: INVALID_ARGUMENT,
  say: ({ why }) => `these fixtures cannot be made: ${why}`,
})

export const noSuchSnapshot = defineFailure<{ readonly snapshot: string }>({
  kind: 'noSuchSnapshot',
  code: INVALID_ARGUMENT,
  say: ({ snapshot }) =>
    `there is no snapshot ${shown(snapshot)}; POST /emulator/snapshot answers the name of a new one, and the last 100 are kept`,
})

export const invalidWait = defineFailure<{ readonly withinMs: unknown }>({
  kind: 'invalidWait',
  code: INVALID_ARGUMENT,
  say: ({ withinMs }) => `withinMs is a number of milliseconds up to 60000, not ${shown(withinMs)}`,
})

export const noSuchUser = defineFailure<{ readonly userName: string }>({
  kind: 'noSuchUser',
  code: INVALID_ARGUMENT,
  say: ({ userName }) => `the emulator has made no user ${shown(userName)}; newUser and fixtures make them`,
})

export const userNotMade = defineFailure<{ readonly userName: string; readonly why: string }>({
  kind: 'userNotMade',
  code: FAILED_PRECONDITION,
  say: ({ userName, why }) => `the user ${shown(userName)} was not made: ${why}`,
})
