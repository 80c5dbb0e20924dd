import { type Linked, LinkedList } from './linked-list.ts'
import { BySize, type Rank, type Sized } from './by-size.ts'

/** The organization that an entry belongs to, and its tenant. An organization always has the same tenant. */
export type Owner = { readonly tenant: string; readonly organization: string }

/**
 * A map whose room is shared fairly between tenants. Once it is full, a new entry takes the place of another one of the
 * tenant that holds most: of the least recently used one in its largest organization. So a tenant loses nothing to
 * others as long as it holds no more than its share, which is the room divided by the number of tenants. Among tenants
 * that hold the same, the least recently used one gives way.
 *
 * Tenants, and the organizations of each, are in the order of their size. So the entry that gives way is found in the
 * same short time, however much is held.
 */
export class FairLru<V> {
  readonly #entriesMax: number
  readonly #entries = new Map<string, Entry<V>>()
  readonly #organizations = new Map<string, Organization<V>>()
  readonly #tenants = new Map<string, Tenant<V>>()
  readonly #tenantsBySize = new BySize<Tenant<V>>()

  constructor(entriesMax: number) {
    this.#entriesMax = entriesMax
  }

  get isFull(): boolean {
    return this.#entries.size >= this.#entriesMax
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#use(entry)
    return entry.value
  }

  /** The tenant to which an entry belongs. Asking is not a use. */
  tenantOf(key: string): string | undefined {
    return this.#entries.get(key)?.organization.tenant.name
  }

  set(key: string, value: V, owner: Owner): void {
    const known = this.#entries.get(key)
    if (known?.organization.name === owner.organization) {
      known.value = value
      return this.#use(known)
    }
    if (known !== undefined) this.#remove(known)
    this.#add(new Entry(key, value, this.#organizationOf(owner)))
    if (this.#entries.size > this.#entriesMax) this.#giveUpOne()
  }

  /**
   * Deletes entries, looking at each.
   *
   * @param deletedMax  for one step that is not too long
   * @returns           whether none is left to delete
   */
  deleteWhere(isOver: (value: V) => boolean, deletedMax: number): boolean {
    let deleted = 0
    for (const entry of this.#entries.values()) {
      if (!isOver(entry.value)) continue
      if (deleted === deletedMax) return false
      this.#remove(entry)
      deleted += 1
    }
    return true
  }

  #organizationOf(owner: Owner): Organization<V> {
    const known = this.#organizations.get(owner.organization)
    if (known !== undefined) return known
    const tenant = this.#tenants.get(owner.tenant) ?? new Tenant<V>(owner.tenant)
    const organization = new Organization(owner.organization, tenant)
    this.#tenants.set(tenant.name, tenant)
    this.#organizations.set(organization.name, organization)
    return organization
  }

  #use(entry: Entry<V>): void {
    const { organization } = entry
    organization.moveToEnd(entry)
    organization.tenant.use(organization)
    this.#tenantsBySize.use(organization.tenant)
  }

  #add(entry: Entry<V>): void {
    const { organization } = entry
    this.#entries.set(entry.key, entry)
    organization.insert(entry)
    organization.tenant.grow(organization)
    this.#tenantsBySize.grow(organization.tenant)
  }

  #remove(entry: Entry<V>): void {
    const { organization } = entry
    const { tenant } = organization
    this.#entries.delete(entry.key)
    organization.remove(entry)
    tenant.shrink(organization)
    this.#tenantsBySize.shrink(tenant)
    if (organization.rank === undefined) this.#organizations.delete(organization.name)
    if (tenant.rank === undefined) this.#tenants.delete(tenant.name)
  }

  #giveUpOne(): void {
    const entry = this.#tenantsBySize.largest?.largest?.first
    if (entry !== undefined) this.#remove(entry)
  }
}

/** The organizations of a tenant, by their size. */
class Tenant<V> extends BySize<Organization<V>> implements Sized<Tenant<V>> {
  previous: Tenant<V> | undefined
  next: Tenant<V> | undefined
  rank: Rank<Tenant<V>> | undefined
  readonly name: string

  constructor(name: string) {
    super()
    this.name = name
  }
}

/** The entries of an organization, from the least to the most recently used. */
class Organization<V> extends LinkedList<Entry<V>> implements Sized<Organization<V>> {
  previous: Organization<V> | undefined
  next: Organization<V> | undefined
  rank: Rank<Organization<V>> | undefined
  readonly name: string
  readonly tenant: Tenant<V>

  constructor(name: string, tenant: Tenant<V>) {
    super()
    this.name = name
    this.tenant = tenant
  }
}

class Entry<V> implements Linked<Entry<V>> {
  previous: Entry<V> | undefined
  next: Entry<V> | undefined
  readonly key: string
  value: V
  readonly organization: Organization<V>

  constructor(key: string, value: V, organization: Organization<V>) {
    this.key = key
    this.value = value
    this.organization = organization
  }
}
