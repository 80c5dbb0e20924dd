// The way of a stranger to the two-person approval, by the keystroke-level model:
//   npm run stranger
import { openChromium } from '../support/chromium.ts'
import { runService } from '../support/running-service.ts'
import { readingSeconds, told } from './gestures.ts'
import { approveAsSecondPerson } from './two-people.ts'

const service = await runService('dev')
const browser = await openChromium()
try {
  const { person, wordsOfPage } = await approveAsSecondPerson(service, browser, () => performance.now())
  console.log(told(person.steps))
  const [words, seconds] = [wordsOfPage.toFixed(0), readingSeconds(wordsOfPage).toFixed(0)]
  console.log(`The page of the request has ${words} words; to read all of them takes ${seconds} s.`)
} finally {
  await browser.close()
  await service.kill()
}
