import fc from 'fast-check'

// One red test is enough to say that a fault is noticed: a reporter that ends the process there, and properties that
// look for no smaller example.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true })

type Event = { readonly type: string; readonly data?: { readonly name?: string } }

export default async function* firstRed(events: AsyncIterable<Event>) {
  for await (const { type, data } of events) {
    if (type !== 'test:fail') continue
    const end = (): never => process.exit(1)
    if (process.send === undefined) end()
    else process.send({ red: data?.name ?? 'the process' }, end)
  }
  yield ''
}
