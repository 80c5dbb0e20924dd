import { Failure } from '../../src/trusted/base/failure.ts'
import { StrangeAnswer } from '../service/answered.ts'
import { Refused, Unreachable } from '../service/post.ts'
import { NoPasskey } from '../service/stamp.ts'
import { UnknownOrganization, Waits } from '../session/sign-in.ts'
import { say } from './words.ts'

/** What went wrong, as a sentence that a person can do something with. */
export function Problem({ error, again }: { readonly error: unknown; readonly again?: () => void }) {
  return (
    <div class="note bad" role="alert">
      <p>{sentenceOf(error)}</p>
      {again !== undefined && (
        <button type="button" onClick={again}>
          {say('again')}
        </button>
      )}
    </div>
  )
}

function sentenceOf(error: unknown): string {
  if (error instanceof Refused)
    return error.message === ''
      ? say('refusedSilently', { status: error.status })
      : say('refused', { message: error.message })
  if (error instanceof Unreachable) return say('unreachable')
  if (error instanceof StrangeAnswer) return say('strange', { path: error.message })
  if (error instanceof NoPasskey) return say('noPasskey')
  if (error instanceof UnknownOrganization) return say('unknownOrganization')
  if (error instanceof Waits) return say('waits')
  if (error instanceof Failure) return say('refusedHere', { message: error.message })
  return say('bug', { message: error instanceof Error ? error.message : String(error) })
}
