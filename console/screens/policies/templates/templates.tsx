import { BackTo } from '../../../parts/back-to.tsx'
import { pathTo } from '../../../parts/path-to.ts'
import type { Session } from '../../../session/session.ts'
import { TEMPLATES_PATH } from '../terms.ts'
import { TEMPLATES } from './list.ts'
import type { Ground } from '../ground.ts'
import { OneTemplate } from './one-template.tsx'
import { say as sayOfPolicies } from '../words.ts'
import { say } from './words.ts'

/** Policies that most organizations need, filled in by name: all of them, or one. */
export function Templates({
  session,
  name,
  ground,
}: {
  readonly session: Session
  readonly name: string | undefined
  readonly ground: Ground
}) {
  const template = TEMPLATES.find((one) => one.name === name)
  if (template !== undefined) return <OneTemplate session={session} template={template} ground={ground} />
  return (
    <>
      <BackTo path="policies" label={sayOfPolicies('back')} />
      {name !== undefined && <p>{say('gone')}</p>}
      <ul class="cards">
        {TEMPLATES.map((one) => (
          <li key={one.name}>
            <a href={pathTo('policies', TEMPLATES_PATH, one.name)}>{say(one.name)}</a>
            <span class="faint">{say(`${one.name}Hint`)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
