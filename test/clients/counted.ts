/**
 * The same client, which also writes down the paths of the operations it has called with success. The path of a method
 * is read from its own text, so that a new version of the client needs no table here.
 */
export function counted<Client extends object>(client: Client, called: Set<string>): Client {
  return new Proxy(client, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      const path = pathOf(member)
      return async (...args: unknown[]): Promise<unknown> => {
        const answer: unknown = await Reflect.apply(member, target, args)
        if (path !== undefined && isCall(target, String(name))) called.add(path)
        return answer
      }
    },
  })
}

/** The operations a client has a method for: `/public/v1/submit/create_users`. */
export function pathsOf(client: object): ReadonlySet<string> {
  const members = Object.values(client).filter((member: unknown) => typeof member === 'function')
  return new Set(members.map((member) => pathOf(member)).filter((path) => path !== undefined))
}

/**
 * For each operation there is a method that calls it, and one with `stamp` before its name that only stamps the
 * request.
 */
function isCall(client: object, name: string): boolean {
  return `stamp${name.slice(0, 1).toUpperCase()}${name.slice(1)}` in client
}

function pathOf(method: object): string | undefined {
  return /"(\/public\/v1\/(?:submit|query)\/\w+)"/.exec(Function.prototype.toString.call(method))?.[1]
}
