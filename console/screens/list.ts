import { activities } from './activities/activities.tsx'
import { approvals } from './approvals/approvals.tsx'
import { importExport } from './import-export/import-export.tsx'
import { limits } from './limits/limits.tsx'
import { messages } from './messages/messages.tsx'
import { policies } from './policies/policies.tsx'
import { settings } from './settings/settings.tsx'
import { subOrganizations } from './sub-organizations/sub-organizations.tsx'
import type { Screen } from './screen.ts'
import { tags } from './tags/tags.tsx'
import { users } from './users/users.tsx'
import { wallets } from './wallets/wallets.tsx'
import { webhooks } from './webhooks/webhooks.tsx'

/** Every screen, in the order of the menu; the first is shown after signing in. */
export const screens: readonly Screen[] = [
  approvals,
  activities,
  policies,
  users,
  tags,
  wallets,
  importExport,
  limits,
  subOrganizations,
  webhooks,
  messages,
  settings,
]
