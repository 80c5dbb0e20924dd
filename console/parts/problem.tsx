import { useEffect, useState } from 'preact/hooks'
import { Failure } from '../../src/trusted/base/failure.ts'
import { StrangeAnswer } from '../service/answered.ts'
import { Refused, Unanswered, Unreachable } from '../service/post.ts'
import { isStillServed } from '../service/served-page.ts'
import { NoPasskey } from '../service/stamp.ts'
import { UnknownOrganization, Waits } from '../session/sign-in.ts'
import { say } from './words.ts'

/** What went wrong, as a sentence that a person can do something with. */
export function Problem({ error: met, again }: { readonly error: unknown; readonly again?: () => void }) {
  const error = useCause(met)
  return (
    <div class="note bad" role="alert">
      <p>{sentenceOf(error)}</p>
      {error instanceof OtherVersion ? (
        <button type="button" onClick={() => location.reload()}>
          {say('reload')}
        </button>
      ) : (
        again !== undefined && (
          <button type="button" onClick={again}>
            {say('again')}
          </button>
        )
      )}
    </div>
  )
}

/** The service has another version of this page by now. */
class OtherVersion extends Error {
  override readonly name = 'OtherVersion'
}

/** What nothing else explains is asked about: a page that stays open over an upgrade misses files, and meets strange answers. */
function useCause(error: unknown): unknown {
  const [cause, setCause] = useState<{ readonly of: unknown; readonly is: unknown } | undefined>(undefined)
  useEffect(() => {
    if (EXPLAINED.some((kind) => error instanceof kind)) return
    isStillServed().then(
      (isSame) => setCause({ of: error, is: isSame ? error : new OtherVersion() }),
      (unreachable: unknown) => setCause({ of: error, is: unreachable }),
    )
  }, [error])
  return cause !== undefined && cause.of === error ? cause.is : error
}

const EXPLAINED = [Refused, Unreachable, Unanswered, NoPasskey, UnknownOrganization, Waits, Failure] as const

function sentenceOf(error: unknown): string {
  if (error instanceof Refused)
    return error.message === ''
      ? say('refusedSilently', { status: error.status })
      : say('refused', { message: error.message })
  if (error instanceof OtherVersion) return say('otherVersion')
  if (error instanceof Unreachable) return say('unreachable')
  if (error instanceof Unanswered) return say('unanswered')
  if (error instanceof StrangeAnswer) return say('strange', { path: error.message })
  if (error instanceof NoPasskey)
    return error.isForbiddenHere ? say('passkeyNowhere', { host: location.hostname }) : say('noPasskey')
  if (error instanceof UnknownOrganization) return say('unknownOrganization')
  if (error instanceof Waits) return say('waits')
  if (error instanceof Failure) return say('refusedHere', { message: error.message })
  return say('bug', { message: error instanceof Error ? error.message : String(error) })
}
