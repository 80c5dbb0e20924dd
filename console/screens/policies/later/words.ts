import { defineWords } from '../../../words/define-words.ts'

export const say = defineWords({
  en: {
    conditionHint: 'The activities that the policy is about. Empty: every activity.',
    consensusHint: 'Who must approve. Empty: any approver will do.',
    timeHint: 'When the policy is active. Empty: always.',
    completions: 'What may stand here',
    changes: 'What changes',
    unchanged: 'Nothing has been changed.',
    delete: 'Ask to delete it',
    deleteWhy: 'What it allows or denies is left to the other policies.',
    outdated:
      'This policy was changed since it was opened here; nothing was sent. What you have not typed is as it is now.',
  },
  de: {
    conditionHint: 'Die Aktivitäten, um die es geht. Leer: alle.',
    consensusHint: 'Wer zustimmen muss. Leer: irgendjemand.',
    timeHint: 'Wann die Richtlinie gilt. Leer: immer.',
    completions: 'Was hier stehen kann',
    changes: 'Was sich ändert',
    unchanged: 'Nichts wurde geändert.',
    delete: 'Um das Löschen bitten',
    deleteWhy: 'Was sie erlaubt oder verbietet, bleibt den anderen Richtlinien überlassen.',
    outdated:
      'Diese Richtlinie wurde inzwischen geändert; nichts wurde gesendet. Was Sie nicht eingegeben haben, ist der jetzige Stand.',
  },
})
