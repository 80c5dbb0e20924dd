/** Whether a column of PostgreSQL can have this text. Others are in no row, and asking for them would be an error. */
export function isStorable(text: string): boolean {
  return !text.includes('\0')
}
