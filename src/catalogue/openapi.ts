import type { Activity } from './activity.ts'
import type { Query } from './query.ts'

export function openApiDocument(_activities: readonly Activity[], _queries: readonly Query[]): object {
  return { openapi: '3.1.0' }
}
