import { defineWords } from '../../words/define-words.ts'

export const say = defineWords({
  en: { title: 'Import and export' },
  de: { title: 'Import und Export' },
})
