import { useState } from 'preact/hooks'
import type { CheckedActivity } from '../../../src/host/approval/checked-activity.ts'
import type { Fact } from '../../../src/host/approval/fact.ts'
import { BackTo } from '../../parts/back-to.tsx'
import { FactList } from '../../parts/fact-list.tsx'
import { Later } from '../../parts/later.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Noted } from '../../parts/noted.tsx'
import { Status } from '../../parts/status.tsx'
import { useLoaded } from '../../parts/use-loaded.ts'
import type { ScreenProps } from '../screen.ts'
import { type Cast, CastNote } from './cast-note.tsx'
import { type HostWord, hostWord } from './host-word.ts'
import { Asked } from './said-by-host.tsx'
import { Vote } from './vote.tsx'
import { isWaiting, oneActivity, type ShownActivity } from './waiting.ts'
import { say } from './words.ts'

/** One activity: what its bytes say, apart from it what the host says, and a vote on exactly these bytes. */
export function One({ session, id }: Pick<ScreenProps, 'session'> & { readonly id: string }) {
  const loaded = useLoaded(() => oneActivity(session, id), [session, id])
  return (
    <>
      <BackTo path="approvals" label={say('back')} />
      <Loading of={loaded}>
        {(found) =>
          found === undefined ? (
            <>
              <h1>{say('one')}</h1>
              <p class="note bad">{say('unshown')}</p>
            </>
          ) : (
            <Shown key={id} session={session} id={id} shown={found} again={loaded.again} />
          )
        }
      </Loading>
    </>
  )
}

type ShownProps = Pick<ScreenProps, 'session'> & {
  readonly id: string
  readonly shown: ShownActivity
  /** Reads it anew, which nothing but a vote does: nobody presses a button below words that have just changed. */
  readonly again: () => void
}

function Shown({ session, id, shown, again }: ShownProps) {
  const { words, fingerprint, stamp, refusals, host } = shown.checked
  const told = useLoaded(() => hostWord(session, shown, nameable(words.facts)), [session, shown])
  // One vote: a second press of the button would be on what the host shows next.
  const [cast, setCast] = useState<Cast | undefined>(undefined)
  const word = told.state.kind === 'loaded' ? told.state.value : undefined
  const facts = (of: readonly Fact[]) => (
    <FactList of={of} beside={(fact) => <HostName of={fact} word={word} />} />
  )
  const bytes = (
    <>
      <p class="hint">{say('factsHint')}</p>
      {facts(words.facts)}
      {stamp.kind === 'verified' && <p class="note good">{say('stamp', { key: stamp.key })}</p>}
    </>
  )
  return (
    <>
      <h1 class="sentence" lang="en">
        {words.sentence}
      </h1>
      <Noted title={say('refused')} of={refusals} tone="bad" />
      <Noted title={say('unknowable')} of={words.unknowable} tone="bad" />
      <Noted title={say('dangers')} of={words.dangers} tone="warn" />
      {words.isTold && facts(untold(shown.checked, word))}
      <h2>{say('host')}</h2>
      <Loading of={told}>
        {(said) => (
          <>
            <Asked checked={shown.checked} word={said} />
            {!words.isTold && (
              <>
                <h2>{say('facts')}</h2>
                {bytes}
              </>
            )}
            {cast !== undefined ? (
              <CastNote of={cast} on={shown.checked} />
            ) : isWaiting(host.status) ? (
              <Vote
                session={session}
                checked={shown.checked}
                onCast={(done) => {
                  setCast(done)
                  again()
                }}
              />
            ) : (
              <p class="note">
                {say('settled')} <Status of={host.status} />
              </p>
            )}
          </>
        )}
      </Loading>
      <h2>{say('digits')}</h2>
      <p class="digits">{fingerprint.digits}</p>
      <p class="hint">{say('digitsHint', { command: `claviger approve ${id} --as KEYFILE` })}</p>
      {words.isTold && (
        <details>
          <summary>{say('all', { count: words.facts.length })}</summary>
          {bytes}
        </details>
      )}
      {word !== undefined && (
        <Later
          title={say('moreByHost')}
          load={async () => (await import('./later/more-by-host.tsx')).MoreByHost}
        >
          {(MoreByHost) => <MoreByHost session={session} checked={shown.checked} word={word} />}
        </Later>
      )}
    </>
  )
}

/** The word of the host, beside what the bytes say and never in place of it. */
function HostName({ of, word }: { readonly of: Fact; readonly word: HostWord | undefined }) {
  const name = word?.nameOf(of.nameable)
  const present = of.nameable === undefined ? undefined : word?.present.get(of.nameable)
  return (
    <>
      {name !== undefined && <span class="faint host">{say('named', { name })}</span>}
      {present !== undefined && <p class="faint host">{say('present', { text: present })}</p>}
    </>
  )
}

/** Of the words that come first: what the sentence leaves out, such as the key that signs, and what the host has a name for. */
function untold({ words: { facts, sentence } }: CheckedActivity, word: HostWord | undefined) {
  const last = facts.findIndex(({ label }) => label === 'Signed with')
  return facts
    .slice(0, last + 1)
    .filter(({ value, nameable: text }) => !sentence.includes(value) || word?.nameOf(text) !== undefined)
}

/** Addresses and ids of the words that come first: those that a person looks at. */
function nameable(facts: readonly Fact[]): readonly string[] {
  const found = facts.slice(0, HEAD).flatMap(({ nameable: text }) => text ?? [])
  return [...new Set(found)].slice(0, NAMES_MAX)
}

const HEAD = 12
const NAMES_MAX = 4
