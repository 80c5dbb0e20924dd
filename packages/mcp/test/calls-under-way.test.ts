import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callsUnderWay } from '../src/calls-under-way.ts'

const CALL = { jsonrpc: '2.0', method: 'tools/call', id: 1, params: {} }
const CANCEL = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }

test('a call is taken back in its own session, by its own number, and only while it is answered', () => {
  const hold = callsUnderWay()
  const asks = (session: string | undefined, body: unknown) => {
    const gone = new AbortController()
    return { gone, ...hold({ session, body, gone }) }
  }
  const [mine, other, further] = [asks('mine', CALL), asks('other', CALL), asks('mine', { ...CALL, id: 2 })]
  const nameless = asks(undefined, CALL)
  const areTakenBack = () => [mine, other, further, nameless].map(({ gone }) => gone.signal.aborted)
  for (const session of [undefined, 'third']) asks(session, CANCEL)
  assert.deepEqual(areTakenBack(), [false, false, false, false])
  asks('mine', [CANCEL])
  assert.deepEqual(areTakenBack(), [true, false, false, false])
  other.release()
  asks('other', CANCEL)
  assert.deepEqual(areTakenBack(), [true, false, false, false])
})

test('the end of an earlier call leaves a later one of the same number to be taken back', () => {
  const hold = callsUnderWay()
  const [earlier, later] = [new AbortController(), new AbortController()]
  const { release } = hold({ session: 'mine', body: CALL, gone: earlier })
  hold({ session: 'mine', body: CALL, gone: later })
  release()
  hold({ session: 'mine', body: CANCEL, gone: new AbortController() })
  assert.deepEqual([earlier.signal.aborted, later.signal.aborted], [false, true])
})
