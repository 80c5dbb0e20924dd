import { present } from '../../src/trusted/base/assert.ts'
import { type Link, type LinkState, openLink } from './link.ts'

export type Way = { readonly from: string; readonly to: string }

/** The ways between the parts, each with a port of its own. */
export type Network = {
  readonly link: (from: string, to: string) => Link
  /** Of all ways that are meant. */
  readonly set: (state: LinkState, isMeant: (way: Way) => boolean) => void
  readonly close: () => Promise<void>
}

export async function openNetwork(
  ways: readonly (readonly [from: string, to: string])[],
  portOf: (to: string) => number,
): Promise<Network> {
  const links: (Way & { readonly link: Link })[] = []
  for (const [from, to] of ways) links.push({ from, to, link: await openLink(portOf(to)) })
  return {
    link: (from, to) =>
      present(
        links.find((one) => one.from === from && one.to === to),
        `a way from ${from} to ${to}`,
      ).link,
    set: (state, isMeant) => {
      for (const { from, to, link } of links) if (isMeant({ from, to })) link.set(state)
    },
    close: async () => {
      await Promise.all(links.map(({ link }) => link.close()))
    },
  }
}
