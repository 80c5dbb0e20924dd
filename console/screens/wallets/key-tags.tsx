import { useState } from 'preact/hooks'
import { Cards } from '../../parts/cards.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Form } from '../../parts/form.tsx'
import { Name } from '../../parts/name.tsx'
import { pathTo } from '../../parts/path-to.ts'
import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'
import { plainText, shortId } from '../../words/plain-text.ts'
import { say } from './words.ts'

/** The tags that private keys can carry. */
export async function keyTags(session: Session): Promise<readonly Answered[]> {
  return (await session.query('list_private_key_tags')).list('privateKeyTags')
}

type Carrying = {
  readonly privateKeyId: string
  /** The ids of those that the key carries. */
  readonly carried: readonly string[]
  readonly tags: readonly Answered[]
  readonly isBusy: boolean
  readonly onChange: (parameters: object) => void
}

/** The tags of a key. Each change is one of a tag: the interface has no request that gives several to one key. */
export function KeyTags({ privateKeyId, carried, tags, isBusy, onChange }: Carrying) {
  const names = new Map(tags.map((tag) => [tag.text('tagId'), tag.text('tagName')]))
  const others = [...names].filter(([id]) => !carried.includes(id))
  return (
    <>
      <h2>{say('tags')}</h2>
      <p class="hint">{say('tagsHint')}</p>
      <Cards of={carried} none={say('noTags')}>
        {(id) => (
          <li key={id}>
            <a href={pathTo('tags', 'keys', id)}>
              <Name of={names.get(id) ?? id} id={id} />
            </a>
            <button
              type="button"
              disabled={isBusy}
              onClick={() =>
                onChange({ privateKeyTagId: id, addPrivateKeyIds: [], removePrivateKeyIds: [privateKeyId] })
              }
            >
              {say('takeTag')}
            </button>
          </li>
        )}
      </Cards>
      {others.length > 0 && (
        <GiveTag
          key={others.join()}
          others={others}
          isBusy={isBusy}
          onGiven={(id) =>
            onChange({ privateKeyTagId: id, addPrivateKeyIds: [privateKeyId], removePrivateKeyIds: [] })
          }
        />
      )}
    </>
  )
}

type Giving = {
  readonly others: readonly (readonly [id: string, name: string])[]
  readonly isBusy: boolean
  readonly onGiven: (id: string) => void
}

function GiveTag({ others, isBusy, onGiven }: Giving) {
  const [id, setId] = useState(others[0]?.[0] ?? '')
  return (
    <Form class="row" onSubmit={() => onGiven(id)}>
      <Choice
        label={say('tag')}
        value={id}
        options={others.map(([one, name]) => [one, plainText(name) + shortId(one)])}
        onChoice={setId}
      />
      <button type="submit" disabled={isBusy}>
        {say('giveTag')}
      </button>
    </Form>
  )
}
