import { defineWords } from '../../words/define-words.ts'

export const say = defineWords({
  en: {
    about:
      'What is used of the limits in the policies, at this moment. The root quorum is not bound by them.',
    none: 'No policy has a limit on usage.',
    unused: 'Nothing has been counted yet.',
    upTo: 'up to {most}',
    used: '{used} of {most}',
    left: '{left} is left.',
    full: 'Nothing is left.',
    returns: '{amount} returns on {at}.',
    empty: 'All of it has returned by {at}.',
    all: 'all together',
  },
  de: {
    about:
      'Was von den Limits der Richtlinien gerade verbraucht ist. Das Root-Quorum ist nicht an sie gebunden.',
    none: 'Keine Richtlinie hat ein Limit.',
    unused: 'Noch wurde nichts gezählt.',
    upTo: 'bis zu {most}',
    used: '{used} von {most}',
    left: '{left} bleibt übrig.',
    full: 'Nichts bleibt übrig.',
    returns: '{amount} kehrt am {at} zurück.',
    empty: 'Alles ist zurück am {at}.',
    all: 'alle zusammen',
  },
})
