import asyncHooks from 'node:async_hooks'

// Loaded by `test/run.ts` before each test file. The runner of Node follows each promise of a test from its first
// instant to its last, so that it can say of an error that nobody awaits which test it is of. That is a fifth of the
// work of a test of the whole service, which makes promises by the million. Without it such an error is still one of
// its file, which fails by it, and `test/run.ts` prints it; `node --test` with the file alone names the test.
const { createHook } = asyncHooks
asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false })
// It takes the function when it is loaded; what a test makes of hooks itself is as it was.
await import('node:test')
asyncHooks.createHook = createHook
