import { defineWords } from '../../words/define-words.ts'

export const say = defineWords({
  en: {
    one: 'A webhook endpoint',
    none: 'There are no webhook endpoints.',
    active: 'Gets events',
    silent: 'Gets nothing',
    back: 'All webhook endpoints',
    gone: 'There is no such endpoint any more.',
    waiting: 'Waiting',
    dead: 'Given up',
    nothing: 'Nothing.',
    next: 'The first is tried next on {at}.',
    event: 'Event {id}',
    attempts: 'attempts: {count}',
    redeliver: 'Ask to send these {count} again',
  },
  de: {
    one: 'Ein Webhook-Endpunkt',
    none: 'Es gibt keine Webhook-Endpunkte.',
    active: 'Bekommt Ereignisse',
    silent: 'Bekommt nichts',
    back: 'Alle Webhook-Endpunkte',
    gone: 'Diesen Endpunkt gibt es nicht mehr.',
    waiting: 'Wartend',
    dead: 'Aufgegeben',
    nothing: 'Nichts.',
    next: 'Das erste wird am {at} wieder versucht.',
    event: 'Ereignis {id}',
    attempts: 'Versuche: {count}',
    redeliver: 'Darum bitten, diese {count} noch einmal zu senden',
  },
})
