import { BackTo } from '../../parts/back-to.tsx'
import { Confirmed } from '../../parts/confirmed.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Guarded } from '../../parts/guarded.tsx'
import { Id } from '../../parts/id.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Name } from '../../parts/name.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { pathTo } from '../../parts/path-to.ts'
import { timeOf } from '../../parts/time-of.ts'
import { useLoaded } from '../../parts/use-loaded.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'
import { plainText } from '../../words/plain-text.ts'
import { FunctionList } from './function-list.tsx'
import { functionsIn } from './functions-in.ts'
import { kindOf } from './kinds.ts'
import { say } from './words.ts'

type Showing = {
  readonly session: Session
  readonly interfaceId: string
  /** Undefined where there is none with this id. */
  readonly known: Answered | undefined
  readonly again: () => void
}

/** An interface: what it names, which policies name its contract, and its end. */
export function OneContract({ session, interfaceId, known, again }: Showing) {
  const submitting = useSubmit()
  return (
    <>
      <h1>{known === undefined ? say('gone') : <Name of={known.text('label')} />}</h1>
      <BackTo path="contracts" label={say('back')} />
      <Outcome of={submitting} />
      {known !== undefined && (
        <>
          <Told known={known} />
          <Guarded>
            <Functions known={known} />
          </Guarded>
          <Naming session={session} address={known.text('smartContractAddress')} />
          <Confirmed
            label={say('remove')}
            isBusy={submitting.isBusy}
            onConfirmed={() =>
              submitting.run(
                () =>
                  session.submit('ACTIVITY_TYPE_DELETE_SMART_CONTRACT_INTERFACE', {
                    smartContractInterfaceId: interfaceId,
                  }),
                again,
              )
            }
          >
            <p>{say('removeWhy')}</p>
          </Confirmed>
        </>
      )}
    </>
  )
}

function Told({ known }: { readonly known: Answered }) {
  const type = known.text('type')
  const kind = kindOf(type)
  const notes = known.textOrNone('notes')
  return (
    <Facts
      of={[
        [say('address'), <Id key="address" of={known.text('smartContractAddress')} />],
        [say('kind'), kind === undefined ? plainText(type) : say(kind.word)],
        [say('notes'), notes !== '' && <Name key="notes" of={notes} />],
        [say('created'), timeOf(known, 'createdAt')],
        [say('id'), <Id key="id" of={known.text('smartContractInterfaceId')} />],
      ]}
    />
  )
}

/** Read anew here: a host that changes the text changes what is shown, and nothing of what the vault reads. */
function Functions({ known }: { readonly known: Answered }) {
  const kind = kindOf(known.text('type'))
  if (kind === undefined) return null
  return (
    <FunctionList
      of={functionsIn(kind.type, known.text('smartContractInterface'), known.text('smartContractAddress'))}
    />
  )
}

/** Policies that name the contract, in either case where its address is the same in both. */
function Naming({ session, address }: { readonly session: Session; readonly address: string }) {
  const loaded = useLoaded(async () => {
    const policies = (await session.query('list_policies')).list('policies')
    return policies.filter((policy) => names(policy.textOrNone('condition'), address))
  }, [session, address])
  return (
    <>
      <h2>{say('policies')}</h2>
      <Loading of={loaded}>
        {(policies) =>
          policies.length === 0 ? (
            <p>{say('noPolicies')}</p>
          ) : (
            <ul>
              {policies.map((policy) => (
                <li key={policy.text('policyId')}>
                  <a href={pathTo('policies', policy.text('policyId'))}>
                    <Name of={policy.text('policyName')} id={policy.text('policyId')} />
                  </a>
                </li>
              ))}
            </ul>
          )
        }
      </Loading>
    </>
  )
}

function names(condition: string, address: string): boolean {
  return address.startsWith('0x')
    ? condition.toLowerCase().includes(address.toLowerCase())
    : condition.includes(address)
}
