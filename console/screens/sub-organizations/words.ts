import { defineWords } from '../../words/define-words.ts'

export const say = defineWords({
  en: {
    by: 'Search by',
    name: 'Name',
    email: 'E-mail address',
    begins: 'Begins with',
    none: 'There are no such sub-organizations.',
    since: 'Since {at}',
    users: '(users: {count})',
  },
  de: {
    by: 'Suchen nach',
    name: 'Name',
    email: 'E-Mail-Adresse',
    begins: 'Beginnt mit',
    none: 'Es gibt keine solchen Unterorganisationen.',
    since: 'Seit {at}',
    users: '(Nutzer: {count})',
  },
})
