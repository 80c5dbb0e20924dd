import type { Words } from '../../../src/host/approval/words.ts'
import { Confirmed } from '../../parts/confirmed.tsx'
import { FactList } from '../../parts/fact-list.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Noted } from '../../parts/noted.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { useLoaded } from '../../parts/use-loaded.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import type { Returned } from '../../readers/signature.ts'
import type { Answered } from '../../service/answered.ts'
import type { Draft, Session } from '../../session/session.ts'
import { plainText } from '../../words/plain-text.ts'
import { say } from './words.ts'

/** What is to be signed, as it was read. `isSigned`: whether an answer is a signature of exactly this by the key. */
export type Read = {
  readonly draft: Draft
  readonly words: Words
  readonly publicKey: string
  readonly isSigned: (returned: Returned) => Promise<boolean>
}

/** `isRaw`: raw bytes may be signed although nothing can be known of them. */
type Reading = Read & { readonly session: Session; readonly isRaw: boolean }

/** What the bytes of a draft say, and the button that sends these very bytes. */
export function ReadDraft({ session, isRaw, ...read }: Reading) {
  const { draft, words } = read
  const submitting = useSubmit()
  const isUnknowable = words.unknowable.length > 0
  const isRefused = words.refusals.length > 0 || (isUnknowable && !isRaw)
  const sign = (): void => submitting.run(() => session.send(draft))
  return (
    <>
      <h2 class="sentence" lang="en">
        {words.sentence}
      </h2>
      <Noted title={say('refused')} of={words.refusals} tone="bad" />
      <Noted title={say('unknowable')} of={words.unknowable} tone="bad" />
      {isUnknowable && !isRaw && <p class="note bad">{say('onlyRaw')}</p>}
      <Noted title={say('dangers')} of={words.dangers} tone="warn" />
      <FactList of={words.facts} />
      <Outcome of={submitting} />
      {submitting.activity !== undefined && <Signed activity={submitting.activity} {...read} />}
      {!isRefused && !isUnknowable && submitting.activity === undefined && (
        <button type="button" class="primary" disabled={submitting.isBusy} onClick={sign}>
          {say('sign')}
        </button>
      )}
      {!isRefused && isUnknowable && submitting.activity === undefined && (
        <Confirmed label={say('signBlind')} isBusy={submitting.isBusy} onConfirmed={sign}>
          <p>{say('blind')}</p>
        </Confirmed>
      )}
    </>
  )
}

/** What came back is shown once it was verified here, and not at all where it is no signature of what was asked for. */
function Signed({ activity, publicKey, isSigned }: Read & { readonly activity: Answered }) {
  const returned = returnedBy(activity)
  const verified = useLoaded(
    async () => returned !== undefined && (await isSigned(returned)),
    [activity.text('id')],
  )
  if (returned === undefined) return null
  const isTransaction = 'signedTransaction' in returned
  return (
    <Loading of={verified}>
      {(isVerified) =>
        isVerified ? (
          <>
            <h3>{say(isTransaction ? 'signedTransaction' : 'signature')}</h3>
            <p class="id">
              {plainText(isTransaction ? returned.signedTransaction : returned.r + returned.s + returned.v)}
            </p>
            {!isTransaction && <p class="hint">{say('signatureHint')}</p>}
            <p class="note good">{say('verified', { key: publicKey })}</p>
          </>
        ) : (
          <p class="note bad" role="alert">
            {say('notVerified', { key: publicKey })}
          </p>
        )
      }
    </Loading>
  )
}

/** Undefined for an activity that waits, or was not carried out. */
function returnedBy(activity: Answered): Returned | undefined {
  if (activity.text('status') !== 'ACTIVITY_STATUS_COMPLETED') return undefined
  const result = activity.object('result')
  if (result.has('signTransactionResult'))
    return { signedTransaction: result.object('signTransactionResult').text('signedTransaction') }
  const raw = result.object('signRawPayloadResult')
  return { r: raw.text('r'), s: raw.text('s'), v: raw.text('v') }
}
