import { present } from '../../src/trusted/base/assert.ts'
import type { Vault } from '../../src/protocol/vault.ts'
import type { Service } from '../tampering/harness.ts'
import type { JsonAnswer } from '../support/service.ts'
import { stampWith, type StampKey } from '../support/stamper.ts'

/** A call of the vault and what it cost; `status` is what the whole request was answered with. */
export type Requested = {
  readonly calls: readonly VaultCalled[]
  readonly status: number
  readonly text: string
}

type VaultCalled = {
  readonly method: 'decide' | 'identify' | 'rehearse'
  readonly input: { readonly charters: readonly { readonly organizationId: string }[] }
  readonly cost: number
}

/** Writes down what the vault is asked. */
export function recorder() {
  let calls: VaultCalled[] = []
  const recording =
    <M extends VaultCalled['method']>(method: M, vault: Vault) =>
    async (input: Parameters<Vault[M]>[0]) => {
      // The method takes this input, as both are of M.
      const answer = await (vault[method] as (input: unknown) => Promise<{ readonly cost: number }>)(input)
      calls.push({ method, input, cost: answer.cost })
      return answer as never
    }
  return {
    around: (vault: Vault): Vault => ({
      ...vault,
      decide: recording('decide', vault),
      identify: recording('identify', vault),
      rehearse: recording('rehearse', vault),
    }),
    taken: (): readonly VaultCalled[] => {
      const taken = calls
      calls = []
      return taken
    },
  }
}

/** Somebody who makes requests of which the vault's part is written down. */
export type Actor = ReturnType<typeof actor>

export function actor(
  service: Service,
  taken: () => readonly VaultCalled[],
  { organizationId, key }: { readonly organizationId: string; readonly key: StampKey },
) {
  const sent = async (route: string, body: string): Promise<Requested> => {
    service.world.advance(1)
    taken()
    const { status, text, bug } = await service.send({
      route,
      body,
      xStamp: stampWith(key, body).stampHeaderValue,
    })
    if (bug !== undefined) throw bug
    return { calls: taken(), status, text }
  }
  const activity = (type: string, parameters: object): string =>
    JSON.stringify({ type, timestampMs: String(service.world.now()), organizationId, parameters })
  const submit = (operation: string, type: string, parameters: object) => {
    service.world.advance(1)
    return sent(`submit/${operation}`, activity(type, parameters))
  }
  const query = (operation: string, body: object) =>
    sent(`query/${operation}`, JSON.stringify({ organizationId, ...body }))
  return {
    submit,
    query,
    /** @param parameters  texts are parts of the body as they stand */
    submitText: (
      operation: string,
      type: string,
      { payloads, ...parameters }: { readonly payloads: string; readonly [name: string]: unknown },
    ) =>
      sent(
        `submit/${operation}`,
        activity(type, { ...parameters, payloads: 0 }).replace('"payloads":0', `"payloads":${payloads}`),
      ),
    answer: async (operation: string, body: object): Promise<string> => (await query(operation, body)).text,
    done: async (operation: string, type: string, parameters: object): Promise<JsonAnswer> => {
      const { status, text } = await submit(operation, type, parameters)
      if (status !== 200) throw new Error(`${operation}: ${status} ${text}`)
      // The service answers an activity, of whose result the test knows the form.
      const { result } = JSON.parse(text).activity
      return present(Object.values(result)[0], 'a result') as JsonAnswer
    },
  }
}
