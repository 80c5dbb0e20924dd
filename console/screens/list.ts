import type { Screen } from './screen.ts'

/** Every screen, in the order of the menu; the first is shown after signing in. Each is loaded when it is opened. */
export const screens: readonly Screen[] = [
  { path: 'approvals', load: async () => (await import('./approvals/approvals.tsx')).Approvals },
  { path: 'activities', load: async () => (await import('./activities/activities.tsx')).Activities },
  { path: 'policies', load: async () => (await import('./policies/policies.tsx')).Policies },
  { path: 'contracts', load: async () => (await import('./contracts/contracts.tsx')).Contracts },
  { path: 'users', load: async () => (await import('./users/users.tsx')).Users },
  { path: 'tags', load: async () => (await import('./tags/tags.tsx')).Tags },
  { path: 'wallets', load: async () => (await import('./wallets/wallets.tsx')).Wallets },
  {
    path: 'import-export',
    load: async () => (await import('./import-export/import-export.tsx')).ImportExport,
  },
  { path: 'sign', load: async () => (await import('./sign/sign.tsx')).Sign },
  { path: 'limits', load: async () => (await import('./limits/limits.tsx')).Limits },
  {
    path: 'sub-organizations',
    load: async () => (await import('./sub-organizations/sub-organizations.tsx')).SubOrganizations,
  },
  { path: 'webhooks', load: async () => (await import('./webhooks/webhooks.tsx')).Webhooks },
  { path: 'messages', load: async () => (await import('./messages/messages.tsx')).Messages },
  { path: 'audit', load: async () => (await import('./audit/audit.tsx')).Audit },
  { path: 'settings', load: async () => (await import('./settings/settings.tsx')).Settings },
]
