import type { Units } from '../../trusted/base/work.ts'
import type { Costed, Vault } from '../../protocol/vault.ts'
import type { Host } from './host.ts'

/** The host for one request: `spend` is called with the work of the vault for it, whatever the outcome. */
export function spending(host: Host, spend: ((units: Units) => void) | undefined): Host {
  if (spend === undefined) return host
  const vault = counted(host.vault, spend)
  return { ...host, vault, checked: host.checked.by(vault) }
}

function counted(vault: Vault, spend: (units: Units) => void): Vault {
  const count = async <T>(answer: Promise<Costed<T>>): Promise<Costed<T>> => {
    const answered = await answer
    spend(answered.cost)
    return answered
  }
  return {
    ...vault,
    decide: (request) => count(vault.decide(request)),
    identify: (request) => count(vault.identify(request)),
    check: (request) => count(vault.check(request)),
    rehearse: (request) => count(vault.rehearse(request)),
  }
}
