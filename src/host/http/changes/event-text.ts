/**
 * One event of a stream, in the form that browsers read (HTML, section 9.2).
 *
 * @param cursor  from which a later stream goes on; absent where it cannot go on from here
 */
export function eventText(event: string, data: object, cursor?: string): string {
  return `event: ${event}\n${cursor === undefined ? '' : `id: ${cursor}\n`}data: ${JSON.stringify(data)}\n\n`
}

/** What keeps a connection from being taken for dead; readers pass over it. */
export const STILL_HERE = ': \n\n'
