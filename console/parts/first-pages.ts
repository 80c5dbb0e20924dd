/** A page of a list. `next` is where the one after it begins, and empty on the last. */
type ListPage<T> = { readonly items: readonly T[]; readonly next: string }

/**
 * Reads so many pages from the first on, each of them anew, so that what has changed is seen.
 *
 * @param read  takes what goes into the query: nothing for the first page
 */
export async function firstPages<T>(
  count: number,
  read: (after: { readonly after?: string }) => Promise<ListPage<T>>,
): Promise<{ readonly items: readonly T[]; readonly hasMore: boolean }> {
  const items: T[] = []
  let next = ''
  for (let page = 0; page < count; page++) {
    const found = await read(next === '' ? {} : { after: next })
    items.push(...found.items)
    next = found.next
    if (next === '') break
  }
  return { items, hasMore: next !== '' }
}
