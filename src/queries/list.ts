import type { Query } from '../catalogue/query.ts'
import { whoami } from './users/whoami.ts'

/** Every query of the service. */
export const queries: readonly Query[] = [whoami]
