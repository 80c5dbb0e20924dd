import { defineWords } from '../words/define-words.ts'

export const say = defineWords({
  en: {
    product: 'Claviger',
    skip: 'Skip to the content',
    menu: 'Screens',
    language: 'Language',
    signOut: 'Sign out',
    who: '{user}, {organization}',
    nowhere: 'There is no such screen',
    nowhereLong: 'Choose a screen from the menu.',
    insecure:
      'Browsers give a page keys and passkeys over https only, or at localhost. Open this page at such an address.',
    ended: 'Your session has ended. Sign in again.',
  },
  de: {
    product: 'Claviger',
    skip: 'Zum Inhalt springen',
    menu: 'Bereiche',
    language: 'Sprache',
    signOut: 'Abmelden',
    who: '{user}, {organization}',
    nowhere: 'Diesen Bereich gibt es nicht',
    nowhereLong: 'Wählen Sie einen Bereich aus dem Menü.',
    insecure:
      'Browser geben einer Seite Schlüssel und Passkeys nur über https oder an localhost. Öffnen Sie sie dort.',
    ended: 'Ihre Sitzung ist zu Ende. Melden Sie sich wieder an.',
  },
})
