import { defineWords } from '../../words/define-words.ts'

export const say = defineWords({
  en: {
    title: 'Activities',
    none: 'There are no activities yet.',
    one: 'An activity',
    type: 'Type',
    status: 'Status',
    created: 'Asked for',
  },
  de: {
    title: 'Aktivitäten',
    none: 'Es gibt noch keine Aktivitäten.',
    one: 'Eine Aktivität',
    type: 'Typ',
    status: 'Status',
    created: 'Erbeten',
  },
})
