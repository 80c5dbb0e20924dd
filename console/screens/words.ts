import { defineWords } from '../words/define-words.ts'

/** What each screen is called, by its address: in the menu, and above the screen. */
export const say = defineWords({
  en: {
    approvals: 'Approvals',
    activities: 'Activities',
    policies: 'Policies',
    contracts: 'Contract interfaces',
    users: 'Users',
    tags: 'Tags',
    wallets: 'Wallets and keys',
    'import-export': 'Import and export',
    sign: 'Sign something',
    limits: 'Limits',
    'sub-organizations': 'Sub-organizations',
    webhooks: 'Webhooks',
    messages: 'Messages',
    audit: 'Audit log',
    settings: 'Settings',
  },
  de: {
    approvals: 'Freigaben',
    activities: 'Aktivitäten',
    policies: 'Richtlinien',
    contracts: 'Vertragsschnittstellen',
    users: 'Benutzer',
    tags: 'Tags',
    wallets: 'Wallets und Schlüssel',
    'import-export': 'Import und Export',
    sign: 'Etwas signieren',
    limits: 'Limits',
    'sub-organizations': 'Unterorganisationen',
    webhooks: 'Webhooks',
    messages: 'Nachrichten',
    audit: 'Prüfprotokoll',
    settings: 'Einstellungen',
  },
})
