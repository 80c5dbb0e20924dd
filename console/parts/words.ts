import { defineWords } from '../words/define-words.ts'

export const say = defineWords({
  en: {
    loading: 'Loading …',
    again: 'Try again',
    refused: 'The service refused this: {message}',
    refusedSilently: 'The service refused this with status {status}, and did not say why.',
    refusedHere: 'This page refused this: {message}',
    unreachable: 'The service cannot be reached. Check the network, and try again.',
    otherVersion:
      'The service has another version of this page by now. Reload it. What is typed here stays until you do.',
    reload: 'Reload this page',
    strange:
      'The service answered something that this page does not understand ({path}). Nothing of it is shown.',
    noPasskey:
      'No passkey was used. The question was closed, took too long, or this device has no passkey for this host.',
    waits: 'This has to wait for the approval of others, so it does not let you in now.',
    unknownOrganization:
      'This passkey does not say which organization it is of. Fill in its id, and try again.',
    bug: 'This page met a fault of its own: {message}',
    unnamed: '(empty)',
    completed: 'Carried out',
    failed: 'Failed',
    rejected: 'Rejected',
    consensusNeeded: 'Waits for approval',
    proofNeeded: 'Waits for a proof',
    activity: 'See the activity',
    really: '{what}: yes, really',
    cancel: 'Cancel',
    more: 'Show more',
    lookAgain: 'Look again',
    pageBefore: 'Previous page',
    pageAfter: 'Next page',
  },
  de: {
    loading: 'Lädt …',
    again: 'Noch einmal versuchen',
    refused: 'Der Dienst hat das abgelehnt: {message}',
    refusedSilently: 'Der Dienst hat das mit Status {status} abgelehnt und nicht gesagt, warum.',
    refusedHere: 'Diese Seite hat das abgelehnt: {message}',
    unreachable: 'Der Dienst ist nicht erreichbar. Prüfen Sie das Netz und versuchen Sie es noch einmal.',
    otherVersion:
      'Der Dienst hat inzwischen eine andere Version dieser Seite. Laden Sie sie neu. Was hier eingegeben ist, bleibt bis dahin stehen.',
    reload: 'Diese Seite neu laden',
    strange:
      'Der Dienst hat etwas geantwortet, das diese Seite nicht versteht ({path}). Nichts davon wird gezeigt.',
    noPasskey:
      'Es wurde kein Passkey benutzt. Die Frage wurde geschlossen, dauerte zu lange, oder dieses Gerät hat für diesen Host keinen.',
    waits: 'Das muss auf die Zustimmung anderer warten und lässt Sie deshalb jetzt nicht hinein.',
    unknownOrganization:
      'Dieser Passkey sagt nicht, zu welcher Organisation er gehört. Geben Sie deren Id an und versuchen Sie es noch einmal.',
    bug: 'Diese Seite hat einen eigenen Fehler: {message}',
    unnamed: '(leer)',
    completed: 'Ausgeführt',
    failed: 'Gescheitert',
    rejected: 'Abgelehnt',
    consensusNeeded: 'Wartet auf Zustimmung',
    proofNeeded: 'Wartet auf einen Nachweis',
    activity: 'Die Aktivität ansehen',
    really: '{what}: ja, wirklich',
    cancel: 'Abbrechen',
    more: 'Mehr zeigen',
    lookAgain: 'Noch einmal nachsehen',
    pageBefore: 'Vorige Seite',
    pageAfter: 'Nächste Seite',
  },
})
