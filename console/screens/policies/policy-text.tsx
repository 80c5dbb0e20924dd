import { Facts } from '../../parts/facts.tsx'
import { plainText } from '../../words/plain-text.ts'
import type { Terms } from './terms.ts'
import { say } from './words.ts'

/** A policy as it is written. */
export function PolicyText({ of: { effect, condition, consensus, time } }: { readonly of: Terms }) {
  return (
    <Facts
      of={[
        [say('effect'), say(effect === 'EFFECT_DENY' ? 'deny' : 'allow')],
        [say('condition'), condition !== '' && <code>{plainText(condition)}</code>],
        [say('consensus'), consensus !== '' && <code>{plainText(consensus)}</code>],
        [say('time'), time !== '' && <code>{plainText(time)}</code>],
      ]}
    />
  )
}
