import { connect, type Connection } from './ledger.ts'

/** With a connection that is closed afterwards. */
export async function through<T>(url: string, use: (to: Connection) => Promise<T>): Promise<T> {
  const to = connect(url)
  try {
    return await use(to)
  } finally {
    to.close()
  }
}
