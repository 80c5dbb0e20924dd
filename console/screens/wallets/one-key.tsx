import { BackTo } from '../../parts/back-to.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Id } from '../../parts/id.tsx'
import { ifThere } from '../../parts/if-there.ts'
import { Loading } from '../../parts/loading.tsx'
import { Name } from '../../parts/name.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { timeOf } from '../../parts/time-of.ts'
import { useLoaded } from '../../parts/use-loaded.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'
import { plainText } from '../../words/plain-text.ts'
import { CURVES, shortName } from './address-formats.ts'
import { DeleteForGood } from './delete-for-good.tsx'
import { KeyTags, keyTags } from './key-tags.tsx'
import { Origin } from './origin.tsx'
import { say } from './words.ts'

type Showing = { readonly session: Session; readonly privateKeyId: string }

/** A private key that is in no wallet: its addresses, its tags, and its end. */
export function OneKey({ session, privateKeyId }: Showing) {
  const submitting = useSubmit()
  const loaded = useLoaded(() => ifThere(found(session, privateKeyId)), [session, privateKeyId])
  const { isBusy } = submitting
  const change = (type: string, parameters: object): void =>
    submitting.run(() => session.submit(type, parameters), loaded.again)
  return (
    <Loading of={loaded}>
      {(known) => (
        <>
          <h1>{known === undefined ? say('keyGone') : <Name of={known.key.text('privateKeyName')} />}</h1>
          <BackTo path="wallets" label={say('back')} />
          <Outcome of={submitting} />
          {known !== undefined && (
            <>
              <Told of={known.key} id={privateKeyId} />
              <KeyTags
                privateKeyId={privateKeyId}
                carried={known.key.texts('privateKeyTags')}
                tags={known.tags}
                isBusy={isBusy}
                onChange={(parameters) => change('ACTIVITY_TYPE_UPDATE_PRIVATE_KEY_TAG', parameters)}
              />
              <DeleteForGood
                label={say('removeKey')}
                id={privateKeyId}
                of={known.key}
                isBusy={isBusy}
                onConfirmed={(parameters) =>
                  change('ACTIVITY_TYPE_DELETE_PRIVATE_KEYS', {
                    privateKeyIds: [privateKeyId],
                    ...parameters,
                  })
                }
              >
                <p>{say('removeKeyWhy')}</p>
              </DeleteForGood>
            </>
          )}
        </>
      )}
    </Loading>
  )
}

async function found(session: Session, privateKeyId: string) {
  const [key, tags] = await Promise.all([
    session.query('get_private_key', { privateKeyId }),
    keyTags(session),
  ])
  return { key: key.object('privateKey'), tags }
}

function Told({ of, id }: { readonly of: Answered; readonly id: string }) {
  const curve = of.text('curve')
  return (
    <>
      <Facts
        of={[
          [say('id'), <Id key="id" of={id} />],
          [say('curve'), plainText(CURVES.find((one) => one.curve === curve)?.name ?? curve)],
          [say('publicKey'), <Id key="public" of={of.text('publicKey')} />],
          ...of.list('addresses').map((address) => {
            const format = plainText(shortName(address.text('format')))
            return [format, <Id key={format} of={address.text('address')} />] as const
          }),
          [say('created'), timeOf(of, 'createdAt')],
        ]}
      />
      <Origin of={of} />
    </>
  )
}
