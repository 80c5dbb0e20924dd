import { Loading } from '../../parts/loading.tsx'
import { useLoaded } from '../../parts/use-loaded.ts'
import type { ScreenProps } from '../screen.ts'
import { ContractList } from './contract-list.tsx'
import { OneContract } from './one-contract.tsx'

/** The interfaces of contracts, with which policies see into calls. */
export function Contracts({ session, rest: [interfaceId] }: ScreenProps) {
  const loaded = useLoaded(
    async () => (await session.query('list_smart_contract_interfaces')).list('smartContractInterfaces'),
    [session],
  )
  return (
    <Loading of={loaded}>
      {(interfaces) =>
        interfaceId === undefined ? (
          <ContractList session={session} interfaces={interfaces} again={loaded.again} />
        ) : (
          <OneContract
            key={interfaceId}
            session={session}
            interfaceId={interfaceId}
            known={interfaces.find((one) => one.text('smartContractInterfaceId') === interfaceId)}
            again={loaded.again}
          />
        )
      }
    </Loading>
  )
}
