import fc from 'fast-check'

// One red test is enough to say that a fault is noticed: a reporter that ends the process there, and properties that
// look for no smaller example.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true })

export default async function* firstRed(events: AsyncIterable<{ readonly type: string }>) {
  for await (const { type } of events) if (type === 'test:fail') process.exit(1)
  yield ''
}
