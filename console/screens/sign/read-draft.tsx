import type { Words } from '../../../src/host/approval/words.ts'
import { Confirmed } from '../../parts/confirmed.tsx'
import { FactList } from '../../parts/fact-list.tsx'
import { Noted } from '../../parts/noted.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import type { Answered } from '../../service/answered.ts'
import type { Draft, Session } from '../../session/session.ts'
import { plainText } from '../../words/plain-text.ts'
import { say } from './words.ts'

type Reading = {
  readonly session: Session
  readonly draft: Draft
  readonly words: Words
  /** Raw bytes may be signed although nothing can be known of them. */
  readonly isRaw: boolean
}

/** What the bytes of a draft say, and the button that sends these very bytes. */
export function ReadDraft({ session, draft, words, isRaw }: Reading) {
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
      {submitting.activity !== undefined && <Signed activity={submitting.activity} />}
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

function Signed({ activity }: { readonly activity: Answered }) {
  if (activity.text('status') !== 'ACTIVITY_STATUS_COMPLETED') return null
  const result = activity.object('result')
  const transaction = result.has('signTransactionResult')
    ? result.object('signTransactionResult').text('signedTransaction')
    : undefined
  const raw = transaction === undefined ? result.object('signRawPayloadResult') : undefined
  return (
    <>
      <h3>{say(transaction === undefined ? 'signature' : 'signedTransaction')}</h3>
      <p class="id">
        {plainText(transaction ?? ['r', 's', 'v'].map((name) => raw?.text(name) ?? '').join(''))}
      </p>
      {raw !== undefined && <p class="hint">{say('signatureHint')}</p>}
    </>
  )
}
