/**
 * One event of a stream, in the form that browsers read (HTML, section 9.2).
 *
 * @param cursor  from which a later stream goes on; absent where it cannot go on from here
 */
export function eventText(event: string, data: object, cursor?: string): string {
  return `event: ${event}\n${cursor === undefined ? '' : `id: ${cursor}\n`}data: ${JSON.stringify(data)}\n\n`
}

/** A comment that keeps the connection alive; readers ignore it. */
export const STILL_HERE = ': \n\n'
