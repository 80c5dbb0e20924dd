import { defineWords } from '../../words/define-words.ts'

export const say = defineWords({
  en: {
    title: 'Sign in',
    organization: 'Organization',
    organizationHint:
      'Its id. A user of a sub-organization may also give the id of the parent. Leave it empty where a code by mail or a passkey of this console finds it.',
    lastUsed: 'Signed in to from this browser',
    forget: 'Forget these',
    passkey: 'Sign in with a passkey',
    passkeyHint: 'One gesture lets this page read for an hour. Each change needs its own: only that signs.',
    byKey: 'With an API key',
    keyFile: 'File with the key',
    keyText: 'Or paste it',
    keyHere: 'Paste the API key here',
    keyHint:
      'Pasted anywhere here, it signs in at once. It is not kept: a key of this browser signs for eight hours.',
    keyHereHint: 'The key is not kept.',
    keySubmit: 'Sign in with this key',
    noKey:
      'There is no P-256 API key in this text: lines such as API_PUBLIC_KEY=… and API_PRIVATE_KEY=…, or JSON with publicKey (66 hexadecimal digits) and privateKey (64).',
    keyHeld:
      'The key is there. Fill in the id of its organization, which dev.env has as ORGANIZATION_ID, and sign in with it.',
    notAPair: 'The private key and the public key are not of one P-256 key.',
    byCode: 'With a code by mail',
    others: 'Other ways',
    noOrganization: 'Say which organization: an id such as 0198c5a0-7d3c-7000-8000-000000000001.',
  },
  de: {
    title: 'Anmelden',
    organization: 'Organisation',
    organizationHint:
      'Ihre Id, oder die der übergeordneten Organisation. Leer lassen, wenn ein Code per E-Mail oder ein Passkey dieser Konsole sie findet.',
    lastUsed: 'Von diesem Browser aus angemeldet',
    forget: 'Diese vergessen',
    passkey: 'Mit einem Passkey anmelden',
    passkeyHint:
      'Eine Geste lässt diese Seite eine Stunde lang lesen. Jede Änderung braucht eine eigene: Nur sie unterschreibt.',
    byKey: 'Mit einem API-Schlüssel',
    keyFile: 'Datei mit dem Schlüssel',
    keyText: 'Oder hier einfügen',
    keyHere: 'Den API-Schlüssel hier einfügen',
    keyHint:
      'Irgendwo hier eingefügt, meldet er sofort an. Er wird nicht behalten: Acht Stunden lang unterschreibt ein Schlüssel dieses Browsers.',
    keyHereHint: 'Der Schlüssel wird nicht behalten.',
    keySubmit: 'Mit diesem Schlüssel anmelden',
    noKey:
      'In diesem Text ist kein P-256-API-Schlüssel: Zeilen wie API_PUBLIC_KEY=… und API_PRIVATE_KEY=…, oder JSON mit publicKey (66 hexadezimale Ziffern) und privateKey (64).',
    keyHeld: 'Der Schlüssel ist da. Geben Sie die Id seiner Organisation an, in dev.env die ORGANIZATION_ID.',
    notAPair: 'Der private und der öffentliche Schlüssel sind kein P-256-Paar.',
    byCode: 'Mit einem Code per E-Mail',
    others: 'Andere Wege',
    noOrganization: 'Sagen Sie, welche Organisation: eine Id wie 0198c5a0-7d3c-7000-8000-000000000001.',
  },
})
