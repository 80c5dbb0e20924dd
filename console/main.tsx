import { render } from 'preact'
import { Guarded } from './parts/guarded.tsx'
import { Page } from './shell/page.tsx'

const place = document.getElementById('app')
if (place !== null)
  render(
    <Guarded>
      <Page />
    </Guarded>,
    place,
  )
