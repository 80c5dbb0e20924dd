import { defineWords } from '../../words/define-words.ts'

export const say = defineWords({
  en: {
    title: 'A recovery of this organization is under way',
    begun: 'People who hold shares of its recovery have begun it on {at}.',
    unreadable: 'This page cannot read whom it is for.',
    becomes: 'Who would become a root user, with a key of their own, as those who began it call them:',
    left: '{hours} hours are left until then. Hours in which the service does not run are not counted.',
    soon: 'The delay is over: it can happen at any moment.',
    stop: 'Stop the recovery',
    stops:
      'If none of the root users has asked for this, stop it. The shares are of no use any more then: the root quorum can make new ones.',
    tellRoot: 'Any one root user can stop it. Tell them, in case nobody has asked for this.',
    stopped: 'The server says that it was stopped. The shares are of no use any more then.',
  },
  de: {
    title: 'Eine Wiederherstellung dieser Organisation läuft',
    begun: 'Menschen mit Anteilen an ihrer Wiederherstellung haben sie am {at} begonnen.',
    unreadable: 'Diese Seite kann nicht lesen, für wen sie ist.',
    becomes:
      'Wer zum Root-Benutzer würde, mit einem eigenen Schlüssel. Die Namen geben die, die begonnen haben:',
    left: 'Bis dahin sind es noch {hours} Stunden. Stunden, in denen der Dienst nicht läuft, zählen nicht.',
    soon: 'Die Frist ist vorbei: Es kann jeden Moment geschehen.',
    stop: 'Die Wiederherstellung anhalten',
    stops:
      'Wenn keiner der Root-Benutzer darum gebeten hat, halten Sie sie an. Die Anteile nützen dann nichts mehr: Das Root-Quorum kann neue machen.',
    tellRoot:
      'Jeder einzelne Root-Benutzer kann sie anhalten. Sagen Sie es ihnen, falls niemand darum gebeten hat.',
    stopped: 'Der Server sagt, dass sie angehalten wurde. Die Anteile nützen dann nichts mehr.',
  },
})
