import { defineWords } from '../../../words/define-words.ts'

export const say = defineWords({
  en: {
    configId: 'Configuration of the auth proxy',
    configIdHint: 'The operator of this service tells it; it is no secret.',
    contact: 'E-mail address',
    sendCode: 'Send a code',
    code: 'Code',
    codeHint: 'It has been sent, if somebody here has this address.',
    codeSubmit: 'Sign in with this code',
    anotherCode: 'Send another code',
  },
  de: {
    configId: 'Konfiguration des Auth-Proxys',
    configIdHint: 'Der Betreiber dieses Dienstes nennt sie; sie ist kein Geheimnis.',
    contact: 'E-Mail-Adresse',
    sendCode: 'Einen Code senden',
    code: 'Code',
    codeHint: 'Er ist unterwegs, falls hier jemand diese Adresse hat.',
    codeSubmit: 'Mit diesem Code anmelden',
    anotherCode: 'Einen anderen Code senden',
  },
})
