/**
 * The same bytes or list, telling how often something of it has been looked at: an entry, or a method that looks at
 * some.
 */
export function countedReads<T extends object>(of: T): { readonly counted: T; readonly reads: () => number } {
  let reads = 0
  const counted = new Proxy(of, {
    get: (target, name) => {
      if (name !== 'length') reads++
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { counted, reads: () => reads }
}
