/** An item of one list at a time, which is linked to its neighbours there. */
export type Linked<T> = { previous: T | undefined; next: T | undefined }

/** A list of which any item is removed in the same short time. */
export class LinkedList<T extends Linked<T>> {
  #first: T | undefined
  #last: T | undefined

  get first(): T | undefined {
    return this.#first
  }

  get last(): T | undefined {
    return this.#last
  }

  /** @param before  an item of this list; at the end by default */
  insert(item: T, before?: T): void {
    item.previous = before === undefined ? this.#last : before.previous
    item.next = before
    if (item.previous === undefined) this.#first = item
    else item.previous.next = item
    if (before === undefined) this.#last = item
    else before.previous = item
  }

  remove(item: T): void {
    if (item.previous === undefined) this.#first = item.next
    else item.previous.next = item.next
    if (item.next === undefined) this.#last = item.previous
    else item.next.previous = item.previous
    item.previous = undefined
    item.next = undefined
  }

  moveToEnd(item: T): void {
    if (item === this.#last) return
    this.remove(item)
    this.insert(item)
  }
}
