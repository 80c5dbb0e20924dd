import { say } from './words.ts'

/** What policies decide, by colour and by word. */
export function Verdict({ of }: { readonly of: string }) {
  if (of === 'allow') return <span class="badge good">{say('wouldAllow')}</span>
  if (of === 'wait') return <span class="badge warn">{say('wouldWait')}</span>
  return <span class="badge bad">{say('wouldDeny')}</span>
}
