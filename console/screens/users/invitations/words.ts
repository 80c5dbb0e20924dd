import { defineWords } from '../../../words/define-words.ts'

export const say = defineWords({
  en: {
    title: 'Invitations',
    about:
      'An invitation sends a mail, and is kept here until it is deleted. It lets nobody in: add the user, with the public half of a key that the person has made.',
    back: 'All users',
    none: 'Nobody is invited.',
    by: 'invited by {name}, {at}',
    WEB: 'for the browser',
    API: 'for programs',
    ALL: 'for both',
    add: 'Invite somebody',
    name: 'Name',
    email: 'E-mail address',
    access: 'What for',
    tags: 'Tags',
    invite: 'Invite',
    cancel: 'Cancel the invitation',
    cancelWhy: 'The mail that was sent stays where it is. The list forgets the invitation.',
  },
  de: {
    title: 'Einladungen',
    about:
      'Eine Einladung verschickt eine Mail und bleibt hier, bis sie gelöscht wird. Sie lässt niemanden hinein: Fügen Sie den Benutzer hinzu, mit der öffentlichen Hälfte eines Schlüssels, den die Person gemacht hat.',
    back: 'Alle Benutzer',
    none: 'Niemand ist eingeladen.',
    by: 'eingeladen von {name}, {at}',
    WEB: 'für den Browser',
    API: 'für Programme',
    ALL: 'für beides',
    add: 'Jemanden einladen',
    name: 'Name',
    email: 'E-Mail-Adresse',
    access: 'Wofür',
    tags: 'Tags',
    invite: 'Einladen',
    cancel: 'Die Einladung zurücknehmen',
    cancelWhy: 'Die verschickte Mail bleibt, wo sie ist. Die Liste vergisst die Einladung.',
  },
})
