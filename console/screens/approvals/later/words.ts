import { defineWords } from '../../../words/define-words.ts'

export const say = defineWords({
  en: {
    askedAt: 'Asked at',
    status: 'Status',
    voters: 'May still approve',
    limits: 'Limits of this policy',
    limit: '{usage} within {hours} hours: at most {most}',
    used: '{used} used now',
    usedOf: '{used} used now of {by}',
    lapses: 'Lapses',
    lapsesLong: '{moment}; a vote before then gives it 30 more days. Each approval counts for 24 hours.',
  },
  de: {
    askedAt: 'Erbeten am',
    status: 'Status',
    voters: 'Kann noch freigeben',
    limits: 'Grenzen dieser Richtlinie',
    limit: '{usage} in {hours} Stunden: höchstens {most}',
    used: 'jetzt {used} verbraucht',
    usedOf: 'jetzt {used} verbraucht von {by}',
    lapses: 'Verfällt',
    lapsesLong: '{moment}; eine Stimme vorher gibt ihr weitere 30 Tage. Jede Freigabe zählt 24 Stunden.',
  },
})
