import { defineWords } from '../../words/define-words.ts'

export const say = defineWords({
  en: {
    about:
      'Mails and text messages of the last 30 days that were handed over to be sent. What became of one afterwards, the operator finds in the log of the mail server.',
    none: 'No message was sent.',
    mail: 'mail',
    text: 'text message',
    from: 'from {from}',
  },
  de: {
    about:
      'Mails und Textnachrichten der letzten 30 Tage, die zum Versand übergeben wurden. Was danach aus einer wurde, findet der Betreiber im Protokoll des Mailservers.',
    none: 'Es wurde keine Nachricht gesendet.',
    mail: 'Mail',
    text: 'Textnachricht',
    from: 'von {from}',
  },
})
