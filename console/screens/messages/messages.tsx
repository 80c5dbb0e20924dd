import { Again } from '../../parts/again.tsx'
import { Cards } from '../../parts/cards.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Name } from '../../parts/name.tsx'
import { PageTurner, usePlace } from '../../parts/page-turner.tsx'
import { timeOf } from '../../parts/time-of.ts'
import { useLoaded } from '../../parts/use-loaded.ts'
import type { Answered } from '../../service/answered.ts'
import type { ScreenProps } from '../screen.ts'
import { say as title } from '../words.ts'
import { say } from './words.ts'

const PAGE = 50

/** The mails and text messages that were handed over to be sent; of none what it says. */
export function Messages({ session }: ScreenProps) {
  const place = usePlace()
  const loaded = useLoaded(
    async () => await session.query('list_sent_messages', { limit: String(PAGE), ...place.after }),
    [session, place.after.after],
  )
  return (
    <>
      <h1>{title('messages')}</h1>
      <p>{say('about')}</p>
      <Loading of={loaded}>
        {(answer) => (
          <>
            <Cards of={answer.list('messages')} none={say('none')}>
              {(message) => <Line key={message.text('messageId')} message={message} />}
            </Cards>
            <div class="row">
              <Again of={loaded} />
              <PageTurner place={place} next={answer.textOrNone('next')} />
            </div>
          </>
        )}
      </Loading>
    </>
  )
}

function Line({ message }: { readonly message: Answered }) {
  return (
    <li>
      <Name of={message.text('to')} />
      <span class="badge">{say(message.text('channel') === 'SMS' ? 'text' : 'mail')}</span>
      <span class="faint">
        {timeOf(message, 'sentAt')}
        {message.has('from') && (
          <>
            {' · '}
            {say('from', { from: message.text('from') })}
          </>
        )}
      </span>
    </li>
  )
}
