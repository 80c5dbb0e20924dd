/** Undefined for a number that is no instant: jobs carry no seal, and a writer of the database may write any. */
export function instantText(at: number): string | undefined {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
