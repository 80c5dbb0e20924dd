import { defineWords } from '../../../words/define-words.ts'

export const say = defineWords({
  en: {
    about:
      'A secret is encrypted and decrypted in this page, by keys that never leave this tab. The host carries what it cannot read.',
    signer: 'The key of the service',
    signerNew:
      'The host names this key as the one that signs what the vault sends. The holder of another one could read what you import, so compare it once.',
    signerOther:
      'The host names another key than the one that was confirmed in this browser. Nothing is imported or exported until somebody says that the service has a new key.',
    signerKnown: 'It was confirmed in this browser. Each bundle must be signed by it.',
    signerTyped: 'The key as you have it from elsewhere',
    signerHint:
      'It is SIGNER_PUBLIC_KEY in the file that your API key came in; your operator has it too. Do not copy it from this page.',
    signerWrong: 'This is another key than the one that the host names. Import nothing here.',
    compare: 'Compare',
    believe: 'Believe the host this once',
    believeWarning:
      'If the host lies now, it can read what you import. From then on this browser refuses any other key.',
    export: 'Export',
    nothing: 'There is nothing to export.',
    what: 'What to export',
    format: 'Format of the key',
    doExport: 'Export it to this page',
    keepOpen: 'Others have to agree. Keep this tab open: its key alone opens what comes.',
    openNow: 'Open it, if they have agreed',
    secret: 'The secret',
    secretHint:
      'This tab holds the secret. Anybody who sees it has all that it controls. It is hidden after half a minute, and when you leave the window.',
    show: 'Show the secret',
    hide: 'Hide it',
    forget: 'Forget it',
    import: 'Import',
    kind: 'What to import',
    wallet: 'A wallet, by its recovery phrase',
    privateKey: 'A private key',
    name: 'Name',
    sentence: 'Recovery phrase',
    key: 'Private key',
    typedHint: 'It is encrypted here, and wiped once the service has it.',
    seeTyped: 'Show what is typed',
    passphrase: 'Passphrase of the wallet, if it has one',
    account: 'Kind of account',
    doImport: 'Encrypt and import',
  },
  de: {
    about:
      'Ein Geheimnis wird in dieser Seite ver- und entschlüsselt, mit Schlüsseln, die diesen Tab nie verlassen. Der Host trägt, was er nicht lesen kann.',
    signer: 'Der Schlüssel des Dienstes',
    signerNew:
      'Der Host nennt diesen Schlüssel als den, mit dem der Tresor unterschreibt. Wer einen anderen unterschiebt, könnte lesen, was Sie importieren; vergleichen Sie ihn deshalb einmal.',
    signerOther:
      'Der Host nennt einen anderen Schlüssel als den, der in diesem Browser bestätigt wurde. Nichts wird importiert oder exportiert, bis jemand sagt, dass der Dienst einen neuen hat.',
    signerKnown: 'Er wurde in diesem Browser bestätigt. Jedes Bündel muss mit ihm unterschrieben sein.',
    signerTyped: 'Der Schlüssel, wie Sie ihn von anderswo haben',
    signerHint:
      'Er steht als SIGNER_PUBLIC_KEY in der Datei, in der Ihr API-Schlüssel kam; auch Ihr Betreiber hat ihn. Kopieren Sie ihn nicht von dieser Seite.',
    signerWrong: 'Das ist ein anderer Schlüssel als der, den der Host nennt. Importieren Sie hier nichts.',
    compare: 'Vergleichen',
    believe: 'Dem Host dieses eine Mal glauben',
    believeWarning:
      'Lügt der Host jetzt, kann er lesen, was Sie importieren. Danach weist dieser Browser jeden anderen Schlüssel zurück.',
    export: 'Export',
    nothing: 'Es gibt nichts zu exportieren.',
    what: 'Was exportiert wird',
    format: 'Format des Schlüssels',
    doExport: 'In diese Seite exportieren',
    keepOpen: 'Andere müssen zustimmen. Lassen Sie diesen Tab offen: Nur sein Schlüssel öffnet, was kommt.',
    openNow: 'Öffnen, wenn sie zugestimmt haben',
    secret: 'Das Geheimnis',
    secretHint:
      'Dieser Tab hält das Geheimnis. Wer es sieht, hat alles, worüber es verfügt. Nach einer halben Minute wird es verborgen, und wenn Sie das Fenster verlassen.',
    show: 'Das Geheimnis zeigen',
    hide: 'Verbergen',
    forget: 'Vergessen',
    import: 'Import',
    kind: 'Was importiert wird',
    wallet: 'Ein Wallet, mit seiner Wiederherstellungsphrase',
    privateKey: 'Ein privater Schlüssel',
    name: 'Name',
    sentence: 'Wiederherstellungsphrase',
    key: 'Privater Schlüssel',
    typedHint: 'Es wird hier verschlüsselt und verworfen, sobald der Dienst es hat.',
    seeTyped: 'Zeigen, was getippt ist',
    passphrase: 'Passphrase des Wallets, wenn es eine hat',
    account: 'Art des Kontos',
    doImport: 'Verschlüsseln und importieren',
  },
})
