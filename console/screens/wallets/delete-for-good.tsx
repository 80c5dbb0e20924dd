import type { ComponentChildren } from 'preact'
import { Confirmed } from '../../parts/confirmed.tsx'
import { Id } from '../../parts/id.tsx'
import { pathTo } from '../../parts/path-to.ts'
import type { Answered } from '../../service/answered.ts'
import { say } from './words.ts'

type Deleting = {
  readonly label: string
  readonly id: string
  /** The wallet or the key, as the service tells of it. */
  readonly of: Answered
  readonly isBusy: boolean
  /** @param parameters  says that no copy is wanted, where none was ever exported: the service refuses the rest by itself */
  readonly onConfirmed: (parameters: object) => void
  /** What goes with it. */
  readonly children: ComponentChildren
}

/** Asks before a secret is gone: whether there is a copy is the first thing to know. */
export function DeleteForGood({ label, id, of, isBusy, onConfirmed, children }: Deleting) {
  const isExported = of.flag('exported')
  return (
    <Confirmed
      label={label}
      isBusy={isBusy}
      onConfirmed={() => onConfirmed(isExported ? {} : { deleteWithoutExport: true })}
    >
      <p>
        <Id of={id} />
      </p>
      {children}
      {isExported ? (
        <p>{say('wasExported')}</p>
      ) : (
        <p>
          <strong>{say('neverExported')}</strong> <a href={pathTo('import-export')}>{say('exportFirst')}</a>
        </p>
      )}
    </Confirmed>
  )
}
