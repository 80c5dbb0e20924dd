import { defineWords } from '../../words/define-words.ts'

export const say = defineWords({
  en: {
    title: 'Sign in',
    organization: 'Organization',
    organizationHint:
      'Its id. A user of a sub-organization may also give the id of the parent. Leave it empty where a passkey of this console knows it.',
    lastUsed: 'Signed in to from this browser',
    forget: 'Forget these',
    passkey: 'Sign in with a passkey',
    passkeyHint:
      'One gesture lets this page read for an hour. Each change is a gesture of its own: nothing else in the page can sign.',
    byKey: 'With an API key',
    keyFile: 'File with the key',
    keyText: 'Or paste it',
    keyHint:
      'Lines such as API_PUBLIC_KEY=… and API_PRIVATE_KEY=…, or JSON with publicKey and privateKey. The key stamps once, for a key that this browser makes, that nobody can read, and that ends after eight hours. The key itself is not kept.',
    keySubmit: 'Sign in with this key',
    noKey:
      'There is no P-256 API key in this text: a public key of 66 hexadecimal digits and a private key of 64.',
    notAPair: 'The private key and the public key are not of one P-256 key.',
    byCode: 'With a code by mail',
    configId: 'Configuration of the auth proxy',
    configIdHint: 'The operator of this service tells it; it is no secret.',
    contact: 'E-mail address',
    sendCode: 'Send a code',
    code: 'Code',
    codeHint: 'It has been sent, if somebody here has this address.',
    codeSubmit: 'Sign in with this code',
    noOrganization: 'Say which organization: an id such as 0198c5a0-7d3c-7000-8000-000000000001.',
  },
  de: {
    title: 'Anmelden',
    organization: 'Organisation',
    organizationHint:
      'Ihre Id. Wer zu einer Unterorganisation gehört, kann auch die Id der übergeordneten angeben.',
    lastUsed: 'Von diesem Browser aus angemeldet',
    forget: 'Diese vergessen',
    passkey: 'Mit einem Passkey anmelden',
    passkeyHint:
      'Eine Geste lässt diese Seite eine Stunde lang lesen. Jede Änderung ist eine eigene Geste: Nichts anderes in der Seite kann unterschreiben.',
    byKey: 'Mit einem API-Schlüssel',
    keyFile: 'Datei mit dem Schlüssel',
    keyText: 'Oder hier einfügen',
    keyHint:
      'Zeilen wie API_PUBLIC_KEY=… und API_PRIVATE_KEY=…, oder JSON mit publicKey und privateKey. Der Schlüssel stempelt einmal, für einen Schlüssel, den dieser Browser macht, den niemand lesen kann und der nach acht Stunden endet. Der Schlüssel selbst wird nicht behalten.',
    keySubmit: 'Mit diesem Schlüssel anmelden',
    noKey:
      'In diesem Text ist kein P-256-API-Schlüssel: ein öffentlicher von 66 hexadezimalen Ziffern und ein privater von 64.',
    notAPair: 'Der private und der öffentliche Schlüssel gehören nicht zu einem P-256-Schlüssel.',
    byCode: 'Mit einem Code per E-Mail',
    configId: 'Konfiguration des Auth-Proxys',
    configIdHint: 'Der Betreiber dieses Dienstes nennt sie; sie ist kein Geheimnis.',
    contact: 'E-Mail-Adresse',
    sendCode: 'Einen Code senden',
    code: 'Code',
    codeHint: 'Er ist unterwegs, falls hier jemand diese Adresse hat.',
    codeSubmit: 'Mit diesem Code anmelden',
    noOrganization: 'Sagen Sie, welche Organisation: eine Id wie 0198c5a0-7d3c-7000-8000-000000000001.',
  },
})
