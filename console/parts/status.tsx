import { plainText } from '../words/plain-text.ts'
import { say } from './words.ts'

/** How an activity stands, by colour and by word. */
export function Status({ of }: { readonly of: string }) {
  const { tone, word } = KNOWN[of] ?? {}
  return <span class={`badge ${tone ?? ''}`}>{word === undefined ? plainText(of) : say(word)}</span>
}

const KNOWN: {
  readonly [status: string]: { readonly tone: string; readonly word: Parameters<typeof say>[0] } | undefined
} = {
  ACTIVITY_STATUS_COMPLETED: { tone: 'good', word: 'completed' },
  ACTIVITY_STATUS_FAILED: { tone: 'bad', word: 'failed' },
  ACTIVITY_STATUS_REJECTED: { tone: 'bad', word: 'rejected' },
  ACTIVITY_STATUS_CONSENSUS_NEEDED: { tone: 'warn', word: 'consensusNeeded' },
  ACTIVITY_STATUS_AUTHENTICATORS_NEEDED: { tone: 'warn', word: 'proofNeeded' },
}
