import type { CheckedActivity } from '../../../src/host/approval/checked-activity.ts'
import type { Fact } from '../../../src/host/approval/fact.ts'
import { BackTo } from '../../parts/back-to.tsx'
import { FactList } from '../../parts/fact-list.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Noted } from '../../parts/noted.tsx'
import { useLoaded } from '../../parts/use-loaded.ts'
import type { ScreenProps } from '../screen.ts'
import { type HostWord, hostWord } from './host-word.ts'
import { SaidByHost } from './said-by-host.tsx'
import { Vote } from './vote.tsx'
import { isWaiting, oneActivity } from './waiting.ts'
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
            <Shown session={session} id={id} checked={found} />
          )
        }
      </Loading>
    </>
  )
}

type ShownProps = Pick<ScreenProps, 'session'> & {
  readonly id: string
  readonly checked: CheckedActivity
}

function Shown({ session, id, checked }: ShownProps) {
  const { words, fingerprint, stamp, refusals, host } = checked
  const addresses = nameable(words.facts)
  const isVerified = stamp.kind === 'verified'
  const told = useLoaded(() => hostWord(session, id, addresses), [session, id])
  const word = told.state.kind === 'loaded' ? told.state.value : undefined
  return (
    <>
      <h1 class="sentence" lang="en">
        {words.sentence}
      </h1>
      <Noted title={say('refused')} of={refusals} tone="bad" />
      <Noted title={say('unknowable')} of={words.unknowable} tone="bad" />
      <Noted title={say('dangers')} of={words.dangers} tone="warn" />
      <h2>{say('facts')}</h2>
      <p class="hint">{say('factsHint')}</p>
      <FactList of={words.facts} beside={(fact) => <HostName of={fact} word={word} />} />
      <h2>{say('host')}</h2>
      <Loading of={told}>{(said) => <SaidByHost checked={checked} word={said} />}</Loading>
      <h2>{say('digits')}</h2>
      <p class="digits">{fingerprint.digits}</p>
      <p class="hint">{say('digitsHint', { command: `claviger approve ${id}` })}</p>
      {isVerified && <p class="note good">{say('stamp', { key: stamp.key })}</p>}
      {isWaiting(host.status) ? (
        <Vote session={session} checked={checked} />
      ) : (
        <p class="note">{say('settled', { status: host.status })}</p>
      )}
    </>
  )
}

/** The word of the host, beside what the bytes say and never in place of it. */
function HostName({ of, word }: { readonly of: Fact; readonly word: HostWord | undefined }) {
  const name = of.nameable === undefined ? undefined : word?.names.get(of.nameable)
  const present = of.nameable === undefined ? undefined : word?.present.get(of.nameable)
  return (
    <>
      {name !== undefined && <span class="faint host">{say('named', { name })}</span>}
      {present !== undefined && <p class="faint host">{say('present', { text: present })}</p>}
    </>
  )
}

/** Addresses and ids of the words that come first: those that a person looks at. */
function nameable(facts: CheckedActivity['words']['facts']): readonly string[] {
  const found = facts.slice(0, HEAD).flatMap(({ nameable: text }) => text ?? [])
  return [...new Set(found)].slice(0, NAMES_MAX)
}

const HEAD = 12
const NAMES_MAX = 4
