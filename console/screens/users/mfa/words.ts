import { defineWords } from '../../../words/define-words.ts'

export const say = defineWords({
  en: {
    title: 'Further proofs',
    about:
      'A policy of this kind asks the user for more than one proof, after the policies of the organization have allowed a request. The stamp of the request counts as the first proof.',
    back: 'The user',
    none: 'No request of this user needs a further proof.',
    when: 'When:',
    or: 'or',
    passkey: 'a passkey',
    apiKey: 'an API key',
    mail: 'a code by mail',
    sms: 'a code by text message',
    oauth: 'an account at a provider',
    wallet: 'a wallet',
    session: 'a session',
    add: 'Ask for a further proof',
    name: 'Name',
    condition: 'For which requests',
    conditionHint:
      'An expression as in a policy. Leave EXPORT, CREDENTIAL and RECOVERY in it: a thief of one proof could otherwise export the key, or add the other proof.',
    oneOf: 'Step {at}: one of these',
    more: 'One more step',
    fewer: 'One step less',
    cannotPass:
      'The user has nothing to pass step {at} with. These requests will wait until the user has, and to add a credential may be one of them.',
    once: 'One proof passes one step.',
    create: 'Ask from now on',
    remove: 'Delete',
    removeWhy: 'These requests will need no further proof any more.',
  },
  de: {
    title: 'Weitere Nachweise',
    about:
      'Eine Richtlinie dieser Art verlangt vom Benutzer mehr als einen Nachweis, nachdem die Richtlinien der Organisation eine Anfrage erlaubt haben. Der Stempel der Anfrage zählt als erster Nachweis.',
    back: 'Der Benutzer',
    none: 'Keine Anfrage dieses Benutzers braucht einen weiteren Nachweis.',
    when: 'Wann:',
    or: 'oder',
    passkey: 'ein Passkey',
    apiKey: 'ein API-Schlüssel',
    mail: 'ein Code per E-Mail',
    sms: 'ein Code per SMS',
    oauth: 'ein Konto bei einem Anbieter',
    wallet: 'eine Wallet',
    session: 'eine Sitzung',
    add: 'Einen weiteren Nachweis verlangen',
    name: 'Name',
    condition: 'Für welche Anfragen',
    conditionHint:
      'Ein Ausdruck wie in einer Richtlinie. EXPORT, CREDENTIAL und RECOVERY gehören hinein: Wer einen Nachweis stiehlt, könnte sonst den Schlüssel exportieren oder den anderen Nachweis hinzufügen.',
    oneOf: 'Schritt {at}: eines davon',
    more: 'Ein Schritt mehr',
    fewer: 'Ein Schritt weniger',
    cannotPass:
      'Der Benutzer hat nichts, um Schritt {at} zu bestehen. Diese Anfragen warten, bis er es hat, und einen Schlüssel hinzuzufügen ist vielleicht eine davon.',
    once: 'Ein Nachweis besteht einen Schritt.',
    create: 'Von jetzt an verlangen',
    remove: 'Löschen',
    removeWhy: 'Diese Anfragen brauchen dann keinen weiteren Nachweis mehr.',
  },
})
