/**
 * The tables with rows of an organization, other than its charter, its activities and its deliveries, with the
 * condition for its rows. Each condition is a prefix of the table's key.
 */
export const REST: readonly {
  readonly name: string
  readonly key: string
  readonly isOf: (parameter: string) => string
}[] = [
  { name: 'objects', key: 'organization_id, kind, object_id', isOf: (id) => `organization_id = ${id}` },
  { name: 'claims', key: 'scope, kind, value', isOf: (id) => `scope = ${id}` },
  { name: 'directory', key: 'scope, kind, value, target', isOf: (id) => `scope = ${id}` },
  { name: 'record_texts', key: 'organization_id, digest', isOf: (id) => `organization_id = ${id}` },
]
